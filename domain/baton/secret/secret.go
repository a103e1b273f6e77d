// Package secret finds credentials in a text that is about to be handed to an
// agent: by the shapes of well-known tokens, and by the values of variables that
// the agent must not see.
package secret

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/baton/markdown"
)

// Environment is the kind of a finding that is the value of a variable.
const Environment = "environment"

const (
	// shownChars is how much of a secret a finding shows.
	shownChars = 4
	// shortestValue is the length from which the value of a variable counts.
	shortestValue = 8
	// fewestDifferent is how many different characters a secret has at least
	// behind its prefix.
	fewestDifferent = 6
)

// Finding is one secret. It does not hold the secret itself, so that nothing
// that prints it can give it away.
type Finding struct {
	File string
	// Line counts from 1.
	Line int
	Kind string
	// Shown is how the secret begins: at most four characters.
	Shown string
	// Chars is the length of the secret.
	Chars int
}

// Place names the finding without anything of the secret:
// "handoff.md:41 github-token".
func (f Finding) Place() string { return fmt.Sprintf("%s:%d %s", f.File, f.Line, f.Kind) }

// String shows the finding: "handoff.md:41 github-token ghp_… (40 chars)".
func (f Finding) String() string {
	return fmt.Sprintf("%s %s… (%d chars)", f.Place(), f.Shown, f.Chars)
}

// span is where a secret stands in the text. until is where the run of
// characters it stands in ends.
type span struct {
	kind              string
	begin, end, until int
}

// Scan returns the secrets of a text, in the order in which they stand. name is
// the file that the findings name; env holds the variables whose values are
// secret.
func Scan(name, text string, env map[string]string) []Finding {
	body, _ := markdown.Read(text)
	spans := values(body, env)
	for _, s := range shapes() {
		spans = append(spans, s.find(body)...)
	}
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(b.end, a.end)) })
	var findings []Finding
	line, counted, until := 1, 0, 0
	for _, s := range spans {
		if s.end <= until {
			continue // part of what is already reported
		}
		until = max(until, s.until)
		line += strings.Count(body[counted:s.begin], "\n")
		counted = s.begin
		found := body[s.begin:s.end]
		findings = append(findings, Finding{
			File: name, Line: line, Kind: s.kind, Shown: shown(found), Chars: utf8.RuneCountInString(found),
		})
	}
	return findings
}

// values finds the values of the variables.
func values(body string, env map[string]string) []span {
	var spans []span
	for _, name := range slices.Sorted(maps.Keys(env)) {
		value, _ := markdown.Read(strings.TrimSpace(env[name]))
		if utf8.RuneCountInString(value) < shortestValue || placeholder(value, "") {
			continue
		}
		for at := 0; ; {
			i := strings.Index(body[at:], value)
			if i < 0 {
				break
			}
			begin := at + i
			at = begin + len(value)
			spans = append(spans, span{kind: Environment, begin: begin, end: at, until: at})
		}
	}
	return spans
}

// placeholder reports that a match only shows where a secret would stand.
func placeholder(match, prefix string) bool {
	different := map[rune]bool{}
	for _, r := range match[len(prefix):] {
		different[r] = true
	}
	if len(different) < fewestDifferent {
		return true
	}
	lower := strings.ToLower(match)
	for _, word := range []string{"example", "placeholder", "redacted", "your", "xxxx"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}

// shown returns how a secret begins. It ends before anything that is not plain
// ASCII, which also keeps it from ending inside a grapheme cluster.
func shown(found string) string {
	end := 0
	for end < len(found) && end < shownChars && plain(found[end]) {
		end++
	}
	if end > 0 && end < len(found) && found[end] >= utf8.RuneSelf {
		end--
	}
	return found[:end]
}

func plain(b byte) bool { return b >= ' ' && b <= '~' }
