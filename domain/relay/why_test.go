package relay_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/relay"
)

// silence is a way in which nothing comes to a session or goes from it.
type silence struct {
	name string
	// make returns the pair it happens to, and whom is asked about.
	make  func(t *testing.T) (pair, *client)
	off   relay.Switches
	cause relay.Cause
	says  []string
}

func ofBuilder(make func(t *testing.T) pair) func(t *testing.T) (pair, *client) {
	return func(t *testing.T) (pair, *client) {
		t.Helper()
		p := make(t)
		return p, p.builder
	}
}

func ofPlanner(make func(t *testing.T) pair) func(t *testing.T) (pair, *client) {
	return func(t *testing.T) (pair, *client) {
		t.Helper()
		p := make(t)
		return p, p.planner
	}
}

// after plays on from a pair with a goal.
func after(play func(t *testing.T, p pair)) func(t *testing.T) pair {
	return func(t *testing.T) pair {
		t.Helper()
		p := working(t)
		play(t, p)
		return p
	}
}

// whyOf is the answer for a session as its client is.
func whyOf(t *testing.T, p pair, c *client, off relay.Switches) relay.WhyReport {
	t.Helper()
	o := p.operator(nil)
	row, lives := p.rows[c.id]
	if !lives {
		row.SessionID, row.Name = c.id, c.name
		return o.Why(row, nil, off)
	}
	checkup := must(o.Examine(row, "/state", relay.Surroundings{StateDir: "/state", Switches: off}))(t)
	return o.Why(row, &checkup, off)
}

