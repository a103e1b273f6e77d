package relay

import (
	"slices"
	"strings"
)

// Prompt is the gate: what is a claimed delivery enters and is noted, what only
// looks like one does not.
func (o Operator) Prompt(in HookInput, prompt, promptID string) (Reply, error) {
	m, err := o.member(in.SessionID)
	if err != nil {
		return Reply{}, err
	}
	if m.Link == "" {
		return o.unlinkedPrompt(in, prompt)
	}
	var entered Delivery
	var shown, again, late bool
	s, d, err := o.decide(m.Link, m.Role, func(s State) (Decision, error) {
		if again = s.ShownIn(m.Role, promptID, prompt); again {
			return Decision{}, nil
		}
		if entered, late = s.Late(m.Role, prompt); late {
			return s.Refuse(m.Role, entered.sendable(), Unexpected, ""), nil
		}
		if entered, shown = s.Enter(m.Role, prompt); !shown {
			return Decision{}, nil
		}
		return did(Event{
			Kind: Shown, From: entered.From, Delivery: entered.Seq, Copy: entered.Copy, Prompt: promptID,
			WithPrompt: s.PromptDue(m.Role),
		}), nil
	})
	switch {
	case err != nil && LooksLikeDelivery(prompt): // it waits; what cannot be told apart does not enter
		return o.lookAlike(prompt, ""), err
	case err != nil:
		return Reply{}, err
	case again:
		return Reply{}, nil
	case late:
		c := CatalogueOf(s.Lang(m.Role))
		return Reply{Block: true, Reason: c.Say(SayRefusedDelivery, c.Why(Event{Reason: Unexpected}))}, nil
	case shown:
		var r Reply
		if len(d.Events) > 0 && d.Events[0].WithPrompt {
			r.Context = CatalogueOf(s.Lang(m.Role)).RolePrompt(m.Role, strings.HasPrefix(strings.TrimSpace(prompt), wakeEnvelope))
		}
		return r, nil
	case LooksLikeDelivery(prompt):
		return o.lookAlike(prompt, s.Lang(m.Role)), nil
	}
	var r Reply
	if !o.attached(in.SessionID) {
		_, notices, err := o.dispatch(m.Link, m.Role)
		r.Lines = worded(notices, s.Lang(m.Role))
		return r, err
	}
	return r, nil
}

// unlinkedPrompt is the gate of a session without a link.
func (o Operator) unlinkedPrompt(in HookInput, prompt string) (Reply, error) {
	if LooksLikeDelivery(prompt) {
		terms, _ := o.Defaults.Terms() // a fault of the file is told where it matters
		return o.lookAlike(prompt, terms.Lang), nil
	}
	lines, err := o.asked(in.SessionID)
	if err != nil || len(lines) == 0 || o.attached(in.SessionID) {
		return Reply{}, err
	}
	return Reply{Lines: lines}, nil
}

func (o Operator) lookAlike(prompt, lang string) Reply {
	c := CatalogueOf(lang)
	return Reply{Block: true, Reason: c.Say(SayLookAlike, c.origin(prompt))}
}

// origin says where a prompt came from, as far as its envelope tells.
func (c Catalogue) origin(prompt string) string {
	trimmed := strings.TrimSpace(prompt)
	switch {
	case strings.HasPrefix(trimmed, peerEnvelope):
		return c.Say(OriginPeer, attribute(trimmed, "from-name"))
	case strings.HasPrefix(trimmed, wakeEnvelope):
		return c.Say(OriginWake)
	}
	return c.Say(OriginTyped)
}

// attribute reads an attribute of the tag that a text begins with, cleaned.
func attribute(text, name string) string {
	tag, _, _ := strings.Cut(text, ">")
	_, rest, ok := strings.Cut(tag, " "+name+"=\"")
	if !ok {
		return "?"
	}
	value, _, _ := strings.Cut(rest, "\"")
	return Clean(value)
}

// ShownIn reports that a prompt is a delivery which this very prompt was noted
// to show: the same hook runs twice.
func (s State) ShownIn(role Role, promptID, prompt string) bool {
	c := CatalogueOf(s.Lang(role))
	return promptID != "" && slices.ContainsFunc(s.sides[role].shown, func(e Event) bool {
		t, ok := s.Find(role, e.From, e.Delivery, e.Copy)
		return ok && e.Prompt == promptID && t.Enters(prompt, c)
	})
}
