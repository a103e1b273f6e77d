package relay_test

import (
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/relay"
)

func TestTurnEnd_SaysWhatItMadeOfAnOddAnswer(t *testing.T) {
	tests := []struct {
		name, message string
		lines         []string
		sent          string
	}{
		{"two blocks", block("first") + block("second"), []string{"relay: the last <handoff> goes; 1 before it stayed here"}, "second"},
		{"unclosed", "<handoff>step", []string{"relay: a <handoff> was begun and not ended, so nothing was sent"}, ""},
		{
			"unclosed after a complete one", block("step") + "<handoff>more",
			[]string{"relay: a <handoff> was begun and not ended, so nothing was sent"},
			"",
		},
		{"unclosed done", "<done>all", []string{"relay: a <done> was begun and not ended, so nothing was sent"}, ""},
		{"unclosed done beside a block", block("step") + "<done>all", []string{"relay: a <done> was begun and not ended, so nothing was sent"}, ""},
		{"empty block", "<handoff> </handoff>", nil, ""},
		{"in code", "`<handoff>step</handoff>`", nil, ""},
		{
			"done beside a block", block("step") + "<done>all</done>",
			[]string{"relay: the work is done, so the <handoff> beside <done> was dropped", "relay: done: all"},
			"",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p := working(t)
			is.Equal(p.planner.stops(t, tt.message), orEmpty(tt.lines)) // notices
			want := ""
			if tt.sent != "" {
				want = "[relay round 1 · from planner]\n\n" + tt.sent
			}
			is.Equal(p.builder.woken(t), want) // what goes
		})
	}
}

func orEmpty(lines []string) []string {
	if lines == nil {
		return []string{}
	}
	return lines
}

func TestTurnEnd_ABuildersDoneIsText(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("step 1"))
	p.builder.receives(t)
	is.Equal(len(p.builder.stops(t, "<done>all</done> <done>open"+block("report"))), 0) // no word of it
	is.Equal(p.planner.state(t).Phase, relay.Running)                                   // not done
	text, _ := p.planner.receives(t)
	is.Equal(text, "[relay round 1 · from builder]\n\nreport") // its block goes
}

func TestTurnEnd_TheSameHookTwiceRecordsAndSendsOnce(t *testing.T) {
	is := is.New(t)
	p := working(t)
	for range 3 {
		p.planner.stops(t, block("step 1"))
	}
	log := p.planner.log(t)
	is.Equal(kinds(log.Events[relay.Planner]), map[relay.Kind]int{
		relay.Asked: 1, relay.GoalSet: 1, relay.Shown: 1, relay.Recorded: 1, relay.Sent: 1,
	})
	is.Equal(len(p.paused(t)), 0) // and no echo
	p.builder.receives(t)
	is.Equal(p.builder.woken(t), "") // one delivery
}

func kinds(events []relay.Event) map[relay.Kind]int {
	count := map[relay.Kind]int{}
	for _, e := range events {
		count[e.Kind]++
	}
	return count
}

func TestTurnEnd_AttachedSendsAtTheTurnsEndAlone(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.attach()
	p.planner.stops(t, block("first"))
	is.Equal(p.builder.woken(t), "") // a Stop is not yet the end
	p.planner.says(t, "typed while the turn runs")
	is.NoErr(p.operator(nil).Refresh(p.store.members[plannerID]))
	is.Equal(p.builder.woken(t), "") // nothing else ends it
	p.planner.prompt = "plan-p1"
	p.planner.stops(t, block("second")) // another hook had refused the first
	p.planner.completes(t, "answer", block("second"))
	text, _ := p.builder.receives(t)
	is.Equal(text, "[relay round 1 · from planner]\n\nsecond") // the latest
	is.Equal(p.builder.woken(t), "")                           // alone
	p.planner.completes(t, "answer", block("second"))          // reported twice
	p.builder.stops(t, block("report"))
	p.planner.says(t, p.planner.claims(t))
	p.planner.stops(t, "I need a word with my person.")
	p.planner.completes(t, "answer", "I need a word with my person.")
	is.Equal(p.builder.woken(t), "")                      // the first never goes
	is.Equal(p.planner.state(t).Aside(relay.Planner), "") // nor is it kept
}

