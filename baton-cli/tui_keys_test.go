package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/agentproc"
	"github.com/changeover/changeover/adapters/board/boardtest"
	"github.com/changeover/changeover/adapters/clock"
	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/adapters/entropy"
	"github.com/changeover/changeover/adapters/environ"
	"github.com/changeover/changeover/adapters/flock"
	"github.com/changeover/changeover/adapters/gitcli"
	"github.com/changeover/changeover/adapters/graphemes"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/adapters/proc"
	"github.com/changeover/changeover/domain/baton"
)

// shown is the dashboard of a scene on a screen.
type shown struct {
	*boardtest.Screen
	board *sessionBoard
}

// dashboard shows the dashboard of the scene.
func (s *scene) dashboard(place baton.Place) shown {
	s.t.Helper()
	runner := agentproc.New("")
	world := newWorld(clock.New(), entropy.New(), osfs.New(), flock.Locker{}, gitcli.New(), runner, runner, agentproc.NewForeground(),
		proc.New(), environ.New(), graphemes.NewCutter(), newSink(cobracli.Streams{Out: io.Discard, Err: io.Discard}))
	b := newSessionBoard(baton.NewDashboard(world), place, time.UTC, graphemes.NewCutter())
	screen := boardtest.Open(s.t, b, 100, 60, false)
	b.agents.running.Wait()
	s.t.Cleanup(b.agents.running.Wait)
	return shown{screen, b}
}

// shows fails the test where a text is not on the screen.
func (s shown) shows(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(s.Text(), text) {
			t.Errorf("%q is not shown:\n%s", text, s.Text())
		}
	}
}

func TestTUI_QuitsAndHelps(t *testing.T) {
	is := is.New(t)
	for _, key := range []string{"q", "ctrl+c"} {
		d := newScene(t).dashboard(baton.Place{})
		d.Press("x")
		is.True(!d.Ended) // a key that means nothing
		d.Press(key)
		is.True(d.Ended)
	}
	d := newScene(t).dashboard(baton.Place{})
	d.Press("?")
	d.shows(t, "refresh, and look again", "next project", "next diet", "write a handoff without starting an agent", "read the budgets again",
		"show what execute would do", "scroll", "quit")
}

func TestTUI_RefreshesByItself(t *testing.T) {
	s := newScene(t)
	d := s.dashboard(baton.Place{})
	d.shows(t, "There is no session here; 'baton init' makes one.")
	s.must("init", "--gitignore")
	d.Refresh()
	d.shows(t, "status  initialized", "?? .gitignore")
	s.write(".ai-session/commands.log", "[agent] one\n")
	d.Refresh()
	d.shows(t, "[agent] one")
}

// Whether an agent is there is looked at when the dashboard begins and by r alone.
func TestTUI_LooksForTheAgentsOnR(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	calls := filepath.Join(s.home, "calls")
	s.client("codex", "echo \"$@\" >> "+calls+"; echo codex-cli 1.2.3\n")
	d := s.dashboard(baton.Place{})
	d.Refresh()
	d.shows(t, "codex  codex-cli 1.2.3")
	for range 3 {
		d.Refresh()
	}
	data, err := os.ReadFile(calls)
	is.NoErr(err)
	is.Equal(string(data), "--version\n")
	is.NoErr(os.Remove(filepath.Join(s.home, "bin", "codex")))
	d.Press("r")
	d.board.agents.running.Wait()
	d.Refresh()
	d.shows(t, "codex  missing")
}

func TestTUI_NextProject(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	d := s.dashboard(baton.Place{})
	d.Press("p")
	d.shows(t, "there is no other project")

	other := filepath.Join(filepath.Dir(s.dir), "other")
	is.NoErr(os.Mkdir(other, 0o755))
	git(t, other, "init", "-q")
	s.must("project", "add", other)
	s.must("init", "--project", "other")
	s.must("project", "remove", "other")
	s.must("project", "add", other, "--name", "Second")
	registry := s.read("../home/.relay-baton/projects.json")

	d = s.dashboard(baton.Place{Path: s.dir})
	d.shows(t, "▸ (not registered)", "no session")
	d.Press("p")
	d.shows(t, "▸ Second", "status  initialized")
	d.Press("p")
	d.shows(t, "▸ (not registered)", "no session")
	is.Equal(s.read("../home/.relay-baton/projects.json"), registry) // nothing was switched

	is.NoErr(os.RemoveAll(other))
	d.Press("p")
	d.shows(t, "could not be read: ", "'baton project remove second' forgets it", "▸ Second")
	d.Press("p")
	d.shows(t, "no session")
}

