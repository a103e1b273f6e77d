package faults_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/changeover/changeover/adapters/toll"
	"github.com/changeover/changeover/domain/baton"
)

// TestVerbs_ClockJumps has the clock jump before a verb, and back before the next one:
// each does what it does otherwise.
func TestVerbs_ClockJumps(t *testing.T) {
	const year = 400 * 24 * time.Hour
	for _, v := range verbs() {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			prepared := newGround(t)
			v.prepare(prepared)
			gold := goldenOf(t, v, prepared)
			for _, jump := range []time.Duration{time.Hour, -time.Hour, year, -year} {
				f := fault{verb: v, golden: gold, ground: prepared.twin(), how: sound, counts: &toll.Counts{Tries: 1, Hit: 1}}
				f.kind = &f.counts.Stuck
				f.where = fmt.Sprintf("%s after a jump by %s", v.name, jump)
				f.now = f.now.Add(jump)
				if err := f.run(f.ground, f.begin(sound, 0)); baton.ExitCode(err) != f.code {
					f.errorf("exit code %d: %v", baton.ExitCode(err), err)
				}
				if meta, there, err := f.meta(); err != nil || there && meta.Status().Active() {
					f.errorf("the session is %s: %v", meta.Status(), err)
				}
				f.now = f.now.Add(-jump)
				f.recovers()
				f.kind = &f.counts.Lost
				f.nothingLost()
				count.Add(toll.Key{Tool: "baton", Verb: v.name, Fault: fmt.Sprintf("clock jumps %+dh", int(jump.Hours()))}, *f.counts)
			}
		})
	}
}
