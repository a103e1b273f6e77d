package agent

import (
	"strings"

	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/port"
)

// findSilent judges a run that was ended because it said nothing for too long:
// the last retry notice tells what it waited for, and without one it is taken
// for the network. A client that had said how it ended, and only stayed, is
// judged by that.
func (j *judge) findSilent() finding {
	if j.end != nil {
		f := j.find(port.Ending{}, ByItself)
		if f.class == wall.None && f.fault == "" {
			f.rule, f.fault = ruleSilence, "it had ended its turn, then said nothing and was ended"
		}
		return f
	}
	f := finding{class: wall.Network, rule: ruleSilence, evidence: wall.Evidence{Source: wall.OwnSignal, Text: "it said nothing for too long"}}
	if j.retry == nil {
		return f
	}
	f.evidence, f.text, f.at = j.retry.evidence, j.retry.what.cause, j.retry.at
	if class := j.retry.what.class(); class != wall.None {
		f.class = class
	}
	if f.class == wall.UsageLimit && j.retry.what.cause == "" {
		f.kind = wall.Credits // claude retries no other
	}
	if j.rejected != nil {
		f.notices = append(f.notices, &j.rejected.what)
	}
	return f
}

// class tells what the client waited for.
func (r retry) class() wall.Class {
	if r.cause != "" {
		_, cause, _ := strings.Cut(r.cause, "(")
		return codexClass(cause)
	}
	if class := statusClass(r.status); class != wall.None {
		return class
	}
	switch r.err {
	case "rate_limit":
		return wall.RateLimit
	case "authentication_failed":
		return wall.Auth
	case "billing_error":
		return wall.UsageLimit
	case "overloaded":
		return wall.Overloaded
	}
	return wall.None
}
