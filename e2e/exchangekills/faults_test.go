package exchangekills_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/changeover/changeover/adapters/toll"
	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/e2e/killing"
)

// verb is one verb on a ground that was prepared for it.
type verb struct {
	name    string
	prepare func(g *ground)
	run     func(g *ground, w exchange.World) error
	// done says whether it did what it is for.
	done func(g *ground) bool
	// pid is the process of the session that runs it.
	pid int
}

const body = "map the coast"

// theID is the id of the one handoff that there is.
func (g *ground) theID() string {
	g.t.Helper()
	for id := range g.look().status {
		return id
	}
	g.t.Fatal("there is no handoff")
	return ""
}

func (g *ground) posted() {
	g.t.Helper()
	if _, err := g.post(g.sound(senderPID), body); err != nil {
		g.t.Fatal(err)
	}
}

// closedLongAgo leaves a handoff that tidy archives.
func (g *ground) closedLongAgo() {
	g.t.Helper()
	g.posted()
	if err := g.move(g.sound(readerPID), g.theID(), exchange.Closed); err != nil {
		g.t.Fatal(err)
	}
	g.now = g.now.Add(90 * 24 * time.Hour)
}

func (g *ground) claims(w exchange.World) error {
	focus, id := "the lighthouse", readerID
	_, err := exchange.Claimer{World: w}.Claim(exchange.ClaimRequest{Cwd: g.root, Session: &id, Focus: &focus})
	return err
}

func (g *ground) releases(w exchange.World) error {
	id := readerID
	_, err := exchange.Claimer{World: w}.Drop(g.root, &id)
	return err
}

// focused says whether the reader's claim stands.
func (g *ground) focused() bool {
	g.t.Helper()
	r, err := exchange.Viewer{World: g.sound(senderPID)}.Show(g.root)
	return err == nil && strings.Contains(strings.Join(r.Lines(), "\n"), "the lighthouse")
}

func moves(name string, to exchange.Status) verb {
	return verb{
		name: name, prepare: (*ground).posted, pid: readerPID,
		run:  func(g *ground, w exchange.World) error { return g.move(w, g.theID(), to) },
		done: func(g *ground) bool { return g.look().status[g.theID()] == to },
	}
}

func verbs() []verb {
	return []verb{
		{
			name: "post", prepare: func(*ground) {}, pid: senderPID,
			run:  func(g *ground, w exchange.World) error { _, err := g.post(w, body); return err },
			done: func(g *ground) bool { return g.look().bodies[body] == 1 },
		},
		moves("accept", exchange.Accepted), moves("close", exchange.Closed),
		{name: "claim", prepare: func(*ground) {}, run: (*ground).claims, done: (*ground).focused, pid: readerPID},
		{
			name: "release", prepare: func(g *ground) {
				if err := g.claims(g.sound(readerPID)); err != nil {
					g.t.Fatal(err)
				}
			},
			run: (*ground).releases, done: func(g *ground) bool { return !g.focused() }, pid: readerPID,
		},
		{
			name: "tidy", prepare: (*ground).closedLongAgo, pid: senderPID,
			run: func(g *ground, w exchange.World) error {
				r, err := exchange.Archivist{World: w}.Tidy(g.root, true)
				if told := slices.Concat(r.Problems, r.Notes); err == nil && len(told) > 0 {
					err = fmt.Errorf("%q", told)
				}
				return err
			},
			done: func(g *ground) bool {
				r, err := exchange.Reader{World: g.sound(senderPID)}.List(exchange.ListRequest{Cwd: g.root, All: true})
				return err == nil && len(r.Items) == 0 && g.look().bodies[body] == 1
			},
		},
	}
}

// TestVerbs_FaultsAtEveryCall has each call of each verb fail in each way. What a verb
// says it did is done, what it says it did not do is not, nothing is half there, and
// the next run does it.
func TestVerbs_FaultsAtEveryCall(t *testing.T) {
	for _, v := range verbs() {
		t.Run(v.name, func(t *testing.T) {
			for _, fault := range killing.Failures() {
				for at := 1; ; at++ {
					if !v.fails(t, fault, at) {
						break
					}
				}
			}
		})
	}
	check(t)
}

// fails has one call fail; false where there is no such call any more.
func (v verb) fails(t *testing.T, fault killing.Fault, at int) bool {
	t.Helper()
	g := newGround(t)
	v.prepare(g)
	before := g.look()
	sys := killing.NewSystem(fault, at)
	err := v.run(g, g.world(sys, v.pid))
	if !sys.Hit {
		return at <= sys.Calls // a write of one byte is not cut
	}
	v.judges(t, g, before, err, string(fault), fmt.Sprintf("call %d", at))
	return true
}

