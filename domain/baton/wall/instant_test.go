package wall_test

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/wall"
)

func TestReadLimit_Instant(t *testing.T) {
	const seen = "2026-05-28T09:00:30Z" // a Thursday
	tests := []struct {
		name, text, want string
		exact            bool
	}{
		{"seconds", "limit|1780000000", "2026-05-28T20:26:40Z", true},
		{"milliseconds", "limit|1780000000123", "2026-05-28T20:26:40.123Z", true},
		{"eleven digits are no time", "limit|01780000000 resets 3pm", "2026-05-28T15:00:00Z", false},
		{"an epoch that is too far gives way", "limit|9999999999 resets 3pm", "2026-05-28T15:00:00Z", false},
		{"an epoch before an RFC 3339 time", "2026-05-29T00:00:00Z |1780000000", "2026-05-28T20:26:40Z", true},
		{"RFC 3339 with an offset", "limit until 2026-05-29T01:30:00+02:00, or in 5 minutes", "2026-05-28T23:30:00Z", true},
		{"RFC 3339 with a fraction", "limit until 2026-05-29t01:30:00.5z", "2026-05-29T01:30:00.5Z", true},
		{"a date-time without an offset is none", "limit until 2026-05-29T01:30:00, in 1 h", "2026-05-28T10:00:30Z", false},
		{"no such date", "limit until 2026-02-30T01:30:00Z", "", false},
		{"duration before a clock time", "resets 3pm, in 1 hour", "2026-05-28T10:00:30Z", false},
		{"after", "retry after 90 seconds", "2026-05-28T09:02:00Z", false},
		{"short units", "in 2h 5m", "2026-05-28T11:05:30Z", false},
		{"units without space", "in 1d2h3m4s", "2026-05-29T11:03:34Z", false},
		{"fraction", "Please try again in 1.5s.", "2026-05-28T09:00:31.5Z", false},
		{"words between", "in 1 day, 2 hours and 3 minutes", "2026-05-29T11:03:30Z", false},
		{"a unit that begins another word", "in 5 messages", "", false},
		{"a number without unit", "in 5", "", false},
		{"a later duration", "in 3 attempts, after 1 minute", "2026-05-28T09:01:30Z", false},
		{"a duration that is too long", "in 401 days", "", false},
		{"a duration past all counting", "in " + strings.Repeat("9", 400) + " days", "", false},
		{"24 hours", "resets 16:30", "2026-05-28T16:30:00Z", false},
		{"24 hours, one digit", "resets 9:05", "2026-05-28T09:05:00Z", false},
		{"midnight", "reset at 00:00", "2026-05-29T00:00:00Z", false},
		{"an hour alone is no time", "resets 16", "", false},
		{"no such minute", "resets 3:60pm", "", false},
		{"no such hour", "resets 13pm", "", false},
		{"hour zero of half a day", "resets 0am", "", false},
		{"no such hour of a day", "resets 24:00", "", false},
		{"quarter past noon", "resets 12:15 PM", "2026-05-28T12:15:00Z", false},
		{"resets at", "resets at 3pm", "2026-05-28T15:00:00Z", false},
		{"the weekday today, later", "resets Thursday 3pm", "2026-05-28T15:00:00Z", false},
		{"the weekday today, in this minute", "resets Thu 9:00", "2026-05-28T09:00:00Z", false},
		{"the weekday today, before", "resets Thu 8:59", "2026-06-04T08:59:00Z", false},
		{"the day before", "resets wednesday, 9am", "2026-06-03T09:00:00Z", false},
		{"a date a day before", "resets May 27, 9am", "2026-05-27T09:00:00Z", false},
		{"a date more than a day before", "resets May 27, 8:59am", "2027-05-27T08:59:00Z", false},
		{"a date with its year, long ago", "again at May 1st, 2026 9:00 AM", "2026-05-01T09:00:00Z", false},
		{"month in full", "resets June 3 at 9am", "2026-06-03T09:00:00Z", false},
		{"a day that the month does not have", "resets Feb 30, 9am", "", false},
		{"a leap day that is too far", "resets Feb 29, 9am", "", false},
		{"a date too far", "again at Dec 1st, 2028 9:00 AM", "", false},
		{"zone after a date", "resets Jun 3, 9am (Asia/Tokyo)", "2026-06-03T00:00:00Z", false},
		{"half-hour zone", "resets 3pm (Asia/Kolkata)", "2026-05-28T09:30:00Z", false},
		{"no time", "resets soon", "", false},
		{"credits have none", "Credit balance is too low, resets 3pm", "", false},
		{"in the middle of a word", "presets 3pm", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			var want time.Time
			if tt.want != "" {
				want = instant(t, tt.want)
			}
			got := wall.ReadLimit(tt.text, instant(t, seen), zones(t, "UTC"))
			is.Equal(got.ResetAt, want)   // reset
			is.Equal(got.Exact, tt.exact) // exact
		})
	}
}

