package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"github.com/rs/zerolog"

	"github.com/changeover/changeover/adapters/board"
	"github.com/changeover/changeover/adapters/board/boardtest"
	"github.com/changeover/changeover/adapters/claudereg/regtest"
	"github.com/changeover/changeover/adapters/clock/clocktest"
	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/adapters/entropy/entropytest"
	"github.com/changeover/changeover/adapters/linkstore"
	"github.com/changeover/changeover/adapters/osfs/memfs"
	"github.com/changeover/changeover/adapters/proc/proctest"
	"github.com/changeover/changeover/adapters/relayconfig"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/session"
)

// duo is two sessions on a machine of their own, as a test drives them.
type duo struct {
	t        *testing.T
	clock    *clocktest.Clock
	registry *regtest.Registry
	machine  *proctest.Machine
	shared   *shared
	out      *bytes.Buffer
	prompts  int
}

const (
	ann = "aaaa1111-0000-4000-8000-000000000001"
	bob = "bbbb2222-0000-4000-8000-000000000002"
)

func newDuo(t *testing.T) *duo {
	t.Helper()
	d := &duo{
		t: t, clock: clocktest.New(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)),
		registry: regtest.New(), machine: proctest.New(runner, "here"), out: &bytes.Buffer{},
	}
	env := port.Environment{Lookup: func(string) string { return "" }, Home: "/home/dev"}
	files := memfs.New()
	store := linkstore.New(files, "/state")
	d.shared = &shared{session: "ann", deps: deps{
		Streams: cobracli.Streams{Out: d.out, Err: io.Discard, In: strings.NewReader("")}, Log: zerolog.Nop(), Store: store, Env: env,
		Operator: relay.Operator{
			Store: store, Clock: d.clock, Random: new(entropytest.Source), Sessions: d.registry,
			Processes: d.machine, Machine: d.machine, Env: env, Defaults: relayconfig.New(files, env),
		},
	}}
	d.open(21, ann, "ann")
	d.open(22, bob, "bob")
	return d
}

func (d *duo) open(pid int, id, name string) {
	d.machine.Run(pid, proctest.Process{Start: session.Start{Token: fmt.Sprint(10 * pid)}})
	d.registry.Put(session.Row{
		SessionID: id, Name: name, PID: pid, ProcStart: fmt.Sprint(10 * pid), Cwd: "/home/dev/" + name, Entrypoint: "cli", Kind: "interactive",
	})
}

func (d *duo) operator() relay.Operator { return d.shared.Operator }

func (d *duo) speaker(name string) relay.Speaker {
	d.t.Helper()
	self, err := d.operator().Speak(name, "")
	if err != nil {
		d.t.Fatal(err)
	}
	return self
}

