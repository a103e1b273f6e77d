// Command bench measures hookd against a bare Go program built beside it and
// run in turn with it, so that what the machine does meanwhile touches both; or
// relay: a hop between two real clients beside what the client itself takes, or
// an attach that has nothing to do. It prints what it measured and the limits that
// the project sets itself, and ends with exit code 1 where one is passed.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == sleeperArgument {
		_, _ = io.Copy(io.Discard, bufio.NewReader(os.Stdin)) // until the parent goes
		return
	}
	if len(os.Args) == 4 && os.Args[1] == clientArgument {
		if err := runAttach(os.Args[2], os.Args[3]); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	runs := flag.Int("runs", 40, "`N` runs of each program per measurement")
	hop := flag.Bool("hop", false, "measure a hop between two real clients instead")
	idle := flag.Duration("attach", 0, "measure a relay attach that is idle for this long instead")
	report := flag.Bool("report", false, "say which limits were passed, and end with exit code 0 all the same")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := bench(func(t *table, dir string, built programs) error {
		switch {
		case *hop:
			return benchHop(ctx, t, dir, built)
		case *idle > 0:
			return benchAttach(ctx, t, dir, built, *idle)
		}
		return benchHookd(t, dir, built, *runs)
	})
	stop()
	if *report && errors.Is(err, errPassed) {
		return
	}
	if err != nil && !errors.Is(err, errPassed) {
		fmt.Fprintln(os.Stderr, "bench:", err)
	}
	if err != nil {
		os.Exit(1)
	}
}

// errPassed reports that a limit was passed; the table has said which.
var errPassed = errors.New("a limit was passed")

// maxBinary is the most that a stripped hookd may take, in bytes.
const maxBinary = 6 << 20

// bench builds the programs and measures in a directory of its own.
func bench(measure func(*table, string, programs) error) error {
	dir, err := os.MkdirTemp("", "changeover bench ")
	if err != nil {
		return fmt.Errorf("make a working directory: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // the system cleans what stays
	built, err := build(filepath.Join(dir, "bin"))
	if err != nil {
		return err
	}
	var t table
	if err := measure(&t, dir, built); err != nil {
		return err
	}
	return t.verdict()
}

// benchHookd measures hookd.
func benchHookd(t *table, dir string, built programs, runs int) error {
	size, err := os.Stat(built.hookd)
	if err != nil {
		return err
	}
	t.size(size.Size())
	return measure(t, dir, built, runs)
}

// measure fills the table in the order of the project's limits. All cases run
// in turn, so that what the machine does meanwhile touches each.
func measure(t *table, dir string, built programs, runs int) error {
	w, err := newWorld(filepath.Join(dir, "world"), built)
	if err != nil {
		return err
	}
	defer w.end()
	unmarked := filepath.Join(w.dir, "unmarked", "deep", "tree")
	outside, err := w.input("outside", unmarked)
	if err != nil {
		return err
	}
	cases := []hookCase{{"session-start", outside}}
	for _, fill := range []func(*root) error{
		func(*root) error { return nil },
		func(r *root) error { return r.closed(1000, w.now) },
		func(r *root) error {
			return errors.Join(r.closed(1000, w.now), r.closed(10000, w.now.AddDate(0, -1, 0)), r.tidy())
		},
	} {
		r, err := w.root(fmt.Sprintf("root-%d", len(cases)))
		if err != nil {
			return err
		}
		if err := errors.Join(r.open(50), fill(r)); err != nil {
			return err
		}
		cases = append(cases, hookCase{"session-start", r.input})
	}
	linked, err := w.links(unmarked)
	if err != nil {
		return err
	}
	prompt, err := w.midsession()
	if err != nil {
		return err
	}
	took, err := w.compare(append(append(cases, linked...), prompt), runs)
	if err != nil {
		return err
	}
	const bare = "the bare program"
	t.against("session-start, no root is marked", bare, took[0].bare, took[0].hookd, 1.5)
	t.against("session-start, 20 live sessions, 50 open handoffs", bare, took[1].bare, took[1].hookd, 4)
	t.against("session-start, the same, 1,000 closed this week", "without them", took[1].hookd, took[2].hookd, 6)
	t.against("session-start, the same, 10,000 closed last month, tidied", "without them", took[2].hookd, took[3].hookd, 1.3)
	t.against("user-prompt-submit, no link", bare, took[4].bare, took[4].hookd, 1.5)
	t.against("stop, no link", bare, took[5].bare, took[5].hookd, 1.5)
	t.against("user-prompt-submit, a link in round 3", bare, took[6].bare, took[6].hookd, 3)
	t.against("stop, a link in round 3", bare, took[7].bare, took[7].hookd, 3)
	t.against("user-prompt-submit in a marked root, no new mail, 1,000 handoffs", bare, took[8].bare, took[8].hookd, 1.5)
	return nil
}
