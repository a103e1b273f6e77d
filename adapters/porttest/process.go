package porttest

import (
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/port"
)

// ProcessHarness is a process table under test and the means to change it.
type ProcessHarness struct {
	Tree    port.ProcessTree
	Machine port.Machine

	// Self is the number of the current process.
	Self int

	// Spawn starts a child of the current process that runs until End.
	Spawn func(t *testing.T) int

	// End ends a child; its number stays taken until Reap.
	End  func(t *testing.T, pid int)
	Reap func(t *testing.T, pid int)

	// Foreign is the number of a process that AsStranger may not signal.
	Foreign    int
	AsStranger func(t *testing.T, do func())
}

// noPids are what is no process number on any system.
var noPids = []int{0, -1, -4000, 1 << 31, 1<<32 + 1, 1<<62 + 1, -1 << 40}

// Processes runs the contract of port.ProcessTree and port.Machine.
func Processes(t *testing.T, harness func(t *testing.T) ProcessHarness) {
	tests := []struct {
		name string
		test func(t *testing.T, h ProcessHarness)
	}{
		{"itself", processSelf},
		{"child", processChild},
		{"child that has ended", processEnded},
		{"child that is gone", processGone},
		{"somebody else's", processForeign},
		{"no process number", processNoPid},
		{"way up", processWayUp},
		{"start is an identity", processStart},
		{"pid domain", processDomain},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.test(t, harness(t))
		})
	}
}

func processSelf(t *testing.T, h ProcessHarness) {
	is := is.New(t)
	is.Equal(h.Machine.Self(), h.Self)
	is.True(h.Tree.Alive(h.Self))
}

func processChild(t *testing.T, h ProcessHarness) {
	is := is.New(t)
	pid := h.Spawn(t)
	is.True(h.Tree.Alive(pid))
	parent, err := h.Tree.Parent(pid)
	is.NoErr(err)
	is.Equal(parent, h.Self)
	h.End(t, pid)
	h.Reap(t, pid)
}

func processEnded(t *testing.T, h ProcessHarness) {
	is := is.New(t)
	pid := h.Spawn(t)
	h.End(t, pid)
	is.True(!h.Tree.Alive(pid)) // its number is still taken, but it has ended
	h.Reap(t, pid)
}

func processGone(t *testing.T, h ProcessHarness) {
	is := is.New(t)
	pid := h.Spawn(t)
	h.End(t, pid)
	h.Reap(t, pid)
	is.True(!h.Tree.Alive(pid))
	_, err := h.Tree.Started(pid)
	is.True(err != nil)
	_, err = h.Tree.Parent(pid)
	is.True(err != nil) // ends a walk
}

func processForeign(t *testing.T, h ProcessHarness) {
	is := is.New(t)
	h.AsStranger(t, func() {
		is.True(h.Tree.Alive(h.Foreign)) // not allowed to signal, so it is there
	})
}

func processNoPid(t *testing.T, h ProcessHarness) {
	is := is.New(t)
	for _, pid := range noPids {
		is.True(!h.Tree.Alive(pid)) // pid
		_, err := h.Tree.Started(pid)
		is.True(err != nil) // pid
		_, err = h.Tree.Parent(pid)
		is.True(err != nil) // pid
	}
}

func processWayUp(t *testing.T, h ProcessHarness) {
	is := is.New(t)
	seen := map[int]bool{}
	pid := h.Self
	for pid > 1 {
		is.True(!seen[pid]) // no circle
		seen[pid] = true
		is.True(h.Tree.Alive(pid))
		parent, err := h.Tree.Parent(pid)
		if err != nil {
			break
		}
		pid = parent
	}
	is.True(len(seen) > 1) // this process has a parent
}

func processStart(t *testing.T, h ProcessHarness) {
	is := is.New(t)
	own, err := h.Tree.Started(h.Self)
	is.NoErr(err)
	is.True(own.Token != "")
	pid := h.Spawn(t)
	child, err := h.Tree.Started(pid)
	is.NoErr(err)
	again, err := h.Tree.Started(pid)
	is.NoErr(err)
	is.Equal(again.Token, child.Token) // the same each time
	is.True(child.At.Location() == time.UTC)
	is.True(child.At.Sub(own.At) > -2*time.Second) // a child is not older than its parent
	h.End(t, pid)
	h.Reap(t, pid)
}

func processDomain(t *testing.T, h ProcessHarness) {
	is := is.New(t)
	is.Equal(h.Machine.PidDomain(), h.Machine.PidDomain())
}
