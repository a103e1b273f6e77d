package exchange_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/session"
)

const wakeFile = root + "/.claude/exchange/wake/" + myID

// waking is a scene whose root wakes and whose own session has started.
func waking(t *testing.T) *scene {
	t.Helper()
	s := newScene(t)
	s.mark(`{"name": "harbour", "deliver": "wake"}`)
	s.env["CLAUDE_CODE_SESSION_ID"], s.env["CLAUDE_CODE_ENTRYPOINT"] = myID, "cli"
	s.start("startup")
	return s
}

func (s *scene) rings(change string) exchange.Reply {
	return s.reply(session.Event{Name: session.FileChanged, FilePath: wakeFile, Change: change})
}

func TestStart_WatchesItsWakeFile(t *testing.T) {
	tests := []struct {
		name   string
		change func(s *scene)
		want   []string
	}{
		{"interactive", func(*scene) {}, []string{wakeFile}},
		{"another deliver", func(s *scene) { s.mark(`{"name": "harbour"}`) }, nil},
		{"another session's process", func(s *scene) { s.env["CLAUDE_CODE_SESSION_ID"] = "other" }, nil},
		{"a scripted run", func(s *scene) { s.env["CLAUDE_CODE_ENTRYPOINT"] = "sdk-cli" }, nil},
		{"no client", func(s *scene) { clear(s.env) }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := waking(t)
			tt.change(s)
			is.Equal(s.reply(session.Event{Name: session.SessionStart, Source: "resume"}).Watch, tt.want)
		})
	}
}

func TestStart_SaysThatNothingCanWakeIt(t *testing.T) {
	is := is.New(t)
	s := waking(t)
	s.store.noteFault = errDisk
	r := s.reply(session.Event{Name: session.SessionStart, Source: "resume"})
	is.Equal(r.Watch, nil)
	is.True(has(r.Lines, mark, "cannot be woken", errDisk.Error()))
}

// A file that lies there when the watch begins raises nothing.
func TestStart_TakesAWakeFileThatLiesThere(t *testing.T) {
	is := is.New(t)
	s := waking(t)
	s.arrives("m", toDock)
	s.store.woken[myID] = true
	is.True(has(s.start("resume"), "- m (open)"))
	is.Equal(len(s.store.woken), 0)
}

func TestWake_TurnsNewHandoffsIntoATurnOnce(t *testing.T) {
	is := is.New(t)
	s := waking(t)
	s.arrives("m", toDock)
	s.store.woken[myID] = true
	r := s.rings("add")
	is.True(strings.HasPrefix(r.Wake, mark+"1 new handoff(s) for this session"))
	is.True(strings.Contains(r.Wake, "\n- m (open) from ferry, to dock: body of m"))
	is.Equal(r.Lines, nil)
	is.Equal(s.store.seen[myID]["m"].How, exchange.ShownByWaking)
	is.Equal(s.rings("add").Wake, "") // the file is gone
	is.Equal(s.prompt(), nil)         // the wake's own prompt
	s.store.woken[myID] = true
	is.Equal(s.rings("change").Wake, "") // nothing is left
	is.Equal(len(s.store.woken), 0)
}

// A wake-up shows handoffs alone: what else is new meanwhile is the next prompt's.
func TestWake_LeavesTheRestToTheNextPrompt(t *testing.T) {
	is := is.New(t)
	s := waking(t)
	s.arrives("m", toDock)
	s.store.claimProblems = []string{"x.json is invalid"}
	s.store.sight.Sessions = s.now
	s.store.woken[myID] = true
	s.now = s.now.Add(time.Minute) // the client was slow
	is.True(s.rings("add").Wake != "")
	is.True(has(s.prompt(), "x.json is invalid"))
	is.Equal(s.prompt(), nil)
}

func TestWake_NotOurFile(t *testing.T) {
	tests := []struct {
		name   string
		change func(s *scene, e *session.Event)
	}{
		{"it is gone", func(_ *scene, e *session.Event) { e.Change = "unlink" }},
		{"another path", func(_ *scene, e *session.Event) { e.FilePath = "/elsewhere/wake/" + myID }},
		{"another session's", func(_ *scene, e *session.Event) { e.FilePath = root + "/.claude/exchange/wake/other" }},
		{"a scripted run", func(s *scene, _ *session.Event) { s.env["CLAUDE_CODE_ENTRYPOINT"] = "sdk-cli" }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := waking(t)
			s.arrives("m", toDock)
			s.store.woken[myID] = true
			e := session.Event{Name: session.FileChanged, FilePath: wakeFile, Change: "add"}
			tt.change(s, &e)
			r := s.reply(e)
			is.Equal(r.Wake, "")
			is.Equal(r.Lines, nil)
			is.True(s.store.woken[myID])
			is.True(has(s.prompt(), "- m (open)"))
		})
	}
}