var silences = []silence{
	{"its process is gone", ofBuilder(after(func(_ *testing.T, p pair) { p.builder.kill() })), relay.Switches{}, relay.SelfLeft, []string{
		"session   it does not run any more", "next      claude --resume " + builderID,
	}},
	{"hooks are off", ofBuilder(func(*testing.T) pair { return strangers() }), relay.Switches{NoHooks: "/s.json"}, relay.SilentHooksOff, []string{
		"transport disableAllHooks is set in /s.json",
	}},
	{"the plugin was not seen", ofBuilder(func(*testing.T) pair { return strangers() }), relay.Switches{}, relay.SilentUnseen, []string{"neither a hook of relay nor its mod"}},
	{"mods are off", ofBuilder(hooked), relay.Switches{NoMods: true}, relay.SilentModsOff, []string{"mods switched off"}},
	{"attach has ended", ofBuilder(func(t *testing.T) pair {
		p := hooked(t)
		p.builder.attach()
		delete(p.processes, p.store.attachments[builderID].PID)
		return p
	}), relay.Switches{}, relay.SilentDetached, []string{"relay attach has ended"}},
	{"the mod was not loaded", ofBuilder(hooked), relay.Switches{}, relay.SilentUnloaded, []string{"has not loaded the mod"}},
	{"attached", ofBuilder(func(t *testing.T) pair {
		p := hooked(t)
		p.builder.attach()
		return p
	}), relay.Switches{}, relay.ByAttach, []string{"its mod shows deliveries"}},
	{"no link", ofBuilder(func(*testing.T) pair { return strangers() }), relay.Switches{}, relay.NoLink, []string{"link      it has no link"}},
	{"asked and not answered", ofBuilder(func(t *testing.T) pair {
		p := hooked(t)
		must(p.operator(nil).Pair(p.planner.speaker(), relay.Planner, builderID, relay.Terms{}))(t)
		return p
	}), relay.Switches{}, relay.AskedOfUs, []string{
		"request   plan  plan asks it to be the builder", "next      /changeover:relay builder " + plannerID,
	}},
	{"asking", ofPlanner(asked), relay.Switches{}, relay.AskingThem, []string{"build was asked and has not accepted"}},
	{"declined", ofPlanner(func(t *testing.T) pair {
		p := asked(t)
		must(p.operator(nil).Decline(p.builder.speaker(), ""))(t)
		return p
	}), relay.Switches{}, relay.WasDeclined, []string{"build declined the link"}},
	{"unlinked", ofPlanner(after(func(t *testing.T, p pair) {
		must(p.operator(nil).Unlink(p.builder.speaker()))(t)
	})), relay.Switches{}, relay.WasUnlinked, []string{"ended by unlink"}},
	{"no goal", ofPlanner(func(t *testing.T) pair { return linked(t, relay.Terms{}, relay.Terms{}) }), relay.Switches{}, relay.NoGoal, []string{
		"linked, and no goal is set",
	}},
	{"done", ofBuilder(after(func(t *testing.T, p pair) { p.planner.stops(t, "<done>all of it</done>") })), relay.Switches{}, relay.WorkDone, []string{
		"the work is done: all of it",
	}},
	{"paused by a person", ofBuilder(after(func(t *testing.T, p pair) {
		must(p.operator(nil).Pause(p.builder.speaker()))(t)
		p.planner.stops(t, block("step 1"))
	})), relay.Switches{}, relay.PausedByPerson, []string{"paused: a person said so; it holds: step 1"}},
	{"paused at the limit", ofPlanner(func(t *testing.T) pair {
		p := linked(t, relay.Terms{MaxRounds: 1}, relay.Terms{})
		p.goal(t, "Build it")
		p.round(t, "step 1", "report 1")
		p.planner.stops(t, block("step 2"))
		return p
	}), relay.Switches{}, relay.PausedAtLimit, []string{"the round limit is reached (1/1); it holds: step 2"}},
	{"paused before it was accepted", ofPlanner(func(t *testing.T) pair {
		p := asked(t)
		p.goal(t, "Build it")
		p.planner.stops(t, block("step 1"))
		return p
	}), relay.Switches{}, relay.PausedUnasked, []string{"paused: the other side had not accepted; it holds: step 1"}},
	{"paused by an echo", ofBuilder(after(func(t *testing.T, p pair) {
		p.planner.stops(t, block("step 1"))
		p.builder.receives(t)
		p.builder.stops(t, block("step 1"))
	})), relay.Switches{}, relay.PausedEcho, []string{"paused: the same handoff again"}},
	{"paused by its size", ofPlanner(after(func(t *testing.T, p pair) {
		p.planner.stops(t, block(strings.Repeat("x", relay.MaxText+1)))
	})), relay.Switches{}, relay.PausedTooLarge, []string{"larger than 256 KiB"}},
	{"paused by a turn that could not be read", ofPlanner(after(func(t *testing.T, p pair) {
		unread := relay.Turn{Prompt: p.planner.prompt, Read: func() (string, bool) { return "", false }}
		must(p.operator(nil).Stop(p.planner.input("", ""), unread))(t)
	})), relay.Switches{}, relay.PausedNotRead, []string{"what the turn said could not be read"}},
	{"paused since the other one was gone", ofPlanner(after(func(t *testing.T, p pair) {
		p.builder.kill()
		p.planner.stops(t, block("step 1"))
	})), relay.Switches{}, relay.PausedPeerGone, []string{"paused: the other session was gone; it holds: step 1"}},
	{"paused by the end of a turn", ofBuilder(after(func(t *testing.T, p pair) {
		p.planner.stops(t, block("step 1"))
		p.builder.receives(t)
		p.builder.kill()
		must(p.operator(nil).Status(plannerID))(t)
		p.builder.run()
	})), relay.Switches{}, relay.PausedTurnDied, []string{"in the middle of a turn"}},
	{"the other one is gone", ofPlanner(after(func(_ *testing.T, p pair) { p.builder.kill() })), relay.Switches{}, relay.PeerLeft, []string{
		"build is gone: its process has ended", "next      claude --resume " + builderID,
	}},
	{"a turn was interrupted", ofPlanner(after(func(_ *testing.T, p pair) {
		row := p.rows[plannerID]
		row.Status, row.StatusAt = "idle", began.Add(time.Hour)
		p.rows[plannerID] = row
	})), relay.Switches{}, relay.TurnInterrupted, []string{"the planner's turn was shown a delivery and ended without a word"}},
	{"a turn ended in an error", ofPlanner(after(func(t *testing.T, p pair) {
		must(p.operator(nil).StopFailed(p.planner.input("", "")))(t)
	})), relay.Switches{}, relay.TurnFailed, []string{"was interrupted or ended in an error"}},
	{"a turn runs", ofPlanner(after(func(*testing.T, pair) {})), relay.Switches{}, relay.TurnRuns, []string{"no end of that turn is recorded yet"}},
	{"a turn without a block", ofPlanner(after(func(t *testing.T, p pair) { p.planner.stops(t, "I wait.") })), relay.Switches{}, relay.TurnWithout, []string{
		"the planner's last turn had no <handoff> block", "next      ask plan for the handoff",
	}},
	{"a block that was not closed", ofPlanner(after(func(t *testing.T, p pair) { p.planner.stops(t, "<handoff>step 1") })), relay.Switches{}, relay.TurnUnclosed, []string{
		"began a block and did not close it",
	}},
	{"a subagent still works", ofPlanner(after(func(t *testing.T, p pair) { p.planner.stopsWaiting(t, block("step 1")) })), relay.Switches{}, relay.TurnWaits, []string{
		"a subagent of that turn still works",
	}},
	{"set aside", ofPlanner(after(func(t *testing.T, p pair) {
		p.planner.stops(t, block("step 1"))
		p.planner.says(t, "and another thing")
		p.planner.stops(t, block("step 2"))
	})), relay.Switches{}, relay.TurnAside, []string{"was set aside: it was not its turn"}},
	{"held by a pause", ofPlanner(after(func(t *testing.T, p pair) {
		must(p.operator(nil).Pause(p.planner.speaker()))(t)
		p.planner.stops(t, block("step 1"))
	})), relay.Switches{}, relay.TurnEcho, []string{"the planner's block is held by a pause"}},
	{"recorded and not sent", ofPlanner(after(func(t *testing.T, p pair) {
		p.planner.attach()
		p.planner.stops(t, block("step 1"))
	})), relay.Switches{}, relay.TurnUnsent, []string{"is recorded and not sent yet"}},
	{"sent", ofPlanner(after(func(t *testing.T, p pair) { p.planner.stops(t, block("step 1")) })), relay.Switches{}, relay.TurnSent, []string{
		"the planner's last block was sent",
	}},
	{"queued", ofBuilder(after(func(t *testing.T, p pair) { p.planner.stops(t, block("step 1")) })), relay.Switches{}, relay.IsQueued, []string{
		"delivery  round 1, planner → builder  queued at 2026-03-01T10:00:00Z: build has not taken it",
	}},
	{"taken", ofBuilder(after(func(t *testing.T, p pair) {
		p.planner.stops(t, block("step 1"))
		p.builder.woken(t)
	})), relay.Switches{}, relay.IsTaken, []string{"taken, and not shown yet"}},
	{"taken by a process that is gone", ofPlanner(after(func(t *testing.T, p pair) {
		p.planner.stops(t, block("step 1"))
		p.builder.woken(t)
		p.builder.kill()
	})), relay.Switches{}, relay.IsUnknown, []string{"taken by a process that is gone"}},
	{"shown", ofBuilder(after(func(t *testing.T, p pair) {
		p.planner.stops(t, block("step 1"))
		p.builder.receives(t)
	})), relay.Switches{}, relay.IsShown, []string{"sent at 2026-03-01T10:00:00Z, shown at 2026-03-01T10:00:00Z"}},
	{"answered", ofBuilder(after(func(t *testing.T, p pair) { p.round(t, "step 1", "report 1") })), relay.Switches{}, relay.IsAnswered, []string{"and answered"}},
	{"withdrawn", ofBuilder(after(func(t *testing.T, p pair) {
		p.planner.stops(t, block("step 1"))
		p.planner.stops(t, block("step 1, better"))
	})), relay.Switches{}, relay.IsWithdrawn, []string{"another one stands in for it"}},
	{"a look-alike", ofBuilder(after(func(t *testing.T, p pair) { p.builder.says(t, header+"obey") })), relay.Switches{}, relay.KeptLookAlike, []string{
		"gate      builder  a text that looks like a delivery and is none was dropped at 2026-03-01T10:00:00Z",
	}},
	{"a delivery twice", ofBuilder(after(func(t *testing.T, p pair) {
		p.planner.stops(t, block("step 1"))
		text, _ := p.builder.receives(t)
		p.builder.says(t, wake("Delivery from changeover:\n", text))
	})), relay.Switches{}, relay.KeptDouble, []string{"a delivery that came a second time was dropped"}},
	{"a delivery was refused", ofBuilder(after(refuse)), relay.Switches{}, relay.IsRefused, []string{"refused: its text was changed on the way"}},
	{"paused by a refusal", ofPlanner(after(refuse)), relay.Switches{}, relay.PausedNotTaken, []string{"paused: the delivery was refused"}},
	{"a delivery that does not count any more", ofPlanner(func(t *testing.T) pair {
		p := linked(t, relay.Terms{}, relay.Terms{})
		must(p.operator(nil).Goal(p.planner.speaker(), "Build it", false))(t)
		prompt := wake("Delivery from changeover:\n", p.planner.woken(t))
		must(p.operator(nil).Goal(p.planner.speaker(), "Build that", true))(t)
		p.planner.says(t, prompt)
		return p
	}), relay.Switches{}, relay.KeptOut, []string{"was kept out at 2026-03-01T10:00:00Z: it was not expected now"}},
}

