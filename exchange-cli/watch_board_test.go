package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"github.com/rs/zerolog"

	"github.com/changeover/changeover/adapters/board"
	"github.com/changeover/changeover/adapters/board/boardtest"
	"github.com/changeover/changeover/adapters/claudereg/regtest"
	"github.com/changeover/changeover/adapters/claudesettings"
	"github.com/changeover/changeover/adapters/clock/clocktest"
	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/adapters/entropy/entropytest"
	"github.com/changeover/changeover/adapters/fsstore"
	"github.com/changeover/changeover/adapters/graphemes"
	"github.com/changeover/changeover/adapters/linkstore"
	"github.com/changeover/changeover/adapters/osfs/memfs"
	"github.com/changeover/changeover/adapters/proc/proctest"
	"github.com/changeover/changeover/adapters/relayconfig"
	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/session"
)

// harbour is a machine with roots, sessions and a relay that a test plays.
type harbour struct {
	t        *testing.T
	files    *memfs.FS
	registry *regtest.Registry
	machine  *proctest.Machine
	shared   *shared
	out      *bytes.Buffer
	// ran are the calls of relay; refuse is what it answers with, installed whether it
	// is there.
	ran       []string
	refuse    error
	installed bool
	watcher   exchange.Watcher
}

const (
	pier = "/home/dev/pier"
	mole = "/home/dev/mole"
	ann  = "aaaa1111-0000-4000-8000-000000000001"
	bob  = "bbbb2222-0000-4000-8000-000000000002"
	cora = "cccc3333-0000-4000-8000-000000000003"
)

func newHarbour(t *testing.T) *harbour {
	t.Helper()
	h := &harbour{
		t: t, files: memfs.New(), registry: regtest.New(), machine: proctest.New(9, "here"), out: &bytes.Buffer{}, installed: true,
	}
	env := port.Environment{Lookup: func(string) string { return "" }, Home: "/home/dev", Executable: func() string { return "" }}
	clock := clocktest.New(boardtest.Now)
	world := exchange.World{
		Files: h.files, Clock: clock, Random: new(entropytest.Source), Sessions: h.registry, Processes: h.machine, Machine: h.machine,
		Settings: claudesettings.Open(h.files), Open: fsstore.NewOpener(h.files), Env: env, Cutter: graphemes.NewCutter(),
	}
	h.watcher = exchange.Watcher{World: world}
	h.shared = &shared{dir: pier, deps: deps{
		Streams: cobracli.Streams{Out: h.out, Err: io.Discard, In: strings.NewReader("")}, Log: zerolog.Nop(), World: world,
		Relay: relay.Operator{
			Store: linkstore.New(h.files, "/state"), Clock: clock, Random: new(entropytest.Source), Sessions: h.registry,
			Processes: h.machine, Machine: h.machine, Env: env, Defaults: relayconfig.New(h.files, env),
		},
	}}
	return h
}

func (h *harbour) must(_ any, err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *harbour) mark(root, name string) {
	h.dirs(root + "/.claude")
	h.must(nil, h.files.Replace(exchange.MarkerPath(root), []byte(`{"name": "`+name+`"}`), 0o600, port.Synced))
}

func (h *harbour) dirs(path string) {
	for i, r := range path + "/" {
		if r == '/' && i > 0 {
			_ = h.files.MakeDir(path[:i], 0o755) // it may be there
		}
	}
}

// open starts a session.
func (h *harbour) open(pid int, id, name, dir, status string) {
	h.dirs(dir)
	h.machine.Run(pid, proctest.Process{Start: session.Start{Token: fmt.Sprint(10 * pid)}})
	h.registry.Put(session.Row{
		SessionID: id, Name: name, PID: pid, ProcStart: fmt.Sprint(10 * pid), Cwd: dir, Entrypoint: "cli", Kind: "interactive",
		Status: status, StatusAt: boardtest.Now.Add(-4 * time.Minute), StartedAt: boardtest.Now.Add(-3 * time.Hour),
	})
}

func (h *harbour) claim(id, focus string, repos, paths []string) {
	h.must(exchange.Claimer{World: h.shared.World}.Claim(exchange.ClaimRequest{
		Cwd: pier, Session: &id, Focus: &focus, Repos: repos, Paths: paths,
	}))
}

func (h *harbour) post(repo, to, body string) {
	h.must(exchange.Mail{World: h.shared.World}.Post(exchange.PostRequest{Cwd: pier, Repo: repo, Session: to, Body: body}))
}

