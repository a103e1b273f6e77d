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
}

// killed is what ends a process in the middle.
type killed struct{}

// begin starts a process, which waits before its first step.
func (w *world) begin(body func(relay.Operator)) *running {
	r := &running{}
	r.next, r.stop = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			if fault := recover(); fault != nil && fault != (killed{}) {
				panic(fault)
			}
		}()
		body(w.operator(func() {
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
	_, more := r.next()
	r.over = r.over || !more
}

// kill ends the process where it stands.
func (r *running) kill() {
	r.stop()
	r.over = true
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