func TestTurnEnd_AttachedSendsTheModsOwnAnswerWhereNoHookRecorded(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.attach()
	p.planner.completes(t, "answer", block("step 1"))
	text, _ := p.builder.receives(t)
	is.Equal(text, "[relay round 1 · from planner]\n\nstep 1")
}

func TestTurnEnd_TheFinalMessageDecides(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.attach()
	p.planner.stops(t, block("first"))           // refused by another hook
	p.planner.stops(t, "On second thought, no.") // the end of the same turn
	p.planner.completes(t, "answer", "On second thought, no.")
	is.Equal(p.builder.woken(t), "") // nothing goes
	p.planner.says(t, "hm")
	p.planner.stops(t, "hm")
	p.planner.completes(t, "answer", "hm")
	is.Equal(p.builder.woken(t), "") // not later either
}

func TestTurnEnd_ATurnThatDoesNotCountSendsNothing(t *testing.T) {
	for _, reason := range []string{"aborted", "refusal", "error"} {
		t.Run(reason, func(t *testing.T) {
			is := is.New(t)
			p := working(t)
			p.planner.attach()
			p.planner.stops(t, block("half a step"))
			p.planner.completes(t, reason, block("half a step"))
			is.Equal(p.builder.woken(t), "") // nothing
			p.planner.says(t, "again")
			p.planner.stops(t, "I wait.")
			p.planner.completes(t, "answer", "I wait.")
			delete(p.store.attachments, plannerID)
			p.planner.says(t, "and again")
			is.Equal(p.builder.woken(t), "") // not later either
			p.planner.stops(t, block("step 1"))
			text, _ := p.builder.receives(t)
			is.Equal(text, "[relay round 1 · from planner]\n\nstep 1") // what counts goes
		})
	}
}

func TestTurnEnd_AnAPIErrorIsNoEnd(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("step 1"))
	p.builder.receives(t)
	must(p.operator(nil).StopFailed(p.builder.input("", "")))(t)
	must(p.operator(nil).StopFailed(p.builder.input("", "")))(t) // wired twice
	is.Equal(p.planner.woken(t), "")                             // nothing is sent
	is.Equal(kinds(p.builder.log(t).Events[relay.Builder])[relay.TurnLost], 1)
	line, tone := p.builder.state(t).Band(relay.Builder, "", relay.CatalogueOf("en"))
	is.Equal(line, "builder ⇄ plan · ▰▱▱▱▱▱▱▱▱▱ 1/10 · interrupted, waits for its person") // band
	is.Equal(tone, relay.ToneWaiting)
	p.builder.says(t, "try again")
	p.builder.stops(t, block("report 1"))
	text, _ := p.planner.receives(t)
	is.Equal(text, "[relay round 1 · from builder]\n\nreport 1") // its person went on
}

func TestTurnEnd_ASubagentsEndIsNone(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.attach()
	must(p.operator(nil).Ended(plannerID, relay.TurnEnd{Reason: "answer", Answer: block("subagent's"), Agent: "a1"}))(t)
	is.Equal(p.builder.woken(t), "") // nothing
	is.Equal(kinds(p.planner.log(t).Events[relay.Planner])[relay.Recorded], 0)
}

func TestTurnEnd_WaitsForTheTurnsSubagents(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stopsWaiting(t, block("step 1"))
	p.planner.stopsWaiting(t, block("step 1")) // wired twice
	is.Equal(p.builder.woken(t), "")           // it waits
	p.planner.says(t, "<task-notification>\n<result>sub result</result>\n</task-notification>")
	is.Equal(p.builder.woken(t), "") // a message's arrival sends nothing
	p.planner.stops(t, "The agent has finished.")
	text, _ := p.builder.receives(t)
	is.Equal(text, "[relay round 1 · from planner]\n\nstep 1") // the waiting one goes
	is.Equal(p.builder.woken(t), "")                           // once
}

