package relay

import (
	"errors"
	"slices"
	"strings"
)

// Prompt is the gate: what is a claimed delivery enters and is noted, what only
// looks like one does not, nor what has come before.
func (o Operator) Prompt(in HookInput, prompt, promptID string) (Reply, error) {
	m, err := o.member(in.SessionID)
	if err != nil {
		return Reply{}, err
	}
	if m.Link == "" {
		return o.unlinkedPrompt(in, prompt)
	}
	r, passes, err := o.admit(m, in, prompt, promptID)
	if errors.Is(err, ErrNoLink) { // somebody took it away
		return o.unlinkedPrompt(in, prompt)
	}
	if err != nil && !passes && LooksLikeDelivery(prompt) { // it waits; what cannot be told apart does not enter
		return o.lookAlike(prompt, ""), err
	}
	if err != nil || !passes || o.attached(in.SessionID) {
		return r, err
	}
	s, notices, err := o.dispatch(m.Link, m.Role)
	if err != nil {
		return Reply{}, err
	}
	told, err := o.tell(s, m.Role)
	return Reply{Lines: append(worded(notices, s.Lang(m.Role)), told...)}, err
}

// admit decides about a prompt of a linked session. passes: it is none of relay's, or
// a delivery of which that could not be noted. Such a one enters, as it does where the
// hook is killed, and the next look back notes it: the same hook may run twice, and
// the other one may have noted that it was shown.
func (o Operator) admit(m Member, in HookInput, prompt, promptID string) (r Reply, passes bool, err error) {
	var as entry
	now := present{id: promptID, prompt: prompt}
	s, d, err := o.decideCaughtUp(m, in, now, func(s State) (Decision, error) {
		var d Decision
		as, d = s.entry(m.Role, prompt, promptID)
		return d, nil
	})
	if err != nil {
		return Reply{}, as == enters, err
	}
	c := CatalogueOf(s.Lang(m.Role))
	switch {
	case as == enters:
		if d.Events[0].WithPrompt {
			r.Context = c.RolePrompt(m.Role, isWake(prompt))
		}
	case as == isLate:
		r = Reply{Block: true, Reason: c.Say(SayRefusedDelivery, c.Why(Event{Reason: Unexpected}))}
	case as == isDouble:
		r = Reply{Block: true, Reason: c.Say(SayDouble)}
	case as == ordinary && LooksLikeDelivery(prompt):
		r = o.lookAlike(prompt, s.Lang(m.Role))
	case as == ordinary:
		return Reply{}, true, nil
	}
	return r, false, nil
}

// entry is what a prompt is to the gate.
type entry int

const (
	ordinary entry = iota
	// entered: this very prompt was noted already; the same hook runs twice.
	entered
	// enters: it is a delivery that was claimed and not shown yet.
	enters
	// isLate: it is one that does not count any more.
	isLate
	// isDouble: it is one that was shown already, or is on its way once more.
	isDouble
)

// entry tells what a prompt is, and what is to be noted of it.
func (s State) entry(role Role, prompt, promptID string) (entry, Decision) {
	if s.ShownIn(role, promptID, prompt) {
		return entered, Decision{}
	}
	if late, ok := s.Late(role, prompt); ok {
		d := s.Refuse(role, late.sendable(), Unexpected, "")
		for i := range d.Events {
			d.Events[i].Prompt = promptID
		}
		return isLate, d
	}
	if t, ok := s.Enter(role, prompt); ok {
		return enters, did(Event{
			Kind: Shown, From: t.From, Delivery: t.Seq, Copy: t.Copy, Prompt: promptID, WithPrompt: s.PromptDue(role),
		})
	}
	t, ok := s.Double(role, prompt, promptID)
	if !ok {
		return ordinary, s.lookedAlike(role, prompt, promptID)
	}
	if s.absorbedBy(role, t, promptID) {
		return isDouble, Decision{}
	}
	return isDouble, did(Event{Kind: Absorbed, From: t.From, Delivery: t.Seq, Copy: t.Copy, Prompt: promptID})
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
	_, rest, ok := strings.Cut(openingTag(text), " "+name+"=\"")
	if !ok {
		return "?"
	}
	value, _, _ := strings.Cut(rest, "\"")
	return plain(Clean(value), firstLength)
}

// Double finds the delivery that a prompt is, of which another one with the same
// text has been shown or will be. The client's wake says that it is relay's; words
// without that may be a person's, unless the delivery is known to have been given
// to the client once more.
func (s State) Double(role Role, prompt, promptID string) (Delivery, bool) {
	c := CatalogueOf(s.Lang(role))
	for _, t := range slices.Backward(s.incoming(role)) {
		if !t.Enters(prompt, c) {
			continue
		}
		more := s.offers(role, t.From, t.Seq, t.Copy) > s.absorptions(role, t.Delivery)
		if isWake(prompt) || more || s.absorbedBy(role, t.Delivery, promptID) {
			return t.Delivery, true
		}
	}
	return Delivery{}, false
}

// lookedAlike notes a text that is kept from a model because it only looks like a
// delivery, once for each prompt.
func (s State) lookedAlike(role Role, prompt, promptID string) Decision {
	known := slices.ContainsFunc(s.sides[role].alikes, func(e Event) bool { return e.Prompt == promptID })
	if known || promptID == "" || !LooksLikeDelivery(prompt) {
		return Decision{}
	}
	return did(Event{Kind: LookedAlike, Prompt: promptID})
}

// absorptions counts the prompts with a delivery that were kept from a model
// because they came twice.
func (s State) absorptions(role Role, d Delivery) int {
	n := 0
	for _, e := range s.sides[role].absorbed {
		if e.isOf(d) {
			n++
		}
	}
	return n
}

// absorbedBy reports that this very prompt was noted to be a second one.
func (s State) absorbedBy(role Role, d Delivery, promptID string) bool {
	return slices.ContainsFunc(s.sides[role].absorbed, func(e Event) bool {
		return e.isOf(d) && promptID != "" && e.Prompt == promptID
	})
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
