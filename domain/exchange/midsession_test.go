package exchange_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/session"
)

// reply answers an event of the own session.
func (s *scene) reply(e session.Event) exchange.Reply {
	e.SessionID = myID
	return exchange.Hook{World: s.world()}.Answer(e, root+"/dock", true, 8000)
}

func (s *scene) prompt() []string {
	return s.reply(session.Event{Name: session.UserPromptSubmit}).Lines
}

func (s *scene) stop() []string { return s.reply(session.Event{Name: session.Stop}).Lines }

// arrives posts a handoff some minutes later.
func (s *scene) arrives(id string, to exchange.Address) {
	s.now = s.now.Add(5 * time.Minute)
	s.store.file(exchange.Handoff{
		ID: id, From: exchange.Sender{Name: "ferry", Cwd: root + "/ferry"}, To: to, Created: s.now, Body: "body of " + id,
	})
	s.store.sight.Handoffs = s.now
}

// started is a scene whose own session has started.
func started(t *testing.T) *scene {
	t.Helper()
	s := newScene(t)
	s.start("startup")
	s.now = s.now.Add(time.Minute)
	return s
}

func TestPrompt_ShowsWhatIsNewOnce(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.handoff("old", 1, toDock)
	s.start("startup")
	s.arrives("first", toDock)
	s.arrives("second", exchange.Address{SessionID: myID})
	s.arrives("other", exchange.Address{Repo: "cranes"})

	want := []string{
		mark + "2 new handoff(s) for this session, newest first; `exchange handoff show <id>` gives the whole text, `exchange handoff accept <id>` takes it on",
		"- second (open) from ferry, to session me-1: body of second",
		"- first (open) from ferry, to dock: body of first",
	}
	if diff := cmp.Diff(want, s.prompt()); diff != "" {
		t.Error(diff)
	}
	is.Equal(s.prompt(), nil)
	is.True(has(s.start("resume"), "3 handoff(s) for this session"))
	is.Equal(s.prompt(), nil)

	want2 := map[string]exchange.Receipt{
		"old":    {At: noon, How: exchange.ShownAtStart, Name: "me"},
		"first":  {At: noon.Add(15 * time.Minute), How: exchange.ShownAtPrompt, Name: "me"},
		"second": {At: noon.Add(15 * time.Minute), How: exchange.ShownAtPrompt, Name: "me"},
	}
	if diff := cmp.Diff(want2, s.store.seen[myID]); diff != "" {
		t.Error(diff)
	}
}

func TestPrompt_ClosedOrOwnIsNotNew(t *testing.T) {
	is := is.New(t)
	s := started(t)
	s.store.file(exchange.Handoff{ID: "mine", From: exchange.Sender{SessionID: myID, Cwd: root}, To: toDock, Created: s.now, Body: "x"})
	s.store.file(exchange.Handoff{ID: "over", From: exchange.Sender{Cwd: root}, To: toDock, Created: s.now, Body: "x"}, closed)
	is.Equal(s.prompt(), nil)
	is.Equal(s.stop(), nil)
}

func TestPrompt_ReceiptsOfEarlierIdsCount(t *testing.T) {
	is := is.New(t)
	s := started(t)
	s.claim(exchange.Claim{SessionID: myID, Was: []string{"..", "before"}})
	s.arrives("seen", exchange.Address{SessionID: "before"})
	s.arrives("new", exchange.Address{SessionID: "before"})
	s.store.seen["before"] = map[string]exchange.Receipt{"seen": {At: noon, How: exchange.ShownAtStart}}
	lines := s.prompt()
	is.True(has(lines, "1 new handoff(s)"))
	is.True(has(lines, "- new (open)"))
}

// What a limit cuts has no receipt, and comes with the next prompts.
func TestPrompt_WhatIsCutIsShownLater(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.mark(`{"name": "harbour", "max_handoffs_listed": 2}`)
	s.start("startup")
	for i := range 5 {
		s.arrives(fmt.Sprint("m", i), toDock)
	}
	s.now = s.now.Add(time.Minute) // a look now would cover it all
	lines := s.prompt()
	is.True(has(lines, "5 new handoff(s)"))
	is.True(has(lines, "- m4 "))
	is.True(has(lines, "- m3 "))
	is.Equal(lines[3], "  +3 older not shown: the next prompt shows more")
	is.Equal(len(s.store.seen[myID]), 2)
	lines = s.prompt()
	is.True(has(lines, "3 new handoff(s)"))
	is.True(has(lines, "- m2 "))
	lines = s.prompt()
	is.True(has(lines, "1 new handoff(s)"))
	is.True(has(lines, "- m0 "))
	is.Equal(len(lines), 2)
	is.Equal(s.prompt(), nil)
}

