package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// sessionArgument makes this program stand for a coding agent's session: a
// process that lives until its input ends and runs commands as its children.
const sessionArgument = "session"

// order is one command for a session to run.
type order struct {
	Argv  []string
	Dir   string
	Env   []string
	Stdin string
}

// outcome is how it ended.
type outcome struct {
	Output string
	Code   int
}

// serve runs orders one after the other until there are no more.
func serve(in io.Reader, out io.Writer) error {
	orders, outcomes := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var o order
		if err := orders.Decode(&o); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("read an order: %w", err)
		}
		result, err := o.carryOut()
		if err != nil {
			return err
		}
		if err := outcomes.Encode(result); err != nil {
			return fmt.Errorf("report an outcome: %w", err)
		}
	}
}

func (o order) carryOut() (outcome, error) {
	input, err := os.CreateTemp("", "changeover-input-")
	if err != nil {
		return outcome{}, fmt.Errorf("make an input: %w", err)
	}
	defer func() { _ = os.Remove(input.Name()); _ = input.Close() }()
	if _, err := input.WriteString(o.Stdin); err != nil {
		return outcome{}, fmt.Errorf("write an input: %w", err)
	}
	if _, err := input.Seek(0, io.SeekStart); err != nil {
		return outcome{}, fmt.Errorf("rewind an input: %w", err)
	}
	cmd := exec.Command(o.Argv[0], o.Argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = o.Dir, o.Env, input
	output, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return outcome{}, fmt.Errorf("run %s: %w", o.Argv[0], err)
	}
	return outcome{Output: string(output), Code: cmd.ProcessState.ExitCode()}, nil
}
