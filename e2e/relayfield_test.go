package e2e_test

import (
	"fmt"
	"path/filepath"
	"testing"
)

// F3: the transcript lacks the turn's last row and ends with an older block; the
// hook's input has the message. It goes once, and the older one never.
func TestRelay_StopBeforeTheTranscriptIsWrittenSendsTheMessageItWasTold(t *testing.T) {
	p := newRelayPair(t)
	p.link("map the coast", "p0")
	path := filepath.Join(p.home, "t.jsonl")
	transcriptRows(t, path, oldTurn)
	p.hook(2, plannerID, "Stop", map[string]any{
		"prompt_id": "p1", "transcript_path": path, "last_assistant_message": "Now.\n<handoff>chart the bay</handoff>",
	})
	if s := p.standing(); s.Round != 1 || s.from("planner") != 1 || len(s.Pauses) != 0 {
		t.Fatalf("the link stands at %+v", s)
	}
	p.take(builderID, "b1", "[relay round 1 · from planner]\n\nchart the bay")
	// It is written now, and another hook of the same turn comes late.
	transcriptRows(t, path, oldTurn+newTurn)
	p.unreadStop(plannerID, "p1", path)
	if s := p.standing(); s.Round != 1 || s.from("planner") != 1 || len(s.Pauses) != 0 {
		t.Fatalf("the link stands at %+v", s)
	}
}

// F12: whatever line ends a model writes, the other one reads the same. A lone
// CR is no line end in an agent's output.
func TestRelay_HandoffWithAnyLineEndsIsTheSame(t *testing.T) {
	const want = "[relay round 1 · from planner]\n\nchart the bay\n\n- north\n- south"
	for name, message := range map[string]string{
		"LF":              "Plan.\n<handoff>\nchart the bay\n\n- north\n- south\n</handoff>\n",
		"CRLF":            "Plan.\r\n<handoff>\r\nchart the bay\r\n\r\n- north\r\n- south\r\n</handoff>\r\n",
		"mixed":           "Plan.\r\n<handoff>\nchart the bay\r\n\n- north\n- south\r\n</handoff>\n",
		"byte order mark": "\ufeff<handoff>\ufeffchart the bay\r\n\r\n- north\r\n- south</handoff>",
		"lone CR":         "Plan.\r<handoff>\rchart the\r bay\n\n- nor\rth\n- south\r</handoff>\r",
		"CRLF in code":    "```\r\n<handoff>an example</handoff>\r\n```\r\n<handoff>chart the bay\r\n\r\n- north\r\n- south</handoff>\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			p := newRelayPair(t)
			p.link("map the coast", "p0")
			p.stop(plannerID, "p0", message)
			p.take(builderID, "b1", want)
		})
	}
}

// F15: both models go on for ever with something new, and stop_hook_active stays
// true: no more than max_rounds are sent.
func TestRelay_RunawayWithNewWordsStopsAtTheLimit(t *testing.T) {
	const limit = 3
	p := newRelayPair(t)
	p.relay(plannerID, "planner", builderID, "--max-rounds", "1000")
	p.relay(builderID, "builder", plannerID, "--max-rounds", fmt.Sprint(limit)) // the smaller one counts
	p.relay(plannerID, "goal", "map the coast")
	p.take(plannerID, "p0", "map the coast")
	for n := 1; n <= limit; n++ {
		p.stop(plannerID, fmt.Sprintf("p%d", n-1), fmt.Sprintf("ok <handoff>step %d</handoff>", n))
		p.take(builderID, fmt.Sprintf("b%d", n), fmt.Sprintf("[relay round %d · from planner]\n\nstep %d", n, n))
		p.stop(builderID, fmt.Sprintf("b%d", n), fmt.Sprintf("ok <handoff>report %d</handoff>", n))
		p.take(plannerID, fmt.Sprintf("p%d", n), fmt.Sprintf("[relay round %d · from builder]\n\nreport %d", n, n))
	}
	for range 2 { // each more that it says is held
		p.stop(plannerID, fmt.Sprintf("p%d", limit), "ok <handoff>one step more</handoff>")
		s := p.standing()
		if s.Round != limit || s.from("planner") != limit || s.from("builder") != limit || len(s.Pauses) != 1 || s.Pauses[0].Reason != "limit" {
			t.Fatalf("the link stands at %+v", s)
		}
	}
	wantIn(t, p.relay(plannerID, "status"), "held: one step more")
}
