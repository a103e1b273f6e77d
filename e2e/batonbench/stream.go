package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// mostSlower is how many times as long a run may take as one in which nothing is
// looked for.
const mostSlower = 1.02

// printArgument makes this program an agent: what follows is how many megabytes it
// prints in how many seconds, and the file for how much of the processors' time
// that took.
const printArgument = "print-for-bench"

// printed is one way of running the agent, and what that took.
type printed struct {
	repo, took        string
	walls, processors []time.Duration
}

// benchStream runs an agent that prints much, with everything on that looks at what
// it prints and with everything off, in turn.
func benchStream(p place, by size) (within bool, err error) {
	on, err := newPrinted(p, "on", by, nil)
	if err != nil {
		return false, err
	}
	off, err := newPrinted(p, "off", by, map[string]any{
		"fallbackPatterns": []string{}, "contextCompression": map[string]any{"auto": false},
	})
	if err != nil {
		return false, err
	}
	for range by.streams {
		for _, way := range []*printed{on, off} {
			if err := way.run(p); err != nil {
				return false, err
			}
		}
	}
	ratio := float64(median(on.walls)) / float64(median(off.walls))
	within = ratio <= mostSlower
	fmt.Fprintf(p.out, "an agent that prints %d MB in %d s: %.0f ms, %.4f × that with phrases and watcher off, %.0f ms (at most %.2f ×, median of %d)%s\n",
		by.megabytes, by.seconds, ms(median(on.walls)), ratio, ms(median(off.walls)), mostSlower, by.streams, mark(within))
	fmt.Fprintf(p.out, "  processor time of baton in that: %.0f ms, and %.0f ms with them off\n", ms(median(on.processors)), ms(median(off.processors)))
	return within, nil
}

// newPrinted makes a repository whose agent prints.
func newPrinted(p place, name string, by size, config map[string]any) (*printed, error) {
	repo, err := p.repository(name)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	way := &printed{repo: repo, took: filepath.Join(p.dir, name+".took")}
	doc := map[string]any{"agents": map[string]any{"codex": map[string]any{
		"command": self, "args": []string{printArgument, strconv.Itoa(by.megabytes), strconv.Itoa(by.seconds), way.took},
	}}}
	for key, value := range config {
		doc[key] = value
	}
	data, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	return way, os.WriteFile(filepath.Join(repo, "relay-baton.config.json"), data, 0o644)
}

// run runs the agent once, in a new session.
func (w *printed) run(p place) error {
	if err := os.RemoveAll(filepath.Join(w.repo, ".ai-session")); err != nil {
		return err
	}
	if err := p.run(w.repo, p.program, "init"); err != nil {
		return err
	}
	wall, processors, err := timed(p.command(w.repo, p.program, "run", "print much"))
	if err != nil {
		return err
	}
	text, err := os.ReadFile(w.took)
	if err != nil {
		return err
	}
	agents, err := time.ParseDuration(string(text))
	w.walls, w.processors = append(w.walls, wall), append(w.processors, processors-agents)
	return err
}

// blocksPerSecond is how evenly the agent prints.
const blocksPerSecond = 100

// printMuch is the agent.
func printMuch(args []string) error {
	megabytes, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	seconds, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	blocks := seconds * blocksPerSecond
	text, at := lines(4<<20), 0
	start := time.Now()
	for n, left := 0, megabytes*1e6; left > 0; n++ {
		size := min(left, megabytes*1e6/blocks)
		if at+size > len(text) {
			at = 0
		}
		if _, err := os.Stdout.WriteString(text[at : at+size]); err != nil {
			return err
		}
		at, left = at+size, left-size
		time.Sleep(time.Until(start.Add(time.Duration(n+1) * time.Second / blocksPerSecond)))
	}
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return err
	}
	took := time.Duration(used.Utime.Nano() + used.Stime.Nano())
	return os.WriteFile(args[2], []byte(took.String()), 0o644)
}

// lines are lines as a build prints them, one in some thousands about a limit.
func lines(size int) string {
	var text strings.Builder
	for n := 0; text.Len() < size; n++ {
		switch {
		case n%5000 == 2500:
			text.WriteString("Error: quota exceeded; please try again later\n")
		case n%7 == 3:
			fmt.Fprintf(&text, "ok  \texample.test/pkg%05d\t%d.%03ds coverage: %d.%d%% of statements\n", n*7919%100000, n%10, n%1000, n%100, n%10)
		case n%50 == 7:
			fmt.Fprintf(&text, "\x1b[33mwarning:\x1b[0m unused limit of context %d in token usage\n", n)
		default:
			fmt.Fprintf(&text, "src/module_%d/handler.go:%d: the request handler reads the session token and writes step %d of the build\n", n%97, n%900, n)
		}
	}
	return text.String()
}
