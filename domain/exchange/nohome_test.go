package exchange_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/session"
)

// homeless is a scene in which nobody knows the home directory.
func homeless(t *testing.T) (*scene, exchange.World) {
	t.Helper()
	s := newScene(t)
	s.rows, s.rowsFault = nil, port.ErrNoHome
	w := s.world()
	w.Env.Home = ""
	return s, w
}

func TestNoHome_ATildeIsNoDirectory(t *testing.T) {
	for _, override := range []string{"~", "~/w"} {
		is := is.New(t)
		s, w := homeless(t)
		s.env[exchange.RootVariable] = override
		s.files.dir("/w") // what a path from nowhere would lead to
		lines := exchange.Hook{World: w}.Answer(session.Event{Name: session.SessionStart, SessionID: myID}, root, false, 8000).Lines
		is.Equal(len(lines), 1)
		is.True(has(lines, exchange.RootVariable, override, "home directory not known"))
		is.Equal(len(s.store.log), 0)
		_, err := exchange.Viewer{World: w}.Show("~")
		is.True(err != nil)
	}
}

func TestNoHome_NobodyReadsTheClientsFiles(t *testing.T) {
	is := is.New(t)
	s, w := homeless(t)
	for _, place := range []string{".claude", "/.claude"} {
		s.wired[place+"/settings.json"] = exchange.Settings{Texts: []string{"session-exchange-a.sh"}}
	}
	s.wired[root+"/.claude/settings.local.json"] = exchange.Settings{Texts: []string{"session-exchange-b.sh"}}
	report := exchange.Doctor{World: w}.Examine(root)
	is.True(has(report.Lines(), "legacy    0 script(s) on disk, 1 wiring(s)")) // the root's own is seen
	n := 0
	for _, problem := range report.Problems() {
		if strings.Contains(problem, "settings and hooks") && strings.Contains(problem, "home directory not known") {
			n++
		}
	}
	is.Equal(n, 1)
	lines := exchange.Hook{World: w}.Answer(session.Event{Name: session.SessionStart, SessionID: myID}, root, false, 8000).Lines
	is.True(has(lines, "session registry", "home directory not known"))
	is.True(has(lines, "settings and hooks", "home directory not known"))
}

func TestNoHome_NoDirectoryCountsAsHome(t *testing.T) {
	is := is.New(t)
	s := yard(t)
	s.files.symlink("/.", "/w") // where resolving nothing leads
	w := s.world()
	w.Env.Home = ""
	report := exchange.Founder{World: w}.Init(exchange.InitRequest{Cwd: "/w"})
	is.True(has(report.Lines, "Marked /w/"))
	report = exchange.Founder{World: w}.Init(exchange.InitRequest{Cwd: "/w", Dir: "~/x"})
	is.True(report.Refused)
	is.True(has(report.Lines, "problem: ", "home directory not known"))
}

func TestNoHome_PostSaysThatNobodyKnowsTheSender(t *testing.T) {
	is := is.New(t)
	s, w := homeless(t)
	report, err := exchange.Mail{World: w}.Post(exchange.PostRequest{Cwd: root, Session: "crane-1", Body: "x"})
	is.NoErr(err)
	is.Equal(len(report.Notes), 1)
	is.True(has(report.Lines(), "note      ", "registry could not be read", "only the working directory"))
	is.Equal(len(s.store.shelf), 1)
}