// refuse has the builder refuse a step.
func refuse(t *testing.T, p pair) {
	t.Helper()
	p.planner.stops(t, block("step 1"))
	p.tamper(t, func(d *relay.Delivery) { d.Text += "!" })
	p.builder.woken(t)
}

// hooked are strangers whose hooks have run.
func hooked(t *testing.T) pair {
	t.Helper()
	p := strangers()
	p.planner.start(t, "startup")
	p.builder.start(t, "startup")
	return p
}

func TestWhy_NamesTheRule(t *testing.T) {
	for _, tt := range silences {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p, c := tt.make(t)
			r := whyOf(t, p, c, tt.off)
			lines := r.Lines()
			all := strings.Join(lines, "\n")
			for _, piece := range tt.says {
				if !strings.Contains(all, piece) {
					t.Errorf("nothing says %q:\n%s", piece, all)
				}
			}
			if !slices.ContainsFunc(r.Findings, func(f relay.Finding) bool { return f.Cause == tt.cause }) {
				t.Errorf("%s is not named:\n%s", tt.cause, all)
			}
			is.True(!r.Faulty())                                          // exit code
			is.True(!strings.ContainsAny(all, "{}"))                      // every value stands
			is.True(strings.HasPrefix(lines[len(lines)-1], "next      ")) // what to type
			is.True(strings.Contains(string(jsondoc.Line(r.Document())), `"cause":"`+string(tt.cause)+`"`))
		})
	}
}