// busy is a harbour in which much goes on.
func busy(t *testing.T) *harbour {
	h := newHarbour(t)
	h.mark(pier, "pier")
	h.mark(mole, "mole")
	h.open(21, ann, "ann", pier+"/site", "busy")
	h.open(22, bob, "bob", pier+"/site", "idle")
	h.open(23, cora, "cora", mole, "waiting")
	h.claim(ann, "port the parser", []string{"site"}, []string{"lib/parse", "docs"})
	h.claim(bob, "faster parsing", []string{"site"}, []string{"lib/parse/fast"})
	h.claim("dddd4444", "left long ago", nil, []string{"old"})
	h.post("site", "", "the API of /search changed\nsecond line")
	h.post("", bob, "look at lib/parse when you are back")
	return h
}

func (h *harbour) board() *rootBoard {
	return newRootBoard(h.shared.sight(h.watcher), func() time.Time { return boardtest.Now }, relayProgram{
		find: func() string {
			if h.installed {
				return "/opt/relay"
			}
			return ""
		},
		run: func(_ context.Context, _ string, args []string) (string, error) {
			h.ran = append(h.ran, strings.Join(args, " "))
			return "said of " + args[0] + "\x1b[2J\n", h.refuse
		},
	})
}

const evil = "\x1b[2J\x1b]0;owned\x07 \u202egpj.exe\u202c 日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語 e\u0301\u0301\u0301 tab\there"

