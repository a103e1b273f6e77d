package agenttest_test

import (
	"testing"

	"github.com/matryer/is"
	"go.uber.org/goleak"

	"github.com/changeover/changeover/adapters/agentproc/agenttest"
	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/domain/port"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestRunner_Contract(t *testing.T) {
	porttest.AgentRunner(t, func(*testing.T) porttest.AgentHarness {
		files := map[string][]byte{}
		r := agenttest.NewRunner(porttest.AgentPrograms(), files)
		return porttest.AgentHarness{
			Runner: r,
			Argv: func(program string, args ...string) []string {
				return append([]string{program}, args...)
			},
			Env: []string{"A=1", "B=2"},
			Dir: "/somewhere",
			File: func(_ *testing.T, content string) string {
				files["/input"] = []byte(content)
				return "/input"
			},
			Alive: r.Alive,
			Kill:  r.Kill,
		}
	})
}

func TestRunner_StartedTellsWhatWasAskedFor(t *testing.T) {
	is := is.New(t)
	r := agenttest.NewRunner(map[string]agenttest.Program{
		"agent": func(*agenttest.Process) agenttest.Exit { return agenttest.Exit{} },
	}, nil)
	agent, err := r.Start(port.Command{Argv: []string{"agent", "-p", "hello"}})
	is.NoErr(err)
	_, err = agent.Wait(t.Context())
	is.NoErr(err)
	is.Equal(len(r.Started()), 1)
	is.Equal(r.Started()[0].Argv, []string{"agent", "-p", "hello"})
}
