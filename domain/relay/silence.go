package relay

import (
	"errors"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/agent"
)

// errSilent reports an agent that was ended because it said nothing for too long.
// Its text is a message, so that each catalogue words it.
var errSilent = errors.New(string(GoneSilent))

// listen begins to count how long the agent says nothing, and returns what ends
// that.
func (r *agentRun) listen() (end func()) {
	if r.Silence <= 0 {
		return func() {}
	}
	r.alarm = r.Alarm(r.Silence, func() { r.abort(errSilent) })
	return func() { r.alarm.Stop() }
}

// heard counts anew, unless the agent only says that it tries again: some do so
// without end. While a tool call is under way nothing is counted.
func (r *agentRun) heard(e agent.Report) {
	r.retry = e.Retry
	switch {
	case r.alarm == nil:
	case e.Busy:
		r.alarm.Stop()
	case e.Retry == "":
		r.alarm.Reset(r.Silence)
	}
}

// silent is how a run stops whose agent was ended for its silence.
func (r *agentRun) silent(s State) Result {
	role := r.turn.role
	who, limit := s.Party(role).Label(), span(r.Silence)
	if r.retry != "" {
		return s.result(StandFailed, SayRunRetried, role, who, limit, r.retry)
	}
	return s.result(StandFailed, SayRunSilent, role, who, limit)
}

// span writes a length of time without the zeros at its end.
func span(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
