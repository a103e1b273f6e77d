package baton

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton/logs"
	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/port"
)

// stopGrace is how long an agent may take over the request to end.
const stopGrace = 5 * time.Second

// The exit codes that a shell gives a program that it could not start.
const (
	codeNotStarted = 126
	codeNotFound   = 127
)

// order is one start of an agent.
type order struct {
	agent  string
	role   wall.Role
	launch agent.Launch
	start  agent.Start
	env    agent.Environment

	phrases   phrase.List
	onSuccess phrase.OnSuccess
	silence   time.Duration
	timeout   time.Duration

	// forced are the gates that were overridden for this start.
	forced []wall.Forced
	// watcher looks after the weight of the context; nil for nobody.
	watcher *watcher
	// began is told of the agent's process before the agent runs.
	began func(pid int) error
}

// flight is one run of an agent, from its start to its end.
type flight struct {
	World
	order
	desk    Desk
	journal *journal
	run     *agent.Run
	// allowed are the notes of limits that are not reached which were shown.
	allowed map[string]bool
}

// errSilent and errTimeout say why baton ended an agent.
var (
	errSilent  = errors.New("silent for too long")
	errTimeout = errors.New("timed out")
)

// fly runs an agent to its end and says what it came to. An error means that
// baton could not do its part; the agent does not run any more then.
func (w World) fly(sig Signals, desk Desk, o order) (ended agentEnded, err error) {
	f := &flight{World: w, order: o, desk: desk}
	if f.journal, err = openJournal(desk); err != nil {
		return ended, err
	}
	defer func() { ended.fault = f.journal.close() }()
	record := wall.RunRecord{
		Agent: o.agent, Role: o.role, Protocol: string(o.launch.Protocol), Argv: o.start.Shown, PromptChars: o.start.Chars,
		PromptVia: wall.ByArgument, StartedAt: w.Clock.Now(), Forced: o.forced,
	}
	if o.start.OnStdin {
		record.PromptVia = wall.ByStdin
	}
	f.open(record.StartedAt)
	ended, session, err := f.follow(sig)
	record.ClientSession, record.EndedAt = session, w.Clock.Now()
	f.journal.line(logs.Exit(ended.Code))
	ended.record = record
	return ended, err
}

// open writes the lines that a run begins with in the log.
func (f *flight) open(at time.Time) {
	f.journal.line("")
	f.journal.line(logs.Start{
		At: at, Command: f.start.Shown[0], Args: f.start.Shown[1:], PromptChars: f.start.Chars, Stdin: f.start.OnStdin,
	}.Line())
	if len(f.env.Removed) > 0 {
		f.journal.line(logs.Blocked(f.env.Removed))
	}
	if len(f.env.Passed) > 0 {
		f.journal.line(logs.Passed(f.env.Passed))
	}
	for _, forced := range f.forced {
		f.say("gate overridden: " + forced.Gate + ": " + forced.Detail)
	}
	f.journal.flush()
}

// say writes what baton itself has to say into the log.
func (f *flight) say(text string) { f.journal.line(logs.BatonTag.Line(text)) }

// follow starts the agent and follows it to its end.
func (f *flight) follow(sig Signals) (ended agentEnded, session string, err error) {
	ended.Agent = f.agent
	f.run = agent.NewRun(agent.Setup{
		Protocol: f.launch.Protocol, Root: f.desk.Top(), Phrases: f.phrases, OnSuccess: f.onSuccess, Silence: f.silence,
		Cutter: f.Cut, Zones: f.Zones, Now: f.Clock.Now, Tell: f.tell, Hit: f.hit,
	})
	var unnoted error
	process, err := f.Agents.Start(port.Command{
		Argv: f.start.Argv, Dir: f.desk.Top(), Env: f.env.Environ, Input: f.start.Input,
		Stdout: f.writer(agent.Stdout, f.run.Stdout()), Stderr: f.writer(agent.Stderr, f.run.Stderr()),
		Began: func(pid int) error {
			unnoted = f.began(pid)
			return unnoted
		},
	})
	if unnoted != nil {
		return ended, "", unnoted
	}
	if err != nil {
		ended.Ended = f.grounded(ended.Ended, err)
		return ended, "", nil
	}
	ending, cause, err := f.await(sig, process)
	why := agent.ByItself
	switch {
	case errors.Is(cause, errSilent):
		why = agent.Silent
		f.say("ended: said nothing for " + f.silence.String())
	case errors.Is(cause, errTimeout):
		why, ended.TimedOut = agent.Stopped, f.timeout
		f.say("ended: timed out after " + f.timeout.String())
	case cause != nil:
		why, ended.Signal = agent.Stopped, signalOf(cause)
		f.say("ended: " + cause.Error())
	}
	outcome := f.run.Outcome(ending, why)
	f.left(ending)
	ended.Outcome, ended.Suspected, ended.Code = outcome.Outcome, outcome.Suspected, ending.Status()
	if ended.Evidence.Line > 0 {
		ended.Evidence.File = Artifact(LogFile)
	}
	if outcome.Warning != "" {
		f.Sink.Notice(f.agent + ": " + outcome.Warning)
	}
	return ended, outcome.Session, err
}

