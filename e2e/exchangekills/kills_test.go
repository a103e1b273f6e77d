package exchangekills_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/changeover/changeover/adapters/toll"
	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/e2e/fakeregistry"
	"github.com/changeover/changeover/e2e/killing"
)

// programs runs the programs themselves on a ground, below the session of the test.
type programs struct {
	t *testing.T
	*ground
}

func newPrograms(t *testing.T, g *ground) *programs {
	t.Helper()
	p := &programs{t: t, ground: g}
	pid := os.Getpid() // what it runs is below it, as what a session runs is
	row := fakeregistry.New(pid, readerID, filepath.Join(g.root, repo), time.Now().UnixMilli())
	if err := row.Write(filepath.Join(g.root, "home", ".claude", "sessions"), strconv.Itoa(pid)+".json"); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *programs) command(stdin, program string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(bin, program), args...)
	cmd.Dir = filepath.Join(p.root, repo)
	cmd.Env = append(killing.Environ(),
		"HOME="+filepath.Join(p.root, "home"), "PATH=/usr/bin:/bin", "CLAUDE_CODE_SESSION_ID="+readerID, "CLAUDE_CODE_ENTRYPOINT=cli",
		"CLAUDE_PID="+strconv.Itoa(os.Getpid()),
	)
	cmd.Stdin = strings.NewReader(stdin)
	return cmd
}

func (p *programs) postAtOnce(writers, each int) error {
	failed := make([]error, writers)
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for n := range each {
				e, err := killing.Run(p.command("", "exchange", "handoff", "post", "--repo", repo, "--body", textOf(w, n)), killing.Never)
				if err == nil && e.Code != 0 {
					err = fmt.Errorf("%+v", e)
				}
				failed[w] = errors.Join(failed[w], err)
			}
		})
	}
	all.Wait()
	return errors.Join(failed...)
}

// life is one verb of a program that may be killed.
type life struct {
	name string
	// args are those of exchange; hook is an event instead.
	args func(id string) []string
	hook string
	// needs is a handoff that stands before it.
	needs bool
	// before makes what needs asks for in another way; it returns the id.
	before func(p *programs, text string) (string, error)
	// done says whether it came to what it is for, none whether it came to nothing.
	done, none func(p *programs, id, text string) bool
}

func lives() []life {
	status := func(want exchange.Status) func(*programs, string, string) bool {
		return func(p *programs, id, _ string) bool { return p.look().status[id] == want }
	}
	return []life{
		{
			name: "post", args: func(text string) []string { return []string{"handoff", "post", "--repo", repo, "--body", text} },
			done: func(p *programs, _, text string) bool { return p.look().bodies[text] == 1 },
			none: func(p *programs, _, text string) bool { return p.look().bodies[text] == 0 },
		},
		{name: "accept", needs: true, args: func(id string) []string { return []string{"handoff", "accept", id} }, done: status(exchange.Accepted), none: status(exchange.Open)},
		{name: "close", needs: true, args: func(id string) []string { return []string{"handoff", "close", id} }, done: status(exchange.Closed), none: status(exchange.Open)},
		{
			name: "claim", args: func(text string) []string { return []string{"claim", "--session", readerID, "--focus", text} },
			done: func(p *programs, _, text string) bool { return strings.Contains(p.shown(), text) },
			none: func(p *programs, _, text string) bool { return !strings.Contains(p.shown(), text) },
		},
		{
			name: "release", before: (*programs).claimed, args: func(string) []string { return []string{"claim", "--drop"} },
			done: func(p *programs, _, text string) bool { return !strings.Contains(p.shown(), text) },
			none: func(p *programs, _, text string) bool { return strings.Contains(p.shown(), text) },
		},
		{
			name: "tidy", needs: true, before: (*programs).closedBefore, args: func(string) []string { return []string{"tidy", "--apply"} },
			done: func(p *programs, id, _ string) bool { return !p.stands(id) }, none: func(p *programs, id, _ string) bool { return p.stands(id) },
		},
		{name: "hook SessionStart", hook: session.SessionStart, needs: true},
		{name: "hook UserPromptSubmit", hook: session.UserPromptSubmit, needs: true},
		{name: "hook SessionEnd", hook: session.SessionEnd},
	}
}

// claimed has the session claim a text.
func (p *programs) claimed(text string) (string, error) {
	e, err := killing.Run(p.command("", "exchange", "claim", "--session", readerID, "--focus", text), killing.Never)
	if err == nil && e.Code != 0 {
		err = fmt.Errorf("exchange claim: %+v", e)
	}
	return "", err
}

// closedBefore leaves a handoff that was closed 90 days ago, which tidy archives.
func (p *programs) closedBefore(text string) (string, error) {
	now := p.now
	defer func() { p.now = now }()
	p.now = now.Add(-90 * 24 * time.Hour)
	id, err := p.post(p.sound(senderPID), text)
	if err != nil {
		return "", err
	}
	return id, p.move(p.sound(senderPID), id, exchange.Closed)
}

