package relay

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/session"
)

// Control is something in the panel that a person can use.
type Control struct {
	// Kind is select, input or button.
	Kind    string
	ID      string
	Label   string
	Value   string
	Options []Option
}

// Option is one choice of a select.
type Option struct{ Value, Label string }

// Panel is what the panel of a session shows.
type Panel struct {
	Lines    []string
	Controls []Control
}

// The controls of the panel.
const (
	controlRole    = "role"
	controlPeer    = "peer"
	controlConnect = "connect"
	controlAccept  = "accept"
	controlDecline = "decline"
	controlGoal    = "goal"
	controlPause   = "pause"
	controlResume  = "resume"
	controlUnlink  = "unlink"
)

// Panel lays out what a session can do now. peers are the live sessions that it
// may be paired with, the nearest first.
func (r Status) Panel(peers []session.Row) Panel {
	p := Panel{Controls: r.controls(peers)}
	p.Lines = r.panelLines(p)
	return p
}

// panelRows and panelColumns are what the client draws of a panel in a terminal of
// 100 columns and 32 rows. What lies below is reached by scrolling alone, so the
// controls must not.
const (
	panelRows    = 8
	panelColumns = 96
)

// panelLines is what the panel says above its controls. Of the handoffs there are
// the last ones, as many as leave room for the controls.
func (r Status) panelLines(p Panel) []string {
	c := CatalogueOf(r.Lang)
	lines, end := r.Standing(), r.end()
	switch {
	case r.Linked:
	case len(lines) > 0:
		return lines
	case len(p.Controls) == 0:
		return []string{c.Say(SayNobody)}
	default:
		return []string{c.Say(SayChoose)}
	}
	handoffs := r.handoffs()
	room := max(0, panelRows-p.rows()-rowsOf(lines)-rowsOf(end))
	if before := len(handoffs) - room; before > 0 {
		handoffs = handoffs[before:]
		if room > 0 {
			handoffs[0] = c.Say(SayBefore, before+1)
		}
	}
	return slices.Concat(lines, handoffs, end)
}

// rows is how many rows the controls take: each one, but the buttons one together.
func (p Panel) rows() int {
	n, buttons := 0, 0
	for _, control := range p.Controls {
		if control.Kind == "button" {
			buttons = 1
			continue
		}
		n++
	}
	return n + buttons
}

// rowsOf is how many rows lines take. One that is set in is cut at the edge, not
// continued.
func rowsOf(lines []string) int {
	n := 0
	for _, line := range lines {
		n++
		if !strings.HasPrefix(line, "  ") {
			n += max(0, utf8.RuneCountInString(line)-1) / panelColumns
		}
	}
	return n
}

// controls are those of the panel.
func (r Status) controls(peers []session.Row) []Control {
	c := CatalogueOf(r.Lang)
	var controls []Control
	button := func(id string, m Message) {
		controls = append(controls, Control{Kind: "button", ID: id, Label: c.Say(m)})
	}
	if !r.Linked || !r.State.Open() {
		if len(r.Requests) > 0 {
			button(controlAccept, LabelAccept)
			button(controlDecline, LabelDecline)
			return controls
		}
		return r.pairing(c, peers)
	}
	pauses := r.State.Pauses()
	if r.Role == Planner && (r.State.Goal() == "" || r.State.Phase == IsDone) {
		controls = append(controls, Control{Kind: "input", ID: controlGoal, Label: c.Say(LabelGoal)})
	}
	switch {
	case len(pauses) > 0:
		button(controlResume, LabelResume)
	case r.State.Phase == Running:
		button(controlPause, LabelPause)
	}
	button(controlUnlink, LabelUnlink)
	return controls
}

func (r Status) pairing(c Catalogue, peers []session.Row) []Control {
	roles := Control{Kind: "select", ID: controlRole, Label: c.Say(LabelRole), Value: string(Planner)}
	for _, role := range []Role{Planner, Builder} {
		roles.Options = append(roles.Options, Option{string(role), string(role)})
	}
	others := Control{Kind: "select", ID: controlPeer, Label: c.Say(LabelPeer)}
	for _, row := range peers {
		if row.SessionID != r.Session {
			others.Options = append(others.Options, Option{row.SessionID, fmt.Sprintf("%s  %s", first(row.Label()), plain(row.Cwd, reasonLength))})
		}
	}
	if len(others.Options) == 0 {
		return nil
	}
	others.Value = others.Options[0].Value
	return []Control{roles, others, {Kind: "button", ID: controlConnect, Label: c.Say(LabelConnect)}}
}

// Document writes the panel for the mod.
func (p Panel) Document() jsondoc.Object {
	controls := []jsondoc.Object{}
	for _, c := range p.Controls {
		doc := jsondoc.Object{{Key: "type", Value: c.Kind}, {Key: "id", Value: c.ID}, {Key: "label", Value: c.Label}}
		doc.AddText("value", c.Value)
		if c.Kind == "select" {
			options := []jsondoc.Object{}
			for _, o := range c.Options {
				options = append(options, jsondoc.Object{{Key: "value", Value: o.Value}, {Key: "label", Value: o.Label}})
			}
			doc.Add("options", options)
		}
		controls = append(controls, doc)
	}
	return jsondoc.Object{
		{Key: "kind", Value: "panel"},
		{Key: "title", Value: "relay"},
		{Key: "lines", Value: append([]string{}, p.Lines...)},
		{Key: "controls", Value: controls},
	}
}