func TestTurnEnd_ANewerBlockGoesInsteadOfTheWaitingOne(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stopsWaiting(t, block("step 1"))
	p.planner.says(t, "<task-notification>finished</task-notification>")
	p.planner.stops(t, block("better step 1"))
	text, _ := p.builder.receives(t)
	is.Equal(text, "[relay round 1 · from planner]\n\nbetter step 1") // the newer
	p.builder.stops(t, block("report 1"))
	p.planner.receives(t)
	p.planner.stops(t, "Let me think.")
	is.Equal(p.builder.woken(t), "")                      // the older one never goes
	is.Equal(p.planner.state(t).Aside(relay.Planner), "") // nor is it kept
}

func TestTurnEnd_AWaitingBlockOutlivesAnInterruptedTurn(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.attach()
	p.planner.stopsWaiting(t, block("step 1"))
	p.planner.completes(t, "answer", block("step 1"))
	p.planner.says(t, "how long?")
	p.planner.completes(t, "aborted", "a while") // of another turn
	p.planner.says(t, "<task-notification>finished</task-notification>")
	p.planner.stops(t, "The agent has finished.")
	p.planner.completes(t, "answer", "The agent has finished.")
	text, _ := p.builder.receives(t)
	is.Equal(text, "[relay round 1 · from planner]\n\nstep 1")
}

func TestTurnEnd_WhatADeadModLeftGoesAtTheNextHook(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.attach()
	p.planner.stops(t, block("step 1"))
	delete(p.store.attachments, plannerID) // the mod dies before the turn's end
	is.Equal(p.builder.woken(t), "")
	p.planner.says(t, "hello?")
	text, _ := p.builder.receives(t)
	is.Equal(text, "[relay round 1 · from planner]\n\nstep 1")
}

func TestTurnEnd_OfASessionWithoutALinkIsNothing(t *testing.T) {
	is := is.New(t)
	p := strangers()
	is.Equal(len(p.planner.stops(t, block("step"))), 0) // nothing said
	is.Equal(len(p.store.events), 0)                    // nothing written
}

func TestTurn_WithTheWordsOfAnEarlierOneCountsWithoutItsHook(t *testing.T) {
	for _, byHook := range []bool{true, false} { // how the earlier one was recorded
		is := is.New(t)
		p := working(t)
		p.round(t, "step 1", "Done as you said.")
		p.builder.attach()
		p.round2(t, byHook)
		p.planner.stops(t, block("step 3"))
		p.builder.says(t, p.builder.claims(t))
		end := relay.TurnEnd{Reason: "answer", Answer: block("Done as you said."), Turn: "t3"}
		must(p.operator(nil).Ended(builderID, end))(t)
		must(p.operator(nil).Ended(builderID, end))(t) // told twice
		text, _ := p.planner.receives(t)
		is.Equal(text, "[relay round 3 · from builder]\n\nDone as you said.")
		is.Equal(p.planner.woken(t), "") // once
	}
}

// round2 plays a second round whose report says what the first one said too, in
// other words around the block.
func (p pair) round2(t *testing.T, byHook bool) {
	t.Helper()
	p.planner.stops(t, block("step 2"))
	p.builder.says(t, p.builder.claims(t))
	message := "<handoff>Here it is.</handoff>"
	if byHook {
		p.builder.stops(t, message)
	}
	must(p.operator(nil).Ended(builderID, relay.TurnEnd{Reason: "answer", Answer: message, Turn: "t2"}))(t)
	p.planner.receives(t)
}

func TestTurn_WithoutItsHookCountsOnceForEachTurnOfTheMod(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.attach()
	for _, turn := range []string{"t1", "t1", "t2", "t2"} { // each is told twice
		must(p.operator(nil).Ended(plannerID, relay.TurnEnd{Reason: "answer", Answer: "I wait.", Turn: turn}))(t)
	}
	is.Equal(kinds(p.planner.log(t).Events[relay.Planner])[relay.Recorded], 2)
}

func TestTurn_ThatItsHookAndTheModTellOfIsRecordedOnce(t *testing.T) {
	is := is.New(t)
	p := reporting(t)
	p.builder.attach()
	p.builder.stops(t, block("report 1"))
	end := relay.TurnEnd{Reason: "answer", Answer: block("report 1"), Turn: "t1"}
	must(p.operator(nil).Ended(builderID, end))(t)
	must(p.operator(nil).Ended(builderID, end))(t)
	is.Equal(kinds(p.builder.log(t).Events[relay.Builder])[relay.Recorded], 1)
}
