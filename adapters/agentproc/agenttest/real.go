package agenttest

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/changeover/changeover/domain/port"
)

// mark tells a process of the test binary that it is to be an agent.
const mark = "CHANGEOVER_TEST_AGENT"

// MarkedEnv is the environment that makes the test binary run a program.
func MarkedEnv() []string { return []string{mark + "=1"} }

// Main makes this process an agent when its environment is MarkedEnv: it runs
// the program that the first argument names and exits. TestMain calls it first.
func Main(programs map[string]Program) {
	if os.Getenv(mark) == "" {
		return
	}
	if len(os.Args) < 2 || programs[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "no such program:", os.Args)
		os.Exit(99)
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	if ready, err := readyPipe(); err == nil {
		_ = ready.Close() // tells the parent that this child listens
	}
	exit := programs[os.Args[1]](realProcess(signals))
	if exit.Signal != 0 {
		dieOf(syscall.Signal(exit.Signal))
	}
	os.Exit(exit.Code)
}

// realProcess describes this process to its program.
func realProcess(signals <-chan os.Signal) *Process {
	requests := make(chan port.Request, 8)
	go func() {
		for s := range signals {
			if s == syscall.SIGINT {
				requests <- port.Interrupt
				continue
			}
			requests <- port.Terminate
		}
	}()
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return &Process{
		Pid:      os.Getpid(),
		Args:     os.Args[2:],
		Dir:      dir,
		Env:      os.Environ(),
		Stdin:    os.Stdin,
		Stdout:   os.Stdout,
		Stderr:   os.Stderr,
		Requests: requests,
		Killed:   make(chan struct{}),
		Spawn:    spawnReal,
	}
}

// readyFD is where a spawned child finds the pipe that it closes when it
// listens.
const readyFD = 3

// readyPipe returns the pipe of a spawned child.
func readyPipe() (*os.File, error) {
	var stat syscall.Stat_t
	if os.Getenv(mark) != "child" {
		return nil, os.ErrNotExist
	}
	if err := syscall.Fstat(readyFD, &stat); err != nil {
		return nil, err
	}
	return os.NewFile(readyFD, "ready"), nil
}

// spawnReal starts a child process and leaves it to itself.
func spawnReal(c Child) int {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	ready, childReady, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	cmd := &exec.Cmd{
		Path:        self,
		Args:        append([]string{self, c.Program}, c.Args...),
		Env:         []string{mark + "=child"},
		ExtraFiles:  []*os.File{childReady},
		SysProcAttr: &syscall.SysProcAttr{Setsid: c.OwnSession},
	}
	if c.KeepStreams {
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	_ = childReady.Close()            // so that only the child holds it
	_, _ = io.Copy(io.Discard, ready) // ends when the child closes its end
	return cmd.Process.Pid
}

// dieOf ends this process by a signal.
func dieOf(s syscall.Signal) {
	signal.Reset(s)
	if err := syscall.Kill(os.Getpid(), s); err != nil {
		panic(err)
	}
	select {}
}
