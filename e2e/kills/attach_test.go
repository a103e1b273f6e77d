package kills_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/e2e/killing"
)

// said is what an attached process tells the mod.
type said struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// attaches implements machine. The process is killed at any moment until it has drawn
// its picture, which it does after it has handed over what waits.
func (r *programs) attaches(c *client) func() []string {
	cmd := r.command(c, "relay", "attach", "--session", c.id)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		panic(err)
	}
	began, at := time.Now(), r.draws("relay attach")
	if at != killing.Never {
		time.AfterFunc(at, func() { _ = cmd.Process.Kill() }) // it may have ended
	}
	lines, drawn := bufio.NewScanner(out), false
	var texts []string
	next := func() bool {
		if !lines.Scan() {
			return false
		}
		var s said
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return true // a line that was cut off is none
		}
		if s.Kind == "submit" {
			texts = append(texts, s.Text)
		}
		drawn = drawn || s.Kind == "panel"
		return true
	}
	for !drawn && next() {
	}
	took := time.Since(began)
	return func() []string {
		_ = cmd.Process.Signal(os.Interrupt) // it may have been killed
		for next() {
		}
		_ = cmd.Wait() // how it ended is known
		r.mu.Lock()
		defer r.mu.Unlock()
		r.told = append(r.told, fmt.Sprintf("relay attach of %s, drawn %v after %s, had it show %q", c.id, drawn, took, texts))
		if drawn {
			r.moments.Took("relay attach", took)
		} else if at != killing.Never {
			r.tally.met("relay attach")
		}
		return texts
	}
}

// mod implements machine.
func (r *programs) mod(c *client, e event) {
	told, err := json.Marshal(map[string]any{"reason": "answer", "answer": e.message, "turn": e.promptID})
	if err != nil {
		panic(err)
	}
	const what = "relay event turn"
	out := r.run(r.command(c, "relay", "event", "turn", "--session", c.id), what, string(told), r.draws(what))
	if !out.Killed && out.Code != 0 || strings.Contains(out.Stderr, "panic") {
		r.t.Errorf("%s: %+v", what, out)
	}
}

// attaches implements machine.
func (m *calls) attaches(c *client) func() []string {
	self := relay.Attachment{PID: c.pid, Start: start(c.pid)}
	m.survives(func(o relay.Operator) error { return o.Attach(c.id, self) })
	return func() (texts []string) {
		m.run("relay attach", func(o relay.Operator, _ *killing.System) error {
			member, err := o.Known(c.id)
			if err != nil || member.Link == "" {
				return err
			}
			if err := o.Refresh(member); err != nil {
				return err
			}
			claim, ok, err := o.Claim(member)
			if err != nil || !ok {
				return err
			}
			if err := o.HandOver(claim, self); err != nil {
				return errors.Join(err, o.PutBack(claim))
			}
			texts = append(texts, claim.Prompt(relay.CatalogueOf("en")))
			return nil
		})
		m.survives(func(o relay.Operator) error { return o.Detach(c.id, self) })
		return texts
	}
}

// mod implements machine.
func (m *calls) mod(c *client, e event) {
	m.run("relay event turn", func(o relay.Operator, _ *killing.System) error {
		_, err := o.Ended(c.id, relay.TurnEnd{Reason: "answer", Answer: e.message, Turn: e.promptID})
		return err
	})
}
