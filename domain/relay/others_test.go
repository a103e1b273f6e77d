package relay_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/relay"
)

// hostileName is what somebody may call a session.
const hostileName = "bu\x1b[31mild\u202e\u009b2J\nbbbb9999  friend  /w" + "\x07"

// isPlain reports a line that a terminal shows as it stands.
func isPlain(line string) bool {
	return !strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) })
}

func TestNames_AreShownPlainAndShort(t *testing.T) {
	is := is.New(t)
	w := newWorld()
	p := pair{w, w.open(plannerID, "plan"), w.open(builderID, hostileName+strings.Repeat("x", 1<<20))}
	row := w.rows[builderID]
	row.Cwd = "/w/\x1b[2J\n" + strings.Repeat("y", 1<<20)
	w.rows[builderID] = row
	o := p.operator(nil)
	out := must(o.Pair(p.builder.speaker(), relay.Builder, plannerID, relay.Terms{}))(t)
	said := append(out.Lines(), p.planner.start(t, "startup").Lines...)
	said = append(said, o.Command(p.planner.speaker(), "status")...)
	said = append(said, must(o.Accept(p.planner.speaker(), "", relay.Terms{}))(t).Lines()...)
	listed := o.Command(p.planner.speaker(), "sessions")
	is.Equal(len(listed), 2) // a name makes no line of its own
	said = append(said, listed...)
	_, err := o.Pair(p.planner.speaker(), relay.Planner, builderID, relay.Terms{})
	said = append(said, o.Word(err, plannerID))
	status := must(o.Status(plannerID))(t)
	said = append(said, status.Lines()...)
	panel := status.Panel(must(o.Live("/w"))(t))
	said = append(said, panel.Lines...)
	for _, control := range (relay.Status{Session: plannerID}).Panel(must(o.Live("/w"))(t)).Controls {
		for _, option := range control.Options {
			said = append(said, option.Label)
		}
	}
	line, _ := status.Line()
	for _, line := range append(said, line) {
		is.True(isPlain(line))
		is.True(len(line) < 1000)
	}
}

func TestReasons_AreShownPlainAndShort(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("step 1"))
	p.builder.woken(t)
	box := relay.Box{From: relay.Planner, Seq: p.planner.state(t).Deliveries(relay.Planner)[1].Seq}
	is.NoErr(p.operator(nil).Dropped(builderID, box, "no\x1b[31m\u202e\n"+strings.Repeat("z", 1<<20)))
	lines := must(p.operator(nil).Status(builderID))(t).Lines()
	is.True(strings.Contains(lines[0], "paused"))
	for _, line := range lines {
		is.True(isPlain(line))
		is.True(len(line) < 1000)
	}
	look := must(p.operator(nil).Prompt(p.builder.input("", ""),
		`<cross-session-message from-name="a > b\u202e" x="`+"\x1b[31m\u202e"+`">`+"\n"+header+"x", "p9"))(t)
	is.True(look.Block)
	is.True(isPlain(look.Reason))
	is.True(strings.Contains(look.Reason, "a > b"))
}

// A store reads no file without end: what a client calls things must not make one.
func TestEvents_AreNeverTooLargeToBeRead(t *testing.T) {
	is := is.New(t)
	p := working(t)
	much := strings.Repeat("é", 3<<20)
	in := p.planner.input("", much)
	in.Cwd = much
	o := p.operator(nil)
	must(o.Stop(in, relay.Turn{Prompt: much, Message: block("step 1")}))(t)
	must(o.Ended(plannerID, relay.TurnEnd{Reason: "answer", Turn: much, Answer: "more"}))(t)
	must(o.Prompt(p.builder.input("", ""), wake(deliveryPrefix, p.builder.woken(t)), much))(t)
	must(o.End(in))(t)
	for role, events := range p.planner.log(t).Events {
		for _, e := range events {
			size := len(e.Prompt) + len(e.Detail) + len(e.Party.Name) + len(e.Party.Cwd)
			is.True(size < 64<<10) // role and event
			is.True(strings.ToValidUTF8(e.Prompt, "") == e.Prompt)
			_ = role
		}
	}
	asked := relay.Ask("n", relay.Party{Session: "s", Name: much, Cwd: much}, relay.Party{Name: much}, relay.Terms{})
	is.True(len(asked.Detail)+len(asked.Party.Name)+len(asked.Party.Cwd) < 64<<10)
}

func TestPair_WithWhatIsNoIdMakesNothing(t *testing.T) {
	is := is.New(t)
	p := strangers()
	row := p.rows[builderID]
	row.SessionID, row.Name = "../../x", "odd"
	p.rows[builderID] = row
	_, err := p.operator(nil).Pair(p.planner.speaker(), relay.Planner, "odd", relay.Terms{})
	is.True(err != nil && strings.Contains(err.Error(), `"../../x" is no session's id`))
	is.Equal(p.store.members[plannerID].Link, "")
	is.Equal(len(p.store.events), 0)
}

// unreadable is a store in which one link cannot be read.
type unreadable struct {
	relay.Store
	link string
}

var errBroken = errors.New("events/000001.json could not be read: empty")

func (u unreadable) Log(link string) (relay.Log, error) {
	if link == u.link {
		return relay.Log{Link: link}, errBroken
	}
	return u.Store.Log(link)
}

