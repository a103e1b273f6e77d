// Fuzz runs every fuzz test of this repository for a while, a few at a time, and prints
// what came of each. It finds them in the sources. The inputs that a run finds of
// interest stay in Go's cache; one that fails is printed, kept under e2e/artifacts, and
// left by go test where each later run tries it first.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("fuzz", flag.ContinueOnError)
	flags.SetOutput(stderr)
	root := flags.String("root", "..", "the repository, which holds go.work")
	each := flags.Duration("time", time.Minute, "how long each fuzz test runs")
	atOnce := flags.Int("at-once", 2, "how many run at the same time, on a processor each")
	only := flags.String("only", "", "run those alone whose package and name match this pattern")
	keep := flags.Int("keep", 0, "afterwards keep so many inputs of interest for each in testdata/fuzz")
	if flags.Parse(args) != nil {
		return 2
	}
	chosen, err := regexp.Compile(*only)
	if err != nil {
		fmt.Fprintf(stderr, "fuzz: -only: %v\n", err)
		return 2
	}
	targets, err := find(*root)
	if err != nil {
		fmt.Fprintf(stderr, "fuzz: %v\n", err)
		return 1
	}
	var wanted []*target
	for _, t := range targets {
		if chosen.MatchString(t.String()) {
			wanted = append(wanted, t)
		}
	}
	if len(wanted) == 0 {
		fmt.Fprintf(stderr, "fuzz: no fuzz test matches %q\n", *only)
		return 1
	}
	began := time.Now()
	all(wanted, *atOnce, func(t *target) {
		t.fuzz(ctx, *root, *each)
		fmt.Fprintf(stdout, "-- %s: %s\n", t, t.result())
	})
	table(stdout, wanted)
	fmt.Fprintf(stdout, "%d fuzz tests, %s each, in %s\n", len(wanted), *each, time.Since(began).Round(time.Second))
	code := 0
	for _, t := range wanted {
		if t.err != nil {
			fmt.Fprintf(stdout, "\n%s failed: %v\n%s", t, t.err, t.told)
			if err := t.keepFailure(*root, stdout); err != nil {
				fmt.Fprintf(stderr, "fuzz: %v\n", err)
			}
			code = 1
		}
	}
	if *keep > 0 && code == 0 {
		if err := keepInteresting(wanted, *root, *keep); err != nil {
			fmt.Fprintf(stderr, "fuzz: %v\n", err)
			return 1
		}
	}
	return code
}

// all calls a func for each target, at most so many at once.
func all(targets []*target, atOnce int, do func(*target)) {
	var running sync.WaitGroup
	next := make(chan *target)
	for range max(1, atOnce) {
		running.Go(func() {
			for t := range next {
				do(t)
			}
		})
	}
	for _, t := range targets {
		next <- t
	}
	close(next)
	running.Wait()
}

// target is one fuzz test.
type target struct {
	// module and dir are where it stands: the module's directory, and the package's below it.
	module, dir string
	name        string

	executions, interesting string
	told                    string
	err                     error
}

func (t *target) String() string {
	return filepath.ToSlash(filepath.Join(t.module, t.dir)) + "." + t.name
}

func (t *target) result() string {
	if t.err != nil {
		return "FAILED"
	}
	return "fine"
}

// progress is what go test tells of a fuzz test that runs.
var progress = regexp.MustCompile(`execs: (\d+) .*new interesting: (\d+)`)

// outOfTime is what go test fails with now and then where the time ends while an input
// is being looked at: nothing is wrong with that input.
const outOfTime = "    context deadline exceeded\n"

// fuzz runs it, on one processor.
func (t *target) fuzz(ctx context.Context, root string, each time.Duration) {
	cmd := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-fuzz", "^"+t.name+"$", "-fuzztime", each.String(), "-fuzzminimizetime", "200x", "-parallel", "1", "./"+filepath.ToSlash(t.dir))
	cmd.Dir = filepath.Join(root, t.module)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	out, err := cmd.CombinedOutput()
	t.told, t.err = string(out), err
	if strings.Contains(t.told, outOfTime) && !written.MatchString(t.told) && ctx.Err() == nil {
		t.err = nil
	}
	for _, seen := range progress.FindAllStringSubmatch(t.told, -1) {
		t.executions, t.interesting = seen[1], seen[2]
	}
}

func table(w io.Writer, targets []*target) {
	const form = "%-52s%14s%18s  %s\n"
	fmt.Fprintf(w, "\n"+form, "fuzz test", "executions", "new interesting", "result")
	for _, t := range targets {
		fmt.Fprintf(w, form, t, t.executions, t.interesting, t.result())
	}
}

// written is where go test says that it has written a failing input.
var written = regexp.MustCompile(`Failing input written to (\S+)`)

// keepFailure prints the input that a fuzz test failed with, and copies it to where
// what a run leaves is looked for.
func (t *target) keepFailure(root string, w io.Writer) error {
	found := written.FindStringSubmatch(t.told)
	if found == nil {
		return nil // it failed without one: the text above says how
	}
	data, err := os.ReadFile(filepath.Join(root, t.module, t.dir, filepath.FromSlash(found[1])))
	if err != nil {
		return err
	}
	kept := filepath.Join(root, "e2e", "artifacts", "fuzz", strings.ReplaceAll(t.String(), "/", "-"))
	if err := os.MkdirAll(filepath.Dir(kept), 0o755); err != nil {
		return err
	}
	fmt.Fprintf(w, "its input, also in %s:\n%s\n", kept, data)
	return os.WriteFile(kept, data, 0o644)
}
