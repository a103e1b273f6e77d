package relay

import (
	"strings"
	"time"
)

// SilentError reports an agent that was ended because it said nothing for too long.
// Its text is a message, so that each catalogue words it.
type SilentError struct {
	Limit time.Duration
	// Retry is what the agent said last, where that was that it tries again.
	Retry string
}

func (*SilentError) Error() string { return string(GoneSilent) }

// silent is how a run stops whose agent was ended for its silence.
func (s State) silent(role Role, e *SilentError) Result {
	who, limit := s.Party(role).Label(), span(e.Limit)
	if e.Retry != "" {
		return s.result(StandFailed, SayRunRetried, role, who, limit, e.Retry)
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