func TestRequests_ThatCannotBeReadStandInTheWayOfNothing(t *testing.T) {
	is := is.New(t)
	p := asked(t)
	third := p.open(thirdID, "third")
	broken := must(p.operator(nil).Pair(third.speaker(), relay.Planner, builderID, relay.Terms{}))(t).Link
	o := p.operator(nil)
	o.Store = unreadable{o.Store, broken}
	status := must(o.Status(builderID))(t)
	is.Equal(len(status.Requests), 1)            // what can be read
	is.True(errors.Is(status.Unread, errBroken)) // and what cannot
	said := o.Command(p.builder.speaker(), "status")
	is.True(strings.HasPrefix(said[len(said)-1], "relay: a request for a link could not be read"))
	is.True(!slices.ContainsFunc(said, func(line string) bool { return strings.Contains(line, "events/") })) // no path
	_, err := o.Accept(p.builder.speaker(), "", relay.Terms{})
	is.True(errors.Is(err, errBroken)) // nobody knows which is meant
	must(o.Pair(p.builder.speaker(), relay.Builder, plannerID, relay.Terms{}))(t)
	is.True(p.planner.state(t).Accepted())
}

func TestLink_ThatSomebodyTookAwayIsNone(t *testing.T) {
	is := is.New(t)
	p := working(t)
	link := p.store.members[plannerID].Link
	for _, role := range []relay.Role{relay.Planner, relay.Builder} {
		delete(p.store.events, sideKey{link, role})
	}
	o := p.operator(nil)
	is.True(!must(o.Status(plannerID))(t).Linked)
	is.Equal(must(o.Known(plannerID))(t).Link, "")
	_, err := o.Trail(plannerID)
	is.Equal(refusal(err), relay.SayNotLinked)
	p.planner.start(t, "resume")
	is.True(p.planner.says(t, header+"do it").Block) // the gate stands
	is.True(!p.planner.says(t, "hello").Block)
	must(o.Pair(p.planner.speaker(), relay.Planner, builderID, relay.Terms{}))(t)
}

func TestTrail_OfASessionWithoutALinkIsRefused(t *testing.T) {
	is := is.New(t)
	p := strangers()
	_, err := p.operator(nil).Trail(plannerID)
	is.Equal(refusal(err), relay.SayNotLinked)
}

func TestLink_WithoutABeginningIsUnusable(t *testing.T) {
	is := is.New(t)
	p := working(t)
	link := p.store.members[plannerID].Link
	p.store.events[sideKey{link, relay.Planner}] = []relay.Event{{Seq: 1, Kind: "odd", Round: -5, MaxRounds: -9}}
	o := p.operator(nil)
	_, err := o.Resume(p.planner.speaker())
	is.True(errors.Is(err, relay.ErrUnusable))
	_, err = o.Status(plannerID)
	is.True(errors.Is(err, relay.ErrUnusable))
}

func TestBar_DrawsTenCellsOfAnything(t *testing.T) {
	for _, n := range []int{-5, 0, 1, 11, 1 << 62} {
		is := is.New(t)
		is.Equal(len([]rune(relay.Bar(n, 10))), 10)
	}
}

func TestTrail_KeepsTheLinesOfASummary(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, "<done>All\nof it</done>")
	is.True(strings.HasSuffix(must(p.operator(nil).Trail(plannerID))(t).Markdown(), "## Done\n\n> All\n> of it\n"))
}

// A clock that was put back would have a delivery wait until it is that late again.
func TestFree_OffersOnceMoreAfterTheClockWasPutBack(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("step 1"))
	p.builder.woken(t)
	p.passed = -30 * 24 * time.Hour
	must(p.operator(nil).Status(plannerID))(t)
	is.Equal(p.step(t, 1), relay.Taken) // its client may be about to show it
	p.builder.idle(long)
	must(p.operator(nil).Status(plannerID))(t)
	is.Equal(p.step(t, 1), relay.Queued)
}

func TestTakeBack_FreesWhatItsClientDidNotGet(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("step 1"))
	o := p.operator(nil)
	claimed, ok, err := o.Claim(p.store.members[builderID])
	is.NoErr(err)
	is.True(ok)
	is.NoErr(o.HandOver(claimed, p.builder.attachment()))
	is.NoErr(o.TakeBack(claimed, relay.Attachment{PID: 4711}))
	is.Equal(p.step(t, 1), relay.Taken) // another process has it
	is.NoErr(o.TakeBack(claimed, p.builder.attachment()))
	is.Equal(p.step(t, 1), relay.Queued)
}

func TestElsewhere_KnowsWhoRunsASession(t *testing.T) {
	is := is.New(t)
	p := strangers()
	o := p.operator(nil)
	pid, elsewhere := o.Elsewhere(plannerID, p.builder.pid)
	is.True(elsewhere)
	is.Equal(pid, p.planner.pid)
	_, elsewhere = o.Elsewhere(plannerID, p.planner.pid)
	is.True(!elsewhere)
	_, elsewhere = o.Elsewhere("nobody-yet", 5)
	is.True(!elsewhere) // a client may not have written its row yet
	p.planner.kill()
	_, elsewhere = o.Elsewhere(plannerID, 5)
	is.True(!elsewhere)
}