func TestTUI_DietIsForTheHandoffAlone(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.must("init", "--gitignore")
	before := s.files()
	d := s.dashboard(baton.Place{})
	d.shows(t, "balanced  the session's")
	d.Press("d")
	d.shows(t, "caveman  for h", "diet for the next h: caveman")
	d.Press("d", "d")
	d.shows(t, "off  for h", "profile  balanced")
	is.Equal(cmp.Diff(before, s.files()), "")
	d.Press("d", "d", "d", "h")
	d.shows(t, "of 25000 chars")
	is.Equal(s.session()["tokenDietProfile"], "balanced")
}

func TestTUI_WritesAHandoff(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.client("codex", "exit 1\n")
	s.client("claude", "touch started; exit 1\n")
	s.must("init", "--gitignore")
	d := s.dashboard(baton.Place{})
	is.NoErr(os.RemoveAll(s.at("started"))) // by the question for its version
	d.Press("h")
	d.shows(t, "handoff for claude written: .ai-session/handoff.md", "status  handoff_ready", "written  1")
	d.Press("h")
	d.shows(t, "written  2", "kept  2")
	is.Equal(s.session()["handoffCount"], float64(2))
	is.True(s.session()["lastHandoffAt"] != nil) // the gates passed
	is.True(!s.has("started"))

	s.write(".ai-session/task.md", "use ghp_"+strings.Repeat("aB3dE5fG7hJ9", 3)+"\n")
	d.Press("h")
	d.shows(t, "handoff for claude written", "the handoff does not pass its gate:", "- secrets: handoff.md:")
	d.Press("esc")
	d.shows(t, "written  3", "last error  the handoff did not pass its gate")
}

func TestTUI_WritesNoHandoffWhileTheSessionIsInUse(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.must("init", "--gitignore")
	s.write(".ai-session/session.json", `{"id":"1","status":"running"}`)
	s.write(".ai-session/.lock", fmt.Sprintf(`{"pid":%d,"command":"run","startedAt":"2026-05-28T09:00:00.000Z"}`, os.Getpid()))
	lock, err := flock.Locker{}.TryLock(s.at(".ai-session/.lock"), 0o600)
	is.NoErr(err)
	before := s.files()
	d := s.dashboard(baton.Place{})
	d.shows(t, "status  running\n")
	d.Press("h")
	d.shows(t, "no handoff was written: the session is in use by 'baton run'")
	is.Equal(cmp.Diff(before, s.files()), "")
	is.NoErr(lock.Release())
}

func TestTUI_ReadsTheBudgetsAgain(t *testing.T) {
	s := newScene(t)
	s.must("init", "--gitignore")
	d := s.dashboard(baton.Place{})
	d.shows(t, "plan  0/30000")
	s.configure(map[string]any{"planExecute": map[string]any{"maxPlanChars": 1000}})
	s.write(".ai-session/plan.md", goodPlan)
	d.Press("b")
	d.shows(t, fmt.Sprintf("plan  %d/1000", len([]rune(goodPlan))), "the budgets were read again")
}

func TestTUI_ShowsWhatExecuteWouldDo(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.client("codex", "touch started\n")
	s.must("init", "--gitignore")
	d := s.dashboard(baton.Place{})
	is.NoErr(os.RemoveAll(s.at("started")))
	before := s.files()
	d.Press("e")
	d.shows(t, "It would be refused, with exit code 2:", "there is no plan .ai-session/plan.md")
	d.Press("e")
	d.shows(t, "status  initialized")

	s.write(".ai-session/plan.md", goodPlan)
	d.Press("e")
	d.shows(t, "What 'baton execute' would do now (nothing is done)", "plan  .ai-session/plan.md, 3 steps",
		"starts  codex: codex exec --sandbox workspace-write --json <prompt ", "at a limit  claude goes on")
	d.Press("h", "d") // means nothing here
	d.shows(t, "starts  codex")
	d.Press("esc")
	d.shows(t, "status  initialized")
	is.NoErr(os.Remove(s.at(".ai-session/plan.md")))
	is.Equal(cmp.Diff(before, s.files()), "")
	is.True(!s.has("started"))
}

func TestTUI_Resizes(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.must("init", "--gitignore")
	d := s.dashboard(baton.Place{})
	for width := 20; width < 200; width++ {
		d.Resize(width, 24)
		lines := strings.Split(d.Raw(), "\n")
		is.Equal(len(lines), 24)
		is.True(strings.HasSuffix(strings.TrimRight(lines[23], " "), "? help · q quit")) // whatever else is cut
	}
	d.Resize(80, 24)
	d.Press("pgdown")
	d.shows(t, "── Agents")
}

// Only h writes.
func TestTUI_ReadsOnly(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.must("init", "--gitignore")
	s.write(".ai-session/session.json", `{"id":"1","status":"running"}`) // stale
	before := s.files()
	d := s.dashboard(baton.Place{})
	d.Press("r", "p", "d", "b", "e", "esc", "?", "?", "x", "down", "up")
	is.Equal(cmp.Diff(before, s.files()), "")
	d.shows(t, "running (stale)")
}