func TestPrompt_WhatTheBudgetCutsIsShownLater(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.mark(`{"name": "harbour", "max_handoffs_listed": 99, "max_focus_chars": 900}`)
	s.start("startup")
	for i := range 20 {
		id := fmt.Sprintf("m%02d", i)
		s.arrives(id, toDock)
		f := s.store.shelf[id+".json"]
		f.Body = strings.Repeat("x", 800)
		s.store.shelf[id+".json"] = f
	}
	shown := map[string]int{}
	for range 10 {
		lines := s.prompt()
		is.True(len(strings.Join(lines, "\n")) <= 8000)
		for _, line := range lines {
			if id, ok := strings.CutPrefix(line, "- "); ok {
				shown[id[:3]]++
			}
		}
		is.Equal(len(s.store.seen[myID]), len(shown)) // what has a receipt was shown
	}
	is.Equal(len(shown), 20)
	for id, n := range shown {
		if n != 1 {
			t.Errorf("%s was shown %d times", id, n)
		}
	}
}

func TestStart_WhatTheStartCutsComesWithThePrompts(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.mark(`{"name": "harbour", "max_handoffs_listed": 2}`)
	s.store.sight.Sessions = s.now.Add(-time.Minute)
	for i := range 3 {
		s.handoff(fmt.Sprint("m", i), i, toDock)
	}
	is.True(has(s.start("startup"), "+1 older not shown: raise max_handoffs_listed"))
	is.Equal(len(s.store.seen[myID]), 2)
	is.True(has(s.prompt(), "- m0 (open)"))
	is.Equal(s.prompt(), nil)
}

func TestPrompt_DeliverAtStartSaysNothing(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.mark(`{"name": "harbour", "deliver": "start"}`)
	s.start("startup")
	s.arrives("m", toDock)
	is.Equal(s.prompt(), nil)
	is.Equal(s.stop(), nil)
	is.Equal(len(s.store.seen[myID]), 0)
	is.True(has(s.start("resume"), "- m (open)"))
	s.mark(`{"name": "harbour"}`)
	s.arrives("n", toDock)
	is.True(has(s.prompt(), "- n (open)"))
}

func TestPrompt_JobsAndScriptedRunsAreToldNothing(t *testing.T) {
	for _, row := range []session.Row{{Kind: "bg"}, {Entrypoint: "sdk-cli"}} {
		is := is.New(t)
		s := alone(t)
		row.SessionID, row.PID = myID, myPID
		s.join(row)
		s.arrives("m", toDock)
		is.Equal(s.prompt(), nil)
		is.Equal(s.stop(), nil)
		is.Equal(len(s.store.seen), 0)
		is.Equal(len(s.store.looks), 0)
	}
}

func TestPrompt_ReceiptsThatCannotBeMadeAreSaid(t *testing.T) {
	is := is.New(t)
	s := started(t)
	s.arrives("m", toDock)
	s.store.noteFault = errDisk
	lines := s.prompt()
	is.Equal(len(lines), 1)
	is.True(has(lines, mark, "cannot be noted as shown", errDisk.Error(), "exchange handoff list"))
	is.Equal(s.stop(), nil)
	s.store.noteFault = nil
	is.True(has(s.prompt(), "- m (open)"))
}

func TestPrompt_ReceiptsThatCannotBeReadAreSaid(t *testing.T) {
	is := is.New(t)
	s := started(t)
	s.arrives("m", toDock)
	s.store.seenFault = errors.New("seen could not be read")
	lines := s.prompt()
	is.Equal(len(lines), 1)
	is.True(has(lines, mark, "seen could not be read"))
	is.Equal(s.stop(), nil)
	s.store.seenFault = nil
	is.True(has(s.prompt(), "- m (open)"))
}

func TestPrompt_SaysProblemsOnce(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.store.shelfProblems = []string{"h1 is invalid: a"}
	s.start("startup")
	s.arrives("m", toDock)
	is.True(!has(s.prompt(), "h1 is invalid")) // the start said it
	s.store.shelfProblems = append(s.store.shelfProblems, "h2 is invalid: b")
	s.store.sight.Handoffs = s.now
	is.Equal(s.prompt(), []string{mark + "h1 is invalid: a", mark + "h2 is invalid: b"})
	is.Equal(s.prompt(), nil)
	s.now = s.now.Add(time.Minute)
	s.store.sight.Handoffs = s.now
	is.Equal(s.prompt(), nil)
}