// stands says whether a handoff is not in the archive.
func (p *programs) stands(id string) bool {
	p.t.Helper()
	r, err := exchange.Reader{World: p.sound(senderPID)}.List(exchange.ListRequest{Cwd: p.root, All: true})
	if err != nil {
		p.t.Fatal(err)
	}
	for _, item := range r.Items {
		if item.ID == id {
			return true
		}
	}
	return false
}

func (p *programs) shown() string {
	p.t.Helper()
	e, err := killing.Run(p.command("", "exchange", "show"), killing.Never)
	if err != nil || e.Code != 0 {
		p.t.Fatalf("exchange show: %v %+v", err, e)
	}
	return e.Stdout
}

func (p *programs) payload(event string) string {
	raw, err := json.Marshal(map[string]any{"session_id": readerID, "hook_event_name": event, "cwd": filepath.Join(p.root, repo), "source": "startup", "prompt": "go on", "prompt_id": "p"})
	if err != nil {
		p.t.Fatal(err)
	}
	return string(raw)
}

func (l life) command(p *programs, id string) *exec.Cmd {
	if l.hook != "" {
		return p.command(p.payload(l.hook), "hookd")
	}
	return p.command("", "exchange", l.args(id)...)
}

// perGround is how many runs one root sees: it grows with each.
const perGround = 40

// TestVerbs_ByKillMinus9 kills each verb at any moment of the time that it takes. What
// it was to write is there whole or not at all, and the next run goes its way.
func TestVerbs_ByKillMinus9(t *testing.T) {
	stamp.Read(t)
	rng := killing.Source(t, *seed)
	for _, l := range lives() {
		t.Run(l.name, func(t *testing.T) {
			moments := killing.NewMoments(rng)
			key := toll.Key{Tool: tool, Verb: l.name, Fault: "kill -9"}
			var p *programs
			for n := 0; count.Of(key).Hit < *wanted; n++ {
				if n%perGround == 0 {
					p = newPrograms(t, newGround(t))
				}
				at := moments.Draw(l.name)
				c, e := l.live(p, fmt.Sprintf("text %d", n), at)
				if !e.Killed {
					moments.Took(l.name, e.Took)
				}
				if at != killing.Never {
					count.Add(key, c)
				}
				if !c.Clean() {
					t.Errorf("%+v, killed %t after %s: %+v", c, e.Killed, at, e)
				}
			}
		})
	}
	check(t)
}

// live runs a verb once, and looks at what it left.
func (l life) live(p *programs, text string, at time.Duration) (toll.Counts, killing.Ending) {
	p.t.Helper()
	id := text
	p.now = time.Now()
	before := l.before
	if before == nil && l.needs {
		before = func(p *programs, text string) (string, error) { return p.post(p.sound(senderPID), text) }
	}
	if before != nil {
		var err error
		if id, err = before(p, text); err != nil {
			p.t.Fatal(err)
		}
	}
	e, err := killing.Run(l.command(p, id), at)
	if err != nil {
		p.t.Fatal(err)
	}
	c := toll.Counts{Tries: 1}
	if e.Killed {
		c.Hit++
	} else if e.Code != 0 {
		c.Stuck++
	}
	after := p.look()
	if !after.whole {
		c.Unreadable++
	}
	if l.needs && after.bodies[text] != 1 {
		c.Lost++
	}
	if l.hook != "" {
		return l.hooked(p, text, e, c), e
	}
	done, none := l.done(p, id, text), l.none(p, id, text)
	switch {
	case !done && !none:
		c.Unreadable++
	case !done && !e.Killed:
		c.Lost++
	case !done:
		if again, err := killing.Run(l.command(p, id), killing.Never); err != nil || again.Code != 0 || !l.done(p, id, text) {
			c.Stuck++
		}
	}
	return c, e
}

// hooked looks whether a text is shown that a hook may have shown before it was killed:
// a start shows all that waits, however often there is one.
func (l life) hooked(p *programs, text string, e killing.Ending, c toll.Counts) toll.Counts {
	p.t.Helper()
	start, err := killing.Run(p.command(p.payload(session.SessionStart), "hookd"), killing.Never)
	if err != nil || start.Code != 0 || strings.Contains(start.Stdout, "problem") {
		c.Stuck++
	}
	if l.needs && !strings.Contains(start.Stdout, text) {
		c.Lost++
	}
	if l.hook == session.UserPromptSubmit && !e.Killed {
		again, err := killing.Run(p.command(p.payload(l.hook), "hookd"), killing.Never)
		if err != nil || strings.Contains(again.Stdout, text) {
			c.Twice++
		}
	}
	if l.needs { // so that the next one is not hidden behind many
		for id, status := range p.look().status {
			if status != exchange.Closed {
				if err := p.move(p.sound(readerPID), id, exchange.Closed); err != nil {
					p.t.Fatal(err)
				}
			}
		}
	}
	return c
}
