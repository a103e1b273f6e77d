package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"github.com/changeover/changeover/e2e/clients/claude"
	"github.com/changeover/changeover/e2e/clients/terminal"
	"github.com/changeover/changeover/e2e/modelserver"
)

const (
	// patience is how long anything of a client's may take on a busy machine.
	patience = 2 * time.Minute

	// leave is what a client is given to end by itself.
	leave = 10 * time.Second

	glance = 50 * time.Millisecond
)

// client is an interactive session of the real client in a terminal, with a model
// of its own.
type client struct {
	label  string
	home   claude.Home
	term   *terminal.Terminal
	model  *modelserver.Server
	script *modelserver.Script
	row    claude.Row
}

// startClient starts a client in cwd and waits until it takes a prompt.
func startClient(ctx context.Context, home claude.Home, label, cwd string, args ...string) (*client, error) {
	c := &client{label: label, home: home, script: new(modelserver.Script)}
	var err error
	if c.model, err = modelserver.Start(ctx, c.script.Respond, time.Now); err != nil {
		return nil, err
	}
	args = append([]string{"--permission-mode", "default"}, args...)
	if c.term, err = terminal.Start(home.Command(ctx, cwd, c.model.URL(), args...)); err != nil {
		return nil, errors.Join(err, c.model.Close())
	}
	err = c.await(ctx, "the prompt", func() bool {
		row, err := home.Row(c.term.PID())
		c.row = row
		return err == nil && row.Status == "idle" && strings.Contains(c.term.Screen(), "❯")
	})
	return c, err
}

// await waits until cond holds.
func (c *client) await(ctx context.Context, what string, cond func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	ticker := time.NewTicker(glance)
	defer ticker.Stop()
	for !cond() {
		if c.term.Exited() {
			return fmt.Errorf("%s: the client ended before %s came", c.label, what)
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return fmt.Errorf("%s: wait for %s: %w", c.label, what, ctx.Err())
		}
	}
	return nil
}

// ask types a prompt and sends it.
func (c *client) ask(ctx context.Context, prompt string) error {
	if err := c.term.Send(prompt); err != nil {
		return err
	}
	if err := c.await(ctx, "the typed prompt", func() bool { return strings.Contains(c.term.Screen(), prompt) }); err != nil {
		return err
	}
	return c.term.Send("\r")
}

// asked waits for the turn whose new text holds cue.
func (c *client) asked(ctx context.Context, cue string) (modelserver.Request, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := c.model.Wait(ctx, func(r modelserver.Request) bool { return strings.Contains(r.LastText(), cue) })
	if err != nil {
		return r, fmt.Errorf("%s: %q did not reach the model: %w", c.label, cue, err)
	}
	return r, nil
}

// answer is one that the model keeps back until it is to be given.
type answer struct {
	hold  chan struct{}
	ended chan time.Time
}

// answers has the model answer the turn whose new text holds cue.
func (c *client) answers(cue, text string) answer {
	a := answer{hold: make(chan struct{}), ended: make(chan time.Time, 1)}
	c.script.On(cue, modelserver.Answer{
		Blocks: []modelserver.AnswerBlock{modelserver.Text(text)},
		Hold:   a.hold,
		Ended:  func(at time.Time) { a.ended <- at },
	})
	return a
}

// give lets the answer go and returns the time of its last byte.
func (a answer) give(ctx context.Context) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	close(a.hold)
	select {
	case at := <-a.ended:
		return at, nil
	case <-ctx.Done():
		return time.Time{}, fmt.Errorf("wait for the end of an answer: %w", ctx.Err())
	}
}

// still stops the client where it stands, so that it takes nothing from others.
func (c *client) still() error { return syscall.Kill(c.term.PID(), syscall.SIGSTOP) }

// wake lets it go on.
func (c *client) wake() error { return syscall.Kill(c.term.PID(), syscall.SIGCONT) }

// end gives the client the chance to end its own children before it is killed.
func (c *client) end() {
	if !c.term.Exited() {
		_ = c.wake() // it may have ended in between, as for the next
		_ = syscall.Kill(c.term.PID(), syscall.SIGTERM)
		ctx, cancel := context.WithTimeout(context.Background(), leave)
		defer cancel()
		_ = c.term.WaitExit(ctx) // it is killed next
	}
	_ = c.term.Kill()   // as may this
	_ = c.model.Close() // nobody asks it any more
}

// keep saves what the client has seen.
func (c *client) keep() error {
	return c.home.Keep(c.label, map[string][]byte{
		"screen.txt":     []byte(c.term.Screen()),
		"output.bin":     c.term.Raw(),
		"requests.jsonl": claude.RequestLines(c.model.Requests()),
	})
}
