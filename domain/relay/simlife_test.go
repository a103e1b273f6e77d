package relay_test

import (
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/relay"
)

// start runs SessionStart, and what the client does in the background of it.
func (s *sim) start(d *sideSim, source string) []job {
	in := d.input(source, "")
	finished, n := 0, s.twice()
	var jobs []job
	for i := range n {
		jobs = append(jobs, job{name: "start " + source, does: func(o relay.Operator) {
			if _, err := o.Start(in); err != nil {
				s.fatalf("%v", err)
			}
		}, after: func(ok bool) {
			if ok {
				finished++
			}
			if i == n-1 && finished > 0 {
				d.registered, d.ringing = true, true
				d.knows = d.knows && source != "compact"
			}
		}})
	}
	return jobs
}

// comeBack is claude --resume of a session that has no process.
func (s *sim) comeBack(d *sideSim) []job {
	d.run()
	d.alive, d.left = true, false
	return s.start(d, "resume")
}

// leave has the person switch to another conversation in the same process.
func (s *sim) leave(d *sideSim) []job {
	d.inTurn, d.queue, d.ringing = false, nil, false
	d.detach()
	in := d.input("", "resume")
	return []job{{name: "end", does: func(o relay.Operator) {
		if _, err := o.End(in); err != nil {
			s.fatalf("%v", err)
		}
	}, after: func(ok bool) {
		if !ok {
			d.die()
			return
		}
		d.left, d.registered = true, false
	}}}
}

// clear is /clear, which waits for the turn's end and for what is queued.
func (s *sim) clear(d *sideSim) []job {
	if d.inTurn || len(d.queue) > 0 {
		return nil
	}
	end := d.input("", "clear")
	s.run(job{name: "end", does: func(o relay.Operator) { _, _ = o.End(end) }})
	d.detach()
	// The context that knew of them is gone, and so is what was written of it.
	for _, text := range d.unnoted {
		if i := slices.Index(d.entered, text); i >= 0 && !s.isNoted(d, text) {
			d.entered = slices.Delete(d.entered, i, i+1)
		}
	}
	d.unnoted, d.written = nil, &transcript{}
	row := s.rows[d.id]
	delete(s.rows, d.id)
	d.id = "cccc" + s.mark()[1:] + "-0000-4000-8000-000000000000"
	row.SessionID = d.id
	s.rows[d.id] = row
	d.knows, d.ringing, d.registered = false, false, false
	for !d.registered {
		s.run(s.start(d, "clear")...)
	}
	return nil
}

// isNoted reports that the log knows that a text entered.
func (s *sim) isNoted(d *sideSim, text string) bool {
	state := s.fold()
	c := relay.CatalogueOf(state.Lang(d.role))
	return slices.ContainsFunc(s.events(d.role), func(e relay.Event) bool {
		if e.Kind != relay.Shown {
			return false
		}
		t, ok := state.Find(d.role, e.From, e.Delivery, e.Copy)
		return ok && strings.TrimSpace(t.Prompt(c)) == text
	})
}

// settle lets everything come to rest: nothing dies any more, both sessions run,
// and their persons answer every pause.
func (s *sim) settle() {
	s.calm = true
	for range 40 {
		for _, d := range s.both() {
			s.rest(d)
		}
		s.passed += long
		s.run(job{name: "watch", does: func(o relay.Operator) { _, _ = o.Watch(s.sides[relay.Planner].member()) }})
		if len(s.fold().Pauses()) > 0 {
			s.run(job{name: "resume", does: func(o relay.Operator) {
				if _, err := o.Resume(s.planner.speaker()); err != nil {
					s.fatalf("resume: %s", inWords(err))
				}
			}})
			continue
		}
		if s.resting() {
			return
		}
	}
	s.fatalf("it does not come to rest: %v", s.fold().Pauses())
}

// rest brings one session to its prompt: running, linked, without a mod.
func (s *sim) rest(d *sideSim) {
	switch {
	case !d.alive:
		s.run(s.comeBack(d)...)
	case d.left:
		d.left = false
		s.run(s.start(d, "resume")...)
	case !d.registered:
		s.run(s.start(d, "resume")...)
	}
	d.detach()
	d.ringing = true
	if jobs := s.bell(d); len(jobs) > 0 {
		s.run(jobs...)
	}
	for len(d.queue) > 0 {
		s.run(s.gate(d, d.queue[0], true)...)
	}
	if d.inTurn {
		s.say(d, "I wait.")
	}
	s.run(s.gate(d, "typed "+s.mark(), false)...)
	s.say(d, "I wait.")
}

// say ends a session's turn with a message.
func (s *sim) say(d *sideSim, message string) {
	d.inTurn = false
	s.run(s.stop(d, message, false, func() {})...)
}

func (s *sim) resting() bool {
	state := s.fold()
	for _, d := range s.both() {
		if len(d.queue) > 0 || len(state.Claimable(d.role)) > 0 || len(state.Stranded(d.role)) > 0 {
			return false
		}
	}
	return true
}
