package agent

import (
	"cmp"
	"fmt"
	"time"

	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/text"
)

// Force says why a run was ended that did not end by itself.
type Force int

// The reasons. Stopped stands for a signal and for a limit on the whole run.
const (
	ByItself Force = iota
	Stopped
	Silent
)

// Outcome is what a run comes to.
type Outcome struct {
	wall.Outcome

	// Session is the client's id of its session; empty where it told none.
	Session string

	// Suspected: a generic agent ended well, but had said something of a wall;
	// the evidence tells what.
	Suspected bool

	// Warning is what the client told of a limit that is near.
	Warning string
}

// finding is what a rule makes of a run.
type finding struct {
	class    wall.Class
	rule     string
	evidence wall.Evidence

	// text is all that the client says of its end; the kind of a limit and its
	// reset are read from it, unless the kind is known.
	text string
	kind wall.Kind
	// at is when the text was seen; zero for that of the terminal event, or of
	// the last thing that was heard.
	at time.Time
	// notices are what the client tells of a limit beside its text, the best
	// first.
	notices []*limitNotice

	// fault is what was wrong where no wall was met.
	fault string
	// chance: the text may hold a phrase that gives the class after all.
	chance bool
}

// The names of rules that both clients share.
const (
	ruleOwnSignal = "own-signal"
	ruleSignal    = "signal"
	ruleSilence   = "silence"
	rulePhrase    = "phrase"
	ruleExit      = "exit-code"
	ruleNoResult  = "no-result"
	ruleNoEvents  = "no-events"
	ruleSurvived  = "limit-survived"
)

// outcome judges the run by its end.
func (j *judge) outcome(e port.Ending, why Force) Outcome {
	f := j.find(e, why)
	o := Outcome{Session: cmp.Or(j.session, j.errors.session), Warning: j.warning}
	if f.chance && f.class == wall.None {
		if found, ok := j.phrases.Find(f.text); ok {
			f.class, f.rule, f.fault = phrase.ClassOf(found), rulePhrase, ""
			o.Phrase = found
		}
	}
	o.Class, o.Rule, o.Evidence, o.Fault = f.class, f.rule, f.evidence, f.fault
	o.Limit = j.limit(f)
	if j.survived(f) {
		o.Rule, o.Evidence = ruleSurvived, j.rejected.evidence
		o.Limit = wall.NewLimit(wall.KindOfWindow(j.rejected.what.kind), j.rejected.what.resets, true, j.rejected.at)
	}
	o.Ignored, o.Denied = j.ignored, j.refusals()
	return o
}

// find applies the rules in their order: what is known first, then what the
// client says.
func (j *judge) find(e port.Ending, why Force) finding {
	switch {
	case why == Stopped:
		return finding{class: wall.Killed, rule: ruleOwnSignal, evidence: wall.Evidence{Source: wall.OwnSignal, Text: "ended by baton"}}
	case why == Silent:
		return j.findSilent()
	case bySignal(e):
		return finding{class: wall.Killed, rule: ruleSignal, evidence: byExit(e)}
	}
	switch j.protocol {
	case CodexJSON:
		return j.findCodex(e)
	case ClaudeJSON:
		return j.findClaude(e)
	case CodexPlain:
		return j.findCodexPlain(e)
	case ClaudePlain:
		return j.findClaudePlain(e)
	case Generic:
	}
	return finding{class: wall.None, rule: ruleExit, evidence: byExit(e)}
}

// withoutEnd judges a client that gave no event for its end. A client that gave
// none at all may have said on its error stream why.
func (j *judge) withoutEnd(e port.Ending) finding {
	f := finding{class: wall.None, rule: ruleNoResult, evidence: byExit(e)}
	last := j.errors.final()
	switch {
	case e.Status() == 0:
		f.fault = "ended without a result"
		return f
	case j.events > 0:
		f.fault = said(last.Text)
		return f
	}
	f.rule, f.fault = ruleNoEvents, said(last.Text)
	if last.Text != "" {
		f.evidence = last
	}
	if option := j.errors.unknown; option != "" {
		f.fault += fmt.Sprintf(" (this %s does not know %s: update it)", j.protocol.Client(), option)
	}
	// Wrong usage is quoted back, prompt and all: that is no text of a wall.
	usage := j.protocol == CodexJSON && e.Code == 2
	if j.errors.phrase != "" && !usage {
		f.evidence, f.text, f.chance = j.errors.hit, j.errors.hit.Text, true
	}
	return f
}

// said is the first line of what a client said, for a message.
func said(s string) string { return Shown(text.FirstLine(s)) }

// ended judges a good terminal event by the exit code that followed.
func ended(rule string, evidence wall.Evidence, e port.Ending) finding {
	f := finding{class: wall.None, rule: rule, evidence: evidence}
	if e.Status() != 0 {
		f.rule = ruleExit
	}
	return f
}

// limit reads what is known of the limit that a run met.
func (j *judge) limit(f finding) wall.Limit {
	if f.class != wall.UsageLimit && f.class != wall.RateLimit {
		return wall.Limit{}
	}
	at := f.at
	switch {
	case !at.IsZero():
	case j.end != nil:
		at = j.end.at
	default:
		at = j.at
	}
	found := wall.ReadLimit(f.text, at, j.zones)
	found.Kind = cmp.Or(f.kind, found.Kind)
	for _, notice := range f.notices {
		if found.Kind == wall.Unknown || found.Kind == wall.NoKind {
			found.Kind = wall.KindOfWindow(notice.kind)
		}
	}
	for _, notice := range f.notices {
		if exact := wall.NewLimit(found.Kind, notice.resets, true, at); !exact.ResetAt.IsZero() {
			found = exact
			break
		}
	}
	found = wall.NewLimit(found.Kind, found.ResetAt, found.Exact, at)
	switch {
	case f.class == wall.RateLimit:
		found.Kind = wall.NoKind
	case found.Kind == wall.NoKind:
		found.Kind = wall.Unknown
	}
	return found
}

// survived reports a limit that turned claude away before a good end.
func (j *judge) survived(f finding) bool {
	return f.class == wall.None && j.rejected != nil && j.end != nil && j.end.what.good
}

// refusals counts the tool calls that claude refused, by tool.
func (j *judge) refusals() map[string]int {
	names := j.denied
	if j.end != nil && len(j.end.what.denied) > 0 {
		names = j.end.what.denied
	}
	if len(names) == 0 {
		return nil
	}
	denied := map[string]int{}
	for _, name := range names {
		denied[name]++
	}
	return denied
}
