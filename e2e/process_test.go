package e2e_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/creack/pty"
)

// How a command's standard input ends.
const (
	inputEnds   = ""       // after the bytes given
	inputHeld   = "held"   // never while the command runs
	inputClosed = "closed" // descriptor 0 is closed
	inputTTY    = "tty"    // a terminal on which nobody types
	inputDrips  = "drips"  // never: a blank follows the bytes every 200 ms
)

// Where a command's standard output goes.
const (
	outputKept   = ""
	outputClosed = "closed" // descriptor 1 is closed
	outputGone   = "gone"   // a pipe whose reader went away
	outputFull   = "full"   // a device that is full
)

// nobody is the user that a command runs as when files must not be readable.
const nobody = 65534

// order is one command to run. Arguments are bytes, since some tests pass
// ones that are no text.
type order struct {
	Argv   [][]byte
	Dir    string
	Env    []string
	Input  []byte
	In     string
	Out    string
	Nobody bool
}

// outcome is what a command did.
type outcome struct {
	Stdout, Stderr []byte
	Code           int
	Took           time.Duration
	// Memory is the most that it had, in bytes.
	Memory int64
	Err    string
}

const patience = 60 * time.Second

// run starts the command and waits for it. It is used by the test itself and
// by the session processes, so that the parent of the command is either.
func (o order) run() outcome {
	argv := make([]string, len(o.Argv))
	for i, a := range o.Argv {
		argv[i] = string(a)
	}
	argv = closing(argv, o)
	path, err := lookPath(argv[0], o.Env)
	if err != nil {
		return outcome{Err: err.Error()}
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, path)
	cmd.Args, cmd.Dir, cmd.Env = argv, o.Dir, o.Env
	cmd.WaitDelay = time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	if o.Nobody && os.Geteuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	release, err := o.connect(cmd)
	if err != nil {
		return outcome{Err: err.Error()}
	}
	defer release()
	var stdout, stderr bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout = &stdout
	}
	cmd.Stderr = &stderr
	began := time.Now()
	err = cmd.Run()
	out := outcome{Stdout: stdout.Bytes(), Stderr: stderr.Bytes(), Took: time.Since(began)}
	if cmd.ProcessState != nil {
		out.Code = cmd.ProcessState.ExitCode()
		out.Memory = memoryOf(cmd.ProcessState)
	}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		out.Err = fmt.Sprintf("still running after %s", patience)
	case err != nil && !errors.As(err, &exit):
		out.Err = err.Error()
	}
	return out
}

// connect gives the command its standard input and output. The func it
// returns lets go of them.
func (o order) connect(cmd *exec.Cmd) (func(), error) {
	var open []*os.File
	release := func() {
		for _, f := range open {
			_ = f.Close() // nothing was written through it
		}
	}
	switch o.In {
	case inputHeld:
		r, w, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		open = append(open, r, w)
		if _, err := w.Write(o.Input); err != nil {
			release()
			return nil, err
		}
		cmd.Stdin = r
	case inputDrips:
		r, w, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		cmd.Stdin = r
		stop, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			drip(w, o.Input, stop)
		}()
		return func() {
			close(stop)
			<-done
			_ = r.Close() // nothing was written through it
		}, nil
	case inputTTY:
		master, tty, err := pty.Open()
		if err != nil {
			return nil, err
		}
		open = append(open, master, tty)
		cmd.Stdin = tty
		cmd.SysProcAttr.Setsid = true
		cmd.SysProcAttr.Setctty = true
	default:
		cmd.Stdin = bytes.NewReader(o.Input)
	}
	switch o.Out {
	case outputGone:
		r, w, err := os.Pipe()
		if err != nil {
			release()
			return nil, err
		}
		if err := r.Close(); err != nil {
			release()
			return nil, err
		}
		open = append(open, w)
		cmd.Stdout = w
	case outputFull:
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			release()
			return nil, err
		}
		open = append(open, full)
		cmd.Stdout = full
	}
	return release, nil
}

// drip writes the bytes and then a blank at a time until it is stopped.
func drip(w *os.File, data []byte, stop <-chan struct{}) {
	defer w.Close()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		if _, err := w.Write(data); err != nil {
			return
		}
		data = []byte(" ")
		select {
		case <-stop:
			return
		case <-tick.C:
		}
	}
}

// closing wraps the command in a shell that closes a descriptor and then
// becomes the command.
func closing(argv []string, o order) []string {
	redirect := ""
	if o.In == inputClosed {
		redirect += " <&-"
	}
	if o.Out == outputClosed {
		redirect += " >&-"
	}
	if redirect == "" {
		return argv
	}
	return append([]string{"sh", "-c", `exec "$@"` + redirect, "sh"}, argv...)
}

func lookPath(name string, env []string) (string, error) {
	if strings.Contains(name, "/") {
		return name, nil
	}
	for _, kv := range env {
		list, ok := strings.CutPrefix(kv, "PATH=")
		if !ok {
			continue
		}
		for _, dir := range filepath.SplitList(list) {
			path := filepath.Join(dir, name)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
				return path, nil
			}
		}
	}
	return "", fmt.Errorf("%s: not found on PATH", name)
}

func words(argv ...string) [][]byte {
	out := make([][]byte, len(argv))
	for i, a := range argv {
		out[i] = []byte(a)
	}
	return out
}
