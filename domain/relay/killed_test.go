package relay_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
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
					is.Equal(entered, 1)                                                  // once
					is.Equal(kinds(c.log(t).Events[role])[relay.Shown], 1)                // and noted once
					is.Equal(kinds(c.log(t).Events[role])[relay.Absorbed], 1)             // as the other one
					is.True(!goal || !c.says(t, "Build it").Block)                        // a person may say the same
					is.True(c.says(t, wake(deliveryPrefix, text)).Block)                  // a wake may not
					is.Equal(len(p.paused(t)), 0)                                         // the work goes on
					is.NoErr(p.operator(nil).Submitted(c.id, box(p, t, role), "blocked")) // the mod was told so
					is.Equal(len(p.paused(t)), 0)                                         // it was not the model's only one
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

// given has the client of a side hold a delivery, and its gate killed when that
// enters a turn.
func givenPastTheGate(t *testing.T, die func(*world, func(relay.Operator))) (p pair, turn string) {
	t.Helper()
	p = working(t)
	p.builder.written = &transcript{}
	p.planner.stops(t, block("step 1"))
	prompt := wake(deliveryPrefix, p.builder.woken(t))
	die(p.world, func(o relay.Operator) { _, _ = o.Prompt(p.builder.input("", ""), prompt, "b-turn") })
	p.builder.written.enters("b-turn", prompt, true) // the client goes on without it
	return p, "b-turn"
}

func TestGate_ThatDiedIsMadeGoodWhenItsTurnEnds(t *testing.T) {
	atEachStep(t, func(t *testing.T, die func(*world, func(relay.Operator))) {
		is := is.New(t)
		p, turn := givenPastTheGate(t, die)
		p.builder.prompt = turn
		p.builder.written.ends(block("report 1"))
		p.builder.stops(t, block("report 1"))
		text, _ := p.planner.receives(t)
		is.Equal(text, "[relay round 1 · from builder]\n\nreport 1") // it counts
		is.Equal(p.step(t, 1), relay.Answered)
		p.builder.idle(long)
		p.planner.says(t, "go on")
		is.Equal(p.builder.woken(t), "") // it is not shown again
	})
}

func TestGate_ThatDiedWithTheStopOfItsTurnIsMadeGoodByTheNextPrompt(t *testing.T) {
	atEachStep(t, func(t *testing.T, die func(*world, func(relay.Operator))) {
		is := is.New(t)
		p, _ := givenPastTheGate(t, die)
		p.builder.written.ends(block("report 1"))
		p.builder.idle(long)
		p.watched(t) // by all signs it is lost, and it is offered once more
		if text := p.builder.woken(t); text != "" {
			is.True(p.builder.says(t, wake(deliveryPrefix, text)).Block) // but the transcript has it
		}
		p.builder.says(t, "hello?")
		text, _ := p.planner.receives(t)
		is.Equal(text, "[relay round 1 · from builder]\n\nreport 1") // what it said goes
		is.Equal(p.builder.woken(t), "")
		is.Equal(kinds(p.builder.log(t).Events[relay.Builder])[relay.Shown], 1)
	})
}

func TestStop_ThatDiedIsMadeGoodFromTheTranscript(t *testing.T) {
	atEachStep(t, func(t *testing.T, die func(*world, func(relay.Operator))) {
		is := is.New(t)
		p := reporting(t)
		p.builder.written = &transcript{}
		p.builder.written.enters(p.builder.prompt, wake(deliveryPrefix, header+"step 1"), true)
		p.builder.written.ends(block("report 1"))
		turn := relay.Turn{Prompt: p.builder.prompt, Message: block("report 1")}
		die(p.world, func(o relay.Operator) { _, _ = o.Stop(p.builder.input("", ""), turn) })
		p.builder.says(t, "hello?") // the next hook
		text, _ := p.planner.receives(t)
		is.Equal(text, "[relay round 1 · from builder]\n\nreport 1") // not lost
		is.Equal(p.planner.woken(t), "")                             // once
		is.Equal(kinds(p.builder.log(t).Events[relay.Builder])[relay.Recorded], 1)
	})
}

// Its person spoke to it between, so that its handoff is not of the turn that was
// shown the delivery.
func TestStop_OfATypedTurnThatDiedIsMadeGoodFromTheTranscript(t *testing.T) {
	for _, next := range []string{"a prompt", "a turn's end", "the end of the conversation"} {
		is := is.New(t)
		p := reporting(t)
		p.builder.written = &transcript{}
		p.builder.written.enters(p.builder.prompt, wake(deliveryPrefix, header+"step 1"), true)
		p.builder.written.ends("Shall I?")
		p.builder.stops(t, "Shall I?")
		p.builder.says(t, "yes")
		p.builder.written.enters(p.builder.prompt, "yes", false)
		p.builder.written.ends(block("report 1")) // and its hook is killed
		switch next {
		case "a prompt":
			p.builder.says(t, "and?")
		case "a turn's end":
			p.builder.prompt = "another" // its gate was killed too
			p.builder.stops(t, "I wait.")
		default:
			p.builder.end(t, "clear")
			p.builder.written = &transcript{} // the next one has another file
			p.builder.clear(t, clearedID)
		}
		text, _ := p.planner.receives(t)
		is.Equal(text, "[relay round 1 · from builder]\n\nreport 1")
		is.Equal(p.planner.woken(t), "") // once
	}
}

