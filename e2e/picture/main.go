// Command picture plays the tours of the README with the real clients, types what
// stands there, and draws what the terminals show into docs/pictures. The models
// are ours, so no account is needed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/changeover/changeover/e2e/clients/pinned"
	"github.com/changeover/changeover/e2e/document"
)

func main() {
	only := flag.String("only", "", "play this `TOUR` alone: relay, baton or exchange")
	check := flag.Bool("check", false, "play the tours, and leave the pictures as they are")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := draw(ctx, os.Stdout, *only, *check)
	stop()
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

// draw plays the tours and writes the pictures, unless it only checks.
func draw(ctx context.Context, out io.Writer, only string, check bool) (err error) {
	checkout, err := pinned.Checkout()
	if err != nil {
		return err
	}
	s, err := newStage(checkout, out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.strike()) }()
	if err := s.install(ctx); err != nil {
		return err
	}
	taken, err := s.play(ctx, only)
	if err != nil {
		return err
	}
	private, err := s.private()
	if err != nil {
		return err
	}
	for _, p := range taken {
		picture := render(p.title, s.scrubbed(p.screen))
		if err := names(picture, private); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if check {
			continue
		}
		path := filepath.Join(checkout, "docs", "pictures", p.name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, picture, 0o644); err != nil {
			return err
		}
		_, _ = fmt.Fprintf(out, "-- docs/pictures/%s: %d bytes\n", p.name, len(picture))
	}
	return nil
}

// shot is a screen that is to become a picture.
type shot struct {
	name, title string
	screen      [][]cell
}

// play plays the tours one after the other, each where the one before has ended; or
// the one of that name.
func (s *stage) play(ctx context.Context, only string) (taken []shot, err error) {
	readme, err := document.Read(filepath.Join(s.checkout, "README.md"))
	if err != nil {
		return nil, err
	}
	tours := map[string]document.Tour{}
	for _, name := range []string{"A place", "Relay", "Baton", "Exchange"} {
		if tours[name], err = readme.Tour(name); err != nil {
			return nil, err
		}
	}
	if err := s.settle(ctx, tours["A place"]); err != nil {
		return nil, err
	}
	played := false
	for _, tour := range []struct {
		name string
		play func(context.Context, document.Tour) ([]shot, error)
	}{{"Relay", s.relay}, {"Baton", s.baton}, {"Exchange", s.exchange}} {
		if only != "" && !strings.EqualFold(only, tour.name) {
			continue
		}
		shots, err := tour.play(ctx, tours[tour.name])
		if err != nil {
			return nil, err
		}
		played = true
		taken = append(taken, shots...)
	}
	if !played {
		return nil, fmt.Errorf("no tour is called %q", only)
	}
	return taken, nil
}

// started takes a line such as "cd ~/src && claude -n plan" apart.
func started(line string) (dir, name string, err error) {
	where, what, both := strings.Cut(line, " && ")
	dir, inHome := strings.CutPrefix(where, "cd ~/")
	name, named := strings.CutPrefix(what, "claude -n ")
	if !both || !inHome || !named {
		return "", "", fmt.Errorf("%q does not start a session of some name", line)
	}
	return dir, name, nil
}
