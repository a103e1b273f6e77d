package relay_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/session"
)

// exits is the step between a process's last act and its end, where it may be
// killed too.
func exits(o relay.Operator) { _, _ = o.Known("") }

// deliveryPrefix is what the plugin has the client put before a wake's text.
const deliveryPrefix = "Delivery from changeover:\n"

// looks are what may happen next on either side, with somebody to see that a
// delivery hangs.
func looks() map[string]func(t *testing.T, p pair) {
	return map[string]func(t *testing.T, p pair){
		"its person types":         func(t *testing.T, p pair) { p.builder.says(t, "hello?") },
		"its turn ends":            func(t *testing.T, p pair) { p.builder.stops(t, "Nothing to do.") },
		"its conversation resumes": func(t *testing.T, p pair) { p.builder.start(t, "resume") },
		"its bell rings":           func(*testing.T, pair) {},
		"its status":               func(t *testing.T, p pair) { must(p.operator(nil).Status(builderID))(t) },
		"the other's status":       func(t *testing.T, p pair) { must(p.operator(nil).Status(plannerID))(t) },
		"the other's person types": func(t *testing.T, p pair) { p.planner.says(t, "and?") },
		"the other's mod refreshes": func(t *testing.T, p pair) {
			if err := p.operator(nil).Refresh(p.store.members[plannerID]); err != nil {
				t.Fatal(err)
			}
		},
		"resume": func(t *testing.T, p pair) { p.resume(t, p.planner) },
	}
}

// idle has the client of a session do nothing for a while.
func (c *client) idle(d time.Duration) {
	row := c.w.rows[c.id]
	row.Status, row.StatusAt = "idle", began.Add(c.w.passed)
	c.w.rows[c.id] = row
	c.w.passed += d
}

// long is longer than any client needs to show what it was given.
const long = time.Hour

func TestBell_ThatDiedWhileItsClientLivesIsMadeGoodByWhateverComesNext(t *testing.T) {
	for name, look := range looks() {
		t.Run(name, func(t *testing.T) {
			atEachStep(t, func(t *testing.T, die func(*world, func(relay.Operator))) {
				is := is.New(t)
				p := working(t)
				p.planner.stops(t, block("step 1"))
				woken := ""
				die(p.world, func(o relay.Operator) {
					text, _ := wakes(o, p.builder.input("", ""), builderID)
					exits(o)
					woken = text
				})
				if woken != "" { // it was not killed
					return
				}
				p.builder.idle(long)
				p.store.takeRings()
				look(t, p)
				if name != "its bell rings" {
					is.Equal(p.step(t, 1), relay.Queued)
					is.True(slices.Contains(p.store.takeRings(), builderID)) // its client is made to look
				}
				text, _ := p.builder.receives(t)
				is.Equal(text, header+"step 1")  // not lost
				is.Equal(p.builder.woken(t), "") // once
				p.builder.stops(t, block("report 1"))
				text, _ = p.planner.receives(t)
				is.Equal(text, "[relay round 1 · from builder]\n\nreport 1") // the work goes on
			})
		})
	}
}

func TestBell_ThatDiedBeforeItHandedOverIsMadeGoodWithoutAWait(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("step 1"))
	must(p.operator(nil).Bell(p.builder.input("", ""), "/state/bells/"+builderID))(t) // and is killed
	is.Equal(p.honest(t), relay.Unknown)                                              // claimed, and nobody shows it
	p.store.takeRings()
	p.planner.says(t, "and?")
	is.Equal(p.store.takeRings(), []string{builderID}) // rung again
	is.Equal(p.honest(t), relay.Queued)
	text, _ := p.builder.receives(t)
	is.Equal(text, header+"step 1")
}

// honest is the receipt of the first step, as a person is shown it.
func (p pair) honest(t *testing.T) relay.Receipt {
	t.Helper()
	s := p.planner.state(t).Judged(func(pid int, _ string) bool { _, lives := p.processes[pid]; return lives })
	return s.Deliveries(relay.Planner)[1].Receipt
}