// judges looks at what a verb left of which a call failed.
func (v verb) judges(t *testing.T, g *ground, before found, err error, fault, at string) {
	t.Helper()
	c := toll.Counts{Tries: 1, Hit: 1}
	after := g.look()
	told := fmt.Sprintf("%s, %s at %s: %v; %v", v.name, fault, at, err, after)
	for content, n := range before.bodies {
		if after.bodies[content] < n {
			c.Lost++
		}
	}
	for _, n := range after.bodies {
		if n > 1 {
			c.Twice++
		}
	}
	if !after.whole {
		c.Unreadable++
	}
	done := v.done(g)
	if err == nil && !done {
		c.Lost++ // it said so
	}
	if err != nil && done && v.name == "post" {
		c.Twice++ // whoever is told that nothing was written writes it again
	}
	if err != nil && !done {
		if again := v.run(g, g.sound(v.pid)); again != nil || !v.done(g) {
			c.Stuck++
			told += fmt.Sprintf("; and again: %v", again)
		}
	}
	v.counted(t, fault, c, told)
}

func (v verb) counted(t *testing.T, fault string, c toll.Counts, told string) {
	t.Helper()
	count.Add(toll.Key{Tool: tool, Verb: v.name, Fault: fault}, c)
	if !c.Clean() {
		t.Errorf("%+v: %s", c, told)
	}
}

// shows are the events that show handoffs.
var shows = []string{session.SessionStart, session.UserPromptSubmit}

// TestHooks_FaultsAtEveryCall has each call of a hook fail. A handoff is shown then or
// by the next prompt, and once it has a receipt no further prompt shows it.
func TestHooks_FaultsAtEveryCall(t *testing.T) {
	for _, event := range shows {
		for _, fault := range killing.Failures() {
			for at := 1; ; at++ {
				g := newGround(t)
				if event == session.UserPromptSubmit {
					g.hook(g.sound(readerPID), session.SessionStart)
				}
				g.posted()
				sys := killing.NewSystem(fault, at)
				first := g.hook(g.world(sys, readerPID), event)
				if !sys.Hit {
					if at <= sys.Calls {
						continue
					}
					break
				}
				g.counts(t, event, string(fault), first)
			}
		}
	}
	check(t)
}

// counts looks how often the next prompts show what a first answer may have shown.
func (g *ground) counts(t *testing.T, event, fault, first string) {
	t.Helper()
	prompt := func() string { return g.hook(g.sound(readerPID), session.UserPromptSubmit) }
	second, third, fourth := prompt(), prompt(), prompt()
	c := toll.Counts{Tries: 1, Hit: 1}
	has := func(said string) bool { return strings.Contains(said, body) }
	if !has(first) && !has(second) {
		c.Lost++
	}
	if has(third) || has(fourth) {
		c.Twice++
	}
	if !g.look().whole {
		c.Unreadable++
	}
	verb{name: "hook " + event}.counted(t, fault, c, fmt.Sprintf("%q, then %q, %q", first, second, third))
}

// TestClock_Jumps has the clock jump between any two steps of a handoff's life: it goes
// its way all the same, and is shown once.
func TestClock_Jumps(t *testing.T) {
	hour, year := time.Hour, 400*24*time.Hour
	for _, jump := range []time.Duration{hour, -hour, year, -year} {
		for before := range 5 {
			g := newGround(t)
			c := toll.Counts{Tries: 1, Hit: 1}
			step := 0
			steps := func() {
				if step == before {
					g.now = g.now.Add(jump)
				}
				step++
			}
			g.hook(g.sound(readerPID), session.SessionStart)
			steps()
			g.posted()
			id := g.theID()
			steps()
			said := g.hook(g.sound(readerPID), session.UserPromptSubmit) + g.hook(g.sound(readerPID), session.UserPromptSubmit)
			steps()
			switch n := strings.Count(said, body); {
			case n == 0:
				c.Lost++
			case n > 1:
				c.Twice++
			}
			for _, to := range []exchange.Status{exchange.Accepted, exchange.Closed} {
				if err := g.move(g.sound(readerPID), id, to); err != nil || g.look().status[id] != to {
					c.Stuck++
				}
				steps()
			}
			if !g.look().whole || g.look().bodies[body] != 1 {
				c.Unreadable++
			}
			verb{name: "post, show, accept, close"}.counted(t, fmt.Sprintf("clock jumps %+dh", int(jump.Hours())), c,
				fmt.Sprintf("before step %d: %q %v", before, said, g.look()))
		}
	}
	check(t)
}

// Writers that all post at once write each text once.
func TestPost_ManyAtOnce(t *testing.T) {
	const writers = 8
	stamp.Read(t)
	g := newGround(t)
	if err := newPrograms(t, g).postAtOnce(writers, *writes); err != nil {
		t.Error(err)
	}
	c := toll.Counts{Tries: writers * *writes, Hit: writers * *writes}
	after := g.look()
	for w := range writers {
		for n := range *writes {
			switch after.bodies[textOf(w, n)] {
			case 1:
			case 0:
				c.Lost++
			default:
				c.Twice++
			}
		}
	}
	if left, err := filepath.Glob(filepath.Join(g.root, ".claude/exchange/handoffs/.tmp-*")); err != nil || len(left) > 0 || !after.whole {
		c.Unreadable++
	}
	verb{name: "post"}.counted(t, "8 writers at once", c, fmt.Sprint(after.problems))
	check(t)
}

func textOf(writer, n int) string { return fmt.Sprintf("writer %d, number %d", writer, n) }
