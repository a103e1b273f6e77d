package wall

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// day is a day of a clock that is not set.
const day = 24 * time.Hour

// furthest is how long after its limit a reset may be.
const furthest = 400 * day

// plausible says whether a limit that was seen at an instant may reset at
// another. No client gave a reset before 2020.
func plausible(at, seen time.Time) bool {
	return at.UTC().Year() >= 2020 && !at.After(seen.Add(furthest))
}

// readInstant returns the instant that a plain text names, and whether it names
// it as one. The first form that gives a plausible one counts.
func readInstant(s string, seen time.Time, zones Zones) (at time.Time, exact bool) {
	for _, form := range []struct {
		read  func(string, time.Time, Zones) []time.Time
		exact bool
	}{
		{epochs, true},
		{dateTimes, true},
		{secondsLeft, false},
		{durations, false},
		{clockTimes, false},
	} {
		for _, at := range form.read(s, seen, zones) {
			if plausible(at, seen) {
				return at, form.exact
			}
		}
	}
	return time.Time{}, false
}

var epochShape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:\||"resets_at": ?) ?([0-9]+)`) })

// epochs are a bar, or the field of an answer of the API, and seconds or
// milliseconds since 1970.
func epochs(s string, _ time.Time, _ Zones) []time.Time {
	var found []time.Time
	for _, m := range epochShape().FindAllStringSubmatch(s, -1) {
		n, err := strconv.ParseInt(m[1], 10, 64)
		switch {
		case err != nil:
		case len(m[1]) == 10:
			found = append(found, time.Unix(n, 0))
		case len(m[1]) == 13:
			found = append(found, time.UnixMilli(n))
		}
	}
	return found
}

var dateTimeShape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})`)
})

func dateTimes(s string, _ time.Time, _ Zones) []time.Time {
	var found []time.Time
	for _, m := range dateTimeShape().FindAllString(s, -1) {
		if at, err := time.Parse(time.RFC3339Nano, strings.ToUpper(m)); err == nil {
			found = append(found, at)
		}
	}
	return found
}

var secondsShape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"resets_in_seconds": ?([0-9]{1,9})\b`) })

// secondsLeft are the field of an answer of the API, counted from when it was seen.
func secondsLeft(s string, seen time.Time, _ Zones) []time.Time {
	var found []time.Time
	for _, m := range secondsShape().FindAllStringSubmatch(s, -1) {
		found = append(found, seen.Add(time.Duration(number(m[1]))*time.Second))
	}
	return found
}

// part is a number and a unit of a duration.
const part = `([0-9]+(?:\.[0-9]+)?) ?(d|days?|h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?)`

// durationShape is a duration and what follows its last unit: a letter there
// means that the unit was the beginning of another word.
var durationShape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:in|after) (` + part + `(?:(?:,? and |, | )?` + part + `)*)(?:[^a-z]|$)`)
})

var partShape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)` + part) })

// durations are counted from when they were seen.
func durations(s string, seen time.Time, _ Zones) []time.Time {
	var found []time.Time
	for _, m := range durationShape().FindAllStringSubmatch(s, -1) {
		total := 0.0
		for _, p := range partShape().FindAllStringSubmatch(m[1], -1) {
			n, err := strconv.ParseFloat(p[1], 64)
			if err != nil {
				return found // more than any clock counts
			}
			total += n * float64(unit(p[2]))
		}
		if total <= float64(furthest) {
			found = append(found, seen.Add(time.Duration(total)))
		}
	}
	return found
}

// unit returns what a unit of a duration stands for, by its first letter.
func unit(name string) time.Duration {
	switch name[0] {
	case 'd', 'D':
		return day
	case 'h', 'H':
		return time.Hour
	case 'm', 'M':
		return time.Minute
	}
	return time.Second
}