func TestGate_ThatDiedBeforeItsClientDidIsMadeGoodWhenThatComesBack(t *testing.T) {
	atEachStep(t, func(t *testing.T, die func(*world, func(relay.Operator))) {
		is := is.New(t)
		p, _ := givenPastTheGate(t, die)
		p.builder.kill()
		p.watched(t) // what it was given is put back: nobody knows that it entered
		p.builder.comeBack(t)
		is.True(slices.Contains(p.paused(t), relay.TurnDied)) // but the conversation tells
		is.Equal(p.builder.woken(t), "")                      // so nothing moves by itself
		p.resume(t, p.planner)
		text, _ := p.builder.receives(t)
		is.Equal(text, header+"step 1") // shown again by a person's word
		is.Equal(p.builder.woken(t), "")
	})
}

func TestGate_LetsAPersonTypeTheGoalThatItsFirstClientNeverShowed(t *testing.T) {
	is := is.New(t)
	p := linked(t, relay.Terms{}, relay.Terms{})
	must(p.operator(nil).Goal(p.planner.speaker(), "Build it", false))(t)
	p.planner.woken(t)
	p.planner.comeBack(t) // its client died with what it was given
	p.planner.receives(t)
	is.True(!p.planner.says(t, "Build it").Block) // that one cannot come any more
}

func TestCatchUp_OfWhatIsHeldHoldsItOnce(t *testing.T) {
	is := is.New(t)
	p := reporting(t)
	p.builder.written = &transcript{}
	p.builder.written.enters(p.builder.prompt, wake(deliveryPrefix, header+"step 1"), true)
	p.builder.attach()
	must(p.operator(nil).Pause(p.planner.speaker()))(t)
	p.builder.written.ends(block("report 1"))
	p.builder.completes(t, "answer", block("report 1")) // its hook was killed, and the mod told it
	p.builder.says(t, "and?")
	delete(p.store.attachments, builderID)
	p.builder.says(t, "and?")
	is.Equal(kinds(p.builder.log(t).Events[relay.Builder])[relay.Recorded], 1)
	is.Equal(len(p.paused(t)), 2) // the person's, and the one that holds it
}

func TestCatchUp_TakesNobodyElsesWords(t *testing.T) {
	tests := []struct {
		name  string
		turns func(p pair) []turnRow
	}{
		{"a person typed the goal's words before", func(pair) []turnRow {
			return []turnRow{{id: "old", prompt: "Build it", answer: block("an old plan"), ended: true}}
		}},
		{"another hook woke it with them", func(pair) []turnRow {
			return []turnRow{{id: "old", prompt: wake("Hook says:", "Build it, please"), program: true, ended: true}}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p := linked(t, relay.Terms{}, relay.Terms{})
			p.planner.written = &transcript{turns: tt.turns(p)}
			must(p.operator(nil).Goal(p.planner.speaker(), "Build it", false))(t)
			text := p.planner.woken(t)
			p.planner.says(t, "hello?") // typed while it waits in the client
			is.True(!p.planner.says(t, wake(deliveryPrefix, text)).Block)
			is.Equal(p.planner.state(t).Round(), 0) // nothing old was sent
		})
	}
}

func TestCatchUp_TellsTheSameGoalFromTheOneBefore(t *testing.T) {
	is := is.New(t)
	p := linked(t, relay.Terms{}, relay.Terms{})
	p.planner.written = &transcript{}
	p.goal(t, "Build it")
	p.planner.written.enters(p.planner.prompt, wake(deliveryPrefix, "Build it"), true)
	p.planner.written.ends("<done>built</done>")
	p.planner.stops(t, "<done>built</done>")
	must(p.operator(nil).Goal(p.planner.speaker(), "Build it", false))(t)
	text := p.planner.woken(t)
	p.planner.says(t, "hello?")
	is.True(!p.planner.says(t, wake(deliveryPrefix, text)).Block) // it is another delivery
}

func TestCatchUp_LeavesATurnAloneThatDied(t *testing.T) {
	is := is.New(t)
	p := reporting(t)
	p.builder.written = &transcript{}
	p.builder.written.enters(p.builder.prompt, wake(deliveryPrefix, header+"step 1"), true) // and no end
	p.builder.comeBack(t)
	is.Equal(p.paused(t), []relay.Reason{relay.TurnDied})
	p.resume(t, p.planner)
	text, _ := p.builder.receives(t)
	is.Equal(text, header+"step 1") // shown again, by a person's word
}

func TestGoal_ThatReadsAsACommandIsNone(t *testing.T) {
	for _, text := range []string{"/etc/hosts is to be parsed", "!important: build it"} {
		is := is.New(t)
		p := linked(t, relay.Terms{}, relay.Terms{})
		must(p.operator(nil).Goal(p.planner.speaker(), "  "+text, false))(t)
		is.Equal(p.planner.state(t).Goal(), text) // as its person said it
		got := p.planner.claims(t)
		is.True(!strings.HasPrefix(strings.TrimSpace(got), text[:1])) // no client runs it
		is.True(strings.HasSuffix(got, text))
		is.True(!p.planner.says(t, got).Block)
		is.Equal(p.planner.state(t).Deliveries(relay.Planner)[0].Receipt, relay.WasShown)
	}
}