func TestPrompt_AnIdThatCannotBeADirectory(t *testing.T) {
	for _, id := range []string{".", ".."} {
		is := is.New(t)
		s := newScene(t)
		lines := exchange.Hook{World: s.world()}.Answer(session.Event{Name: session.UserPromptSubmit, SessionID: id}, root, true, 8000).Lines
		is.True(has(lines, mark, "nothing can be kept about a session"))
		is.Equal(len(s.store.seen)+len(s.store.looks), 0)
	}
}

// The rule at the end of section 15.1.
func TestPrompt_LooksOnlyWhereSomethingChanged(t *testing.T) {
	at := noon.Add(-time.Hour)
	tests := []struct {
		name   string
		change func(s *scene)
		looks  bool
	}{
		{"nothing changed", func(*scene) {}, false},
		{"a handoff came", func(s *scene) { s.store.sight.Handoffs = at.Add(time.Nanosecond) }, true},
		{"a claim changed", func(s *scene) { s.store.sight.Sessions = at.Add(time.Nanosecond) }, true},
		{"an older time", func(s *scene) { s.store.sight.Handoffs = at.Add(-time.Nanosecond) }, true},
		{"the look was too early", func(s *scene) {
			s.store.sight.Handoffs = s.now.Add(-2*time.Second + time.Nanosecond)
			s.prompt()
		}, true},
		{"the look was just late enough", func(s *scene) {
			s.store.sight.Handoffs = s.now.Add(-2 * time.Second)
			s.prompt()
		}, false},
		{"nothing is remembered", func(s *scene) { clear(s.store.looks) }, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := started(t)
			s.store.sight = exchange.Sight{Handoffs: at, Sessions: at}
			is.Equal(s.prompt(), nil)
			tt.change(s)
			// It is found by a look, and by nothing else: the times stay.
			s.handoff("m", 1, toDock)
			is.Equal(has(s.prompt(), "- m (open)"), tt.looks)
		})
	}
}

func TestPrompt_LooksWhereTheSessionWorksElsewhereNow(t *testing.T) {
	is := is.New(t)
	s := started(t)
	s.handoff("m", 1, exchange.Address{Repo: "cranes"})
	is.Equal(s.prompt(), nil)
	e := session.Event{Name: session.UserPromptSubmit, SessionID: myID}
	is.True(has(s.answer(e, root+"/cranes"), "- m (open)"))
}

func TestStop_TellsThePersonOnce(t *testing.T) {
	is := is.New(t)
	s := started(t)
	is.Equal(s.stop(), nil)
	s.arrives("m1", toDock)
	s.arrives("m2", toDock)
	is.Equal(s.stop(), []string{mark + "2 new handoff(s) for this session: the next prompt shows them to it"})
	is.Equal(s.stop(), nil)
	s.arrives("m3", toDock)
	is.True(has(s.stop(), "1 new handoff(s)"))
	is.Equal(len(s.store.seen[myID]), 0) // the model was shown none
	is.True(has(s.prompt(), "3 new handoff(s)"))
	is.Equal(s.stop(), nil)
}

// Text that nobody took was shown to nobody.
func TestHandedOver_WhatWasNotWrittenIsNewAgain(t *testing.T) {
	is := is.New(t)
	s := started(t)
	s.arrives("m", toDock)
	h := exchange.Hook{World: s.world()}
	e := session.Event{Name: session.UserPromptSubmit}
	r := s.reply(e)
	is.True(has(r.Lines, "- m (open)"))
	is.True(h.HandedOver(r, false) != nil)
	r = s.reply(e)
	is.True(has(r.Lines, "- m (open)"))
	is.NoErr(h.HandedOver(r, true))
	is.Equal(s.prompt(), nil)
}

// A file system that counts whole seconds makes a post in the midst of a slow look
// older than the look by the time that is written down.
func TestPrompt_ASlowLookCoversNothing(t *testing.T) {
	is := is.New(t)
	s := started(t)
	s.now = noon.Add(time.Hour + 900*time.Millisecond)
	s.store.sight.Handoffs = s.now.Truncate(time.Second)
	a := acts(s, time.Second)
	for range 3 { // it has read the handoffs
		a.goOn(true)
	}
	s.handoff("m", 1, toDock)
	s.now = s.now.Add(1100 * time.Millisecond)
	for !a.ended {
		a.goOn(true)
	}
	is.Equal(a.lines, nil)
	is.True(has(s.prompt(), "- m (open)"))
}
