package port

import (
	"context"
	"errors"
	"io"
	"time"
)

// ErrNoExecutable reports that a command names no executable: nothing of that
// name lies on its PATH, or nothing at its path. The error that wraps it names
// the command. Nothing ran.
var ErrNoExecutable = errors.New("executable not found")

// Command says how to start an agent. Nothing is inherited from this process:
// neither a variable nor a stream.
type Command struct {
	// Argv is the program, then one element for each argument; no shell sees
	// them. A program without a slash is looked up on the PATH of Env, a
	// relative one starts at Dir, which is an absolute path.
	Argv []string
	Dir  string
	Env  []string

	// Input is what the agent reads; the zero value is the null device.
	Input Input

	// Stdout and Stderr receive the bytes of each stream as they come. Each
	// is written to by one goroutine at a time, the two at once, and neither
	// after Wait or End has returned the ending. A write that blocks holds the
	// run up. A writer that fails is not written to again; the stream is read
	// to its end all the same. Nil discards.
	Stdout io.Writer
	Stderr io.Writer

	// Began is called with the number of the agent's process before the program
	// runs. The program never runs where Began fails, and Start returns its error; nor
	// where this process dies before Began has returned. Nil calls nothing.
	Began func(pid int) error
}

// Input is the standard input of an agent: nothing, a text or a file.
type Input struct {
	text []byte
	path string
}

// TextInput is the text and then end of file.
func TextInput(text []byte) Input {
	if text == nil {
		text = []byte{}
	}
	return Input{text: text}
}

// FileInput is the content of the regular file at path.
func FileInput(path string) Input { return Input{path: path} }

// Text returns the text of a TextInput.
func (i Input) Text() (text []byte, ok bool) { return i.text, i.text != nil }

// Path returns the path of a FileInput.
func (i Input) Path() (path string, ok bool) { return i.path, i.path != "" }

// Request is the signal that asks an agent to stop before it is made to.
type Request int

// The two requests: as a person's Ctrl-C, or as a service manager's stop.
const (
	Interrupt Request = iota + 1
	Terminate
)

// Ending says how a run ended.
type Ending struct {
	// Code is the exit code; it means nothing when Signal is not zero.
	Code int

	// Signal is the number of the signal that the agent died of, or zero.
	Signal int

	// Forced tells that End was called before the run had ended by itself.
	Forced bool

	// Leftover counts the agent's processes that were still there and were
	// ended: of its group after a normal end, and after a forced one of its
	// noted descendants too, when the grace was over.
	Leftover int

	// Cut tells that another process held a stream open and that it was
	// closed before its end.
	Cut bool
}

// Status returns the exit status as a shell reports it: 128 plus the number of
// the signal for a run that died of one.
func (e Ending) Status() int {
	if e.Signal != 0 {
		return 128 + e.Signal
	}
	return e.Code
}

// AgentRunner starts agents.
type AgentRunner interface {
	// Start returns a running agent in a process group of its own. An error
	// wraps ErrNoExecutable where the command could not be found; with any
	// error nothing runs. Whoever starts an agent waits for its end.
	Start(c Command) (Agent, error)
}

// Agent is one run. Its methods may be called from several goroutines.
type Agent interface {
	// Pid returns the number of the agent's process, which is also the number
	// of its group.
	Pid() int

	// Wait returns how the run ended: the process has exited, and both
	// streams are at their end or, when another process keeps one open, cut
	// at most 2 s later. What is left of the group has been ended by then,
	// which takes at most 2 s more; processes in sessions of their own live
	// on. When ctx is done first, Wait returns its error and the run goes on.
	// Any other error comes with the ending and tells what could not be
	// established or ended.
	Wait(ctx context.Context) (Ending, error)

	// End forces the end and returns it: it notes the agent's descendants,
	// sends the request to the group, gives everything the grace to go – cut
	// short when ctx is done –, kills the group and then every noted
	// descendant that still lives, also those in sessions of their own. A run
	// that has ended by itself, and one that is already being ended, is only
	// waited for. Errors are those of Wait.
	End(ctx context.Context, ask Request, grace time.Duration) (Ending, error)
}

// StrayEnder ends agents that an earlier process of ours started and left.
type StrayEnder interface {
	// EndStray forces the end of a process and of all that belongs to it, as
	// Agent.End does. start is how the process tree spells the beginning of the
	// process: one of another start, or none, is left alone without an error.
	EndStray(ctx context.Context, pid int, start string, ask Request, grace time.Duration) error
}

// Foreground runs a program that has the terminal of this process, and waits for
// its end. The program is found as that of a Command is, and gets its environment
// from env alone. code is the exit status as a shell reports it. When ctx is done,
// the program is asked to end and, some seconds later, made to. An error means that
// it did not run, and wraps ErrNoExecutable where it could not be found.
type Foreground func(ctx context.Context, argv []string, dir string, env []string) (code int, err error)
