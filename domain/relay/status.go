package relay

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/text"
)

// Status is where a session stands.
type Status struct {
	Session  string
	Role     Role
	Linked   bool
	State    State
	Requests []Request
	// Interrupted: a turn was shown a delivery and ended without a word.
	Interrupted bool
	Lang        string
	// Unread says why not every request could be read; nil where all were.
	Unread error

	// offersPanel: the session has a panel, and whoever reads this may not see it.
	offersPanel bool
}

// Status reads where a session stands, and notes who has gone.
func (o Operator) Status(id string) (Status, error) {
	m, err := o.member(id)
	if err != nil {
		return Status{}, err
	}
	r := Status{Session: id, Role: m.Role, offersPanel: o.attached(id)}
	r.Requests, r.Unread = o.Requests(id)
	if m.Link == "" {
		return r, nil
	}
	r.State, err = o.Watch(m)
	if errors.Is(err, ErrNoLink) { // somebody took it away
		return Status{Session: id, Requests: r.Requests, Unread: r.Unread, offersPanel: r.offersPanel}, nil
	}
	if err != nil {
		return r, err
	}
	r.State = r.State.Judged(o.lives)
	r.Linked, r.Lang = true, r.State.Lang(m.Role)
	r.Interrupted, err = o.interrupted(r.State)
	return r, err
}

// interrupted infers a turn that was cut, of which the client tells no hook: a
// delivery was shown, no end of its turn is recorded, and the session is idle.
func (o Operator) interrupted(s State) (bool, error) {
	if s.Phase != Running || len(s.Pauses()) > 0 {
		return false, nil
	}
	shown, ok := s.unended(s.WhoseTurn())
	if !ok {
		return false, nil
	}
	registry, err := o.registry()
	if err != nil {
		return false, err
	}
	row, found := registry.Lookup(s.Party(s.WhoseTurn()).Session)
	return found && row.IdleSince(shown), nil
}

// unended returns when a side was shown its last delivery, where no end of that
// turn is recorded but that it was lost.
func (s State) unended(role Role) (shown time.Time, ok bool) {
	d := s.sides[role]
	if len(d.shown) == 0 {
		return shown, false
	}
	last := d.shown[len(d.shown)-1]
	return last.At, len(d.records) == 0 || d.records[len(d.records)-1].Seq < last.Seq
}

// Peer is the process of the other side; zero where there is none.
func (r Status) Peer() Attachment {
	if !r.Linked {
		return Attachment{}
	}
	p := r.State.Party(r.Role.Other())
	return Attachment{PID: p.PID, Start: p.Start}
}

// peerLabel is how the other side is called, also before it has joined.
func (r Status) peerLabel() string {
	return r.State.Label(r.Role.Other())
}

// Line is the band. A session that is free for a link shows who asks for one: a
// toast goes by.
func (r Status) Line() (string, Tone) {
	if len(r.Requests) > 0 && (!r.Linked || !r.State.Open()) {
		return r.Requests[0].Line(), ToneAsking
	}
	return r.linkLine()
}

func (r Status) linkLine() (string, Tone) {
	if !r.Linked {
		return "", ""
	}
	c := CatalogueOf(r.Lang)
	band, tone := r.State.Band(r.Role, r.peerLabel(), c)
	if r.Interrupted {
		return band + " · " + c.Say(WordStopped), ToneWaiting
	}
	return band, tone
}

// Lines says it to a person.
func (r Status) Lines() []string {
	c := CatalogueOf(r.Lang)
	lines := r.Standing()
	switch {
	case r.Linked:
		return slices.Concat(lines, r.handoffs(), r.end())
	case len(lines) > 0:
		return lines
	case r.offersPanel:
		return []string{c.Say(SayNoLink)}
	}
	return []string{c.Say(SayNotLinked)}
}

// Standing says who asks and how the link is, but for its deliveries.
func (r Status) Standing() []string {
	var lines []string
	for _, request := range r.Requests {
		lines = append(lines, request.Line())
	}
	if !r.Linked {
		return lines
	}
	band, _ := r.linkLine()
	lines = append(lines, band)
	c := CatalogueOf(r.Lang)
	paused := SayPausedWhy
	if r.State.Headless() {
		paused = SayRunPaused
	}
	for _, p := range r.State.Pauses() {
		// A person who pauses does so on both sides: that is one thing to know.
		if line := c.Say(paused, c.Why(p.Event)); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
		if held := r.State.Held(p); held != "" {
			lines = append(lines, "  held: "+first(held))
		}
	}
	for _, role := range []Role{Planner, Builder} {
		if aside := r.State.Aside(role); aside != "" {
			lines = append(lines, fmt.Sprintf("  set aside by the %s: %s", role, first(aside)))
		}
	}
	return lines
}

// handoffs says what was delivered for the present goal, a line each.
func (r Status) handoffs() []string {
	var lines []string
	for _, t := range r.State.all() {
		lines = append(lines, fmt.Sprintf("  round %d  %s → %s  %s  %s", t.Round, t.From, t.To, t.Receipt, first(t.Text)))
	}
	return lines
}

// end says what came of the work; nothing while it goes on.
func (r Status) end() []string {
	if summary := r.State.Summary(); summary != "" {
		return []string{CatalogueOf(r.Lang).Say(SayDone, first(summary))}
	}
	return nil
}

