package logs_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/logs"
	"github.com/changeover/changeover/domain/baton/phrase"
)

func TestLook(t *testing.T) {
	is := is.New(t)
	log := "\n--- 2026-05-28T09:00:00.000Z START x <prompt 1 chars> ---\n[relay-baton] context compressed: é -> 8 chars\n" +
		"[stderr] Error: quota exceeded\n--- exit 1 ---\n[error] done\n[out] Error: quota exceeded"
	got, err := logs.Look(strings.NewReader(log), phrase.Defaults())
	is.NoErr(err)
	want := logs.Survey{
		Lines: 7, Notices: 1, Chars: len(log) - 1, NoticeChars: 47, Hits: 2,
		LastHit: logs.Place{Line: 6, From: 153, Size: 12}, LastExit: logs.Place{Line: 5, From: 138, Size: 14},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(logs.Survey{})); diff != "" {
		t.Fatal(diff)
	}
	got, err = logs.Look(strings.NewReader(""), phrase.Defaults())
	is.NoErr(err)
	is.True(got.LastHit.None())
	is.Equal(got.Lines, 0)
}

// A character may lie across two readings, wherever it does.
func TestLook_CountsCharactersOnce(t *testing.T) {
	is := is.New(t)
	for before := 64<<10 - 5; before <= 64<<10; before++ {
		for _, end := range []string{"é", "€", "😀", "😀€é", "\xe2\x82", "\xf0\x9fx", "\xff"} {
			log := strings.Repeat("x", before) + end
			got, err := logs.Look(strings.NewReader(log), phrase.Defaults())
			is.NoErr(err)
			is.Equal(got.Chars, utf8.RuneCountInString(log)) // end
		}
	}
}

// What is passed over without a closer look is no hit, whatever the phrases are.
func TestLook_FindsEveryHit(t *testing.T) {
	pieces := rapid.SampledFrom([]string{
		"a", "K", "k", "\u212a", "s", "ſ", "İ", "ß", "패턴", "é", "É", " ", "\u00a0", "-", "\xff", "abc", "quota", "Exceeded", "limit", "\x1b[0m", "\u009b1m", "\x1b]0;x\a",
	})
	text := rapid.Map(rapid.SliceOfN(pieces, 1, 8), func(s []string) string { return strings.Join(s, "") })
	rapid.Check(t, func(t *rapid.T) {
		list := phrase.NewList(rapid.SliceOfN(text, 0, 4).Draw(t, "phrases"))
		tag := rapid.SampledFrom([]string{"", "[stdout] ", "[out] ", "[error] "})
		entries := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
			line := tag.Draw(t, "tag") + text.Draw(t, "line")
			if known := list.Texts(); len(known) > 0 && rapid.Bool().Draw(t, "said") {
				line += strings.ToUpper(rapid.SampledFrom(known).Draw(t, "phrase")) + "."
			}
			return line
		}), 0, 12).Draw(t, "entries")
		want := 0
		for _, line := range entries {
			if _, ok := list.Hit(line); ok {
				want++
			}
		}
		got, err := logs.Look(strings.NewReader(strings.Join(entries, "\n")), list)
		if err != nil || got.Hits != want {
			t.Fatalf("%d hits and not %d: %v", got.Hits, want, err)
		}
	})
}

func TestLook_PassesNothingOver(t *testing.T) {
	is := is.New(t)
	for log, want := range map[string]int{
		"abc\nabc\nabc": 3, "abc\n\nxabcx\nab c": 2, "[stdout] a\u009b0mbc\n[stdout] a\x1b[0mbc\n[stdout] \u00b7ab\u009b1mc": 3,
		"\ufeffabc\nabd": 1,
	} {
		got, err := logs.Look(strings.NewReader(log), phrase.NewList([]string{"ABC"}))
		is.NoErr(err)
		is.Equal(got.Hits, want) // log
	}
}

// More phrases than the quick search tells apart.
func TestLook_ManyPhrases(t *testing.T) {
	is := is.New(t)
	var texts []string
	var log strings.Builder
	for a := 'a'; a <= 'z'; a++ {
		for b := 'a'; b <= 'z'; b++ {
			text := strings.Repeat(string([]rune{a, b}), 3) + "xyz"
			texts = append(texts, text)
			log.WriteString("[stdout] it says " + text + "\n[stdout] nothing\n")
		}
	}
	got, err := logs.Look(strings.NewReader(log.String()), phrase.NewList(texts))
	is.NoErr(err)
	is.Equal(got.Hits, 26*26)
}