// Press does what a button of the panel stands for. values are what its other
// controls hold.
func (o Operator) Press(self Speaker, id string, values map[string]string) (Outcome, error) {
	switch id {
	case controlConnect:
		terms, err := o.Defaults.Terms()
		if err != nil {
			return Outcome{}, err
		}
		role, err := ParseRole(values[controlRole])
		if err != nil {
			return Outcome{}, err
		}
		return o.Pair(self, role, values[controlPeer], terms)
	case controlAccept:
		terms, err := o.Defaults.Terms()
		if err != nil {
			return Outcome{}, err
		}
		return o.Accept(self, "", terms)
	case controlDecline:
		return o.Decline(self, "")
	case controlPause:
		return o.Pause(self)
	case controlResume:
		return o.Resume(self)
	case controlUnlink:
		return o.Unlink(self)
	case controlGoal:
		return o.Goal(self, values[controlGoal], false)
	}
	return Outcome{}, fmt.Errorf("the panel has no %q", id)
}

// TurnEnd is what a mod tells of a turn's end.
type TurnEnd struct {
	Reason string
	Answer string
	// Agent is set for a subagent's turn, which never counts.
	Agent string
	// Turn is the mod's own id of the turn; empty where it tells none.
	Turn string
}

// Ended handles the end of a turn in an attached session: what the turn said
// goes, unless it did not end by an answer.
func (o Operator) Ended(id string, t TurnEnd) ([]string, error) {
	m, err := o.member(id)
	if err != nil || m.Link == "" || t.Agent != "" {
		return nil, err
	}
	reasons := map[string]Reason{"aborted": Aborted, "refusal": Failed, "error": Failed}
	if reason, lost := reasons[t.Reason]; lost {
		_, _, err := o.decide(m.Link, m.Role, func(s State) (Decision, error) { return s.Lose(m.Role, reason), nil })
		return nil, err
	}
	if t.Reason != "answer" {
		return nil, nil
	}
	s, d, err := o.decide(m.Link, m.Role, func(s State) (Decision, error) {
		if s.Heard(m.Role, t) {
			return Decision{}, nil
		}
		return s.Record(m.Role, Turn{Prompt: t.prompt(), Message: t.Answer}), nil
	})
	if err != nil {
		return nil, err
	}
	_, notices, err := o.dispatch(m.Link, m.Role)
	return worded(slices.Concat(d.Notices, notices), s.Lang(m.Role)), err
}

// modTurn begins what stands for a prompt's id in the record that a mod makes.
const modTurn = "turn:"

func (t TurnEnd) prompt() string {
	if t.Turn == "" {
		return ""
	}
	return modTurn + t.Turn
}

// Heard reports that this turn's end is recorded: by its hook, or because the mod
// told of it before. An earlier turn may have ended with the same words.
func (s State) Heard(role Role, t TurnEnd) bool {
	digest := Digest(t.Answer)
	last, before := s.turnsBegan(role)
	return slices.ContainsFunc(s.sides[role].records, func(r record) bool {
		if r.Digest != digest || strings.HasPrefix(r.Prompt, modTurn) && r.Prompt != t.prompt() {
			return false
		}
		// The next delivery may have been shown before this report came.
		return r.Seq > last || r.Seq > before && !r.used
	})
}

// turnsBegan returns the numbers of the events that began a side's last turn with a
// delivery, and the one before where the end of the last is not recorded.
func (s State) turnsBegan(role Role) (last, before int) {
	shown := s.sides[role].shown
	if len(shown) == 0 {
		return 0, 0
	}
	last, before = shown[len(shown)-1].Seq, shown[len(shown)-1].Seq
	if _, open := s.openTurn(role); !open {
		return last, before
	}
	before = 0
	if len(shown) > 1 {
		before = shown[len(shown)-2].Seq
	}
	return last, before
}

// Dropped handles a text that the mod put before the model and that the client did
// not take: a refused delivery.
func (o Operator) Dropped(id string, box Box, why string) error {
	m, err := o.member(id)
	if err != nil || m.Link == "" {
		return err
	}
	_, _, err = o.decide(m.Link, m.Role, func(s State) (Decision, error) {
		t, ok := s.Find(m.Role, box.From, box.Seq, box.Copy)
		// A second one was dropped by the gate itself.
		if !ok || t.Receipt != Taken && t.Receipt != WasShown || s.absorptions(m.Role, t.Delivery) > 0 {
			return Decision{}, nil
		}
		return s.Refuse(m.Role, box, Dropped, plain(Clean(why), reasonLength)), nil
	})
	return err
}

// DropContext returns which of the texts that other hooks added look like
// deliveries, and a notice where any does.
func (o Operator) DropContext(id string, entries []string) (drop []int, notice string) {
	for i, entry := range entries {
		if slices.ContainsFunc(strings.FieldsFunc(entry, isLineEnd), LooksLikeHeader) {
			drop = append(drop, i)
		}
	}
	if len(drop) == 0 {
		return nil, ""
	}
	lang := ""
	if m, err := o.member(id); err == nil && m.Link != "" {
		if s, err := o.state(m.Link); err == nil {
			lang = s.Lang(m.Role)
		}
	}
	c := CatalogueOf(lang)
	return drop, c.Say(SayLookAlike, c.Say(OriginHook))
}
