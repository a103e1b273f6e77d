// Command batonbench measures what baton adds to the programs that it runs: to an
// agent that prints much, beside the same run with everything off that baton looks
// for in what an agent prints; and to git, in a repository of many files. It prints
// what it measured and the limits that the project sets itself, and ends with exit
// code 1 where one is passed.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// size is how much is measured.
type size struct {
	// megabytes and seconds are what the agent prints, and how long that takes it.
	megabytes, seconds int
	// files are those of the repository.
	files int
	// streams and looks are how often each is run.
	streams, looks int
}

var (
	whole = size{megabytes: 100, seconds: 20, files: 50_000, streams: 3, looks: 9}
	quick = size{megabytes: 20, seconds: 4, files: 10_000, streams: 3, looks: 5}
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == printArgument {
		if err := printMuch(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, "agent:", err)
			os.Exit(1)
		}
		return
	}
	program := flag.String("baton", "", "measure this `PROGRAM` and not one that is built here")
	short := flag.Bool("quick", false, "measure less, in less than a minute")
	report := flag.Bool("report", false, "say which limits were passed, and end with exit code 0 all the same")
	flag.Parse()
	by := whole
	if *short {
		by = quick
	}
	err := bench(*program, by)
	if *report && errors.Is(err, errPassed) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "batonbench:", err)
		os.Exit(1)
	}
}

// errPassed reports that a limit was passed.
var errPassed = errors.New("a limit was passed")

// bench measures in a directory of its own.
func bench(program string, by size) error {
	dir, err := os.MkdirTemp("", "changeover batonbench ")
	if err != nil {
		return fmt.Errorf("make a working directory: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // the system cleans what stays
	if program, err = find(program, dir); err != nil {
		return err
	}
	p := place{program: program, dir: dir, out: os.Stdout}
	within := true
	for _, measure := range []func(place, size) (bool, error){benchStream, benchStatus} {
		ok, err := measure(p, by)
		if err != nil {
			return err
		}
		within = within && ok
	}
	if !within {
		return errPassed
	}
	return nil
}

// find is the program to measure, built where none is named.
func find(program, dir string) (string, error) {
	if program != "" {
		return filepath.Abs(program)
	}
	program = filepath.Join(dir, "baton")
	cmd := exec.Command("go", "build", "-C", filepath.Join("..", "baton-cli"), "-o", program, ".")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build baton: %w\n%s", err, out)
	}
	return program, nil
}

// place is where a program is measured, and where that is told.
type place struct {
	program, dir string
	out          io.Writer
}

// repository makes an empty one.
func (p place) repository(name string) (string, error) {
	repo := filepath.Join(p.dir, name)
	if err := os.Mkdir(repo, 0o755); err != nil {
		return "", err
	}
	return repo, p.run(repo, "git", "init", "--quiet")
}

func (p place) command(repo, program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = repo
	cmd.Env = append(os.Environ(), "HOME="+p.dir, "GIT_CONFIG_GLOBAL="+os.DevNull, "RELAY_BATON_PROJECTS_FILE=")
	return cmd
}

// run runs a command whose output nobody wants unless it fails.
func (p place) run(repo, program string, args ...string) error {
	if out, err := p.command(repo, program, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %v: %w\n%s", filepath.Base(program), args, err, out)
	}
	return nil
}

// timed runs a command, and says how long it took, and how much of the processors'
// time it and what it started took.
func timed(cmd *exec.Cmd) (wall, processors time.Duration, err error) {
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, 0, fmt.Errorf("%s: %w", cmd.Path, err)
	}
	return time.Since(start), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

func median(all []time.Duration) time.Duration {
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// mark is what stands behind a line whose limit was passed.
func mark(within bool) string {
	if within {
		return ""
	}
	return "  PASSED THE LIMIT"
}
