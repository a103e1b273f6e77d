// Package agentproc runs agents as child processes, each in a process group of
// its own, and leaves nothing of them behind.
package agentproc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/google/wire"

	"github.com/changeover/changeover/domain/port"
)

// Set provides the runner to a program whose main function begins with PassGate.
var Set = wire.NewSet(New, OwnGate, NewForeground, wire.Bind(new(port.AgentRunner), new(*Runner)), wire.Bind(new(port.StrayEnder), new(*Runner)))

const (
	// streamGrace is how long another process may hold a stream of the agent
	// open after the agent has exited.
	streamGrace = 2 * time.Second

	// groupGrace is how long what is left of the group may take over TERM.
	groupGrace = 2 * time.Second

	// killGrace is how long the system may take to carry out a KILL.
	killGrace = 5 * time.Second

	// pollEvery is the time between two looks at the process table.
	pollEvery = 20 * time.Millisecond
)

// Runner is port.AgentRunner over the processes of this machine.
type Runner struct{ gate Gate }

// New returns a Runner. Without a gate it starts no command that wants to be noted.
func New(gate Gate) *Runner { return &Runner{gate: gate} }

// Start implements port.AgentRunner.
func (r *Runner) Start(c port.Command) (port.Agent, error) {
	if len(c.Argv) == 0 {
		return nil, errors.New("start an agent: no command given")
	}
	started, err := r.start(c)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Argv[0], err)
	}
	return started, nil
}

// start is Start without naming the command in errors.
func (r *Runner) start(c port.Command) (*run, error) {
	if err := checkDir(c.Dir); err != nil {
		return nil, err
	}
	path, err := lookUp(c.Argv[0], c.Dir, c.Env)
	if err != nil {
		return nil, err
	}
	s, err := openStreams(c)
	if err != nil {
		return nil, err
	}
	cmd := &exec.Cmd{
		Path:        path,
		Args:        c.Argv,
		Dir:         c.Dir,
		Env:         append([]string{}, c.Env...), // nil would mean this process's own
		Stdin:       s.childIn,
		Stdout:      s.childOut,
		Stderr:      s.childErr,
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true},
	}
	if c.Began == nil {
		err = cmd.Start()
	} else {
		err = r.startNoted(cmd, c.Began)
	}
	if err != nil {
		s.abandon()
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s names an interpreter that does not exist: %w", path, err)
		}
		return nil, err
	}
	s.begin(c)
	started := &run{
		cmd:     cmd,
		group:   group{leader: cmd.Process.Pid},
		streams: s,
		exited:  make(chan struct{}),
		swept:   make(chan struct{}),
		done:    make(chan struct{}),
	}
	go started.watch()
	return started, nil
}

// startNoted starts a command that does not run before it is noted. After an error
// nothing of it is left.
func (r *Runner) startNoted(cmd *exec.Cmd, note func(pid int) error) error {
	h, err := hold(cmd, r.gate)
	if err != nil {
		return err
	}
	err = cmd.Start()
	h.started()
	if err == nil {
		if err = note(cmd.Process.Pid); err == nil {
			err = h.release()
		}
	}
	h.close()
	if err != nil && cmd.Process != nil {
		_ = cmd.Wait() // the gate ends by itself
	}
	return err
}

// checkDir tells a missing working directory from a missing executable, which
// the system reports alike.
func checkDir(dir string) error {
	if !filepath.IsAbs(dir) {
		return fmt.Errorf("working directory %q is not an absolute path", dir)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("working directory: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("working directory %s: %w", dir, syscall.ENOTDIR)
	}
	return nil
}
