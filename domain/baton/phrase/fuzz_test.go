package phrase_test

import (
	"strings"
	"testing"
	"time"

	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/baton/wall"
	show "github.com/changeover/changeover/domain/text"
)

// FuzzHit reads a line that may tell of a wall: case and white space make no
// difference, a phrase that is said is one of the list, and a limit's reset is one that
// can be.
func FuzzHit(f *testing.F) {
	for _, seed := range []string{
		"[stderr] Error: quota exceeded for this account", `{"type":"error","message":"usage limit reached"}`, "Claude AI usage limit reached|1764511200", "5-hour limit reached ∙ resets 3pm (Europe/Zurich)",
		"\x1b[31mrate  limit\texceeded\x1b[0m", "You've hit your usage limit. Try again in 3 days 4 hours 9 minutes.", "// usage limit reached", `"resets_at": 1764511200`, "try again at Nov 30th, 2026 9:49 AM",
		"You've hit your limit · resets 10pm (Europe/Berlin)", "You’ve hit your session limit · resets 4:20\u00a0AM (Europe/Warsaw)", "5-hour limit reached ∙ resets 2am",
		"You've hit your usage limit. To get more access now, send a request to your admin or try again at Apr 16th, 2026 12:04 AM.",
		`{"error":{"type":"usage_limit_reached","resets_at":1775317531,"resets_in_seconds":602705}}`, "Your workspace is out of credits. Add credits to continue.",
		"Approaching usage limit · resets at 7pm", "context_length_exceeded", "\xff too many requests", "Weekly limit reached · resets 2026-12-01T09:00:00Z",
	} {
		f.Add(seed, "no room")
	}
	seen := time.Date(2026, 11, 30, 9, 49, 0, 0, time.UTC)
	zones := wall.Zones{Local: time.UTC, Load: time.LoadLocation}
	f.Fuzz(func(t *testing.T, line, more string) {
		list := phrase.Defaults().Overlay([]string{more})
		known := map[string]bool{phrase.ClientError: true}
		for _, text := range list.Texts() {
			known[text] = true
			_, ok := list.Find(line + " " + text)
			if plain := line + text; !ok && len(line) < 1000 && show.Printable(plain) == plain { // no sequence swallows it
				t.Fatalf("%q is not found behind %q", text, line)
			}
		}
		found, ok := list.Find(line)
		wider := widen(line)
		inText := show.WithoutSequences(wider) == widen(show.WithoutSequences(line)) // a space within a sequence is none of the text
		if spaced, spacedOK := list.Find(wider); inText && (spacedOK != ok || spaced != found) {
			t.Fatalf("%q holds %q, with other space %q", line, found, spaced)
		}
		if hit, ok := list.Hit(line); ok && (!known[hit.Phrase] || hit.Strength != phrase.Weak && hit.Strength != phrase.Strong) {
			t.Fatalf("%q tells of %+v", line, hit)
		}
		limit := wall.ReadLimit(line, seen, zones)
		if !limit.ResetAt.IsZero() && (limit.ResetAt.Year() < 2020 || limit.ResetAt.After(seen.AddDate(0, 0, 401)) || limit.Kind == wall.NoKind || limit.Kind == wall.Credits) {
			t.Fatalf("%q is the limit %+v", line, limit)
		}
	})
}

// widen puts more white space around a text and where it has a space.
func widen(s string) string { return "\t " + strings.ReplaceAll(s, " ", " \t") + " " }
