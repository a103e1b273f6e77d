// Vulncheck looks for known vulnerabilities in all modules of this repository: by the
// public database where the machine reaches it, otherwise by the newest pinned edition
// of it that the module proxy serves.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// patience is how long the public database may take to answer for the first module.
const patience = 3 * time.Minute

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("vulncheck", flag.ContinueOnError)
	flags.SetOutput(stderr)
	root := flags.String("root", "..", "the repository, which holds go.work")
	cache := flags.String("cache", filepath.Join("..", ".cache"), "where a database is laid out")
	edition := flags.String("edition", "", "the module and version that holds the database's entries")
	if flags.Parse(args) != nil || *edition == "" {
		return 2
	}
	if err := check(ctx, *root, *cache, *edition, stdout); err != nil {
		fmt.Fprintf(stderr, "vulncheck: %v\n", err)
		return 1
	}
	return 0
}

// check looks at each module in turn.
func check(ctx context.Context, root, cache, edition string, out io.Writer) error {
	modules, err := workspace(root)
	if err != nil {
		return err
	}
	c := newChecker(out)
	if public := c.reaches(ctx, filepath.Join(root, modules[0])); !public {
		if c.database, err = laidOut(ctx, cache, edition); err != nil {
			return err
		}
		fmt.Fprintf(out, "-- the public database is out of reach: %s\n", edition)
	}
	for _, module := range modules {
		fmt.Fprintf(out, "-- %s: govulncheck\n", module)
		c.in = module
		if err := c.module(ctx, filepath.Join(root, module)); err != nil {
			return fmt.Errorf("%s: %w", module, err)
		}
	}
	return c.verdict()
}

// workspace returns the modules that go.work names.
func workspace(root string) ([]string, error) {
	data, err := os.ReadFile(filepath.Join(root, "go.work"))
	if err != nil {
		return nil, err
	}
	var modules []string
	for line := range strings.Lines(string(data)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "./"); ok {
			modules = append(modules, name)
		}
	}
	if len(modules) == 0 {
		return nil, errors.New("go.work names no module")
	}
	return modules, nil
}

// checker runs govulncheck and gathers what it finds.
type checker struct {
	out io.Writer
	// database is where the database lies; empty for the public one.
	database string

	in       string              // the module that is looked at
	called   map[string][]string // vulnerable code of other modules, and which of ours call it
	standard map[string][]string // the same of the Go release that builds this
	present  map[string][]string // vulnerable modules whose vulnerable code nothing here calls
}

func newChecker(out io.Writer) *checker {
	return &checker{out: out, called: map[string][]string{}, standard: map[string][]string{}, present: map[string][]string{}}
}

// reaches says whether the public database answers.
func (c *checker) reaches(ctx context.Context, dir string) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "govulncheck", "-scan", "module", "-format", "json")
	cmd.Dir = dir
	return cmd.Run() == nil
}

// message is a part of what `govulncheck -format json` prints.
type message struct {
	Finding *finding `json:"finding"`
}

// finding is a vulnerability; the trace goes from where the vulnerable code is to
// where it is called from, and names no function where nothing is known to call it.
type finding struct {
	OSV   string `json:"osv"`
	Fixed string `json:"fixed_version"`
	Trace []struct {
		Module   string `json:"module"`
		Version  string `json:"version"`
		Package  string `json:"package"`
		Function string `json:"function"`
	} `json:"trace"`
}

// module looks at what one module runs, its tests left out. The JSON form ends with 0 whatever is found.
func (c *checker) module(ctx context.Context, dir string) error {
	args := []string{"-format", "json"}
	if c.database != "" {
		args = append(args, "-db", c.database)
	}
	cmd := exec.CommandContext(ctx, "govulncheck", append(args, "./...")...)
	cmd.Dir, cmd.Stderr = dir, c.out
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	dec := json.NewDecoder(bufio.NewReader(pipe))
	for {
		var m message
		if err = dec.Decode(&m); err != nil {
			break
		}
		if m.Finding != nil {
			c.found(*m.Finding)
		}
	}
	if waited := cmd.Wait(); waited != nil {
		return waited
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

func (c *checker) found(f finding) {
	if len(f.Trace) == 0 {
		return
	}
	at := f.Trace[0]
	line := fmt.Sprintf("%s: %s %s, fixed in %s", f.OSV, at.Module, at.Version, f.Fixed)
	to := c.present
	switch {
	case at.Function == "":
	case at.Module == "stdlib":
		to = c.standard
	default:
		to = c.called
	}
	if !slices.Contains(to[line], c.in) {
		to[line] = append(to[line], c.in)
	}
}

// verdict says what was found. Vulnerable code of a module that something here calls
// is a fault; that of the standard library is one of the Go release on this machine,
// which a newer release mends.
func (c *checker) verdict() error {
	for line := range c.present {
		if c.standard[line] != nil || c.called[line] != nil {
			delete(c.present, line)
		}
	}
	c.list("present, but nothing here calls it", c.present)
	c.list("in the standard library of this machine's Go: build with a newer release", c.standard)
	c.list("called from here", c.called)
	if len(c.called) > 0 {
		return errors.New("vulnerable code is called: upgrade what is listed last")
	}
	fmt.Fprintf(c.out, "no vulnerable code of a module is called\n")
	return nil
}

func (c *checker) list(what string, found map[string][]string) {
	if len(found) == 0 {
		return
	}
	fmt.Fprintf(c.out, "%s:\n", what)
	for _, line := range slices.Sorted(maps.Keys(found)) {
		fmt.Fprintf(c.out, "  %s (%s)\n", line, strings.Join(found[line], ", "))
	}
}

// laidOut downloads the edition and lays it out as a database, unless that was done.
func laidOut(ctx context.Context, cache, edition string) (string, error) {
	path, version, ok := strings.Cut(edition, "@")
	if !ok {
		return "", fmt.Errorf("%s names no version", edition)
	}
	dir, err := filepath.Abs(filepath.Join(cache, filepath.Base(path)+"-"+version))
	if err != nil {
		return "", err
	}
	at := (&url.URL{Scheme: "file", Path: filepath.ToSlash(dir)}).String()
	if _, err := os.Stat(dir); err == nil {
		return at, nil
	}
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", edition)
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	var module struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(out, &module); jsonErr != nil || err != nil || module.Error != "" {
		return "", errors.Join(fmt.Errorf("download %s: %s", edition, module.Error), err, jsonErr)
	}
	return at, layOut(filepath.Join(module.Dir, "data", "osv"), dir)
}
