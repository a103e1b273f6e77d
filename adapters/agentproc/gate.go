package agentproc

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync/atomic"
	"syscall"
)

// Gate is the path of a program whose main function begins with PassGate. Agents that
// must be noted before they run are started through it.
type Gate string

// passes says that this program's main function has called PassGate. Another one,
// started as a gate, would do its own work instead.
var passes atomic.Bool

// OwnGate is the running program itself, also where its file is replaced meanwhile; none
// before PassGate was called.
func OwnGate() Gate {
	if !passes.Load() {
		return ""
	}
	const own = "/proc/self/exe"
	if _, err := os.Lstat(own); err == nil {
		return own
	}
	path, err := os.Executable()
	if err != nil {
		return "" // such an agent is not started then
	}
	return Gate(path)
}

// errNoGate reports a command with Began to a runner that cannot hold it back.
var errNoGate = errors.New("the agent cannot be noted before it runs: this program cannot hold it back")

const (
	// gateName is the name that a gate is started under, instead of the program's.
	gateName = "agent-gate"

	// The descriptors of a gate: the word to go on comes on one, and the number of
	// the error goes out on the other, which closes where the agent runs.
	gateWord, gateFault = 3, 4
)

// PassGate is the first thing that main calls. In a process that is a gate it does not
// return: the process waits until its agent is noted, and becomes the agent. Where
// whoever started it dies before that, the agent never runs.
func PassGate() {
	if len(os.Args) < 3 || os.Args[0] != gateName {
		passes.Store(true)
		return
	}
	syscall.CloseOnExec(gateWord)
	syscall.CloseOnExec(gateFault)
	word, fault := os.NewFile(gateWord, "word"), os.NewFile(gateFault, "fault")
	if n, _ := word.Read(make([]byte, 1)); n != 1 {
		os.Exit(1)
	}
	err := syscall.Exec(os.Args[1], os.Args[2:], os.Environ())
	var number syscall.Errno
	errors.As(err, &number)
	_, _ = fmt.Fprint(fault, int(number)) // who started it is there, or nobody is
	os.Exit(1)
}

// held is a gate before its agent runs.
type held struct {
	word, fault           *os.File
	childWord, childFault *os.File
}

// hold turns a command into that of a gate.
func hold(cmd *exec.Cmd, gate Gate) (h *held, err error) {
	if gate == "" {
		return nil, errNoGate
	}
	h = &held{}
	if h.childWord, h.word, err = os.Pipe(); err != nil {
		return nil, err
	}
	if h.fault, h.childFault, err = os.Pipe(); err != nil {
		closeAll(h.childWord, h.word)
		return nil, err
	}
	cmd.Args = append([]string{gateName, cmd.Path}, cmd.Args...)
	cmd.Path = string(gate)
	cmd.ExtraFiles = []*os.File{h.childWord, h.childFault}
	return h, nil
}

// started closes what belongs to the gate.
func (h *held) started() { closeAll(h.childWord, h.childFault) }

// close gives the gate up: if it still waits, it ends.
func (h *held) close() { closeAll(h.word, h.fault) }

// release lets the agent run and waits until it does. An error is the system's reason
// why it cannot.
func (h *held) release() error {
	if _, err := h.word.Write([]byte{1}); err != nil {
		return err
	}
	told, err := io.ReadAll(h.fault)
	if err != nil || len(told) == 0 {
		return err
	}
	number, err := strconv.Atoi(string(told))
	if err != nil {
		return err
	}
	return syscall.Errno(number)
}
