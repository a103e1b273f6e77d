package wall

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/text"
)

// Outcome is what the rules made of a run that has ended.
type Outcome struct {
	Class Class

	// Limit is the limit of a usage or rate limit. With class none it is one
	// that the client met and survived.
	Limit Limit

	// Rule is the stable name of the rule that gave the class.
	Rule string

	// Evidence is what the rule went by; the zero value is nothing. Phrase is
	// the phrase of a generic agent's line.
	Evidence Evidence
	Phrase   string

	// Fault is what was wrong with a run of class none, as the end of a
	// sentence that begins with the agent: "ended without a result", or what
	// the client said last. Empty where only the exit code can tell.
	Fault string

	Ignored Ignored

	// Denied counts the tool calls that the client refused, by tool.
	Denied map[string]int
}

// Source is where a piece of evidence stood.
type Source string

// The sources.
const (
	TerminalEvent Source = "terminal-event"
	RetryNotice   Source = "retry-notice"
	Stderr        Source = "stderr"
	Stdout        Source = "stdout"
	ExitCode      Source = "exit-code"
	OwnSignal     Source = "own-signal"
)

// Evidence is what a class rests on.
type Evidence struct {
	Source Source

	// Event is the JSON event, Text what it says.
	Event string
	Text  string

	// File and Line are where the text stands in the log, counted from 1; 0
	// where it stands nowhere.
	File string
	Line int
}

// Ignored counts the lines that held a phrase and prove nothing. FirstLine is
// the first of them.
type Ignored struct {
	Count     int
	FirstLine string
}

// reasonLimit is how many characters of a client's text a reason quotes.
const reasonLimit = 200

// Reason is what the session keeps as the reason of a fallback: the class,
// where it came from, and the beginning of the text; of a generic agent the
// phrase, the stream and the line.
func (o Outcome) Reason(cut text.Cutter) string { return o.reason(label(o.Class, o.Limit.Kind), cut) }

// Told is the reason as a person is told of it.
func (o Outcome) Told(cut text.Cutter) string { return o.reason(Label(o.Class, o.Limit), cut) }

func (o Outcome) reason(reason string, cut text.Cutter) string {
	where := map[Source]string{
		TerminalEvent: "terminal event", RetryNotice: "retry notice", Stderr: "stderr", Stdout: "stdout",
		ExitCode: "exit code", OwnSignal: "baton's own signal",
	}[o.Evidence.Source]
	switch {
	case o.Phrase != "" && where != "":
		reason = fmt.Sprintf("%q on %s", o.Phrase, where)
	case where != "":
		reason += ", " + where
	}
	if quoted := quote(o.Evidence.Text, cut); quoted != "" {
		reason += ": " + quoted
	}
	return reason
}

// quote returns the first line of a text that says something, cleaned and
// clipped.
func quote(s string, cut text.Cutter) string {
	s = text.FirstLine(strings.TrimSpace(text.WithoutSequences(s)))
	return cut.Clip(text.Readable(strings.Join(strings.Fields(s), " ")), reasonLimit)
}

// Label is a class with its kind, as a person is told of it: that the kind is not
// known says less than that nobody knows when the limit resets.
func Label(class Class, limit Limit) string {
	switch {
	case limit.Kind != Unknown:
		return label(class, limit.Kind)
	case class == UsageLimit && limit.ResetAt.IsZero():
		return string(class) + " (no reset time known)"
	}
	return string(class)
}

// Worded is a kept reason as a person is told of it.
func Worded(reason string) string {
	if rest, ok := strings.CutPrefix(reason, label(UsageLimit, Unknown)); ok {
		return string(UsageLimit) + rest
	}
	return reason
}

// label is a class with its kind, as reasons that are kept name it.
func label(class Class, kind Kind) string {
	if kind == NoKind {
		return string(class)
	}
	return fmt.Sprintf("%s (%s)", class, kind)
}

// met says what an agent ran into.
func (o Outcome) met() string { return met(o.Class, o.Limit.Kind) }

func met(class Class, kind Kind) string {
	switch class {
	case UsageLimit:
		switch kind {
		case Session:
			return "its session limit"
		case Weekly:
			return "its weekly limit"
		case Credits:
			return "the end of its credits"
		}
		return "its usage limit"
	case RateLimit:
		return "a rate limit"
	case ContextLimit:
		return "the end of its context window"
	case Overloaded:
		return "an overloaded service"
	case Network:
		return "a network that does not answer"
	case Auth:
		return "a login that is refused"
	}
	return "its end"
}

// DeniedNotice says which tool calls an agent was refused; empty for none. The
// run ends well all the same, so nothing else tells.
func DeniedNotice(agent string, denied map[string]int) string {
	total, each := 0, []string{}
	for _, name := range slices.Sorted(maps.Keys(denied)) {
		total += denied[name]
		each = append(each, fmt.Sprintf("%s %d", text.Printable(name), denied[name]))
	}
	if total == 0 {
		return ""
	}
	plural := "s"
	if total == 1 {
		plural = ""
	}
	return fmt.Sprintf("%s was refused %d tool call%s: %s", agent, total, plural, strings.Join(each, ", "))
}

// Noted is a limit that the session keeps for the next run.
type Noted struct {
	Class Class
	Limit
	// Text is the beginning of what the client said.
	Text   string
	SeenAt time.Time
}

// Passed says whether the limit is known to have reset.
func (n Noted) Passed(now time.Time) bool {
	return !n.ResetAt.IsZero() && !now.Before(n.ResetAt)
}

// Holds says whether the limit still stands. One without a reset time stands
// for as long as the command that met it, which began at since: later nobody
// knows, and to try costs a second.
func (n Noted) Holds(now, since time.Time) bool {
	if n.ResetAt.IsZero() {
		return !n.SeenAt.Before(since)
	}
	return now.Before(n.ResetAt)
}

// Told says which limit an agent met and when that resets.
func (n Noted) Told(agent string, now time.Time, zone *time.Location) string {
	return fmt.Sprintf("%s met %s; the reset is at %s", agent, met(n.Class, n.Kind), WhenLeft(n.ResetAt, now, zone))
}

// Reason is why work stops at a limit that was noted in an earlier run.
func (n Noted) Reason() string {
	reason := label(n.Class, n.Kind) + ", noted in an earlier run"
	if n.Text != "" {
		reason += ": " + n.Text
	}
	return reason
}

// Limits are the noted limits by agent.
type Limits map[string]Noted

// Agents are the agents with a noted limit, in byte order.
func (l Limits) Agents() []string { return slices.Sorted(maps.Keys(l)) }

// After returns the limits after a run: a new limit takes the agent's entry,
// and a run that met none takes it away. What never ran says nothing.
func (l Limits) After(e Ended, now time.Time, cut text.Cutter) Limits {
	after := maps.Clone(l)
	if after == nil {
		after = Limits{}
	}
	class, limit := e.Class, e.Limit
	switch {
	case e.NotStarted != "":
		return after
	case class == None && limit == Limit{}:
		delete(after, e.Agent)
		return after
	case class == None:
		class = UsageLimit // survived, but there
	case class == RateLimit && !limit.ResetAt.IsZero():
		limit.Kind = NoKind
	case class != UsageLimit:
		return after
	}
	after[e.Agent] = Noted{Class: class, Limit: limit, Text: quote(e.Evidence.Text, cut), SeenAt: now.UTC()}
	return after
}
