package e2e_test

import (
	"os"
	"path/filepath"
	"testing"
)

// unreadStop is a Stop that does not tell what the turn said.
func (p *relayPair) unreadStop(session, promptID, transcript string) {
	p.t.Helper()
	p.hook(2, session, "Stop", map[string]any{"prompt_id": promptID, "transcript_path": transcript})
}

func transcriptRows(t *testing.T, path string, rows string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
}

const (
	oldTurn = `{"type":"user","promptId":"p0","message":{"role":"user","content":"map the coast"}}
{"type":"assistant","message":{"id":"m0","content":[{"type":"text","text":"<handoff>an old step</handoff>"}],"stop_reason":"end_turn"}}
`
	newTurn = `{"type":"user","promptId":"p1","message":{"role":"user","content":"go on"}}
{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"<handoff>chart the bay</handoff>"}],"stop_reason":"end_turn"}}
`
)

// The hook's input lacks the message, and the transcript lags.
func TestRelay_StopWithoutItsMessageReadsTheTranscript(t *testing.T) {
	p := newRelayPair(t)
	p.link("map the coast", "p0")
	path := filepath.Join(p.home, "t.jsonl")
	transcriptRows(t, path, oldTurn)
	written := make(chan struct{})
	go func() {
		defer close(written)
		// The hook is started meanwhile; it looks more than once.
		p.hook(1, builderID, "StopFailure", map[string]any{"prompt_id": "b0"})
		transcriptRows(t, path, oldTurn+newTurn)
	}()
	p.unreadStop(plannerID, "p1", path)
	<-written
	if s := p.standing(); s.Round != 1 || s.from("planner") != 1 || len(s.Pauses) != 0 {
		t.Fatalf("the link stands at %+v", s)
	}
	p.take(builderID, "b1", "[relay round 1 · from planner]\n\nchart the bay")
}

func TestRelay_StopWhoseMessageNobodyCanReadPauses(t *testing.T) {
	p := newRelayPair(t)
	p.link("map the coast", "p0")
	path := filepath.Join(p.home, "t.jsonl")
	transcriptRows(t, path, oldTurn)
	p.unreadStop(plannerID, "p1", path)
	s := p.standing()
	if s.Round != 0 || s.from("planner") != 0 || len(s.Pauses) != 1 || s.Pauses[0].Reason != "not-read" {
		t.Fatalf("the link stands at %+v", s)
	}
	wantIn(t, p.relay(plannerID, "status"), "could not be read")
	p.relay(plannerID, "resume")
	p.stop(plannerID, "p2", "<handoff>chart the bay</handoff>")
	if s := p.standing(); s.Round != 1 || s.from("planner") != 1 || len(s.Pauses) != 0 {
		t.Fatalf("the link stands at %+v", s)
	}
}
