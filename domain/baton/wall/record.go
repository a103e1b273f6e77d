package wall

import (
	"time"

	"github.com/changeover/changeover/domain/baton/stamp"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/text"
)

// Role is what an agent was started as.
type Role string

// The roles.
const (
	AsPrimary  Role = "primary"
	AsFallback Role = "fallback"
	AsPlanner  Role = "planner"
	AsExecutor Role = "executor"
	AsHandoff  Role = "handoff"
)

// The ways in which an agent is given its prompt.
const (
	ByArgument = "argument"
	ByStdin    = "stdin"
)

// StartFailure is the rule of a run that never began.
const StartFailure = "start-failure"

// RunRecord is one agent run as runs.jsonl keeps it. Zero fields of times and
// texts are written as null.
type RunRecord struct {
	N             int
	Agent         string
	Role          Role
	Protocol      string
	Argv          []string // without the prompt
	PromptChars   int
	PromptVia     string
	ClientSession string
	StartedAt     time.Time
	EndedAt       time.Time
	ExitCode      int
	Signal        int // 0 for none

	Class    Class
	Limit    Limit
	Rule     string
	Evidence Evidence
	Ignored  Ignored
	Denied   map[string]int

	Decision Action
	Next     string
	Why      string

	// Forced names the gates that were overridden for this start.
	Forced []Forced
}

// Forced is a gate that was overridden, and what it had found.
type Forced struct{ Gate, Detail string }

// eventLimit is how many bytes of an event, and of its text, a record holds.
const eventLimit = 16 << 10

// Record puts what a run came to into its record.
func (r RunRecord) Record(e Ended, d Decision, cut text.Cutter) RunRecord {
	r.Agent, r.ExitCode = e.Agent, e.Code
	r.Class, r.Limit, r.Rule = e.Class, e.Limit, e.Rule
	r.Evidence, r.Ignored, r.Denied = e.Evidence, e.Ignored, e.Denied
	r.Evidence.Event = within(r.Evidence.Event, eventLimit, cut)
	r.Evidence.Text = within(r.Evidence.Text, eventLimit, cut)
	r.Ignored.FirstLine = quote(r.Ignored.FirstLine, cut)
	if e.NotStarted != "" {
		r.Class, r.Rule = None, StartFailure
	}
	r.Decision, r.Next, r.Why = d.Action, d.Next, d.Why
	return r
}

// within returns a beginning of whole grapheme clusters that has at most that
// many bytes.
func within(s string, bytes int, cut text.Cutter) string {
	for points := bytes; len(s) > bytes; points -= (len(s) - bytes + 3) / 4 {
		s = cut.Head(s, points)
	}
	return s
}

// Document is the record as JSON: every field is there, null where nothing is
// known.
func (r RunRecord) Document() jsondoc.Object {
	return jsondoc.Object{
		{Key: "n", Value: r.N},
		{Key: "agent", Value: known(r.Agent)},
		{Key: "role", Value: known(string(r.Role))},
		{Key: "protocol", Value: known(r.Protocol)},
		{Key: "argv", Value: append([]string{}, r.Argv...)},
		{Key: "promptChars", Value: r.PromptChars},
		{Key: "promptVia", Value: known(r.PromptVia)},
		{Key: "clientSession", Value: known(r.ClientSession)},
		{Key: "startedAt", Value: moment(r.StartedAt)},
		{Key: "endedAt", Value: moment(r.EndedAt)},
		{Key: "exitCode", Value: r.ExitCode},
		{Key: "signal", Value: counted(r.Signal)},
		{Key: "class", Value: known(string(r.Class))},
		{Key: "kind", Value: known(string(r.Limit.Kind))},
		{Key: "resetAt", Value: moment(r.Limit.ResetAt)},
		{Key: "resetExact", Value: r.resetExact()},
		{Key: "rule", Value: known(r.Rule)},
		{Key: "evidence", Value: r.Evidence.document()},
		{Key: "ignored", Value: jsondoc.Object{
			{Key: "count", Value: r.Ignored.Count},
			{Key: "firstLine", Value: known(r.Ignored.FirstLine)},
		}},
		{Key: "denied", Value: counts(r.Denied)},
		{Key: "decision", Value: known(string(r.Decision))},
		{Key: "next", Value: known(r.Next)},
		{Key: "why", Value: known(r.Why)},
		{Key: "forced", Value: r.forced()},
	}
}

// resetExact means something only with a reset time.
func (r RunRecord) resetExact() any {
	if r.Limit.ResetAt.IsZero() {
		return nil
	}
	return r.Limit.Exact
}

func (r RunRecord) forced() []jsondoc.Object {
	list := []jsondoc.Object{}
	for _, f := range r.Forced {
		list = append(list, jsondoc.Object{{Key: "gate", Value: f.Gate}, {Key: "detail", Value: f.Detail}})
	}
	return list
}

func (e Evidence) document() any {
	if e == (Evidence{}) {
		return nil
	}
	return jsondoc.Object{
		{Key: "source", Value: known(string(e.Source))},
		{Key: "event", Value: known(e.Event)},
		{Key: "text", Value: known(e.Text)},
		{Key: "file", Value: known(e.File)},
		{Key: "line", Value: counted(e.Line)},
	}
}

// known is a text, or null for none.
func known(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// counted is a number that begins at 1, or null.
func counted(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

// moment is an instant, or null for none.
func moment(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return stamp.Text(t)
}
