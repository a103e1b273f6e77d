package agentproc_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/matryer/is"
	"go.uber.org/goleak"

	"github.com/changeover/changeover/adapters/agentproc"
	"github.com/changeover/changeover/adapters/agentproc/agenttest"
	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/domain/port"
)

func TestMain(m *testing.M) {
	sayGate()
	agentproc.PassGate()
	dieNoting()
	agenttest.Main(porttest.AgentPrograms())
	goleak.VerifyTestMain(m)
}

func TestRunner_Contract(t *testing.T) {
	porttest.AgentRunner(t, func(t *testing.T) porttest.AgentHarness { return harness(t, agentproc.New(agentproc.OwnGate())) })
}

// An agent that was held back is as any other.
func TestRunner_ContractOfAgentsThatAreNoted(t *testing.T) {
	porttest.AgentRunner(t, func(t *testing.T) porttest.AgentHarness {
		return harness(t, noting{agentproc.New(agentproc.OwnGate())})
	})
}

// noting has each agent noted.
type noting struct{ port.AgentRunner }

func (n noting) Start(c port.Command) (port.Agent, error) {
	if c.Began == nil {
		c.Began = func(int) error { return nil }
	}
	return n.AgentRunner.Start(c)
}

func harness(t *testing.T, runner port.AgentRunner) porttest.AgentHarness {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return porttest.AgentHarness{
		Runner: runner,
		Argv: func(program string, args ...string) []string {
			return append([]string{self, program}, args...)
		},
		Env: agenttest.MarkedEnv(),
		Dir: dir,
		File: func(t *testing.T, content string) string {
			path := filepath.Join(dir, "input")
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		},
		Alive: agentproc.Alive,
		Kill: func(pid int) {
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Error(err)
			}
		},
	}
}

// script writes an executable file.
func script(t *testing.T, path, text string, perm os.FileMode) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), perm); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRunner_LooksUpOnTheGivenPath(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	script(t, filepath.Join(dir, "plain", "agent"), "not executable", 0o600)
	script(t, filepath.Join(dir, "bin", "agent"), "#!/bin/sh\nexit 8\n", 0o700)
	tests := []struct {
		name string
		argv string
		path string
	}{
		{"second entry", "agent", filepath.Join(dir, "plain") + ":" + filepath.Join(dir, "bin")},
		{"below the directory", "bin/agent", ""},
		{"absolute", filepath.Join(dir, "bin", "agent"), ""},
	}
	for _, tt := range tests {
		agent, err := agentproc.New(agentproc.OwnGate()).Start(port.Command{Argv: []string{tt.argv}, Dir: dir, Env: []string{"PATH=" + tt.path}})
		is.NoErr(err)
		e, err := agent.Wait(t.Context())
		is.NoErr(err)
		is.Equal(e, port.Ending{Code: 8}) // tt.name
	}
}

func TestRunner_TellsWhyNothingStarted(t *testing.T) {
	dir := t.TempDir()
	script(t, filepath.Join(dir, "plain", "agent"), "not executable", 0o600)
	script(t, filepath.Join(dir, "bin", "orphan"), "#!/no/such/interpreter\n", 0o700)
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		command port.Command
		want    error
	}{
		{"nothing on an empty PATH", port.Command{Argv: []string{"agent"}, Dir: dir}, port.ErrNoExecutable},
		{"relative entries are passed over", port.Command{Argv: []string{"orphan"}, Dir: dir, Env: []string{"PATH=bin:"}}, port.ErrNoExecutable},
		{"nothing at the path", port.Command{Argv: []string{"./agent"}, Dir: dir}, port.ErrNoExecutable},
		{"not executable", port.Command{Argv: []string{"agent"}, Dir: dir, Env: []string{"PATH=" + dir + "/plain"}}, fs.ErrPermission},
		{"a directory", port.Command{Argv: []string{"./bin"}, Dir: dir}, fs.ErrPermission},
		{"missing interpreter", port.Command{Argv: []string{"bin/orphan"}, Dir: dir}, fs.ErrNotExist},
		{"missing directory", port.Command{Argv: []string{"/bin/sh"}, Dir: dir + "/gone"}, fs.ErrNotExist},
		{"directory is a file", port.Command{Argv: []string{"/bin/sh"}, Dir: dir + "/plain/agent"}, syscall.ENOTDIR},
		{"input is a FIFO", port.Command{Argv: []string{"/bin/sh"}, Dir: dir, Input: port.FileInput(fifo)}, port.ErrNotRegular},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			runner := agentproc.New(agentproc.OwnGate())
			for _, runner := range []port.AgentRunner{runner, noting{runner}} {
				_, err := runner.Start(tt.command)
				is.True(errors.Is(err, tt.want)) // the reason
				if !errors.Is(tt.want, port.ErrNoExecutable) {
					is.True(!errors.Is(err, port.ErrNoExecutable)) // and no other
				}
			}
		})
	}
}

func TestRunner_RefusesRelativeDirectory(t *testing.T) {
	is := is.New(t)
	_, err := agentproc.New(agentproc.OwnGate()).Start(port.Command{Argv: []string{"/bin/sh"}, Dir: "."})
	is.True(err != nil)
}
