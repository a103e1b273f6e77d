package relay_test

import (
	"slices"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/relay"
)

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
