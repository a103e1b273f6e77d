package phrase_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/text"
)

// detected is one row of the samples.
type detected struct{ line, phrase, strength, why string }

func samples(t *testing.T) []detected {
	t.Helper()
	table, err := os.ReadFile("testdata/detector/lines.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var rows []detected
	for _, row := range strings.Split(strings.TrimSpace(string(table)), "\n")[1:] {
		columns := strings.Split(row, "\t")
		d := detected{phrase: columns[1], strength: columns[2], why: columns[3]}
		if err := json.Unmarshal([]byte(columns[0]), &d.line); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, d)
	}
	return rows
}

// Rows 18, 19, 20, 21: a phrase in any case, search results, talk about detection,
// real messages.
func TestHit_Samples(t *testing.T) {
	for _, row := range samples(t) {
		t.Run(row.why, func(t *testing.T) {
			is := is.New(t)
			got, ok := phrase.Defaults().Hit(row.line)
			is.Equal(ok, row.phrase != "-")
			is.Equal(got.Strength.String(), row.strength)
			if ok {
				is.Equal(got.Phrase, row.phrase)
			}
		})
	}
}

// An agent's line is read in the log, behind its tag, like in the stream.
func TestHit_IsOneForStreamAndLog(t *testing.T) {
	for _, row := range samples(t) {
		if strings.HasPrefix(row.line, "[std") {
			continue
		}
		for _, tag := range []string{"[stdout] ", "[stderr] "} {
			is := is.New(t)
			plain, plainOK := phrase.Defaults().Hit(row.line)
			logged, loggedOK := phrase.Defaults().Hit(tag + row.line + "\r")
			is.Equal(plainOK, loggedOK) // row.why
			is.Equal(plain, logged)
		}
	}
}

func TestHit_TagsOfStructuredClients(t *testing.T) {
	is := is.New(t)
	list := phrase.Defaults()
	hit, ok := list.Hit("[error] something went wrong")
	is.True(ok)
	is.Equal(hit, phrase.Hit{Phrase: phrase.ClientError, Strength: phrase.Strong})
	hit, ok = phrase.List{}.Hit("[error] no phrases are needed")
	is.True(ok)
	is.Equal(hit.Phrase, "client error")
	for _, tag := range []string{"session", "agent", "think", "tool", "out", "edit", "retry", "note", "api", "result", "relay-baton"} {
		_, ok := list.Hit("[" + tag + "] Error: quota exceeded")
		is.True(!ok) // tag
	}
	_, ok = list.Hit("[stdout] [agent] quota exceeded")
	is.True(ok) // one tag is taken off, and [stdout] is that one
	_, ok = list.Hit("[stdout] [error] nothing")
	is.True(!ok) // what an agent prints is no verdict of its client
	_, ok = list.Hit("\x1b[31m[out] quota exceeded\x1b[0m")
	is.True(!ok) // a tag in colours is one
	_, ok = list.Hit("[agents] quota exceeded")
	is.True(ok) // not a tag of the log
}

func TestHit_ReadsTheEndsOfLongLines(t *testing.T) {
	list := phrase.Defaults()
	const said = "quota exceeded"
	fill := func(n int) string { return strings.Repeat("é", n) }
	tests := []struct {
		name, line string
		want       bool
	}{
		{"all of 4000 characters", fill(1995) + said + fill(4000-1995-len(said)), true},
		{"not across the middle of 4001", fill(1995) + said + fill(4001-1995-len(said)), false},
		{"the last of the first 2000", fill(2000-len(said)) + said + fill(3000), true},
		{"one past them", fill(2001-len(said)) + said + fill(3000), false},
		{"the first of the last 2000", fill(3000) + said + fill(2000-len(said)), true},
		{"one before them", fill(3000) + said + fill(2001-len(said)), false},
		{"a carriage return does not count", fill(1995) + said + fill(4000-1995-len(said)) + "\r", true},
		{"a tag does not count", "[stderr] " + fill(2000-len(said)) + said + fill(3000), true},
		{"control sequences do not count", strings.Repeat("\x1b[0m", 900) + fill(100) + said, true},
		{"the end of a very long line", strings.Repeat("x", 1<<20) + " " + said, true},
		{"the middle of a very long line of control sequences", strings.Repeat("\x1b[0m", 20_000) + said + strings.Repeat("\x1b[0m", 20_000), false},
		{"the middle of a very long line", strings.Repeat("x", 1<<20) + " " + said + strings.Repeat(" y", 1<<20), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			_, ok := list.Hit(tt.line)
			is.Equal(ok, tt.want)
		})
	}
}

