package agentproc

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
)

func TestLiving_LeavesOutWhatHasEnded(t *testing.T) {
	const running, stopped = 2, 4
	got := living([]row{
		{running, 501, 1, 501, 1796072392, 42},
		{zombieState, 502, 501, 501, 1796072392, 43},
		{stopped, 503, 501, 503, 1796072393, 0},
	})
	want := []process{
		{pid: 501, parent: 1, group: 501, start: 1796072392000042},
		{pid: 503, parent: 501, group: 503, start: 1796072393000000},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(process{})); diff != "" {
		t.Error(diff)
	}
}

// The process tree notes a start as macOS gives it, in seconds and microseconds; an
// agent is ended only where both spell it alike.
func TestMicrosecondToken_IsThatOfTheProcessTree(t *testing.T) {
	is := is.New(t)
	is.Equal(microsecondToken(1796072392000042), "1796072392.000042")
	is.Equal(microsecondToken(1796072392999999), "1796072392.999999")
	is.Equal(microsecondToken(1796072392000000), "1796072392.000000")
}
