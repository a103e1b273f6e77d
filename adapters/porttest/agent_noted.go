package porttest

import (
	"errors"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/port"
)

func agentBegan(t *testing.T, h AgentHarness) {
	is := is.New(t)
	told := 0
	out := newSink()
	agent, err := h.Runner.Start(port.Command{
		Argv: h.Argv("speak", "hello", "", "3"), Dir: h.Dir, Env: h.Env, Stdout: out,
		Began: func(pid int) error {
			told = pid
			return nil
		},
	})
	is.NoErr(err)
	is.Equal(agent.Pid(), told)
	is.Equal(begun{Agent: agent}.ending(t), port.Ending{Code: 3})
	is.Equal(out.String(), "hello")
}

func agentNotBegun(t *testing.T, h AgentHarness) {
	is := is.New(t)
	told := 0
	full := errors.New("no space to note it")
	_, err := h.Runner.Start(port.Command{
		Argv: h.Argv("speak", "hello", "", "3"), Dir: h.Dir, Env: h.Env,
		Began: func(pid int) error {
			told = pid
			return full
		},
	})
	is.True(errors.Is(err, full))
	is.True(told != 0)
	is.True(!h.Alive(told))
}
