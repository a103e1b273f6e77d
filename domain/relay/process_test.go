package relay_test

import (
	"iter"

	"github.com/changeover/changeover/domain/relay"
)

// running is a process of relay that stands before one of its steps.
type running struct {
	next func() (struct{}, bool)
	stop func()
	over bool
	ends func()
}

// killed is what ends a process in the middle.
type killed struct{}

// begin starts a process, which waits before its first step.
func (w *world) begin(body func(relay.Operator)) *running {
	w.pids++
	pid := w.pids
	w.processes[pid] = "hook"
	r := &running{ends: func() { delete(w.processes, pid) }}
	r.next, r.stop = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			if fault := recover(); fault != nil && fault != (killed{}) {
				panic(fault)
			}
		}()
		body(w.process(pid, func() {
			if !yield(struct{}{}) {
				panic(killed{})
			}
		}))
	})
	r.step()
	return r
}

// step lets the process take its step and stand before the next one.
func (r *running) step() {
	if _, more := r.next(); !more {
		r.over = true
		r.ends()
	}
}

// kill ends the process where it stands.
func (r *running) kill() {
	r.stop()
	r.over = true
	r.ends()
}

// finish lets processes take their steps, each time the one that is chosen of n,
// until all are over.
func finish(choose func(n int) int, all ...*running) {
	for {
		var alive []*running
		for _, r := range all {
			if !r.over {
				alive = append(alive, r)
			}
		}
		if len(alive) == 0 {
			return
		}
		alive[choose(len(alive))].step()
	}
}
