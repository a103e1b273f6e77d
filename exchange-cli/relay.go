package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/text"
)

// How much of relay is waited for, and how much of what it prints is kept.
const (
	relayTakes = 20 * time.Second
	relayGrace = 2 * time.Second
	relaySays  = 1 << 20
)

// relayProgram is the relay that lies beside this program, else on PATH.
type relayProgram struct {
	// find returns where it lies; empty where it is not.
	find func() string
	// run runs it and returns what it printed on both streams.
	run func(ctx context.Context, path string, args []string) (string, error)
}

// installedRelay is the real one. executable returns where this program lies.
func installedRelay(executable func() string) relayProgram {
	return relayProgram{
		find: func() string {
			if own := executable(); own != "" {
				beside := filepath.Join(filepath.Dir(own), "relay")
				if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
					return beside
				}
			}
			path, err := exec.LookPath("relay")
			if err != nil {
				return ""
			}
			return path
		},
		run: runRelay,
	}
}

func runRelay(ctx context.Context, path string, args []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, relayTakes)
	defer cancel()
	var said capped
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &said, &said, relayGrace
	err := cmd.Run()
	if ctx.Err() != nil {
		err = errors.New("it did not end in time")
	}
	return said.String(), err
}

// capped keeps the beginning of what is written to it. It embeds no buffer: what one
// is read into by io.Copy passes Write by.
type capped struct {
	kept bytes.Buffer
	over bool
}

// Write implements io.Writer.
func (c *capped) Write(p []byte) (int, error) {
	room := relaySays - c.kept.Len()
	c.over = c.over || len(p) > room
	_, _ = c.kept.Write(p[:min(len(p), max(0, room))]) // a buffer does not fail
	return len(p), nil
}

func (c *capped) String() string {
	if c.over {
		return c.kept.String() + "\n… the rest is left out"
	}
	return c.kept.String()
}

// pairing is two sessions that a person wants to link.
type pairing struct{ planner, builder string }

// swapped gives each the other's role.
func (p pairing) swapped() pairing { return pairing{planner: p.builder, builder: p.planner} }

// commands are the arguments of the two calls that link them: the one asks, the other
// accepts.
func (p pairing) commands() [][]string {
	return [][]string{
		{"planner", p.builder, "--session", p.planner},
		{"builder", p.planner, "--session", p.builder},
	}
}

// logOf are the arguments that show the log of a session's link.
func logOf(id string) []string { return []string{"log", "--session", id} }

// typed is a call as a person types it.
func typed(args []string) string { return "relay " + strings.Join(args, " ") }

// isArgument reports an id that can stand among arguments: nothing else is ever
// handed on.
func isArgument(id string) bool { return relay.IsID(id) && !strings.HasPrefix(id, "-") }

// link runs both calls; the second only where the first went well.
func (r relayProgram) link(ctx context.Context, path string, p pairing) (lines []string, err error) {
	for _, args := range p.commands() {
		said, err := r.run(ctx, path, args)
		lines = append(lines, "$ "+typed(args))
		lines = append(lines, text.Lines(strings.TrimRight(text.WithoutSequences(said), "\n"))...)
		if err != nil {
			return append(lines, "it failed: "+text.Printable(err.Error())), err
		}
	}
	return lines, nil
}
