package agent_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/port"
)

func launch(t interface{ Fatal(...any) }, client string, args ...string) agent.Launch {
	l := agent.DefaultLaunch(named(t, client))
	if args != nil {
		l.Args, l.Protocol = args, agent.ProtocolOf(client, args)
	}
	return l
}

// Rows 11, 13.
func TestLaunch_DefaultCommandLines(t *testing.T) {
	is := is.New(t)
	is.Equal(launch(t, "codex").Start("the task").Argv,
		[]string{"codex", "exec", "--sandbox", "workspace-write", "--json", "the task"})
	is.Equal(launch(t, "claude").Start("the task").Argv,
		[]string{"claude", "--permission-mode", "acceptEdits", "--output-format", "stream-json", "--verbose", "-p", "the task"})
}

// Row 12.
func TestLaunch_CustomArgumentsReplaceTheDefaults(t *testing.T) {
	is := is.New(t)
	s := launch(t, "codex", "exec", "-m", "x").Start("the task")
	is.Equal(s.Argv, []string{"codex", "exec", "-m", "x", "the task"})
	is.Equal(s.Shown, []string{"codex", "exec", "-m", "x"})
	is.Equal(s.Chars, 8)
	is.True(!s.OnStdin)
	is.Equal(s.Input, port.Input{}) // the null device
	is.Equal(agent.Launch{Program: "./run.sh", Protocol: agent.Generic}.Start("-x").Argv, []string{"./run.sh", "-x"})
}

// Row 13.
func TestPromptFor_AnEmptyPromptStaysEmpty(t *testing.T) {
	is := is.New(t)
	empty, other := "", "other"
	is.Equal(agent.PromptFor(nil, "task"), "task")
	is.Equal(agent.PromptFor(&empty, "task"), "")
	is.Equal(agent.PromptFor(&other, "task"), "other")
}

// Row 17.
func TestDefaultLaunch_HoldsNoForbiddenArgument(t *testing.T) {
	is := is.New(t)
	for _, name := range agent.Names() {
		line := strings.Join(launch(t, name).Args, " ")
		for _, forbidden := range []string{"--full-auto", "--ask-for-approval", "--dangerously-bypass-approvals-and-sandbox", "bypassPermissions"} {
			is.True(!strings.Contains(line, forbidden))
		}
	}
}

// Row 76.
func TestLaunch_PromptGoesWhereTheClientTakesItForOne(t *testing.T) {
	script := agent.Launch{Program: "run.sh", Protocol: agent.Generic}
	plainCodex := launch(t, "codex", "exec")
	plainClaude := launch(t, "claude", "-p")
	argument := strings.Repeat("x ", 65_535) + "x" // 131,071 bytes
	slash := "/" + strings.Repeat("x ", 65_535)    // as many, without the space before it
	tests := []struct {
		name   string
		launch agent.Launch
		prompt string
		last   string // the last argument
		stdin  string
	}{
		{"longest argument, codex", launch(t, "codex"), argument, argument, ""},
		{"a byte more, codex", launch(t, "codex"), argument + "y", "-", argument + "y"},
		{"a byte more, claude", launch(t, "claude"), argument + "y", "-p", argument + "y"},
		{"a byte more, generic", script, argument + "y", "run.sh", argument + "y"},
		{"bytes count, not characters", script, argument[:131_070] + "é", "run.sh", argument[:131_070] + "é"},
		{"option, codex", launch(t, "codex"), "--fix it", "-", "--fix it"},
		{"option, plain codex", plainCodex, "--fix it", "-", "--fix it"},
		{"option, claude", launch(t, "claude"), "--fix it", "-p", "--fix it"},
		{"option, plain claude", plainClaude, "--fix it", "-p", "--fix it"},
		{"option, generic", script, "--fix it", "--fix it", ""},
		{"command, codex", launch(t, "codex"), "review", "-", "review"},
		{"command, claude", launch(t, "claude"), "review", "-p", "review"},
		{"command, generic", script, "review", "review", ""},
		{"nothing, codex", launch(t, "codex"), "", "-", ""},
		{"white space of any kind", launch(t, "codex"), "fix\nit", "fix\nit", ""},
		{"slash, claude", launch(t, "claude"), "/help me", " /help me", ""},
		{"slash, plain claude", plainClaude, "/help me", " /help me", ""},
		{"slash command, claude", launch(t, "claude"), "/help", "-p", " /help"},
		{"slash and longest, claude", launch(t, "claude"), slash, "-p", " " + slash},
		{"slash, codex", launch(t, "codex"), "/help me", "/help me", ""},
		{"slash, generic", script, "/help me", "/help me", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := tt.launch.Start(tt.prompt)
			is.True(s.Argv[len(s.Argv)-1] == tt.last) // last argument
			text, onStdin := s.Input.Text()
			is.Equal(onStdin, s.OnStdin)
			is.True(string(text) == tt.stdin) // standard input
			is.Equal(onStdin, tt.stdin != "" || tt.prompt == "")
		})
	}
}

