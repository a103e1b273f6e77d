package screens_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/matryer/is"
)

const (
	ann = "aaaa1111-0000-4000-8000-000000000001"
	bob = "bbbb2222-0000-4000-8000-000000000002"
)

var (
	small = size{80, 24}
	wide  = size{160, 48}
)

// twoSessions is a machine with two sessions in its root.
func twoSessions(t *testing.T) *machine {
	t.Helper()
	m := newMachine(t)
	m.open(ann, "ann", filepath.Join(m.root, "site"))
	m.open(bob, "bob", filepath.Join(m.root, "site", "lib"))
	return m
}

func TestRelayWatch_FollowsALink(t *testing.T) {
	m := twoSessions(t)
	m.link(ann, bob, "make the parser stream")
	m.says(ann, "Split the reader.\nKeep the API.")
	s := open(t, small, m.root, m.env(), "relay", "watch", "--session", ann, "--interval", "1h")
	s.shows("planner ⇄ bob", "make the parser stream", "queued  for the builder", "Split the reader.")
	s.foot("q quit")

	m.receives(bob) // nobody looks within the hour: it is told
	m.says(bob, "Split; tests pass.")
	s.shows("Split; tests pass.", "sent round 1: Split; tests pass.")

	s.types("Up", "Enter")
	s.shows("── Round 1", "Keep the API.", "from builder", "esc back")
	s.types("Escape")
	s.shows("── What happened")
	s.types("l")
	s.shows("# relay: ann ⇄ bob")
	s.types("Escape")
	s.shows("── What happened")
	s.types("?")
	s.shows("── Keys", "look again")
	s.types("?")
	s.hides("── Keys")

	s.resize(wide)
	s.shows("│ ── Round 1")
	s.foot("q quit")
	s.resize(size{40, 10})
	s.hides("│ ── Round 1")
	s.foot("q quit")
	s.resize(small)
	s.shows("── What happened", "planner ⇄ bob")
	s.foot("q quit")
	s.types("q")
	s.ends(0)
}

func TestRelayWatch_KeepsWhatItSawWhenItCannotLook(t *testing.T) {
	is := is.New(t)
	m := twoSessions(t)
	m.link(ann, bob, "make the parser stream")
	s := open(t, small, m.root, m.env(), "relay", "watch", "--session", ann, "--interval", "100ms")
	s.shows("make the parser stream")
	aside := m.registry() + ".aside"
	is.NoErr(os.Rename(m.registry(), aside))
	is.NoErr(os.WriteFile(m.registry(), nil, 0o600))
	s.shows("stale, of ", "the session registry could not be read", "make the parser stream")
	is.NoErr(os.Remove(m.registry()))
	is.NoErr(os.Rename(aside, m.registry()))
	s.hides("stale, of ")
	s.types("C-c")
	s.ends(0)
}

func TestRelayWatch_PlainIsLines(t *testing.T) {
	m := twoSessions(t)
	m.link(ann, bob, "make the parser stream")
	s := open(t, small, m.root, m.env(), "relay", "watch", "--session", ann, "--plain")
	s.shows("planner ⇄ bob")
	m.says(ann, "Split the reader.")
	s.shows("sent round 1: Split the reader.")
	s.types("C-c")
	s.ends(0)
}

func TestWatch_ColoursUnlessToldNotTo(t *testing.T) {
	is := is.New(t)
	m := twoSessions(t)
	m.link(ann, bob, "make the parser stream")
	for _, program := range []string{"relay", "exchange"} {
		args := []string{"watch"}
		if program == "relay" {
			args = append(args, "--session", ann)
		}
		coloured := open(t, small, m.root, m.env(), program, args...)
		coloured.foot("q quit")
		is.True(strings.Contains(coloured.screen(true), "\x1b["))
		plain := open(t, small, m.root, m.env("NO_COLOR=1"), program, args...)
		plain.foot("q quit")
		is.True(!strings.Contains(plain.screen(true), "\x1b["))
	}
}

func TestExchangeWatch_ShowsWhoIsHereAndPairsThem(t *testing.T) {
	m := twoSessions(t)
	m.runs("exchange", "claim", "--session", ann, "--focus", "port the parser", "--repo", "site", "--path", "lib/parse")
	s := open(t, small, m.root, m.env(), "exchange", "watch", "--interval", "100ms")
	s.shows("pier", "› ", "ann", "bob", "port the parser", "nobody works on the paths of another")
	m.runs("exchange", "claim", "--session", bob, "--focus", "faster parsing", "--repo", "site", "--path", "lib/parse/fast")
	s.shows("ann ⇄ bob  lib/parse/fast")
	m.runs("exchange", "handoff", "post", "--session", bob, "--body", "look at the parser")
	s.shows("Handoffs: 1 not closed", "for session bob", "look at the parser")

	s.types("p")
	s.shows("mark two sessions with space first: 0 of 2")
	s.types("Space", "Down", "Space", "p")
	s.shows("── Pair two sessions", "relay planner "+bob, "--session "+ann, "[y/n]")
	s.types("n")
	s.shows("nothing was done", "── Sessions")
	s.types("p", "y")
	s.shows("── Pairing", "linked with ann", "they are linked")
	s.types("Escape")
	s.shows("── Sessions", "planner", "builder")
	s.types("l")
	s.shows("── relay log --session", "# relay: ann ⇄ bob")
	s.types("Escape")
	s.shows("── Overlaps")

	s.resize(wide)
	s.shows("│ ── Overlaps")
	s.foot("q quit")
	s.resize(small)
	s.hides("│ ── Overlaps")
	s.foot("q quit")
	s.types("?")
	s.shows("── Keys", "pair two marked")
	s.types("q")
	s.ends(0)
}

func TestExchangeWatch_SaysThatItCouldNotLook(t *testing.T) {
	is := is.New(t)
	m := twoSessions(t)
	s := open(t, small, m.root, m.env(), "exchange", "watch", "--interval", "100ms")
	s.shows("ann", "bob")
	aside := m.registry() + ".aside"
	is.NoErr(os.Rename(m.registry(), aside))
	is.NoErr(os.WriteFile(m.registry(), nil, 0o600))
	s.shows("stale, of ", "nobody can tell who is running", "ann", "bob")
	is.NoErr(os.Remove(m.registry()))
	is.NoErr(os.Rename(aside, m.registry()))
	s.hides("stale, of ")
	s.types("q")
	s.ends(0)
}

func TestWatch_GivesTheScreenBackWhenItIsEnded(t *testing.T) {
	is := is.New(t)
	m := twoSessions(t)
	s := open(t, small, m.root, m.env(), "exchange", "watch")
	s.foot("q quit")
	is.NoErr(syscall.Kill(s.pid(), syscall.SIGTERM))
	s.ends(0)
}

func TestWatch_EndsWithItsTerminal(t *testing.T) {
	m := twoSessions(t)
	m.link(ann, bob, "make the parser stream")
	s := open(t, small, m.root, m.env(), "relay", "watch", "--session", ann)
	s.foot("q quit")
	pid := s.pid()
	s.must("kill-server")
	s.until("the program ended with its terminal", func() bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) })
}
