package exchange

import (
	"fmt"
	"strings"
	"time"
)

const timestampLayout = "2006-01-02T15:04:05Z"

// Timestamp writes an instant as the store does: UTC, whole seconds.
func Timestamp(t time.Time) string { return t.UTC().Format(timestampLayout) }

// compact is a timestamp without its separators, as ids begin.
func compact(t time.Time) string {
	return strings.NewReplacer("-", "", ":", "").Replace(Timestamp(t))
}

// timestampPattern and datePattern are the published forms of the two.
const (
	datePattern      = `^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$`
	timestampPattern = `^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$`
)

// parseTimestamp reads YYYY-MM-DDTHH:MM:SSZ of a year 20xx.
func parseTimestamp(s string) (time.Time, error) {
	if len(s) != len(timestampLayout) || !isDate(s[:10]) || s[10] != 'T' || s[13] != ':' || s[16] != ':' || s[19] != 'Z' {
		return time.Time{}, fmt.Errorf("not a timestamp YYYY-MM-DDTHH:MM:SSZ")
	}
	hour, ok1 := twoDigits(s[11:], 0, 23)
	minute, ok2 := twoDigits(s[14:], 0, 59)
	second, ok3 := twoDigits(s[17:], 0, 59)
	if !ok1 || !ok2 || !ok3 {
		return time.Time{}, fmt.Errorf("not a time of day")
	}
	year, _ := twoDigits(s[2:], 0, 99)
	month, _ := twoDigits(s[5:], 1, 12)
	day, _ := twoDigits(s[8:], 1, 31)
	return time.Date(2000+year, time.Month(month), day, hour, minute, second, 0, time.UTC), nil
}

func isDate(s string) bool {
	if len(s) != 10 || s[:2] != "20" || s[4] != '-' || s[7] != '-' {
		return false
	}
	_, ok1 := twoDigits(s[2:], 0, 99)
	_, ok2 := twoDigits(s[5:], 1, 12)
	_, ok3 := twoDigits(s[8:], 1, 31)
	return ok1 && ok2 && ok3
}

func twoDigits(s string, low, high int) (int, bool) {
	if s[0] < '0' || s[0] > '9' || s[1] < '0' || s[1] > '9' {
		return 0, false
	}
	n := int(s[0]-'0')*10 + int(s[1]-'0')
	return n, low <= n && n <= high
}

// days returns the whole days between t and now.
func days(t, now time.Time) int { return int(now.Sub(t) / (24 * time.Hour)) }