func TestBell_ThatStillRunsKeepsWhatItClaimed(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("step 1"))
	text := ""
	r := p.begin(func(o relay.Operator) { text, _ = wakes(o, p.builder.input("", ""), builderID) })
	for !r.over {
		p.planner.says(t, "and?")
		p.builder.start(t, "resume")
		r.step()
	}
	is.Equal(text, header+"step 1")
	is.Equal(p.builder.woken(t), "") // no second one
}

func TestPending_WakesWithWhatAFormerClientHadWithoutWaitingForItsStart(t *testing.T) {
	for _, left := range []bool{false, true} {
		is := is.New(t)
		p := working(t)
		p.planner.stops(t, block("step 1"))
		p.builder.woken(t)
		is.True(!must(p.operator(nil).Waits(builderID))(t)) // its client may show it
		if left {
			p.builder.end(t, "resume")
		} else {
			p.builder.kill()
			p.builder.run()
		}
		is.True(must(p.operator(nil).Waits(builderID))(t))
		r := must(p.operator(nil).Pending(p.builder.input("", "")))(t)
		is.Equal(r.Wake, header+"step 1")
	}
}

func TestOffer_WaitsUntilTheClientMustHaveShownIt(t *testing.T) {
	const enough = 30 * time.Second
	tests := []struct {
		name string
		do   func(p pair)
		want bool
	}{
		{"long enough", func(p pair) { p.builder.idle(enough) }, true},
		{"not long enough", func(p pair) { p.builder.idle(enough - time.Millisecond) }, false},
		{"it was given just now", func(p pair) {
			p.builder.idle(long)
			p.builder.given(p.passed)
		}, false},
		{"it works", func(p pair) { p.builder.idle(long); p.builder.is("busy") }, false},
		{"it asks", func(p pair) { p.builder.idle(long); p.builder.is("waiting") }, false},
		{"nobody knows what it does", func(p pair) { p.builder.idle(long); p.builder.is("") }, false},
		{"it has just ended a turn", func(p pair) { p.passed += long; p.builder.idle(time.Second) }, false},
		{"its row is gone", func(p pair) { p.builder.idle(long); delete(p.rows, builderID) }, false},
		{"its row is another process's", func(p pair) {
			p.builder.idle(long)
			row := p.rows[builderID]
			row.PID, row.ProcStart = p.planner.pid, p.processes[p.planner.pid]
			p.rows[builderID] = row
		}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p := working(t)
			p.planner.stops(t, block("step 1"))
			p.builder.woken(t) // and the client has lost it
			tt.do(p)
			p.planner.says(t, "and?")
			is.Equal(p.builder.woken(t) != "", tt.want)
		})
	}
}

// given has the client of a session hold what it holds since a moment.
func (c *client) given(since time.Duration) {
	shelf := c.w.store.shelves[sideKey{c.w.store.members[c.id].Link, c.w.store.members[c.id].Role}]
	for box, d := range shelf {
		delete(shelf, box)
		box.HandedAt = began.Add(since)
		shelf[box] = d
	}
}

// is has the registry say what a session does.
func (c *client) is(status string) {
	row := c.w.rows[c.id]
	row.Status = status
	c.w.rows[c.id] = row
}

func TestOffer_WithoutARegistryIsNotMade(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("step 1"))
	p.builder.woken(t)
	p.builder.idle(long)
	o := p.operator(nil)
	o.Sessions = registry{func() (session.Listing, error) { return session.Listing{}, errors.New("no registry") }}
	is.NoErr(o.Refresh(p.store.members[plannerID])) // nor is it a fault of the link
	is.Equal(p.step(t, 1), relay.Taken)
}

func TestOffer_TakesTwiceAsLongEachTime(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("step 1"))
	for n, wait := 0, 30*time.Second; n < 4; n, wait = n+1, 2*wait {
		is.True(p.builder.woken(t) != "") // given
		p.builder.idle(wait - time.Millisecond)
		p.planner.says(t, "and?")
		is.Equal(p.builder.woken(t), "") // not yet
		p.passed += time.Millisecond
		p.planner.says(t, "and?")
	}
}

