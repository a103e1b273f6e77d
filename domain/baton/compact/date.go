package compact

import (
	"strings"
	"time"
)

// firstDate returns the first ISO date, or date with a time, of a line. A date
// alone is its first instant, and a time without a zone is one in UTC.
func firstDate(line string) (time.Time, bool) {
	for at := 0; at+len("2006-01-02") <= len(line); at++ {
		if at > 0 && digit(line[at-1]) {
			continue
		}
		if date, ok := dateAt(line[at:]); ok {
			return date, true
		}
	}
	return time.Time{}, false
}

// dateAt reads the date that a text begins with.
func dateAt(s string) (time.Time, bool) {
	const layout = "2006-01-02"
	if !shaped(s, "dddd-dd-dd") || len(s) > len(layout) && digit(s[len(layout)]) {
		return time.Time{}, false
	}
	date, err := time.Parse(layout, s[:len(layout)])
	if err != nil {
		return time.Time{}, false
	}
	return date.Add(clockAt(s[len(layout):])), true
}

// clockAt reads the time of day that may follow a date, as the span since that
// date began in UTC.
func clockAt(s string) time.Duration {
	if s == "" || s[0] != 'T' && s[0] != ' ' || !shaped(s[1:], "dd:dd") {
		return 0
	}
	hours, minutes := two(s[1:]), two(s[4:])
	if hours > 23 || minutes > 59 {
		return 0
	}
	clock := time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
	rest := s[6:]
	if shaped(rest, ":dd") && two(rest[1:]) < 60 {
		clock += time.Duration(two(rest[1:])) * time.Second
		var part time.Duration
		part, rest = fraction(rest[3:])
		clock += part
	}
	return clock - offset(rest)
}

// fraction reads the part of a second that may follow one.
func fraction(s string) (part time.Duration, rest string) {
	if !strings.HasPrefix(s, ".") && !strings.HasPrefix(s, ",") {
		return 0, s
	}
	unit := time.Second / 10
	rest = s[1:]
	for rest != "" && digit(rest[0]) {
		part += time.Duration(rest[0]-'0') * unit
		unit /= 10
		rest = rest[1:]
	}
	return part, rest
}

// offset reads the zone that follows a time.
func offset(s string) time.Duration {
	if s == "" || s[0] != '+' && s[0] != '-' || !shaped(s[1:], "dd") {
		return 0
	}
	ahead := time.Duration(two(s[1:])) * time.Hour
	switch rest := s[3:]; {
	case shaped(rest, ":dd"):
		ahead += time.Duration(two(rest[1:])) * time.Minute
	case shaped(rest, "dd"):
		ahead += time.Duration(two(rest)) * time.Minute
	}
	if s[0] == '-' {
		return -ahead
	}
	return ahead
}

// shaped reports that a text begins with what a shape says: d is a digit, all
// else stands for itself.
func shaped(s, shape string) bool {
	if len(s) < len(shape) {
		return false
	}
	for n := range len(shape) {
		if shape[n] == 'd' && !digit(s[n]) || shape[n] != 'd' && s[n] != shape[n] {
			return false
		}
	}
	return true
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// two reads two digits.
func two(s string) int { return int(s[0]-'0')*10 + int(s[1]-'0') }
