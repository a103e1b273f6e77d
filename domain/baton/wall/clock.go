package wall

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// clockShape is a time of day as the clients write one: perhaps with a weekday
// or a date before it, perhaps with a zone behind it.
var clockShape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:resets|reset at|again at)(?: at)?(?: on)? ` +
		`(?:(` + names(weekdays[:]) + `)[a-z]*,? (?:at )?)?` +
		`(?:(` + names(months[:]) + `)[a-z]* ([0-9]{1,2})(?:st|nd|rd|th)?(?:,? ([0-9]{4}))?,? (?:at )?)?` +
		`([0-9]{1,2})(?::([0-9]{2}))?(?: ?(am|pm))?\b` +
		`(?: ?\(([A-Za-z0-9_+/-]+)\))?`)
})

// names is an alternative of names, each known by its first three letters.
func names(of []string) string { return strings.Join(of, "|") }

var (
	weekdays = [...]string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}
	months   = [...]string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}
)

// clockTimes are times of day on the clock of the zone that is named with them,
// or of this machine where none is known by that name.
func clockTimes(s string, seen time.Time, zones Zones) []time.Time {
	var found []time.Time
	for _, m := range clockShape().FindAllStringSubmatch(s, -1) {
		clock, ok := readTimeOfDay(m[5], m[6], m[7])
		if !ok {
			continue
		}
		zone := zones.named(m[8])
		// The clients drop the seconds: what was seen in the same minute may
		// still be meant.
		from := seen.In(zone).Truncate(time.Minute)
		var at time.Time
		switch {
		case m[2] != "":
			at, ok = onDate(index(months[:], m[2])+1, number(m[3]), number(m[4]), clock, from)
		case m[1] != "":
			weekday := time.Weekday(index(weekdays[:], m[1]))
			at, ok = firstOf(clock, from, func(d time.Time) bool { return d.Weekday() == weekday })
		default:
			at, ok = firstOf(clock, from, func(time.Time) bool { return true })
		}
		if ok {
			found = append(found, at)
		}
	}
	return found
}

// named returns the zone of that name, or the local one.
func (z Zones) named(name string) *time.Location {
	if name != "" && z.Load != nil {
		if zone, err := z.Load(name); err == nil && zone != nil {
			return zone
		}
	}
	if z.Local == nil {
		return time.UTC
	}
	return z.Local
}

// timeOfDay is what a clock shows.
type timeOfDay struct{ hour, minute int }

// readTimeOfDay reads hour, minute and half of the day. An hour alone is a time
// only with the half.
func readTimeOfDay(hour, minute, half string) (timeOfDay, bool) {
	t := timeOfDay{number(hour), number(minute)}
	if t.minute > 59 {
		return t, false
	}
	if half == "" {
		return t, minute != "" && t.hour < 24
	}
	if t.hour < 1 || t.hour > 12 {
		return t, false
	}
	t.hour %= 12
	if strings.EqualFold(half, "pm") {
		t.hour += 12
	}
	return t, true
}

// firstOf returns the first instant, from one on, at which its zone's clock
// shows a time on a day that is wanted.
func firstOf(clock timeOfDay, from time.Time, wanted func(date time.Time) bool) (time.Time, bool) {
	year, month, first := from.Date()
	for d := range 10 {
		// What the clock skips at the end of yesterday may come today.
		date := time.Date(year, month, first+d-1, 0, 0, 0, 0, time.UTC)
		if !wanted(date) {
			continue
		}
		if at := clock.on(date, from.Location()); !at.Before(from) {
			return at, true
		}
	}
	return time.Time{}, false
}

// onDate returns the instant of a date; without a year it is the first one that
// is not more than a day before from.
func onDate(month, dayOfMonth, year int, clock timeOfDay, from time.Time) (time.Time, bool) {
	earliest, years := from.Add(-day), []int{from.Year() - 1, from.Year(), from.Year() + 1, from.Year() + 2}
	if year != 0 {
		earliest, years = time.Time{}, []int{year}
	}
	for _, y := range years {
		date := time.Date(y, time.Month(month), dayOfMonth, 0, 0, 0, 0, time.UTC)
		if date.Day() != dayOfMonth {
			continue // that year has no such day
		}
		if at := clock.on(date, from.Location()); !at.Before(earliest) {
			return at, true
		}
	}
	return time.Time{}, false
}

// on returns the instant at which the clock of a zone shows the time on a date:
// the later one where it does so twice, the first one after the gap where it
// never does.
func (t timeOfDay) on(date time.Time, zone *time.Location) time.Time {
	// shown is the instant at which a clock in UTC shows it.
	shown := date.Add(time.Duration(t.hour)*time.Hour + time.Duration(t.minute)*time.Minute)
	// No zone is further than that from UTC, before a transition and after it.
	const reach = 30 * time.Hour
	var found time.Time
	for at := shown.Add(-reach).In(zone); ; {
		begin, end := at.ZoneBounds()
		_, offset := at.Zone()
		instant := shown.Add(-time.Duration(offset) * time.Second)
		if !instant.Before(begin) && (end.IsZero() || instant.Before(end)) {
			found = instant
		}
		if end.IsZero() || end.After(shown.Add(reach)) {
			return found.In(zone)
		}
		_, next := end.Zone()
		if skips := !instant.Before(end) && shown.Add(-time.Duration(next)*time.Second).Before(end); skips && found.IsZero() {
			found = end
		}
		at = end
	}
}

// index returns where a name stands in a list of beginnings.
func index(of []string, name string) int {
	for i, begins := range of {
		if strings.EqualFold(begins, name[:len(begins)]) {
			return i
		}
	}
	return -1
}

// number reads a few digits; none are 0.
func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}