func (d *duo) must(_ any, err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// link pairs the two and gives the planner its goal.
func (d *duo) link(goal string) {
	d.t.Helper()
	d.must(d.operator().Pair(d.speaker("ann"), relay.Planner, bob, relay.Terms{}))
	d.clock.Advance(5 * time.Second)
	d.must(d.operator().Accept(d.speaker("bob"), "", relay.Terms{}))
	d.clock.Advance(20 * time.Second)
	d.must(d.operator().Goal(d.speaker("ann"), goal, false))
}

// receives has a session take what waits for it, after a while.
func (d *duo) receives(name string, after time.Duration) {
	d.t.Helper()
	d.clock.Advance(after)
	self := d.speaker(name)
	m, err := d.operator().Known(self.Session)
	d.must(m, err)
	claimed, ok, err := d.operator().Claim(m)
	d.must(ok, err)
	if !ok {
		d.t.Fatalf("nothing waits for %s", name)
	}
	d.must(nil, d.operator().HandOver(claimed, relay.Attachment{PID: self.PID, Start: self.Start}))
	d.prompts++
	reply, err := d.operator().Prompt(d.input(self), claimed.Prompt(relay.CatalogueOf("en")), fmt.Sprint(d.prompts))
	d.must(nil, err)
	if reply.Block {
		d.t.Fatalf("blocked: %s", reply.Reason)
	}
}

func (d *duo) input(self relay.Speaker) relay.HookInput {
	return relay.HookInput{
		Event: session.Event{SessionID: self.Session, Cwd: self.Cwd}, Interactive: true, PID: self.PID, Start: self.Start,
	}
}

// says ends the turn of a session with a handoff, after a while.
func (d *duo) says(name, text string, after time.Duration) {
	d.t.Helper()
	d.clock.Advance(after)
	d.ends(name, "<handoff>\n"+text+"\n</handoff>")
}

func (d *duo) ends(name, message string) {
	d.t.Helper()
	d.must(d.operator().Stop(d.input(d.speaker(name)), relay.Turn{Prompt: fmt.Sprint(d.prompts), Message: message}))
}

// twoRounds is a link whose second step waits for the builder.
func twoRounds(t *testing.T) *duo {
	t.Helper()
	d := newDuo(t)
	d.link("make the parser stream")
	d.receives("ann", 300*time.Millisecond)
	d.says("ann", "Split the reader.\nKeep the API.", 42*time.Second)
	d.receives("bob", 1200*time.Millisecond)
	d.says("bob", "Split; tests pass.", 185*time.Second)
	d.receives("ann", 400*time.Millisecond)
	d.says("ann", "Now stream the lines.\n1\n2\n3\n4\n5\n6\n7\n8", 12*time.Second)
	return d
}

func (d *duo) board() *linkBoard { return newLinkBoard(d.shared.sight(&linkFlags{})) }

// evil is a text that a terminal would obey, and that no layout expects.
const evil = "\x1b[2J\x1b]0;owned\x07 \u202egpj.exe\u202c 日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語 e\u0301\u0301\u0301 \ttab\rreturn"

func TestWatch_Screens(t *testing.T) {
	hostile := func(t *testing.T) *duo {
		d := newDuo(t)
		d.open(21, ann, "an\u202en 日本")
		d.shared.session = ann
		d.must(d.operator().Pair(d.speaker(ann), relay.Planner, bob, relay.Terms{}))
		d.must(d.operator().Accept(d.speaker("bob"), "", relay.Terms{}))
		d.must(d.operator().Goal(d.speaker(ann), "goal "+evil, false))
		d.receives(ann, time.Second)
		d.clock.Advance(time.Second)
		d.ends(ann, "<handoff>\n"+evil+"\n"+strings.Repeat("long ", 400)+"\n</handoff>")
		return d
	}
	paused := func(t *testing.T) *duo {
		d := twoRounds(t)
		d.must(d.operator().Pause(d.speaker("ann")))
		return d
	}
	for _, tt := range []struct {
		name string
		make func(*testing.T) *duo
	}{
		{"rounds", twoRounds},
		{"none", newDuo},
		{"hostile", hostile},
		{"paused", paused},
		{"unread", func(t *testing.T) *duo {
			d := newDuo(t)
			d.registry.Block(errors.New("no such disk"))
			return d
		}},
	} {
		for _, size := range []board.Size{{Width: 80, Height: 24}, {Width: 160, Height: 48}} {
			for _, colour := range []bool{false, true} {
				name := fmt.Sprintf("watch_%s_%dx%d", tt.name, size.Width, size.Height)
				if colour {
					name += "_colour"
				}
				t.Run(name, func(t *testing.T) {
					s := boardtest.Open(t, tt.make(t).board(), size.Width, size.Height, colour)
					boardtest.Fills(t, s.Raw(), size)
					boardtest.Golden(t, name, s.Text())
				})
			}
		}
	}
}

func TestWatch_OpensARoundAndTheLog(t *testing.T) {
	is := is.New(t)
	s := boardtest.Open(t, twoRounds(t).board(), 80, 24, false)
	is.True(strings.Contains(s.Text(), "›   2  planner → builder")) // the newest is chosen
	s.Press("up", "up")
	is.True(strings.Contains(s.Text(), "›   1  planner → builder"))
	s.Press("enter")
	boardtest.Golden(t, "watch_open_round", s.Text())
	s.Press("esc", "l")
	boardtest.Golden(t, "watch_open_log", s.Text())
	s.Press("esc", "up", "up", "up", "up", "enter") // the goal, and no further
	is.True(strings.Contains(s.Text(), "── Goal"))
	is.True(strings.Contains(s.Text(), "make the parser stream"))
}

func TestWatch_FollowsTheNewest(t *testing.T) {
	is := is.New(t)
	d := twoRounds(t)
	s := boardtest.Open(t, d.board(), 80, 24, false)
	is.True(strings.Contains(s.Text(), "queued  for the builder since"))
	d.receives("bob", time.Second)
	d.says("bob", "All of it.", time.Minute)
	s.Refresh()
	is.True(strings.Contains(s.Text(), "›   2  builder → planner  queued"))
	s.Press("up", "up")
	d.receives("ann", time.Second)
	d.says("ann", "And now the docs.", time.Minute)
	s.Refresh()
	is.True(strings.Contains(s.Text(), "›   1  builder → planner")) // where a person chose, it stays
}

func TestWatch_KeepsWhatItSaw(t *testing.T) {
	is := is.New(t)
	d := twoRounds(t)
	s := boardtest.Open(t, d.board(), 80, 24, false)
	d.registry.Block(errors.New("no such disk"))
	s.Refresh()
	is.True(strings.Contains(s.Text(), "stale, of 12:30:00Z: the session registry could not be read: no such disk"))
	is.True(strings.Contains(s.Text(), "Split the reader."))
}

func TestWatch_OncePrintsPlainText(t *testing.T) {
	is := is.New(t)
	d := twoRounds(t)
	is.NoErr(d.shared.watch(t.Context(), &watchFlags{once: true, interval: time.Second}))
	is.True(!strings.Contains(d.out.String(), "\x1b"))
	boardtest.Golden(t, "watch_once", d.out.String())
}

func TestWatch_LooksAtMostSoOften(t *testing.T) {
	is := is.New(t)
	code, _, stderr := call(t, "watch", "--interval", "1ms")
	is.Equal(code, 2)
	is.True(strings.Contains(stderr, "--interval is at least 100ms"))
	code, _, _ = call(t, "watch", "--once", "--json")
	is.Equal(code, 2)
}