func TestLaunch_PromptReachesTheAgentOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := launch(t, rapid.SampledFrom(agent.Names()).Draw(t, "client"))
		prompt := rapid.String().Draw(t, "prompt")
		s := l.Start(prompt)
		text, onStdin := s.Input.Text()
		given := s.Argv[len(s.Argv)-1]
		if onStdin {
			given = string(text)
		}
		if strings.TrimPrefix(given, " ") != strings.TrimPrefix(prompt, " ") {
			t.Fatalf("%q became %q", prompt, given)
		}
		if !onStdin && (strings.HasPrefix(given, "-") || l.Program == "claude" && strings.HasPrefix(given, "/")) {
			t.Fatalf("%q is no prompt", given)
		}
	})
}

func TestCheckTask_Refuses(t *testing.T) {
	long := strings.Repeat("é", 1_000_000)
	tests := []struct {
		name, task string
		want       error
	}{
		{"empty", "", agent.ErrBlankTask},
		{"blank", " \n\t\u00a0", agent.ErrBlankTask},
		{"NUL", "a\x00b", agent.ErrNUL},
		{"longest", long, nil},
		{"a character more", long + "x", agent.ErrLongPrompt},
		{"usual", "do it", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.True(errors.Is(agent.CheckTask(tt.task), tt.want))
			if tt.want != agent.ErrBlankTask { //nolint:errorlint // a table's own value
				is.True(errors.Is(agent.CheckPrompt(tt.task), tt.want))
			}
		})
	}
	is := is.New(t)
	is.NoErr(agent.CheckPrompt("")) // a prompt may be empty
	is.True(strings.Contains(agent.ErrLongPrompt.Error(), "name the file"))
}

// fakeRunner starts one agent, or fails.
type fakeRunner struct {
	err     error
	agent   fakeAgent
	started *port.Command
}

func (f fakeRunner) Start(c port.Command) (port.Agent, error) {
	*f.started = c
	if f.err != nil {
		return nil, f.err
	}
	return f.agent, nil
}

type fakeAgent struct {
	ending port.Ending
	hangs  bool
	ended  *bool
}

func (f fakeAgent) Pid() int { return 1 }

func (f fakeAgent) Wait(ctx context.Context) (port.Ending, error) {
	if f.hangs {
		<-ctx.Done()
		return port.Ending{}, ctx.Err()
	}
	return f.ending, nil
}

func (f fakeAgent) End(context.Context, port.Request, time.Duration) (port.Ending, error) {
	*f.ended = true
	return port.Ending{Forced: true}, nil
}

// Row 14.
func TestLaunch_Available(t *testing.T) {
	missing := fmt.Errorf("codex: %w", port.ErrNoExecutable)
	broken := errors.New("no more processes")
	tests := []struct {
		name   string
		runner fakeRunner
		want   bool
		err    error
	}{
		{"answers", fakeRunner{}, true, nil},
		{"fails", fakeRunner{agent: fakeAgent{ending: port.Ending{Code: 1}}}, false, nil},
		{"killed", fakeRunner{agent: fakeAgent{ending: port.Ending{Signal: 9}}}, false, nil},
		{"missing", fakeRunner{err: missing}, false, nil},
		{"cannot be started", fakeRunner{err: broken}, false, broken},
		{"does not answer", fakeRunner{agent: fakeAgent{hangs: true}}, false, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if tt.runner.agent.hangs {
				cancel() // its time is over
			}
			ended := false
			tt.runner.started, tt.runner.agent.ended = &port.Command{}, &ended
			got, err := launch(t, "codex").Available(ctx, tt.runner, "/dir", []string{"PATH=/bin"})
			is.Equal(got, tt.want)
			is.True(errors.Is(err, tt.err))
			is.Equal(ended, tt.runner.agent.hangs)
			is.Equal(tt.runner.started.Argv, []string{"codex", "--version"})
			is.Equal(tt.runner.started.Input, port.Input{})
		})
	}
}

// sayingRunner starts an agent that says something.
type sayingRunner struct{ said string }

func (r sayingRunner) Start(c port.Command) (port.Agent, error) {
	for _, part := range strings.SplitAfter(r.said, "x") {
		if _, err := c.Stdout.Write([]byte(part)); err != nil {
			return nil, err
		}
	}
	return fakeAgent{}, nil
}

func TestLaunch_VersionIsTheFirstLineOfTheAnswer(t *testing.T) {
	for said, want := range map[string]string{
		"codex-cli 0.171.0\n":           "codex-cli 0.171.0",
		"\n2.1.332 (Claude Code)\nmore": "2.1.332 (Claude Code)",
		"":                              "",
		strings.Repeat("y", 9000):       strings.Repeat("y", 4096),
		strings.Repeat("yx", 9000):      strings.Repeat("yx", 2048),
	} {
		is := is.New(t)
		got, ok, err := launch(t, "codex").Version(t.Context(), sayingRunner{said}, "/dir", nil)
		is.NoErr(err)
		is.True(ok)
		is.Equal(got, want)
	}
}
