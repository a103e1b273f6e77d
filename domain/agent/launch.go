package agent

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/text"
)

const (
	// longestArgument is what Linux allows for one argument, in bytes.
	longestArgument = 131_071

	// longestPrompt bounds a prompt, in code points: codex takes no more.
	longestPrompt = 1_000_000
)

var (
	// ErrBlankTask reports a task that asks for nothing.
	ErrBlankTask = errors.New("the task is blank: say what is to be done")

	// ErrNUL reports a prompt that no program can be given.
	ErrNUL = errors.New("the prompt holds a NUL byte: remove it")

	// ErrLongPrompt reports a prompt that a client would refuse.
	ErrLongPrompt = errors.New("the prompt has more than 1,000,000 characters: put the text into a file and name the file in the prompt")
)

// CheckPrompt refuses a prompt that cannot be given to an agent.
func CheckPrompt(prompt string) error {
	switch {
	case strings.ContainsRune(prompt, 0):
		return ErrNUL
	case utf8.RuneCountInString(prompt) > longestPrompt:
		return ErrLongPrompt
	}
	return nil
}

// CheckTask is CheckPrompt for a task, which may not be blank either.
func CheckTask(task string) error {
	if strings.TrimSpace(task) == "" {
		return ErrBlankTask
	}
	return CheckPrompt(task)
}

// PromptFor returns the explicit prompt if one was given, an empty one too, and
// the task otherwise.
func PromptFor(explicit *string, task string) string {
	if explicit != nil {
		return *explicit
	}
	return task
}

// Launch is how an agent is started: a program with arguments, before the
// prompt.
type Launch struct {
	Program  string
	Args     []string
	Protocol Protocol
}

// DefaultLaunch returns how a client is started where nothing else is
// configured.
func DefaultLaunch(c Client) Launch {
	args := []string{"exec", "--sandbox", "workspace-write", "--json"}
	if c.Name() == "claude" {
		args = []string{"--permission-mode", "acceptEdits", "--output-format", "stream-json", "--verbose", "-p"}
	}
	return Launch{Program: c.Name(), Args: args, Protocol: ProtocolOf(c.Name(), args)}
}

// Start is one start of an agent, with its prompt in its place.
type Start struct {
	// Argv is the program and all its arguments.
	Argv []string
	// Shown is Argv without the prompt and what stands in its place.
	Shown []string
	// Input is the prompt where it goes to standard input, else nothing.
	Input port.Input
	// OnStdin tells which of the two it is.
	OnStdin bool
	// Chars is the length of the prompt in code points.
	Chars int
}

// Start puts a prompt in its place: the last argument, or standard input where
// it is too long for one or the client would not take it for a prompt.
func (l Launch) Start(prompt string) Start {
	given := l.Protocol.asText(prompt)
	s := Start{
		Shown: append([]string{l.Program}, l.Args...),
		Chars: utf8.RuneCountInString(given),
	}
	s.OnStdin = len(given) > longestArgument || l.Protocol.Structured() && misread(prompt)
	s.Argv = slices.Clone(s.Shown)
	switch {
	case !s.OnStdin:
		s.Argv = append(s.Argv, given)
		return s
	case l.Protocol.Client() == "codex":
		s.Argv = append(s.Argv, "-")
	}
	s.Input = port.TextInput([]byte(given))
	return s
}

// misread reports a prompt that a client takes for an option or a command.
func misread(prompt string) bool {
	return strings.HasPrefix(prompt, "-") || !strings.ContainsFunc(prompt, unicode.IsSpace)
}

// asText keeps claude from running a prompt as a command of its own.
func (p Protocol) asText(prompt string) string {
	if p.Client() == "claude" && strings.HasPrefix(prompt, "/") {
		return " " + prompt
	}
	return prompt
}

// versionLimit bounds what is kept of what a program says of its version, in
// bytes.
const versionLimit = 4 << 10

// Available reports an agent whose program answers a question for its version
// well. ctx bounds the time it has for that. A missing program is not an error.
func (l Launch) Available(ctx context.Context, agents port.AgentRunner, dir string, environ []string) (bool, error) {
	_, ok, err := l.Version(ctx, agents, dir, environ)
	return ok, err
}

// Version is Available, with the first line of the answer.
func (l Launch) Version(ctx context.Context, agents port.AgentRunner, dir string, environ []string) (line string, ok bool, err error) {
	said := &answer{limit: versionLimit}
	run, err := agents.Start(port.Command{Argv: []string{l.Program, "--version"}, Dir: dir, Env: environ, Stdout: said})
	if errors.Is(err, port.ErrNoExecutable) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	ending, err := run.Wait(ctx)
	if err != nil && ctx.Err() != nil {
		_, err = run.End(ctx, l.Protocol.Stop(), 0)
		return "", false, err
	}
	return text.FirstLine(strings.TrimSpace(string(said.kept))), err == nil && ending.Status() == 0, err
}

// answer keeps the first bytes of what is written to it.
type answer struct {
	kept  []byte
	limit int
}

// Write implements io.Writer.
func (a *answer) Write(p []byte) (int, error) {
	a.kept = append(a.kept, p[:min(len(p), a.limit-len(a.kept))]...)
	return len(p), nil
}
