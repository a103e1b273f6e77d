package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/changeover/changeover/e2e/modelserver"
)

const (
	patience = 2 * time.Minute
	poll     = 50 * time.Millisecond
	escape   = "\x1b"
	// rest is how long a screen is the same before it is taken: longer than a
	// notice stands on it.
	rest = 10 * time.Second
)

// client is one session, or a shell, with a model of its own.
type client struct {
	name     string
	terminal *terminal
	server   *modelserver.Server
	script   *modelserver.Script
	// mark stands before what is typed.
	mark string
}

// types types a line as a person does, and presses Enter when it stands there.
func (c *client) types(ctx context.Context, line string) error {
	if err := c.terminal.send(line); err != nil {
		return err
	}
	if err := c.shows(ctx, c.mark+line); err != nil {
		return err
	}
	return c.terminal.send("\r")
}

// orders types a line that has to bring a text onto the screen.
func (c *client) orders(ctx context.Context, line, text string) error {
	if err := c.types(ctx, line); err != nil {
		return err
	}
	return c.shows(ctx, text)
}

// runs has a session run a command, which is typed as "! command". The mark of the
// prompt is the first character of it.
func (c *client) runs(ctx context.Context, line, text string) error {
	command, isCommand := strings.CutPrefix(line, "! ")
	if !isCommand {
		return fmt.Errorf("%q is no command for a session to run", line)
	}
	for _, keys := range []string{"!", command} {
		if err := c.terminal.send(keys); err != nil {
			return err
		}
		if err := c.shows(ctx, strings.TrimPrefix("! "+keys, "! !")); err != nil {
			return err
		}
	}
	if err := c.terminal.send("\r"); err != nil {
		return err
	}
	return c.shows(ctx, text)
}

// prompted waits until a shell takes the next line.
func (c *client) prompted(ctx context.Context) error {
	return c.until(ctx, "the end of a command", func(screen string) bool {
		return strings.HasSuffix("\n"+strings.TrimRight(screen, " \n"), "\n"+strings.TrimSpace(c.mark))
	})
}

// clears empties the screen of a shell.
func (c *client) clears(ctx context.Context) error {
	if err := c.types(ctx, "clear"); err != nil {
		return err
	}
	return c.until(ctx, "an empty screen", func(screen string) bool {
		return strings.TrimSpace(screen) == strings.TrimSpace(c.mark)
	})
}

// shows waits until a text is on the screen, however its lines are broken.
func (c *client) shows(ctx context.Context, text string) error {
	return c.until(ctx, fmt.Sprintf("%q", text), func(screen string) bool {
		return strings.Contains(squeezed(screen), squeezed(text)) || strings.Contains(squeezed(toasted(screen)), squeezed(text))
	})
}

// rests returns the screen when it has not changed for a while.
func (c *client) rests(ctx context.Context) ([][]cell, error) {
	last, since := "", time.Now()
	err := c.until(ctx, "a screen that rests", func(screen string) bool {
		if screen != last {
			last, since = screen, time.Now()
		}
		return time.Since(since) >= rest
	})
	return c.terminal.cells(), err
}

func (c *client) until(ctx context.Context, what string, cond func(screen string) bool) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	for !cond(c.terminal.text()) {
		select {
		case <-ticker.C:
		case <-c.terminal.exited:
			return fmt.Errorf("%s ended before it showed %s:\n%s", c.name, what, c.terminal.text())
		case <-ctx.Done():
			return fmt.Errorf("%s did not show %s: %w\n%s", c.name, what, ctx.Err(), c.terminal.text())
		}
	}
	return nil
}

// squeezed leaves out what a line break or a frame puts between words.
func squeezed(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \u00a0\t\n\r│⎿", r) {
			return -1
		}
		return r
	}, text)
}

// toasted is what stands in the boxes at the right of a screen.
func toasted(screen string) string {
	var b strings.Builder
	for line := range strings.Lines(screen) {
		if parts := strings.Split(line, "│"); len(parts) >= 3 {
			b.WriteString(parts[len(parts)-2])
		}
	}
	return b.String()
}