func TestWatch_Screens(t *testing.T) {
	hostile := func(t *testing.T) *harbour {
		h := newHarbour(t)
		h.mark(pier, "pier")
		h.open(21, ann, "a\x1b[31mnn\u202e 日本語日本語日本語", pier, "busy\n")
		h.open(22, bob, strings.Repeat("long", 60), pier+"/"+strings.Repeat("deep/", 40)+"end", evil)
		h.claim(ann, evil+strings.Repeat(" long", 300), []string{"site"}, []string{"lib/日本"})
		h.post("site", "", evil)
		return h
	}
	unread := func(t *testing.T) *harbour {
		h := busy(t)
		h.registry.Block(errors.New("no such disk"))
		return h
	}
	empty := func(t *testing.T) *harbour {
		h := newHarbour(t)
		h.mark(pier, "pier")
		return h
	}
	unmarked := func(t *testing.T) *harbour {
		h := newHarbour(t)
		h.dirs(pier)
		return h
	}
	for _, tt := range []struct {
		name string
		make func(*testing.T) *harbour
	}{{"busy", busy}, {"empty", empty}, {"unmarked", unmarked}, {"hostile", hostile}, {"unread", unread}} {
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

func TestWatch_PairsTwoMarkedSessions(t *testing.T) {
	is := is.New(t)
	h := busy(t)
	s := boardtest.Open(t, h.board(), 80, 24, false)
	s.Press("p")
	is.True(strings.Contains(s.Text(), "mark two sessions with space first: 0 of 2"))
	s.Press("space", "down", "space", "p")
	boardtest.Golden(t, "watch_pairing", s.Text())
	is.Equal(len(h.ran), 0) // shown, not run
	s.Press("n")
	is.True(strings.Contains(s.Text(), "nothing was done"))
	s.Press("p", "s", "y")
	is.Equal(h.ran, []string{"planner " + ann + " --session " + bob, "builder " + bob + " --session " + ann})
	boardtest.Golden(t, "watch_paired", s.Text())
	s.Press("esc", "p")
	is.True(strings.Contains(s.Text(), "0 of 2")) // the marks are used up
}

func TestWatch_StopsAtARefusal(t *testing.T) {
	is := is.New(t)
	h := busy(t)
	h.refuse = errors.New("exit status 1")
	s := boardtest.Open(t, h.board(), 80, 24, false)
	s.Press("space", "down", "space", "p", "y")
	is.Equal(len(h.ran), 1)
	is.True(strings.Contains(s.Text(), "it failed: exit status 1"))
	is.True(strings.Contains(s.Text(), "relay refused"))
}

func TestWatch_SaysWhatToTypeWithoutRelay(t *testing.T) {
	is := is.New(t)
	h := busy(t)
	h.installed = false
	s := boardtest.Open(t, h.board(), 80, 24, false)
	s.Press("space", "down", "space", "p", "y")
	is.Equal(len(h.ran), 0)
	is.True(strings.Contains(s.Text(), "relay is neither beside exchange nor on PATH"))
	is.True(strings.Contains(s.Text(), "  relay planner "+bob+" \\\n    --session "+ann+"\n")) // still there to be typed
}

func TestWatch_HandsNothingOddToRelay(t *testing.T) {
	is := is.New(t)
	h := busy(t)
	h.open(24, "--config=x", "odd", pier, "idle")
	s := boardtest.Open(t, h.board(), 80, 24, false)
	s.Press("down", "down", "down", "space", "up", "space", "p")
	is.True(strings.Contains(s.Text(), "is no id that relay takes"))
}

func TestWatch_ShowsTheLogOfALink(t *testing.T) {
	is := is.New(t)
	h := busy(t)
	s := boardtest.Open(t, h.board(), 80, 24, false)
	s.Press("l")
	is.True(strings.Contains(s.Text(), "ann has no link, so there is no log"))
	self, err := h.shared.Relay.Speak(ann, "")
	h.must(nil, err)
	h.must(h.shared.Relay.Pair(self, relay.Planner, bob, relay.Terms{}))
	s.Refresh()
	s.Press("l")
	is.Equal(h.ran, []string{"log --session " + ann})
	is.True(strings.Contains(s.Text(), "── relay log --session "+ann))
	is.True(strings.Contains(s.Text(), "said of log\n")) // without what a terminal obeys
	s.Press("esc", "enter")
	boardtest.Golden(t, "watch_details", s.Text())
}

func TestWatch_TurnsToTheNextRoot(t *testing.T) {
	is := is.New(t)
	s := boardtest.Open(t, busy(t).board(), 80, 24, false)
	is.True(strings.Contains(s.Text(), "pier  root 1 of 2"))
	s.Press("tab")
	is.True(strings.Contains(s.Text(), "mole  root 2 of 2"))
	is.True(strings.Contains(s.Text(), "nobody claims anything"))
	s.Press("tab")
	is.True(strings.Contains(s.Text(), "pier  root 1 of 2"))
}

func TestWatch_KeepsTheSessionsItCouldNotLookForAgain(t *testing.T) {
	is := is.New(t)
	h := busy(t)
	s := boardtest.Open(t, h.board(), 80, 24, false)
	s.Press("down")
	h.registry.Block(errors.New("no such disk"))
	s.Refresh()
	is.True(strings.Contains(s.Text(), "stale, of 12:30:00Z: the session registry could not be read: no such disk"))
	is.True(strings.Contains(s.Text(), "›   bob"))
	h.registry.Block(nil)
	h.registry.Drop(bob + ".json")
	s.Refresh()
	is.True(!strings.Contains(s.Text(), "stale"))
	is.True(strings.Contains(s.Text(), "›   ann")) // whoever is gone is chosen no more
}

func TestWatch_TheThirdMarkTakesThePlaceOfTheFirst(t *testing.T) {
	is := is.New(t)
	b := busy(t).board()
	s := boardtest.Open(t, b, 80, 24, false)
	s.Press("space", "down", "space", "down", "space")
	is.Equal(b.marked, []string{bob, cora})
	s.Press("space")
	is.Equal(b.marked, []string{bob})
}

func TestWatch_OncePrintsPlainText(t *testing.T) {
	is := is.New(t)
	root := rooted(t)
	out, code := exchangeIn(root, "watch", "--once")
	is.Equal(code, 0)
	is.True(strings.HasPrefix(out, "exchange watch  "))
	is.True(strings.Contains(out, "nobody claims anything"))
	piped, code := exchangeIn(root, "watch") // a standard output that is no terminal
	is.Equal(code, 0)
	is.Equal(piped, out)
}

func TestWatch_WithoutARootIsAProblem(t *testing.T) {
	is := is.New(t)
	rooted(t)
	for _, flag := range []string{"--once", "--json"} {
		out, code := exchangeIn(t.TempDir(), "watch", flag)
		is.Equal(code, 1)
		is.True(strings.Contains(out, "no environment root here"))
	}
}

func TestWatch_Document(t *testing.T) {
	is := is.New(t)
	out, code := exchangeIn(rooted(t), "watch", "--json")
	is.Equal(code, 0)
	is.True(strings.HasPrefix(out, "{\n  \"sessions\": [],\n  \"registry\": {\n    \"unread\": 0,"))
}

func TestWatch_WrongUsage(t *testing.T) {
	is := is.New(t)
	root := rooted(t)
	for _, args := range [][]string{{"--interval", "1ms"}, {"--once", "--json"}, {"x"}} {
		_, code := exchangeIn(root, slices.Concat([]string{"watch"}, args)...)
		is.Equal(code, 2)
	}
}