// signalOf is the number of the signal that ended the work.
func signalOf(cause error) int {
	var signal SignalError
	if errors.As(cause, &signal) {
		return signal.Number
	}
	return interrupt
}

// interrupt is the number of the signal that a person's Ctrl-C raises.
const interrupt = 2

// grounded is how a run stands that never began.
func (f *flight) grounded(ended wall.Ended, err error) wall.Ended {
	ended.Code, ended.NotStarted = codeNotStarted, fmt.Sprintf("%s could not be started: %v", f.agent, err)
	if errors.Is(err, port.ErrNoExecutable) {
		ended.Code = codeNotFound
		ended.NotStarted = fmt.Sprintf("%s: the command %q was not found; install it and put it on PATH, or name another one as agents.%s.command; 'baton doctor' says whether it is there",
			f.agent, f.launch.Program, f.agent)
	}
	f.say(ended.NotStarted)
	return ended
}

// left notes what had to be done about the agent's processes.
func (f *flight) left(ending port.Ending) {
	switch n := ending.Leftover; {
	case n == 1:
		f.say("1 process that " + f.agent + " left behind was ended")
	case n > 1:
		f.say(fmt.Sprintf("%d processes that %s left behind were ended", n, f.agent))
	}
	if ending.Cut {
		f.say("another process kept a stream of the agent's open: it was closed")
	}
}

// await waits for the agent's end, and forces it where a signal, the silence or
// the time limit says so. cause is which of them did.
func (f *flight) await(sig Signals, process port.Agent) (ending port.Ending, cause, err error) {
	alive, abort := context.WithCancelCause(sig.Stop)
	defer abort(nil)
	defer f.listen(abort)()
	if f.timeout > 0 {
		alarm := f.Alarms(f.timeout, func() { abort(errTimeout) })
		defer alarm.Stop()
	}
	ending, err = process.Wait(alive)
	if err == nil || alive.Err() == nil {
		return ending, nil, err
	}
	ending, err = process.End(sig.Hurry, f.launch.Protocol.Stop(), stopGrace)
	if !ending.Forced {
		return ending, nil, err // it had ended by itself in that moment
	}
	return ending, context.Cause(alive), err
}

// listen ends the agent when it says nothing for too long.
func (f *flight) listen(abort context.CancelCauseFunc) (end func()) {
	if f.silence <= 0 {
		return func() {}
	}
	set := make(chan port.Alarm, 1)
	ring := func() {
		alarm := <-set
		defer func() { set <- alarm }()
		at, measured := f.run.Deadline()
		switch left := at.Sub(f.Clock.Now()); {
		case !measured:
			alarm.Reset(f.silence)
		case left > 0:
			alarm.Reset(left)
		default:
			abort(errSilent)
		}
	}
	alarm := f.Alarms(f.silence, ring)
	set <- alarm
	return func() { alarm.Stop() }
}

// tell logs and shows an event, and has the watcher look at what that makes.
func (f *flight) tell(e *agent.Event) (first int) {
	lines := 0
	for line := range e.Log {
		n := f.journal.line(line.String())
		if lines == 0 {
			first = n
		}
		lines++
	}
	if f.launch.Protocol.JSON() {
		for line := range e.Screen {
			if !f.tedious(line) {
				f.Sink.Show(e.Stream(), line)
			}
		}
	}
	if f.watcher != nil {
		f.watcher.passed(f.journal, lines)
	}
	return first
}

// hit tells the person what a generic agent says of a wall.
func (f *flight) hit(seen phrase.Sighting) { f.Sink.Notice(f.agent + " says " + seen.String()) }

// writer takes what the agent writes on a stream.
func (f *flight) writer(stream agent.Stream, follow io.Writer) io.Writer {
	return &tap{flight: f, stream: stream, follow: follow}
}

// tap hands a stream to the log first, and to the person.
type tap struct {
	*flight
	stream agent.Stream
	follow io.Writer
}

// Write implements io.Writer.
func (t *tap) Write(p []byte) (int, error) {
	n, err := t.follow.Write(p)
	t.journal.flush()
	if !t.launch.Protocol.JSON() {
		t.Sink.Pass(t.stream, p)
	}
	return n, err
}