func TestHit_SearchResults(t *testing.T) {
	tests := []struct {
		line string
		want bool
	}{
		{"a/b/c-3:quota exceeded", false},
		{"main.go:7-quota exceeded", false},
		{"Dockerfile:7:quota exceeded", false},
		{"D:/x/y:7:quota exceeded", false},
		{"main.toolongextension:7:quota exceeded", true},
		{"main.ninechars:7:quota exceeded", true},
		{"main.extensio:7:quota exceeded", false},
		{"main:7:quota exceeded", true},
		{"dir/:7:quota exceeded", true},
		{"my file.go:7:quota exceeded", true},
		{"main.go:7 quota exceeded", true},
		{"main.go::quota exceeded", true},
		{"main.go:x:quota exceeded", true},
		{"see main.go:7: quota exceeded", true},
		{"https://example.test/a:7:quota exceeded", true},
	}
	for _, tt := range tests {
		t.Run(tt.line, func(t *testing.T) {
			is := is.New(t)
			_, ok := phrase.Defaults().Hit(tt.line)
			is.Equal(ok, tt.want)
		})
	}
}

func TestHit_TalkAboutDetection(t *testing.T) {
	tests := []struct {
		line string
		want bool
	}{
		{"a FallBack   Patterns list holds quota exceeded", false},
		{`"fallbackPatterns": ["quota exceeded"]`, false},
		{"detection pattern: quota exceeded", false},
		{"the pattern of a fallback: quota exceeded", true},
		{"usage, rate, token: quota exceeded", false},
		{"Quota / Limit / Context: quota exceeded", false},
		{"usage/rate and token: quota exceeded", true},
		{"usage/rate//token: quota exceeded", true},
		{"usages/rate/token: quota exceeded", true},
		{"usage,rate;token: quota exceeded", true},
		{"quota 패턴: quota exceeded", false},
		{"limit패턴: quota exceeded", false},
		{"패턴 limit: quota exceeded", true},
		{"감지한다 quota exceeded", false},
	}
	for _, tt := range tests {
		t.Run(tt.line, func(t *testing.T) {
			is := is.New(t)
			_, ok := phrase.Defaults().Hit(tt.line)
			is.Equal(ok, tt.want)
		})
	}
}

func TestHit_Strength(t *testing.T) {
	tests := []struct {
		line string
		want phrase.Strength
	}{
		{"saw `quota exceeded` there", phrase.Weak},
		{"429: saw 'quota exceeded' there", phrase.Weak},                    // quoted beats the code
		{"error: saw 'quota exceeded' there", phrase.Strong},                // but not a leading error
		{"[x] [y] 09:00:00 fatal: saw 'quota exceeded'", phrase.Strong},     // behind tags and a time
		{"the error: saw 'quota exceeded' there", phrase.Weak},              // not leading
		{"errors: saw 'quota exceeded' there", phrase.Weak},                 // not the word
		{"1. quota exceeded 429", phrase.Weak},                              // a list
		{"12) quota exceeded 429", phrase.Weak},                             //
		{"> quota exceeded 429", phrase.Weak},                               // a quotation
		{"# quota exceeded 429", phrase.Weak},                               //
		{"  /* quota exceeded 429", phrase.Weak},                            //
		{"-- quota exceeded 429", phrase.Weak},                              //
		{"12 quota exceeded 429", phrase.Strong},                            // no list
		{"we saw quota exceeded, error]", phrase.Strong},                    //
		{"we saw quota exceeded, Exception:", phrase.Strong},                //
		{"we saw quota exceeded, MyException:", phrase.Weak},                // not the word
		{"we saw quota exceeded, error", phrase.Weak},                       // nothing behind it
		{"we saw quota exceeded (503)", phrase.Strong},                      //
		{"we saw quota exceeded 5030", phrase.Weak},                         //
		{"we saw quota exceeded, “429”", phrase.Strong},                     //
		{"we saw quota exceeded, try  again in 5 minutes", phrase.Strong},   //
		{"we saw quota exceeded, Retry after 5 s", phrase.Strong},           //
		{"we saw quota exceeded, retry inside", phrase.Weak},                //
		{"we saw quota exceeded, try again", phrase.Weak},                   //
		{"one two three: quota exceeded", phrase.Strong},                    // a label
		{"one two three four: quota exceeded", phrase.Weak},                 // too long for one
		{"one: two: quota exceeded", phrase.Weak},                           // at most one label
		{"one:quota exceeded", phrase.Weak},                                 // no space
		{"[a] 2026-05-28 09:00:00,123 [b] quota exceeded", phrase.Strong},   // tags and timestamps
		{"2026-05-28T09:00:00.000+02:00 x: quota exceeded", phrase.Strong},  //
		{"2026/05/28 quota exceeded", phrase.Strong},                        //
		{"2026-05-28quota exceeded", phrase.Weak},                           //
		{"[unclosed quota exceeded", phrase.Weak},                           //
		{"2026-05-28 and quota exceeded", phrase.Weak},                      //
		{"we saw quota exceeded|1749924000", phrase.Strong},                 //
		{"we saw quota exceeded |1749924000", phrase.Weak},                  // directly
		{"we saw quota exceeded|soon", phrase.Weak},                         //
		{"it's said that the quota exceeded what we can't", phrase.Weak},    //
		{"429 quota exceeded \"quoted\" and \"more\"", phrase.Strong},       // quotes on one side
		{strings.Repeat("x", 5000) + " quota exceeded 429", phrase.Strong},  // a long line
		{"we saw quota exceeded" + strings.Repeat(" ", 3000), phrase.Weak},  //
		{"\tquota exceeded", phrase.Strong},                                 // space before it
		{"we saw \x1b[1mquota\x1b[0m\u00a0exceeded, error:", phrase.Strong}, // colours, a no-break space
	}
	for _, tt := range tests {
		t.Run(tt.line[:min(len(tt.line), 60)], func(t *testing.T) {
			is := is.New(t)
			hit, ok := phrase.Defaults().Hit(tt.line)
			is.True(ok)
			is.Equal(hit.Strength, tt.want)
		})
	}
}

