package batonkills_test

import (
	"strings"

	"github.com/changeover/changeover/domain/baton"
)

// goesOn looks at what a baton left that was killed, and runs the next command, which
// ends the agent that hangs. It returns the session as it stood before, and whether an
// agent was ended.
func (s *stage) goesOn(where string, hangs bool, next []string, fine plot, want baton.Status) (meta baton.SessionMeta, ended bool) {
	s.t.Helper()
	meta, active := s.standing(where)
	left := s.noted() && hangs
	s.tells(where, active)
	s.remembers()
	s.play(&fine)
	code, _, told := s.call(next...)
	if code != 0 {
		s.t.Fatalf("%s: the next %s ended with %d\n%s", where, next[0], code, told)
	}
	if active != strings.Contains(told, "the last baton process was interrupted") {
		s.t.Errorf("%s: it was %s, and the next %s said\n%s", where, meta.Status(), next[0], told)
	}
	ended = strings.Contains(told, "still ran and is ended")
	if left && !ended {
		s.t.Errorf("%s: the agent was left, and nobody said so\n%s", where, told)
	}
	s.until("the end of what was left", func() bool { return len(s.living()) == 0 })
	now, active := s.standing(where)
	if now.Status() != want || active {
		s.t.Errorf("%s: in the end the session is %s", where, now.Status())
	}
	s.remembered(where)
	s.tidy(where)
	return meta, ended
}
