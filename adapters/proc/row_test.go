package proc

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/changeover/changeover/domain/session"
)

// macOS says when a process began to the microsecond; agentproc spells it the same.
func TestRow_IsReadAsMacOSGivesIt(t *testing.T) {
	const running, stopped = 2, 4
	at := func(microseconds int) time.Time {
		return time.Date(2026, 11, 30, 20, 59, 52, microseconds*1000, time.UTC)
	}
	tests := []struct {
		name string
		row  row
		want process
	}{
		{"runs", row{running, 501, 1796072392, 42}, process{parent: 501, start: session.Start{Token: "1796072392.000042", At: at(42)}}},
		{"stopped lives", row{stopped, 1, 1796072392, 999999}, process{parent: 1, start: session.Start{Token: "1796072392.999999", At: at(999999)}}},
		{"not reaped has ended", row{5, 501, 1796072392, 0}, process{ended: true, parent: 501, start: session.Start{Token: "1796072392.000000", At: at(0)}}},
		{"the first process has no parent", row{running, 0, 1796072392, 1}, process{start: session.Start{Token: "1796072392.000001", At: at(1)}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.row.process(), cmp.AllowUnexported(process{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}
