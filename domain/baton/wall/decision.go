package wall

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/text"
)

// Action is what follows the end of an agent run.
type Action string

// The actions.
const (
	Completed Action = "completed"
	Failed    Action = "failed"
	Fallback  Action = "fallback"
	Wait      Action = "wait"
	Return    Action = "return"
)

// The exit codes that a decision may give.
const (
	exitDone        = 0
	exitFailed      = 1
	exitAgentFailed = 4
)

// Ended is an agent run that is over.
type Ended struct {
	Agent string

	// Code is the exit code as a shell reports it.
	Code int

	// NotStarted says why the agent could not be started; empty where it ran.
	NotStarted string

	// Signal is the signal at which baton ended the run; 0 for none. TimedOut
	// is the time limit that the run passed; 0 for none.
	Signal   int
	TimedOut time.Duration

	Outcome
}

// Decision is what follows a run.
type Decision struct {
	Action Action

	// Next is the agent that goes on; empty where none does. It starts at
	// once, or at Until where that is set.
	Next  string
	Until time.Time

	// Exit is the exit code of the command, where nothing follows.
	Exit int

	// Error is what went wrong, Reason why another run follows or ought to.
	// Why is one sentence for the record.
	Error  string
	Reason string
	Why    string

	// Notices are for the person.
	Notices []string
}

// walled says whether the run met a wall at which others may go on.
func (e Ended) walled(on []Class) bool {
	switch {
	case e.NotStarted != "", e.Signal != 0, e.TimedOut != 0, e.Class == None, e.Class == Killed:
		return false
	}
	return slices.Contains(on, e.Class)
}

// Decide says what follows a run. The classes in on hand over to next, which is
// empty where there is no next agent. Only the proved class decides: neither
// what the run printed nor its exit code makes a wall.
func Decide(e Ended, on []Class, next string, cut text.Cutter) Decision {
	if !e.walled(on) {
		return e.final()
	}
	d := Decision{Reason: e.Reason(cut)}
	if next == "" {
		return d.fail("%s met %s, and no other agent is there to go on", e.Agent, e.met())
	}
	d.Action, d.Next = Fallback, next
	d.Why = fmt.Sprintf("%s met %s, and fallbackOn holds %s: %s goes on.", e.Agent, e.met(), e.Class, next)
	return d
}

// final decides a run after which nobody goes on.
func (e Ended) final() Decision {
	var d Decision
	switch {
	case e.NotStarted != "":
		d = d.fail("%s", e.NotStarted)
		d.Exit = exitFailed
	case e.Signal != 0:
		d = d.fail("interrupted")
		d.Exit = ExitOfSignal(e.Signal)
	case e.TimedOut != 0:
		d = d.fail("timed out after %s", e.TimedOut)
	case e.Class == None && e.Code == 0 && e.Fault == "":
		return Decision{
			Action: Completed, Exit: exitDone,
			Why: fmt.Sprintf("%s ended with exit code 0 and met no wall.", e.Agent),
		}
	case e.Class == None && e.Code == 0:
		d = d.fail("%s %s", e.Agent, e.Fault)
	case e.Class == None && e.Fault != "":
		d = d.fail("%s ended with exit code %d: %s", e.Agent, e.Code, e.Fault)
	case e.Class == None:
		d = d.fail("%s ended with exit code %d", e.Agent, e.Code)
	case e.Class == Killed:
		d = d.fail("%s was killed, exit code %d", e.Agent, e.Code)
	case e.Class == Auth:
		d = d.fail("%s is not logged in: 'baton login %s' does that", e.Agent, e.Agent)
	default:
		d = d.fail("%s met %s, and fallbackOn does not hold %s", e.Agent, e.met(), e.Class)
	}
	return d
}

// fail makes it the decision that nothing follows, for the reason given.
func (d Decision) fail(format string, args ...any) Decision {
	d.Action, d.Exit = Failed, exitAgentFailed
	d.Error = fmt.Sprintf(format, args...)
	d.Why = "The run failed: " + strings.TrimSuffix(d.Error, ".") + "."
	return d
}

// ExitOfSignal is the exit code of a command that a signal ended.
func ExitOfSignal(signal int) int { return 128 + signal }