// all returns the deliveries of the present goal of both sides, round by round:
// the goal, then each step and its report.
func (s State) all() []Tracked {
	var all []Tracked
	reports := s.Deliveries(Builder)
	for _, t := range s.Deliveries(Planner) {
		if t.IsGoal() && t.Seq != s.epoch() || !t.IsGoal() && s.epochAt(t.Seq) != s.epoch() {
			continue
		}
		all = append(all, t)
		for _, report := range reports {
			if report.Event.Answers == t.Seq && !t.IsGoal() {
				all = append(all, report)
			}
		}
	}
	return all
}

// Document says it to a script. It holds neither nonce nor path.
func (r Status) Document() jsondoc.Object {
	doc := jsondoc.Object{{Key: "session", Value: r.Session}, {Key: "linked", Value: r.Linked}}
	requests := []jsondoc.Object{}
	for _, q := range r.Requests {
		requests = append(requests, jsondoc.Object{
			{Key: "from", Value: q.From.Session},
			{Key: "name", Value: q.From.Name},
			{Key: "role", Value: string(q.Role)},
			{Key: "accept", Value: q.Command()},
		})
	}
	doc.Add("requests", requests)
	if !r.Linked {
		return doc
	}
	s := r.State
	band, tone := r.Line()
	pauses := []jsondoc.Object{}
	for _, p := range s.Pauses() {
		pause := jsondoc.Object{{Key: "reason", Value: string(p.Reason)}, {Key: "side", Value: string(p.Role)}}
		pause.AddText("detail", p.Detail)
		pause.AddText("held", s.Held(p))
		pauses = append(pauses, pause)
	}
	deliveries := []jsondoc.Object{}
	for _, t := range s.all() {
		deliveries = append(deliveries, jsondoc.Object{
			{Key: "round", Value: t.Round},
			{Key: "from", Value: string(t.From)},
			{Key: "to", Value: string(t.To)},
			{Key: "receipt", Value: string(t.Receipt)},
			{Key: "sent_at", Value: t.Event.At.UTC().Format(time.RFC3339)},
			{Key: "text", Value: t.Text},
		})
	}
	return append(doc, jsondoc.Object{
		{Key: "link", Value: s.Link},
		{Key: "role", Value: string(r.Role)},
		{Key: "peer", Value: r.peerLabel()},
		{Key: "phase", Value: string(s.Phase)},
		{Key: "round", Value: s.Round()},
		{Key: "allowed", Value: s.Allowed()},
		{Key: "turn", Value: string(s.WhoseTurn())},
		{Key: "goal", Value: s.Goal()},
		{Key: "summary", Value: s.Summary()},
		{Key: "band", Value: band},
		{Key: "tone", Value: string(tone)},
		{Key: "pauses", Value: pauses},
		{Key: "deliveries", Value: deliveries},
	}...)
}

// Trail is the audit trail of a link: each round's two texts with their
// receipts and times.
type Trail struct{ state State }

// Trail reads the link of a session.
func (o Operator) Trail(id string) (Trail, error) {
	_, s, err := o.linked(id)
	if err != nil {
		return Trail{}, err
	}
	return Trail{state: s.Judged(o.lives)}, nil
}

// Trail is that of the session's link, of the same moment.
func (r Status) Trail() Trail { return Trail{state: r.State} }

// Markdown writes the trail for people.
func (t Trail) Markdown() string {
	var b strings.Builder
	s := t.state
	fmt.Fprintf(&b, "# relay: %s ⇄ %s\n", text.Printable(s.Party(Planner).Label()), text.Printable(s.Party(Builder).Label()))
	for _, d := range s.all() {
		head := fmt.Sprintf("Round %d, from %s", d.Round, d.From)
		if d.IsGoal() {
			head = "Goal"
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s, sent %s", head, d.Receipt, d.Event.At.UTC().Format(time.RFC3339))
		if shown, ok := s.shownAt(d); ok {
			fmt.Fprintf(&b, ", shown after %s", shown.Sub(d.Event.At).Round(time.Millisecond))
		}
		b.WriteString("\n\n")
		for line := range strings.SplitSeq(d.Text, "\n") {
			fmt.Fprintf(&b, "> %s\n", text.Printable(line))
		}
	}
	if summary := s.Summary(); summary != "" {
		b.WriteString("\n## Done\n\n")
		for line := range strings.SplitSeq(summary, "\n") {
			fmt.Fprintf(&b, "> %s\n", text.Printable(line))
		}
	}
	return b.String()
}

func (s State) shownAt(t Tracked) (time.Time, bool) {
	for _, e := range s.sides[t.To].shown {
		if e.From == t.From && e.Delivery == t.Seq && e.Copy == t.Copy {
			return e.At, true
		}
	}
	return time.Time{}, false
}

// Document writes the trail for a script.
func (t Trail) Document() jsondoc.Object {
	s := t.state
	rounds := []jsondoc.Object{}
	for _, d := range s.all() {
		entry := jsondoc.Object{
			{Key: "round", Value: d.Round},
			{Key: "from", Value: string(d.From)},
			{Key: "to", Value: string(d.To)},
			{Key: "receipt", Value: string(d.Receipt)},
			{Key: "sent_at", Value: d.Event.At.UTC().Format(time.RFC3339Nano)},
		}
		if shown, ok := s.shownAt(d); ok {
			entry.Add("shown_at", shown.UTC().Format(time.RFC3339Nano))
		}
		entry.Add("text", d.Text)
		rounds = append(rounds, entry)
	}
	return jsondoc.Object{
		{Key: "link", Value: s.Link},
		{Key: "phase", Value: string(s.Phase)},
		{Key: "planner", Value: s.Party(Planner).Session},
		{Key: "builder", Value: s.Party(Builder).Session},
		{Key: "deliveries", Value: rounds},
		{Key: "summary", Value: s.Summary()},
	}
}
