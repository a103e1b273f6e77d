package main

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/changeover/changeover/adapters/transcript"
	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/session"
)

// sessionPending is the second entry of a session's start: it runs in the
// background and wakes the session with what waited for it.
const sessionPending = "session-pending"

// attachTime is how long a starting session's mod is given to attach, before
// what waits is delivered by waking.
const attachTime = 3 * time.Second

// transcriptTime is how long a turn's final message is looked for in the
// transcript, where the client did not tell it.
const transcriptTime = 1500 * time.Millisecond

// relayCommand is the slash command that the hook answers by itself.
const relayCommand = "changeover:relay"

// handledEvents are the events that relay handles.
var handledEvents = []string{
	session.SessionStart, session.SessionEnd, session.UserPromptSubmit, session.UserPromptExpansion,
	session.Stop, session.StopFailure, session.FileChanged,
}

// relayPart is relay's part of an answer.
type relayPart struct {
	operator relay.Operator
	pause    func(time.Duration)
}

func newRelayPart(o relay.Operator) relayPart { return relayPart{operator: o, pause: time.Sleep} }

// Answer hands an event to the operator. handled tells whether relay handles
// events of that kind.
func (p relayPart) Answer(e session.Event, argument string) (r relay.Reply, handled bool, err error) {
	in := p.input(e)
	switch {
	case e.Codex:
		return r, slices.Contains(handledEvents, e.Name), nil // it pairs no sessions of Codex
	case !relay.IsID(e.SessionID):
		// Nobody's event: whoever handles sessions says what is wrong with it.
		return r, slices.Contains(handledEvents, e.Name), nil
	case argument == sessionPending:
		r, err = p.pending(in)
	case e.Name == session.SessionStart:
		r, err = p.operator.Start(in)
	case e.Name == session.SessionEnd:
		r, err = p.operator.End(in)
	case e.Name == session.UserPromptSubmit:
		r, err = p.operator.Prompt(in, e.Prompt, e.PromptID)
	case e.Name == session.UserPromptExpansion:
		return p.command(e), true, nil
	case e.Name == session.Stop:
		r, err = p.operator.Stop(in, p.turn(e))
	case e.Name == session.StopFailure:
		r, err = p.operator.StopFailed(in)
	case e.Name == session.FileChanged && e.Change != "unlink":
		r, err = p.operator.Bell(in, e.FilePath)
	case e.Name == session.FileChanged:
	default:
		return r, false, nil
	}
	if errors.Is(err, relay.ErrNoLink) { // somebody took the link away that the session had
		err = nil
	}
	r.Lines = p.operator.InSession(e.SessionID, r.Lines)
	r.Reason = p.operator.InSession(e.SessionID, []string{r.Reason})[0]
	return r, true, err
}

// turn is what a Stop tells of its turn.
func (p relayPart) turn(e session.Event) relay.Turn {
	t := relay.Turn{Prompt: e.PromptID, Message: e.Message, SubagentsRun: e.SubagentsRun}
	if e.NoMessage {
		t.Read = func() (string, bool) { return p.written(e) }
	}
	return t
}

// written reads the final message of a turn from the transcript, which lags.
func (p relayPart) written(e session.Event) (string, bool) {
	return p.patiently(true, func() (string, bool, error) { return transcript.Answer(e.Transcript, e.PromptID) })
}

// patiently looks into a transcript, more than once where told so: it lags.
func (p relayPart) patiently(more bool, look func() (string, bool, error)) (string, bool) {
	const step = 50 * time.Millisecond
	for waited := time.Duration(0); ; waited += step {
		found, ok, err := look()
		if ok || !more || waited >= transcriptTime || err != nil && !errors.Is(err, fs.ErrNotExist) {
			return found, ok
		}
		p.pause(step)
	}
}

// conversation is what the client has written down of a session.
type conversation struct {
	relayPart
	path string
}

// Turn implements relay.Transcript.
func (c conversation) Turn(isOwn func(id, prompt string) bool, patiently bool) (string, bool) {
	return c.patiently(patiently, func() (string, bool, error) { return transcript.Turn(c.path, isOwn) })
}

// Endings implements relay.Transcript.
func (c conversation) Endings(id string) []relay.Turn {
	endings, err := transcript.Endings(c.path, id)
	if err != nil {
		return nil // it tells nothing
	}
	turns := make([]relay.Turn, 0, len(endings))
	for _, e := range endings {
		turns = append(turns, relay.Turn{Prompt: e.Prompt, Message: e.Message})
	}
	return turns
}

// Woken hands over what a session is woken with. written: the client has the text.
func (p relayPart) Woken(r relay.Reply, written bool) error {
	err := errNotWritten
	if written {
		if err = p.operator.HandOver(r.Claimed, r.Client); err == nil {
			return nil
		}
	}
	return errors.Join(err, p.operator.PutBack(r.Claimed))
}

// errNotWritten reports a client that did not take the text it was to be woken
// with.
var errNotWritten = errors.New("the client did not take the text")

// input completes an event by what the client says of itself.
func (p relayPart) input(e session.Event) relay.HookInput {
	in := relay.HookInput{Event: e, Transcript: conversation{p, e.Transcript}}
	env := p.operator.Env
	if e.SessionID == "" || env.Lookup("CLAUDE_CODE_SESSION_ID") != e.SessionID {
		return in
	}
	in.Interactive = env.Lookup("CLAUDE_CODE_ENTRYPOINT") == "cli"
	in.PID = session.ParsePID(env.Lookup("CLAUDE_PID"))
	if start, err := p.operator.Processes.Started(in.PID); err == nil {
		in.Start = start.Token
	}
	return in
}

// pending gives the mod time to attach, then wakes the session.
func (p relayPart) pending(in relay.HookInput) (relay.Reply, error) {
	const step = 100 * time.Millisecond
	for waited := time.Duration(0); in.Interactive && waited < attachTime; waited += step {
		waits, err := p.operator.Waits(in.SessionID)
		if err != nil || !waits {
			return relay.Reply{}, err
		}
		p.pause(step)
	}
	return p.operator.Pending(in)
}

// command answers a typed slash command in place of the model. Every other
// command passes.
func (p relayPart) command(e session.Event) relay.Reply {
	if e.Command != relayCommand {
		return relay.Reply{}
	}
	self, err := p.operator.Speak(e.SessionID, e.Cwd)
	if err != nil {
		return relay.Reply{Block: true, Reason: p.operator.Word(err, e.SessionID)}
	}
	self.Person = !strings.HasSuffix(p.operator.Env.Lookup("AI_AGENT"), "_agent")
	return relay.Reply{Block: true, Reason: strings.Join(p.operator.Command(self, e.CommandArgs), "\n")}
}
