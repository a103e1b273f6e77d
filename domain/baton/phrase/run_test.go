package phrase_test

import (
	"fmt"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/baton/wall"
)

// say feeds lines to a run and returns the phrases that it reports.
func say(run *phrase.Run, lines ...string) []string {
	var reported []string
	for i, line := range lines {
		if seen, ok := run.Line(phrase.Stderr, line, i+1); ok {
			reported = append(reported, seen.Phrase)
		}
	}
	return reported
}

// Row 18: no second report of the same phrase.
func TestRun_ReportsAPhraseOnce(t *testing.T) {
	is := is.New(t)
	run := phrase.Defaults().Follow()
	is.Equal(say(run, "quota exceeded", "Error: QUOTA exceeded", "fine", "quota exceeded"), []string{"quota exceeded"})
	last, ok := run.Last()
	is.True(ok)
	is.Equal(last.Line, 4) // but the last hit goes on
}

// Row 23.
func TestRun_ReportsANewPhraseBesideAKnownOne(t *testing.T) {
	is := is.New(t)
	run := phrase.Defaults().Follow()
	is.Equal(say(run, "rate limit exceeded", "rate limit exceeded: quota limit", "quota limit"), []string{"rate limit exceeded", "quota limit"})
}

// The same line again is no news, though it holds two phrases.
func TestRun_ReportsALineOnce(t *testing.T) {
	is := is.New(t)
	run := phrase.Defaults().Follow()
	const line = "maximum context length exceeded"
	is.Equal(say(run, line, line), []string{"context length exceeded"})
	is.Equal(say(run, "quota limit, weekly limit reached", "quota limit, weekly limit reached"), []string{"weekly limit reached", "quota limit"})
}

func TestRun_KeepsTheLastAndTheStrongestHit(t *testing.T) {
	is := is.New(t)
	run := phrase.Defaults().Follow()
	_, ok := run.Last()
	is.True(!ok)
	_, ok = run.Strongest()
	is.True(!ok)
	run.Line(phrase.Stdout, "Error: quota exceeded", 7)
	run.Line(phrase.Stderr, "Error: rate limit exceeded", 9)
	run.Line(phrase.Stdout, "we saw quota limit", 12)
	last, _ := run.Last()
	is.Equal(last, phrase.Sighting{Hit: phrase.Hit{Phrase: "quota limit", Strength: phrase.Weak}, Stream: phrase.Stdout, Text: "we saw quota limit", Line: 12})
	strongest, _ := run.Strongest()
	is.Equal(strongest, phrase.Sighting{
		Hit: phrase.Hit{Phrase: "rate limit exceeded", Strength: phrase.Strong}, Stream: phrase.Stderr, Text: "Error: rate limit exceeded", Line: 9,
	})
	is.Equal(strongest.String(), `"rate limit exceeded" on stderr: Error: rate limit exceeded`)
}

// What an agent prints is never the verdict of a structured client.
func TestRun_KnowsNoTagsOfTheLog(t *testing.T) {
	is := is.New(t)
	run := phrase.Defaults().Follow()
	is.Equal(say(run, "[error] nothing", "[out] quota exceeded"), []string{"quota exceeded"})
}

// Row 24, and the table of section 8.4.
func TestRun_Outcome(t *testing.T) {
	quiet := []string{"working", "done"}
	weak := []string{"we saw quota exceeded"}
	strong := []string{"Error: quota exceeded"}
	mixed := []string{"Error: quota exceeded", "Error: rate limit exceeded", "the maximum context length is near"}
	followed := func(n int) []string {
		lines := append([]string{}, strong...)
		for i := range n {
			lines = append(lines, fmt.Sprintf("line %d", i), "", "  \t\x1b[0m")
		}
		return lines
	}
	tests := []struct {
		name      string
		lines     []string
		code      int
		signalled bool
		success   phrase.OnSuccess
		class     wall.Class
		phrase    string
		suspected bool
	}{
		{"no hit", quiet, 0, false, phrase.AlwaysOnHits, wall.None, "", false},
		{"no hit and a failure", quiet, 3, false, phrase.Never, wall.None, "", false},
		{"failure with a weak hit", weak, 1, false, phrase.Never, wall.UsageLimit, "quota exceeded", false},
		{"failure: the last of the strongest", mixed, 1, false, phrase.Never, wall.RateLimit, "rate limit exceeded", false},
		{"signal", strong, -1, true, phrase.AlwaysOnHits, wall.Killed, "", false},
		{"129", strong, 129, false, phrase.Never, wall.Killed, "", false},
		{"137", strong, 137, false, phrase.Never, wall.Killed, "", false},
		{"143", strong, 143, false, phrase.Never, wall.Killed, "", false},
		{"143 without a hit", quiet, 143, false, phrase.Never, wall.Killed, "", false},
		{"130 is a failure", strong, 130, false, phrase.Never, wall.UsageLimit, "quota exceeded", false},
		{"success", strong, 0, false, phrase.Never, wall.None, "quota exceeded", true},
		{"success, nothing configured", strong, 0, false, "", wall.None, "quota exceeded", true},
		{"strong: a weak hit", weak, 0, false, phrase.WhenStrong, wall.None, "quota exceeded", true},
		{"strong: 19 lines behind it", followed(19), 0, false, phrase.WhenStrong, wall.UsageLimit, "quota exceeded", false},
		{"strong: 20 lines behind it", followed(20), 0, false, phrase.WhenStrong, wall.None, "quota exceeded", true},
		{"strong: a weak one later", mixed, 0, false, phrase.WhenStrong, wall.RateLimit, "rate limit exceeded", false},
		{"always: a weak hit", weak, 0, false, phrase.AlwaysOnHits, wall.UsageLimit, "quota exceeded", false},
		{"always: an early hit", followed(40), 0, false, phrase.AlwaysOnHits, wall.UsageLimit, "quota exceeded", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			run := phrase.Defaults().Follow()
			say(run, tt.lines...)
			got := run.End(tt.code, tt.signalled, tt.success)
			is.Equal(got.Class, tt.class)
			is.Equal(got.Evidence.Phrase, tt.phrase)
			is.Equal(got.Suspected, tt.suspected)
		})
	}
}

func TestOnSuccess_Valid(t *testing.T) {
	is := is.New(t)
	is.True(phrase.Never.Valid())
	is.True(phrase.WhenStrong.Valid())
	is.True(phrase.AlwaysOnHits.Valid())
	is.True(!phrase.OnSuccess("").Valid())
	is.True(!phrase.OnSuccess("sometimes").Valid())
}