func TestHit_TheLongestPhraseWins(t *testing.T) {
	is := is.New(t)
	list := phrase.NewList([]string{"limit", "rate limit", "too much"})
	hit, ok := list.Hit("a rate limit, a limit, too much")
	is.True(ok)
	is.Equal(hit.Phrase, "rate limit")
	hit, ok = phrase.NewList([]string{"bb", "aa"}).Hit("aa bb")
	is.True(ok)
	is.Equal(hit.Phrase, "bb") // of two as long, the first of the list
}

func TestHit_IsAgrees(t *testing.T) {
	parts := []string{
		"[stdout] ", "[out] ", "[error] ", "quota exceeded", "Rate  Limit\u00a0Exceeded", "\x1b[31m", "\u009b0m", "\r", "x.go:1:",
		"usage/rate/token", "\xff", "é", "K", "\u212a", "fallback pattern", "x", " ",
	}
	rapid.Check(t, func(t *rapid.T) {
		line := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 8).Draw(t, "parts"), "")
		list := phrase.Defaults()
		_, want := list.Hit(line)
		var scratch []byte
		for range 2 {
			if got := list.Is([]byte(line), &scratch); got != want {
				t.Fatalf("Is(%q) is %v", line, got)
			}
		}
	})
}

func TestShown_IsWithoutControlSequences(t *testing.T) {
	is := is.New(t)
	is.Equal(string(phrase.Shown([]byte("\u009b1ma\x1b[0mb"), nil)), "ab")
	pieces := rapid.SampledFrom([]string{
		"a", "\x1b", "[", "31;1", "m", "\u009b", "\u0090", "\u009d", "\u009c", "]0;", "\a", "\\", "é", "\u00b7", "\xc2", "\x1b[0m", "?", "(B", "\n",
	})
	rapid.Check(t, func(t *rapid.T) {
		line := strings.Join(rapid.SliceOfN(pieces, 0, 12).Draw(t, "line"), "")
		scratch := []byte("old")
		if got, want := string(phrase.Shown([]byte(line), &scratch)), text.WithoutSequences(line); got != want {
			t.Fatalf("%q is shown as %q and not %q", line, got, want)
		}
		if !phrase.Escapes([]byte(line)) && text.WithoutSequences(line) != line {
			t.Fatalf("%q holds control sequences", line)
		}
	})
}

// A line with a phrase holds the stem of the phrase in the case of some ASCII
// letters, unless control sequences stand between.
func TestStems_AreInEveryHit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SampledFrom([]string{"a", "K", "s", "\u212a", "\u017f", "İ", "ß", "ẞ", "패", "é", "É", " ", "\u00a0", "-", "\xff"})
		said := strings.Join(rapid.SliceOfN(letters, 0, 8).Draw(t, "said"), "")
		line := strings.Join(rapid.SliceOfN(letters, 0, 20).Draw(t, "line"), "")
		if rapid.Bool().Draw(t, "holds") {
			line += strings.ToUpper(said)
		}
		list := phrase.NewList([]string{said})
		stems := list.Stems()
		if len(stems) != len(list.Texts()) {
			t.Fatalf("%d stems of %d phrases", len(stems), len(list.Texts()))
		}
		if _, ok := list.Find(line); ok && !strings.Contains(lowerASCII(line), stems[0]) {
			t.Fatalf("%q is found in %q, its stem %q is not", said, line, stems[0])
		}
	})
}

func lowerASCII(s string) string {
	b := []byte(s)
	for i := range b {
		if 'A' <= b[i] && b[i] <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}
