package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"
)

// hookPayload is what a client sends of an event of the session s.
func hookPayload(t *testing.T, cwd, event string, more map[string]string) []byte {
	t.Helper()
	members := map[string]string{"hook_event_name": event, "session_id": "s", "cwd": cwd}
	for name, value := range more {
		members[name] = value
	}
	data, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// atOnce runs several hookd processes with one payload.
func (p place) atOnce(n int, event string, payload []byte) []outcome {
	outs := make([]outcome, n)
	var group sync.WaitGroup
	for i := range outs {
		group.Go(func() {
			o := p.order("harbour", "hookd", event)
			o.Input = payload
			outs[i] = o.run()
		})
	}
	group.Wait()
	return outs
}

// Of several hooks of one event, each handoff is shown by one of them.
func TestMidsession_HooksOfOnePromptAtOnce(t *testing.T) {
	is := is.New(t)
	const rounds, hooks = 30, 3
	p := newPlace(t)
	p.write("harbour/.claude/exchange.json", `{"name": "harbour"}`)
	p.write("harbour/dock/.git/HEAD", "ref: refs/heads/main\n")
	prompt := hookPayload(t, p.path("harbour/dock"), "UserPromptSubmit", nil)
	stop := hookPayload(t, p.path("harbour/dock"), "Stop", nil)
	for round := range rounds {
		body := fmt.Sprintf("mail of round %d.", round)
		posted := p.exchange("harbour", "handoff", "post", "--repo", "dock", "--body", body)
		is.Equal(posted.Code, 0)
		told := 0
		for _, out := range p.atOnce(hooks, "stop", stop) {
			is.Equal(out.Code, 0)
			told += bytes.Count(out.Stdout, []byte("1 new handoff(s)"))
		}
		is.Equal(told, 1) // the person was told once
		shown := 0
		for _, out := range p.atOnce(hooks, "user-prompt-submit", prompt) {
			is.Equal(out.Code, 0)
			shown += bytes.Count(out.Stdout, []byte(body))
		}
		is.Equal(shown, 1) // the model was shown it once
	}
}

func TestMidsession_WakeFileAndTwoHooksAtOnce(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	p.write("harbour/.claude/exchange.json", `{"name": "harbour", "deliver": "wake"}`)
	p.write("harbour/dock/.git/HEAD", "ref: refs/heads/main\n")
	file := p.path("harbour/.claude/exchange/wake/s")
	payload := hookPayload(t, p.path("harbour/dock"), "FileChanged", map[string]string{"file_path": file, "event": "add"})
	for round := range 20 {
		body := fmt.Sprintf("mail of round %d.", round)
		is.Equal(p.exchange("harbour", "handoff", "post", "--repo", "dock", "--body", body).Code, 0)
		p.write("harbour/.claude/exchange/wake/s", "")
		woke := 0
		for _, out := range p.atOnce(2, "file-changed", payload) {
			is.Equal(len(out.Stdout), 0)
			switch out.Code {
			case 2:
				woke++
				is.True(strings.Contains(string(out.Stderr), body))
			default:
				is.Equal(out.Code, 0)
				is.Equal(len(out.Stderr), 0)
			}
		}
		is.Equal(woke, 1) // one of them, exit code 2
		_, err := os.Lstat(file)
		is.True(os.IsNotExist(err))
	}
}
