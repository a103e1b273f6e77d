package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/changeover/changeover/adapters/linkstore"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/domain/relay"
)

// roundsBefore is how many rounds the measured link has behind it.
const roundsBefore = 2

// links returns the events of a session without a link and of one with, which
// writes no block: what every prompt and every turn's end costs.
func (w *world) links(cwd string) ([]hookCase, error) {
	state := filepath.Join(w.dir, "relay-state")
	w.env = append(w.env, "RELAY_STATE_DIR="+state)
	party := func(session string) relay.Party {
		return relay.Party{Session: session, Name: session, Cwd: "/w", PID: os.Getpid()}
	}
	if err := link(linkstore.New(osfs.New(), state), party("planner-session"), party("builder-session")); err != nil {
		return nil, err
	}
	var cases []hookCase
	for _, session := range []string{"nobody", "builder-session"} {
		for event, payload := range map[string]map[string]any{
			"UserPromptSubmit": {"prompt": "please look at the tests again"},
			"Stop":             {"last_assistant_message": "I looked at them.", "background_tasks": []any{}},
		} {
			payload["hook_event_name"], payload["session_id"], payload["cwd"], payload["prompt_id"] = event, session, cwd, "p-1"
			data, err := json.Marshal(payload)
			if err != nil {
				return nil, err
			}
			input := filepath.Join(w.dir, session+event+".json")
			if err := os.WriteFile(input, data, 0o644); err != nil {
				return nil, fmt.Errorf("write an input: %w", err)
			}
			cases = append(cases, hookCase{map[string]string{"UserPromptSubmit": "user-prompt-submit", "Stop": "stop"}[event], input})
		}
	}
	return ordered(cases), nil
}

// ordered puts the prompt before the turn's end, whatever order a map gave.
func ordered(cases []hookCase) []hookCase {
	for i := 0; i < len(cases); i += 2 {
		if cases[i].event == "stop" {
			cases[i], cases[i+1] = cases[i+1], cases[i]
		}
	}
	return cases
}

// link writes a link with some rounds behind it; it is the builder's turn.
func link(store linkstore.Store, planner, builder relay.Party) error {
	const id = "0011223344556677"
	text := func(s string) (string, string) { return s, relay.Digest(s) }
	logs := map[relay.Role][]relay.Event{
		relay.Planner: {{Kind: relay.Asked, Party: planner, Peer: builder.Session, Nonce: "n", MaxRounds: 10, Lang: "en"}},
		relay.Builder: {{Kind: relay.Accepted, Party: builder, Nonce: "n", MaxRounds: 10, Lang: "en"}},
	}
	add := func(role relay.Role, e relay.Event) int {
		e.Seq = len(logs[role]) + 1
		logs[role] = append(logs[role], e)
		return e.Seq
	}
	goal, digest := text("make the parser stream")
	seq := add(relay.Planner, relay.Event{Kind: relay.GoalSet, Text: goal, Digest: digest})
	add(relay.Planner, relay.Event{Kind: relay.Shown, From: relay.Person, Delivery: seq, WithPrompt: true})
	for round := 1; round <= roundsBefore+1; round++ {
		step, digest := text(fmt.Sprintf("step %d: split the reader", round))
		of := add(relay.Planner, relay.Event{Kind: relay.Recorded, Text: step, Digest: digest})
		sent := add(relay.Planner, relay.Event{Kind: relay.Sent, Of: of, Round: round, Text: step, Digest: digest})
		add(relay.Builder, relay.Event{Kind: relay.Shown, From: relay.Planner, Delivery: sent, WithPrompt: round == 1})
		if round > roundsBefore {
			continue
		}
		report, digest := text(fmt.Sprintf("report %d: done, tests pass", round))
		of = add(relay.Builder, relay.Event{Kind: relay.Recorded, Text: report, Digest: digest})
		back := add(relay.Builder, relay.Event{Kind: relay.Sent, Of: of, Round: round, Answers: sent, Text: report, Digest: digest})
		add(relay.Planner, relay.Event{Kind: relay.Shown, From: relay.Builder, Delivery: back})
	}
	for role, events := range logs {
		for i, e := range events {
			e.Seq = i + 1
			if err := store.Append(id, role, e); err != nil {
				return fmt.Errorf("write the link: %w", err)
			}
		}
	}
	return errors.Join(
		store.AddMember(relay.Member{Session: planner.Session, Link: id, Role: relay.Planner, PID: planner.PID}),
		store.AddMember(relay.Member{Session: builder.Session, Link: id, Role: relay.Builder, PID: builder.PID}),
	)
}
