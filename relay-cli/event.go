package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/text"
)

// eventLimit bounds what the mod tells of one event, in bytes.
const eventLimit = 16 << 20

// modEvent is everything that the mod may tell; each event uses some of it.
type modEvent struct {
	Args    string            `json:"args"`
	ID      string            `json:"id"`
	Value   string            `json:"value"`
	Values  map[string]string `json:"values"`
	Entries []string          `json:"entries"`
	Reason  string            `json:"reason"`
	Answer  string            `json:"answer"`
	Agent   string            `json:"agent"`
	Turn    string            `json:"turn"`
	Why     string            `json:"why"`
}

// newEventCmd is the mod's way to report: one event a run.
func newEventCmd(s *shared) *cobra.Command {
	return &cobra.Command{
		Use:     "event NAME",
		Short:   "Handle one event of the mod; not for typing",
		Example: "  echo '{\"args\":\"status\"}' | relay event command --session 071a81ba",
		Hidden:  true,
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			var e modEvent
			data, err := io.ReadAll(io.LimitReader(s.Streams.In, eventLimit))
			if err == nil && len(data) > 0 {
				err = json.Unmarshal(data, &e)
			}
			if err != nil {
				return fmt.Errorf("read event %s: %w", args[0], err)
			}
			doc, err := s.event(args[0], e)
			if err != nil {
				return err
			}
			if len(doc) == 0 {
				return nil
			}
			_, err = s.Streams.Out.Write(append(jsondoc.Line(doc), '\n'))
			return err
		},
	}
}

func (s *shared) event(name string, e modEvent) (jsondoc.Object, error) {
	switch name {
	case "turn":
		lines, err := s.Operator.Ended(s.session, relay.TurnEnd{Reason: e.Reason, Answer: e.Answer, Agent: e.Agent, Turn: e.Turn})
		return s.toast(lines), err
	case "dropped":
		box, ok := parseToken(e.ID)
		if !ok {
			return nil, fmt.Errorf("dropped: %q is no delivery", e.ID)
		}
		return nil, s.Operator.Dropped(s.session, box, e.Why)
	case "context":
		return s.context(e), nil
	case "command", "press", "enter":
		return s.asked(name, e), nil
	case "choose":
		return nil, nil // a choice counts when a button is pressed
	}
	return nil, errors.New("relay knows no event " + name)
}

// asked handles what a person does in the mod. What stands in the way of it is
// part of the answer.
func (s *shared) asked(name string, e modEvent) jsondoc.Object {
	self, err := s.speaker()
	switch {
	case err != nil && name == "command":
		return jsondoc.Object{{Key: "text", Value: s.Operator.Word(err, s.session)}}
	case err != nil:
		return s.toast([]string{s.Operator.Word(err, s.session)})
	case name == "command":
		return s.typed(self, e.Args)
	case name == "enter":
		e.Values = map[string]string{e.ID: e.Value}
	}
	r, err := s.Operator.Press(self, e.ID, e.Values)
	return s.pressed(self, r, err)
}

// typed answers a slash command. In mid-turn, where its row is drawn at the turn's
// end only, the mod shows it in a toast too.
func (s *shared) typed(self relay.Speaker, args string) jsondoc.Object {
	doc := jsondoc.Object{{Key: "text", Value: strings.Join(s.Operator.Command(self, args), "\n")}}
	if strings.TrimSpace(args) == "" {
		doc.Add("open", true)
	}
	return doc
}

func (s *shared) pressed(self relay.Speaker, r relay.Outcome, err error) jsondoc.Object {
	if err != nil {
		return s.toast([]string{s.Operator.Word(err, self.Session)})
	}
	return append(s.toast(r.Lines()), jsondoc.Member{Key: "close", Value: true})
}

func (s *shared) context(e modEvent) jsondoc.Object {
	drop, notice := s.Operator.DropContext(s.session, e.Entries)
	if len(drop) == 0 {
		return nil
	}
	indices := make([]any, len(drop))
	for i, n := range drop {
		indices[i] = n
	}
	return jsondoc.Object{{Key: "drop", Value: indices}, {Key: "toast", Value: notice}}
}

func (s *shared) toast(lines []string) jsondoc.Object {
	if len(lines) == 0 {
		return nil
	}
	said := make([]string, 0, len(lines))
	for _, line := range s.Operator.InSession(s.session, lines) {
		said = append(said, text.Printable(line))
	}
	return jsondoc.Object{{Key: "toast", Value: strings.Join(said, "\n")}}
}

// token names a delivery to the mod, which gives it back unread.
func token(b relay.Box) string { return fmt.Sprintf("%s-%d-%d", b.From, b.Seq, b.Copy) }

func parseToken(s string) (relay.Box, bool) {
	var b relay.Box
	from, rest, ok := strings.Cut(s, "-")
	b.From = relay.Role(from)
	if _, err := fmt.Sscanf(rest, "%d-%d", &b.Seq, &b.Copy); err != nil {
		return b, false
	}
	return b, ok && token(b) == s
}
