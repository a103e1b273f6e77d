package baton_test

import (
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton"
)

// A budget of 1000 needs 250 more characters, and 4000 of the log stand for the time.
func TestPacing(t *testing.T) {
	at := time.Date(2026, 5, 28, 9, 0, 0, 0, time.UTC)
	pace := baton.Pacing{}.Attempted(at, 800, 500)
	tests := []struct {
		name  string
		pace  baton.Pacing
		after time.Duration
		total int
		log   int64
		want  bool
	}{
		{"the first attempt", baton.Pacing{}, 0, 0, 0, true},
		{"grown and late enough", pace, 30 * time.Second, 1050, 600, true},
		{"one character short", pace, 30 * time.Second, 1049, 600, false},
		{"a moment too early", pace, 30*time.Second - time.Millisecond, 1050, 600, false},
		{"early, but the log has grown", pace, time.Second, 5000, 4500, true},
		{"the log has grown by one less", pace, time.Second, 5000, 4499, false},
		{"never within a second", pace, time.Second - time.Millisecond, 9000, 9000, false},
		{"late, but not grown", pace, time.Hour, 800, 9000, false},
		{"a clock that went back", pace, -time.Hour, 9000, 9000, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(tt.pace.Allows(at.Add(tt.after), tt.total, tt.log, 1000), tt.want)
		})
	}
}
