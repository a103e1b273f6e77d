// Package stamp writes and reads instants the way baton's files hold them.
package stamp

import (
	"fmt"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/jsondoc"
)

const layout = "2006-01-02T15:04:05.000Z"

// Text writes an instant: UTC, RFC 3339 with milliseconds.
func Text(t time.Time) string { return t.UTC().Format(layout) }

// File writes an instant as a part of a file name: like Text, with a dash for
// every colon and for the point.
func File(t time.Time) string { return strings.NewReplacer(":", "-", ".", "-").Replace(Text(t)) }

// lastYear is the last year that a date of four digits can be of.
const lastYear = 9999

// Parse reads an instant in any RFC 3339 form, and cuts it to the millisecond that
// Text writes. One whose offset leads out of the years that Text can write is none.
func Parse(s string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is no time: %w", s, err)
	}
	t = t.UTC().Truncate(time.Millisecond)
	if year := t.Year(); year < 0 || year > lastYear {
		return time.Time{}, fmt.Errorf("%q is no time of the years to %d", s, lastYear)
	}
	return t, nil
}

// Field reads an instant of a decoded object; the zero time where there is none.
func Field(f jsondoc.Fields, key string) time.Time {
	s := f.Text(key)
	if s == "" {
		return time.Time{}
	}
	t, err := Parse(s)
	if err != nil {
		f.Fail(key, "a time")
	}
	return t
}