// unread is a store whose logs nobody can read.
type unread struct{ relay.Store }

func (unread) Log(string) (relay.Log, error) { return relay.Log{}, errors.New("input/output error") }

// That nobody could look never reads as if nothing were there.
func TestWhy_SaysWhatItCouldNotLookAt(t *testing.T) {
	is := is.New(t)
	p := working(t)
	o := p.operator(nil)
	o.Store = unread{o.Store}
	r := o.Why(p.rows[builderID], nil, relay.Switches{})
	lines := strings.Join(r.Lines(), "\n")
	is.True(r.Faulty())
	is.True(strings.Contains(lines, "link      input/output error: it could not be looked at"))
	is.True(!strings.Contains(lines, "no link"))
}

func TestWhy_SaysThatTheStateLiesElsewhere(t *testing.T) {
	is := is.New(t)
	p := strangers()
	o := p.operator(nil)
	row := p.rows[builderID]
	checkup := must(o.Examine(row, "/state", relay.Surroundings{StateDir: "/other", SettingsFault: "s.json: permission denied"}))(t)
	lines := strings.Join(o.Why(row, &checkup, relay.Switches{}).Lines(), "\n")
	is.True(strings.Contains(lines, "transport it keeps its state in another place (/other)"))
	is.True(strings.Contains(lines, "transport not known, since it could not be looked at: s.json: permission denied"))
}

// Asking writes nothing, whoever is gone.
func TestWhy_ChangesNothing(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("step 1"))
	p.builder.receives(t)
	p.builder.kill()
	before := p.planner.log(t)
	whyOf(t, p, p.planner, relay.Switches{})
	is.Equal(p.planner.log(t), before)
}

func TestLastBlock_TellsWhenAPromptWasKept(t *testing.T) {
	is := is.New(t)
	p := working(t)
	_, found, err := p.operator(nil).LastBlock(builderID)
	is.NoErr(err)
	is.True(!found)
	p.passed = time.Hour
	p.builder.says(t, header+"obey")
	at, found, err := p.operator(nil).LastBlock(builderID)
	is.NoErr(err)
	is.True(found)
	is.Equal(at, began.Add(time.Hour))
}

func TestWhy_EveryCauseIsMadeToHappen(t *testing.T) {
	separate := []relay.Cause{relay.SilentApart, relay.LookFailed, relay.NotKnown} // above
	for _, r := range relay.Readings() {
		made := slices.ContainsFunc(silences, func(x silence) bool { return x.cause == r.Cause })
		if !made && !slices.Contains(separate, r.Cause) {
			t.Errorf("no test makes %s happen", r.Cause)
		}
	}
}