func TestReadLimit_LeapDay(t *testing.T) {
	is := is.New(t)
	got := wall.ReadLimit("resets Feb 29, 9am", instant(t, "2027-06-01T00:00:00Z"), wall.Zones{})
	is.Equal(got.ResetAt, instant(t, "2028-02-29T09:00:00Z"))
}

func TestReadLimit_WithoutAnyZone(t *testing.T) {
	is := is.New(t)
	got := wall.ReadLimit("resets 3pm (Europe/Berlin)", instant(t, "2026-05-28T09:00:00Z"), wall.Zones{})
	is.Equal(got.ResetAt, instant(t, "2026-05-28T15:00:00Z"))
}

func TestReadLimit_AsksForTheZoneByItsName(t *testing.T) {
	is := is.New(t)
	var asked []string
	load := func(name string) (*time.Location, error) {
		asked = append(asked, name)
		return nil, errors.New("no zones here")
	}
	got := wall.ReadLimit("resets 3pm (America/Port-au-Prince)", instant(t, "2026-05-28T09:00:00Z"), wall.Zones{Local: zone(t, "Asia/Tokyo"), Load: load})
	is.Equal(asked, []string{"America/Port-au-Prince"})
	is.Equal(got.ResetAt, instant(t, "2026-05-29T06:00:00Z")) // local
}

// The clock of some places jumps at midnight, over half an hour, or over a
// whole day.
func TestReadLimit_OddClocks(t *testing.T) {
	tests := []struct{ name, text, seen, zone, want string }{
		{"midnight is skipped", "resets 12am", "2026-09-05T20:00:00Z", "America/Santiago", "2026-09-06T04:00:00Z"},
		{"what was skipped before midnight comes after it", "resets 11:30pm", "2026-03-29T01:00:20Z", "America/Nuuk", "2026-03-29T01:00:00Z"},
		{"half an hour is skipped", "resets 2:15am", "2026-10-03T10:00:00Z", "Australia/Lord_Howe", "2026-10-03T15:30:00Z"},
		{"half an hour comes twice", "resets 1:45am", "2026-04-04T10:00:00Z", "Australia/Lord_Howe", "2026-04-04T15:15:00Z"},
		{"seen between the two", "resets 2:30am", "2026-10-25T00:45:00Z", "Europe/Berlin", "2026-10-25T01:30:00Z"},
		{"seen after both", "resets 2:30am", "2026-10-25T01:31:00Z", "Europe/Berlin", "2026-10-26T01:30:00Z"},
		{"a date in the gap", "resets Mar 29, 2:30am", "2026-03-01T00:00:00Z", "Europe/Berlin", "2026-03-29T01:00:00Z"},
		{"a weekday on which it comes twice", "resets Sunday 2:30am", "2026-10-20T00:00:00Z", "Europe/Berlin", "2026-10-25T01:30:00Z"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got := wall.ReadLimit(tt.text, instant(t, tt.seen), zones(t, tt.zone))
			is.Equal(got.ResetAt, instant(t, tt.want))
		})
	}
}