// transports are the two ways in which a text enters a turn.
var transports = map[string]struct {
	give func(c *client, t *testing.T) string
	wrap func(text string) string
}{
	"hooks": {(*client).woken, func(text string) string { return wake(deliveryPrefix, text) }},
	"mod":   {(*client).claims, func(text string) string { return text }},
}

// A dialog was open in the client, so that it seemed to have lost what it was given.
func TestOffer_OfWhatTheClientHasAllTheSameIsShownOnce(t *testing.T) {
	orders := map[string]func(t *testing.T, p pair, c *client, prompt string, give func() string) []relay.Reply{
		"both after the second was given": func(t *testing.T, _ pair, c *client, prompt string, give func() string) []relay.Reply {
			t.Helper()
			give()
			return []relay.Reply{c.says(t, prompt), c.says(t, prompt)}
		},
		"the first before the second was claimed": func(t *testing.T, _ pair, c *client, prompt string, give func() string) []relay.Reply {
			t.Helper()
			first := c.says(t, prompt)
			give()
			return []relay.Reply{first, c.says(t, prompt)}
		},
	}
	for transport, by := range transports {
		for order, play := range orders {
			for _, goal := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s, %s, goal %v", transport, order, goal), func(t *testing.T) {
					is := is.New(t)
					p := linked(t, relay.Terms{}, relay.Terms{})
					must(p.operator(nil).Goal(p.planner.speaker(), "Build it", false))(t)
					c, role, text := p.planner, relay.Planner, "Build it"
					if !goal {
						p.planner.receives(t)
						p.planner.stops(t, block("step 1"))
						c, role, text = p.builder, relay.Builder, header+"step 1"
					}
					is.Equal(by.give(c, t), text)
					c.idle(long)
					must(p.operator(nil).Status(c.id))(t)
					replies := play(t, p, c, by.wrap(text), func() string { return by.give(c, t) })
					entered := 0
					for _, r := range replies {
						if !r.Block {
							entered++
						}
					}
					is.Equal(entered, 1)                                                // once
					is.Equal(kinds(c.log(t).Events[role])[relay.Shown], 1)              // and noted once
					is.Equal(kinds(c.log(t).Events[role])[relay.Absorbed], 1)           // as the other one
					is.True(!goal || !c.says(t, "Build it").Block)                      // a person may say the same
					is.True(c.says(t, wake(deliveryPrefix, text)).Block)                // a wake may not
					is.Equal(len(p.paused(t)), 0)                                       // the work goes on
					is.NoErr(p.operator(nil).Dropped(c.id, box(p, t, role), "blocked")) // the mod was told so
					is.Equal(len(p.paused(t)), 0)                                       // it was not the model's only one
				})
			}
		}
	}
}

// box is where the latest delivery for a side lies.
func box(p pair, t *testing.T, to relay.Role) relay.Box {
	t.Helper()
	var last relay.Box
	for _, d := range p.planner.state(t).Deliveries(relay.Planner) {
		if d.To == to {
			last = relay.Box{From: d.From, Seq: d.Seq, Copy: d.Copy}
		}
	}
	return last
}

func TestGate_ASecondWakeOfTheSameHookTwiceIsNotedOnce(t *testing.T) {
	is := is.New(t)
	p := working(t)
	prompt := wake(deliveryPrefix, "Build it")
	r := p.planner.says(t, prompt)
	is.True(r.Block && p.planner.saysAgain(t, prompt).Block)
	is.Equal(r.Reason, "relay dropped a delivery that came a second time; it is shown once")
	is.Equal(kinds(p.planner.log(t).Events[relay.Planner])[relay.Absorbed], 1)
}

func TestGate_AnotherHooksWakeWithTheWordsOfTheGoalPasses(t *testing.T) {
	is := is.New(t)
	p := working(t)
	is.True(!p.planner.says(t, wake("Stop hook feedback:", "Build it")).Block)
}
