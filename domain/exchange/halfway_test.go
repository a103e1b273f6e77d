package exchange_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/session"
)

func TestMove_OfWhatWasArchivedMeanwhile(t *testing.T) {
	is := is.New(t)
	s := shelved(t, closed)
	s.store.putFault = exchange.ErrArchived
	_, err := move(s, exchange.Accepted, "")
	is.True(err != nil)
	is.True(has([]string{err.Error()}, letter, "archived meanwhile", "exchange handoff restore "+letter+" --apply"))
}

func TestTidy_AHandoffThatIsMovedMeanwhileStays(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.store.file(exchange.Handoff{ID: "old", To: toDock, Body: "b"}, exchange.Move{At: noon.AddDate(0, 0, -30), Status: exchange.Closed})
	s.store.archiveFault = exchange.ErrMoved
	report, err := exchange.Archivist{World: s.world()}.Tidy(root, true)
	is.NoErr(err)
	is.Equal(len(report.Problems)+len(report.IDs), 0) // exit 0
	is.True(has(report.Lines(), "note      old: ", "moved meanwhile"))
	posted, err := post(s, exchange.PostRequest{Repo: "dock", Body: "x"})
	is.NoErr(err)
	is.True(!has(posted.Lines(), "old")) // without a word
}

// A run was killed while it archived what somebody moved at the same time.
func TestTidy_BringsBackWhatIsHalfArchivedAndNotOver(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	for id, status := range map[string]exchange.Status{"done": exchange.Closed, "taken": exchange.Accepted} {
		s.store.archive[id+".json"] = exchange.NewFiled(id+".json", exchange.Handoff{ID: id, Created: noon},
			[]exchange.Move{{At: noon, Status: status}}, nil)
	}
	s.store.half = []string{"done", "taken"}
	archivist := exchange.Archivist{World: s.world()}
	report, err := archivist.Tidy(root, false)
	is.NoErr(err)
	is.Equal(len(s.store.log), 0)
	want := []string{
		"archive   done",
		"restore   taken: it is half in the archive and not over",
		"dry run   nothing was moved; exchange tidy --apply moves 2 handoff(s)",
	}
	if diff := cmp.Diff(want, report.Lines()); diff != "" {
		t.Error(diff)
	}
	report, err = archivist.Tidy(root, true)
	is.NoErr(err)
	is.Equal(s.store.log, []string{"restore taken", "archive done"})
	is.Equal(report.Restored, []string{"taken"})
}

func TestPost_SaysThatTheOwnSessionsIDIsNone(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.rows[0].SessionID = "me/1"
	report, err := post(s, exchange.PostRequest{Repo: "dock", Body: "x"})
	is.NoErr(err)
	is.Equal(report.Handoff.From, exchange.Sender{Cwd: root + "/dock"})
	is.True(has(report.Lines(), "note      ", `"me/1"`, "only the working directory"))
}

func TestInit_RefusesADirectoryThatIsAnothers(t *testing.T) {
	is := is.New(t)
	s := yard(t)
	s.openFault = fmt.Errorf("x really is y: %w", exchange.ErrForeignStore)
	report := initialise(s, exchange.InitRequest{Cwd: "/w", Dir: "/w/team/area1"})
	is.True(report.Refused)
	is.True(has(report.Lines, "problem: ", "another root"))
	is.Equal(len(s.files.written), 0)
}

func TestInit_RefusesALinkThatLeadsOutside(t *testing.T) {
	is := is.New(t)
	s := yard(t)
	s.files.dir("/dotfiles", "/w/team/area2/real")
	s.files.symlink("/w/team/area1/.claude", "/dotfiles")
	s.files.symlink("/w/team/area2/.claude", "/w/team/area2/real")
	report := initialise(s, exchange.InitRequest{Cwd: "/w", Dir: "/w/team/area1"})
	is.True(report.Refused)
	is.True(has(report.Lines, "problem: ", "/w/team/area1/.claude", "/dotfiles", "nothing was written"))
	is.Equal(len(s.files.written), 0)
	report = initialise(s, exchange.InitRequest{Cwd: "/w", Dir: "/w/team/area2"})
	is.True(!report.Refused) // it stays inside
}

func TestShowHandoff_ABodySplitsAtEveryLineEnd(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.store.file(exchange.Handoff{
		ID: "h", From: exchange.Sender{Cwd: "/c"}, To: toDock, Created: noon,
		Body: "a\r\nb\rc\vd\fe\x1cf\x1dg\x1eh\u0085i\u2028j\u2029k\n\nl",
	})
	report, err := exchange.Reader{World: s.world()}.Show(root, "h")
	is.NoErr(err)
	lines := report.Lines()
	is.Equal(lines[lineOf(lines, "  body")+1:], []string{
		"    a", "    b", "    c", "    d", "    e", "    f", "    g", "    h", "    i", "    j", "    k", "    ", "    l",
	})
}

func TestParse_CountsWhatIsCutOfANumber(t *testing.T) {
	is := is.New(t)
	_, err := exchange.ParseMove("f.json", []byte(`{"at":"2026-03-01T10:00:00Z","status":"open","after":`+strings.Repeat("1", 100)+`}`))
	is.True(strings.Contains(err.Error(), strings.Repeat("1", 80)+" +20 more chars"))
}

func TestStart_ManyRowsAreCountedWhereTheyDoNotFit(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	for i := range 900 {
		s.join(session.Row{SessionID: fmt.Sprintf("p-%03d", i), PID: 2000 + i, Cwd: root})
		s.claim(exchange.Claim{SessionID: fmt.Sprintf("p-%03d", i), Focus: strings.Repeat("f", 100)})
	}
	lines := s.start("startup")
	shown := 0
	for _, line := range lines {
		if strings.HasPrefix(line, "- p-") {
			shown++
		}
	}
	is.True(shown > 20)
	is.True(has(lines, fmt.Sprintf("%d session(s) and 0 handoff(s) more than fit here", 900-shown)))
	is.True(has(lines, "- p-000: ")) // the last ones went
}