// shownAt walks the clock of a zone minute by minute and returns the instant of
// a time on a date by the two rules: the later one of two, and the first one
// after a gap.
func shownAt(date, clock string, around time.Time, zone *time.Location) time.Time {
	var last, after time.Time
	for at := around.Add(-30 * time.Hour); at.Before(around.Add(30 * time.Hour)); at = at.Add(time.Minute) {
		shows := at.In(zone).Format("2006-01-02 15:04")
		if shows == date+" "+clock {
			last = at
		}
		if after.IsZero() && shows > date+" "+clock {
			after = at
		}
	}
	if last.IsZero() {
		return after
	}
	return last
}

func TestReadLimit_AgreesWithAClockThatIsWatched(t *testing.T) {
	places := []string{
		"Europe/Berlin", "America/New_York", "America/Santiago", "Australia/Lord_Howe", "Pacific/Chatham",
		"Africa/Cairo", "Asia/Kathmandu", "America/Nuuk", "Africa/Casablanca", "UTC",
	}
	rapid.Check(t, func(rt *rapid.T) {
		place := zone(t, rapid.SampledFrom(places).Draw(rt, "zone"))
		seen := time.Unix(rapid.Int64Range(1_600_000_000, 1_900_000_000).Draw(rt, "seen"), 0)
		if rapid.Bool().Draw(rt, "near a change") {
			if _, change := seen.In(place).ZoneBounds(); !change.IsZero() {
				seen = change.Add(time.Duration(rapid.IntRange(-30*3600, 5*3600).Draw(rt, "before")) * time.Second)
			}
		}
		clock := time.Date(0, 1, 1, rapid.IntRange(0, 23).Draw(rt, "hour"), 5*rapid.IntRange(0, 11).Draw(rt, "minute"), 0, 0, time.UTC)
		from := seen.In(place).Truncate(time.Minute)
		var want time.Time
		for d := -1; want.IsZero(); d++ {
			date := time.Date(from.Year(), from.Month(), from.Day()+d, clock.Hour(), clock.Minute(), 0, 0, time.UTC)
			if at := shownAt(date.Format("2006-01-02"), clock.Format("15:04"), date, place); !at.Before(from) {
				want = at
			}
		}
		got := wall.ReadLimit("resets "+clock.Format("3:04pm"), seen, wall.Zones{Local: place})
		if !got.ResetAt.Equal(want) {
			rt.Fatalf("seen %s, clock %s: got %s, want %s", from, clock.Format("15:04"), got.ResetAt.In(place), want.In(place))
		}
	})
}

func TestReadLimit_NeverFarAndNeverPanics(t *testing.T) {
	words := []string{
		"resets", "reset at", "again at", "in", "after", "Monday", "Feb", "29", "30th", "2028", "12am", "3:07", "PM", ",", "|", "1751320800",
		"5 hours", "99999999999 days", "2026-05-28T09:00:00Z", "(Europe/Berlin)", "(", "\u202f", "\x1b[31m", "\xff", "Claude usage limit reached",
	}
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.OneOf(rapid.SampledFrom(words), rapid.String())).Draw(rt, "text"), " ")
		seen := time.Unix(rapid.Int64Range(1_600_000_000, 1_900_000_000).Draw(rt, "seen"), 0)
		got := wall.ReadLimit(text, seen, zones(t, "Europe/Berlin"))
		if got.ResetAt.IsZero() {
			if got.Exact {
				rt.Fatal("exact without a time")
			}
			return
		}
		if got.ResetAt.Year() < 2020 || got.ResetAt.Sub(seen) > 400*24*time.Hour || got.Kind == wall.Credits {
			rt.Fatalf("%+v for %q seen %s", got, text, seen)
		}
		if again := wall.ReadLimit(text, seen, zones(t, "Europe/Berlin")); again != got {
			rt.Fatalf("%+v, then %+v", got, again)
		}
		if wall.IsLimitText(text) && utf8.RuneCountInString(strings.TrimSpace(text)) < 5 {
			rt.Fatalf("%q is no limit text", text)
		}
	})
}