func TestWake_TheRootWakesNoMore(t *testing.T) {
	is := is.New(t)
	s := waking(t)
	s.mark(`{"name": "harbour"}`)
	s.arrives("m", toDock)
	s.store.woken[myID] = true
	is.Equal(s.rings("add").Wake, "")
	is.Equal(len(s.store.woken), 0)
	is.True(has(s.prompt(), "- m (open)"))
}

func TestWake_TextThatWasNotTakenIsNewAgain(t *testing.T) {
	is := is.New(t)
	s := waking(t)
	s.arrives("m", toDock)
	s.store.woken[myID] = true
	is.True(exchange.Hook{World: s.world()}.HandedOver(s.rings("add"), false) != nil)
	is.True(has(s.prompt(), "- m (open)"))
}

// whoWakes posts for dock with --wake and returns who was asked.
func whoWakes(t *testing.T, s *scene, to exchange.PostRequest) (exchange.PostReport, []string) {
	t.Helper()
	to.Cwd, to.Body, to.Wake = root+"/dock", "x", true
	r, err := exchange.Mail{World: s.world()}.Post(to)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for id := range s.store.woken {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return r, ids
}

func TestPost_WakesWhoeverItIsFor(t *testing.T) {
	is := is.New(t)
	s := waking(t)
	s.peer("by-claim", "anna", "notes")
	s.claim(exchange.Claim{SessionID: "by-claim", Repos: []string{"dock"}})
	s.peer("by-cwd", "berta", "dock")
	s.claim(exchange.Claim{SessionID: "by-cwd", Cwd: root + "/dock"})
	s.peer("no-claim", "carla", "dock")
	s.peer("elsewhere", "dora", "cranes")
	s.claim(exchange.Claim{SessionID: "elsewhere", Cwd: root + "/cranes"})
	s.claim(exchange.Claim{SessionID: "gone", Repos: []string{"dock"}})
	s.peer("old-name", "erna", "notes")
	s.claim(exchange.Claim{SessionID: "new-name", Was: []string{"old-name"}, Repos: []string{"dock"}})
	r, ids := whoWakes(t, s, exchange.PostRequest{Repo: "dock"})
	is.Equal(ids, []string{"by-claim", "by-cwd", "new-name", "no-claim"})
	is.True(has(r.Lines(), "wake      4 session(s) asked to wake"))
}

func TestPost_WakesASessionUnderItsPresentId(t *testing.T) {
	is := is.New(t)
	s := waking(t)
	s.peer("now", "anna", "notes")
	s.claim(exchange.Claim{SessionID: "now", Was: []string{"before"}})
	_, ids := whoWakes(t, s, exchange.PostRequest{Session: "before"})
	is.Equal(ids, []string{"now"})
}

func TestPost_WakeWhereTheRootDoesNot(t *testing.T) {
	for _, deliver := range []string{"start", "prompt"} {
		is := is.New(t)
		s := waking(t)
		s.mark(`{"name": "harbour", "deliver": "` + deliver + `"}`)
		s.peer("other", "anna", "dock")
		r, ids := whoWakes(t, s, exchange.PostRequest{Repo: "dock"})
		is.Equal(len(ids), 0)
		is.Equal(len(r.Problems), 0)
		is.True(has(r.Lines(), "note      this root does not wake", deliver, exchange.MarkerPath(root)))
		is.Equal(len(s.store.shelf), 1)
	}
}

func TestPost_WithoutWakeAsksNobody(t *testing.T) {
	is := is.New(t)
	s := waking(t)
	s.peer("other", "anna", "dock")
	r, err := exchange.Mail{World: s.world()}.Post(exchange.PostRequest{Cwd: root, Repo: "dock", Body: "x"})
	is.NoErr(err)
	is.Equal(len(s.store.woken), 0)
	is.True(!has(r.Lines(), "wake"))
}

func TestPost_WakeThatCannotBeAsked(t *testing.T) {
	is := is.New(t)
	s := waking(t)
	s.peer("other", "anna", "dock")
	s.store.noteFault = errDisk
	r, _ := whoWakes(t, s, exchange.PostRequest{Repo: "dock"})
	is.True(has(r.Lines(), "wake      0 session(s) asked to wake"))
	is.True(has(r.Lines(), "note      other could not be asked to wake", errDisk.Error()))
	is.Equal(len(r.Problems), 0) // it is written, and waits
}
