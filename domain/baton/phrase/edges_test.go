package phrase_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton/phrase"
)

// A stem is the longest run of a phrase without white space and without letters that
// other letters are folded to.
func TestStems_ByHand(t *testing.T) {
	tests := map[string]string{
		"quota exceeded":    "exceeded", // the longer of two
		"abc def":           "abc",      // the first of two that are as long
		"  spaced\tout  ":   "spaced",
		"único límite":      "nico",  // letters outside ASCII that have a case part it
		"ab—cd":             "ab—cd", // one without stays
		"end\xffings of it": "ings",  // a byte that is no text parts
		"one":               "one",
		"LOUD":              "loud",
	}
	for text, want := range tests {
		if diff := cmp.Diff([]string{want}, phrase.NewList([]string{text}).Stems()); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

// An extension has one to eight letters, digits or underscores: with such a path
// before it and a number between, a line is a search result, and no hit.
func TestHit_TellsASearchResultByThePath(t *testing.T) {
	list := phrase.NewList([]string{"quota exceeded"})
	tests := []struct {
		line string
		hit  bool
	}{
		{"a.b:1: quota exceeded", false},
		{"a.abcdefgh:1: quota exceeded", false},
		{"a.abcdefghi:1: quota exceeded", true},
		{"a.:1: quota exceeded", true},
		{"a.x_9:1: quota exceeded", false},
		{"a.x+9:1: quota exceeded", true},
		{"a.go:0: quota exceeded", false},
		{"a.go:9-quota exceeded", false},
		{"a.go:/: quota exceeded", true}, // the character before 0
		{"a.go:;: quota exceeded", true}, // the two behind 9
		{"a.go:12 quota exceeded", true},
		{"a.go:: quota exceeded", true},
		{"dir/:1: quota exceeded", true},
		{"dir/x:1: quota exceeded", false},
		{"a:/x.go:1: quota exceeded", false}, // the drives a to z
		{"z:/x.go:1: quota exceeded", false},
	}
	for _, tt := range tests {
		if _, hit := list.Hit(tt.line); hit != tt.hit {
			t.Errorf("%q: hit %v, want %v", tt.line, hit, tt.hit)
		}
	}
}

// A phrase is strong where it opens the line: behind a time of any common form, and
// behind a label of at most three words.
func TestHit_IsStrongAtTheBeginning(t *testing.T) {
	list := phrase.NewList([]string{"quota exceeded"})
	tests := map[string]phrase.Strength{
		"quota exceeded":                               phrase.Strong,
		"2026-05-28 quota exceeded":                    phrase.Strong,
		"2026/05/28 09:10:11 quota exceeded":           phrase.Strong,
		"2026-05-28T09:10:11Z quota exceeded":          phrase.Strong,
		"2026-05-28T09:10:11.123+02:00 quota exceeded": phrase.Strong,
		"09:10:11,5-0700 quota exceeded":               phrase.Strong,
		"2026-05-2x quota exceeded":                    phrase.Weak,
		"2026-05-281 quota exceeded":                   phrase.Weak, // the date ends in a word
		"one two three: quota exceeded":                phrase.Strong,
		"one two three four: quota exceeded":           phrase.Weak,
		"one: two: quota exceeded":                     phrase.Weak,
		"we saw that the quota exceeded|1":             phrase.Strong, // a bar and digits follow
		"we saw that the quota exceeded|":              phrase.Weak,
		"we saw that the quota exceeded|x":             phrase.Weak,
	}
	for line, want := range tests {
		hit, ok := list.Hit(line)
		if !ok || hit.Strength != want {
			t.Errorf("%q: %v %v, want %v", line, ok, hit.Strength, want)
		}
	}
}

// A line is compared in lower case with each run of white space as one space; control
// sequences of terminals count for nothing.
func TestHit_FoldsALine(t *testing.T) {
	list := phrase.NewList([]string{"quota exceeded"})
	for _, between := range []string{" ", "\t", "\v", "\r", "\u00a0", "\u3000", " \t\u2003 ", "\x1b[1m \x1b[0m", "\x1b[38;5;9m ", "\u009b1m "} {
		is := is.New(t)
		_, hit := list.Hit("QUOTA" + between + "EXCEEDED")
		is.True(hit) // with that between
		_, hit = list.Hit("AZ" + strings.Repeat(between, 3) + "QUOTA" + between + "EXCEEDED")
		is.True(hit)
	}
	for _, between := range []string{"", "\b", "\x0e", "_", "é"} {
		is := is.New(t)
		_, hit := list.Hit("quota" + between + "exceeded")
		is.True(!hit)
	}
	is := is.New(t)
	_, hit := list.Hit("K") // the sign of kelvin, whose lower case would be an ASCII letter
	is.True(!hit)
	_, hit = phrase.NewList([]string{"kelvin limit"}).Hit("\u212aelvin limit")
	is.True(!hit)
}
