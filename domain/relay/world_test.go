package relay_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/session"
)

// clock is a clock that stands still until a test turns it on.
type clock struct{ now func() time.Time }

func (c clock) Now() time.Time { return c.now() }

// counting makes hex digits that never repeat.
type counting struct{ next func() int }

func (c counting) Hex(n int) (string, error) { return fmt.Sprintf("%0*x", 2*n, c.next()), nil }

// processTable holds the starts of what runs.
type processTable map[int]string

func (p processTable) Alive(pid int) bool { _, ok := p[pid]; return ok }

func (p processTable) Started(pid int) (session.Start, error) {
	if start, ok := p[pid]; ok {
		return session.Start{Token: start}, nil
	}
	return session.Start{}, errors.New("no such process")
}

func (p processTable) Parent(int) (int, error) { return 0, errors.New("no parent") }

// machine is where a process runs.
type machine struct{ self int }

func (m machine) Self() int       { return m.self }
func (machine) PidDomain() string { return "" }

// registry lists what it is told to.
type registry struct {
	list func() (session.Listing, error)
}

func (r registry) Sessions() (session.Listing, error) { return r.list() }

// defaults are a person's own.
type defaults struct{ terms func() (relay.Terms, error) }

func (d defaults) Terms() (relay.Terms, error) { return d.terms() }

// world is a machine on which sessions run.
type world struct {
	store     *memory
	processes processTable
	rows      map[string]session.Row
	env       map[string]string
	numbers   int
	pids      int
	terms     relay.Terms
	passed    time.Duration
}

func newWorld() *world {
	return &world{
		store: newMemory(), processes: processTable{}, rows: map[string]session.Row{}, env: map[string]string{}, pids: 100,
	}
}

// began is when everything in these tests happens.
var began = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)

// operator is a process of relay that has ended by the time anybody looks; before
// runs ahead of each of its steps.
func (w *world) operator(before func()) relay.Operator { return w.process(1, before) }

// process is a process of relay with that number.
func (w *world) process(pid int, before func()) relay.Operator {
	return relay.Operator{
		Store: process{memory: w.store, before: before}, Clock: clock{func() time.Time { return began.Add(w.passed) }},
		Random:    counting{func() int { w.numbers++; return 0xabc0 + w.numbers }},
		Processes: w.processes, Machine: machine{pid},
		Sessions: registry{func() (session.Listing, error) {
			var l session.Listing
			for _, row := range w.rows {
				l.Rows = append(l.Rows, row)
			}
			slices.SortFunc(l.Rows, func(a, b session.Row) int { return a.PID - b.PID })
			return l, nil
		}},
		Env:      port.Environment{Lookup: func(name string) string { return w.env[name] }},
		Defaults: defaults{func() (relay.Terms, error) { return w.terms, nil }},
	}
}

// client is one session as its person and its client have it.
type client struct {
	w       *world
	id      string
	name    string
	pid     int
	prompts int
	prompt  string
	// written is what the client has written down; nil where nobody looks.
	written *transcript
}

// open starts a session.
func (w *world) open(id, name string) *client {
	c := &client{w: w, id: id, name: name}
	c.run()
	return c
}

// run gives the session a process.
func (c *client) run() {
	c.w.pids++
	c.pid = c.w.pids
	c.w.processes[c.pid] = "s" + strconv.Itoa(c.pid)
	c.w.rows[c.id] = session.Row{
		SessionID: c.id, Name: c.name, PID: c.pid, ProcStart: "s" + strconv.Itoa(c.pid), Cwd: "/w/" + c.name, Entrypoint: "cli",
		Kind: "interactive",
	}
}

// kill ends the session's process without a word.
func (c *client) kill() {
	delete(c.w.processes, c.pid)
	delete(c.w.rows, c.id)
}

func (c *client) input(source, reason string) relay.HookInput {
	in := relay.HookInput{
		Event: session.Event{SessionID: c.id, Cwd: "/w/" + c.name, Source: source, Reason: reason}, Interactive: true,
		PID: c.pid, Start: c.w.processes[c.pid],
	}
	if c.written != nil {
		in.Transcript = c.written
	}
	return in
}

// start is SessionStart.
func (c *client) start(t *testing.T, source string) relay.Reply {
	t.Helper()
	return must(c.w.operator(nil).Start(c.input(source, "")))(t)
}

// end is SessionEnd.
func (c *client) end(t *testing.T, reason string) {
	t.Helper()
	must(c.w.operator(nil).End(c.input("", reason)))(t)
}

// resume brings a session back that was killed or left.
func (c *client) comeBack(t *testing.T) {
	t.Helper()
	c.kill()
	c.run()
	c.start(t, "resume")
}

// clear is /clear: the same process goes on under another id.
func (c *client) clear(t *testing.T, id string) {
	t.Helper()
	c.end(t, "clear")
	row := c.w.rows[c.id]
	delete(c.w.rows, c.id)
	c.id, row.SessionID = id, id
	c.w.rows[id] = row
	c.start(t, "clear")
}

// attach has the session's mod run a live process.
func (c *client) attach() {
	c.w.pids++
	c.w.processes[c.w.pids] = "attach"
	c.w.store.attachments[c.id] = relay.Attachment{PID: c.w.pids, Start: "attach"}
}

func (c *client) speaker() relay.Speaker {
	row := c.w.rows[c.id]
	return relay.Speaker{
		Party:  relay.Party{Session: c.id, Name: c.name, Cwd: row.Cwd, PID: c.pid, Start: row.ProcStart},
		Person: true,
	}
}

// says is UserPromptSubmit: a text is about to enter a turn.
func (c *client) says(t *testing.T, prompt string) relay.Reply {
	t.Helper()
	c.prompts++
	c.prompt = fmt.Sprintf("%s-p%d", c.name, c.prompts)
	return c.saysAgain(t, prompt)
}

// saysAgain is the same event, from a hook that is wired twice.
func (c *client) saysAgain(t *testing.T, prompt string) relay.Reply {
	t.Helper()
	return must(c.w.operator(nil).Prompt(c.input("", ""), prompt, c.prompt))(t)
}

// stops is Stop: the turn ends with a message.
func (c *client) stops(t *testing.T, message string) []string {
	t.Helper()
	return must(c.w.operator(nil).Stop(c.input("", ""), relay.Turn{Prompt: c.prompt, Message: message}))(t).Lines
}

// pauses is Stop while the turn's subagents work on.
func (c *client) stopsWaiting(t *testing.T, message string) {
	t.Helper()
	must(c.w.operator(nil).Stop(c.input("", ""), relay.Turn{Prompt: c.prompt, Message: message, SubagentsRun: true}))(t)
}

// completes is what the mod tells of a turn's end.
func (c *client) completes(t *testing.T, reason, answer string) []string {
	t.Helper()
	return must(c.w.operator(nil).Ended(c.id, relay.TurnEnd{Reason: reason, Answer: answer}))(t)
}

// woken is FileChanged of the bell; empty where nothing waits.
func (c *client) woken(t *testing.T) string {
	t.Helper()
	text, err := wakes(c.w.operator(nil), c.input("", ""), c.id)
	return must(text, err)(t)
}

// wakes is what the hook of a bell does: it claims, writes the text and hands over.
func wakes(o relay.Operator, in relay.HookInput, id string) (string, error) {
	r, err := o.Bell(in, "/state/bells/"+id)
	if err != nil || r.Wake == "" {
		return "", err
	}
	return r.Wake, o.HandOver(r.Claimed, r.Client)
}

// claims is what the attached process of a session takes for its mod to submit;
// empty where nothing waits.
func (c *client) claims(t *testing.T) string {
	t.Helper()
	m := c.w.store.members[c.id]
	return must(submits(c.w.operator(nil), m, c.attachment(), relay.CatalogueOf(c.state(t).Lang(m.Role))))(t)
}

// attachment is the client's process.
func (c *client) attachment() relay.Attachment {
	return relay.Attachment{PID: c.pid, Start: c.w.processes[c.pid]}
}

// submits is what the attached process of a session does: it claims, hands over and
// tells the mod.
func submits(o relay.Operator, m relay.Member, client relay.Attachment, c relay.Catalogue) (string, error) {
	claimed, ok, err := o.Claim(m)
	if err != nil || !ok {
		return "", err
	}
	return claimed.Prompt(c), o.HandOver(claimed, client)
}

// receives is a whole delivery by the hook transport. It returns the text that
// the model gets, and the role prompt beside it.
func (c *client) receives(t *testing.T) (text, context string) {
	t.Helper()
	text = c.woken(t)
	if text == "" {
		t.Fatalf("nothing waits for %s", c.name)
	}
	r := c.says(t, wake("Delivery from changeover:\n", text))
	if r.Block {
		t.Fatalf("the gate of %s blocks %q: %s", c.name, text, r.Reason)
	}
	return text, r.Context
}

// state is what the logs of the session's link amount to.
func (c *client) state(t *testing.T) relay.State {
	t.Helper()
	return relay.Fold(c.log(t))
}

func (c *client) log(t *testing.T) relay.Log {
	t.Helper()
	return must(c.w.operator(nil).Store.Log(c.w.store.members[c.id].Link))(t)
}

// must returns a value, or fails the test.
func must[V any](v V, err error) func(*testing.T) V {
	return func(t *testing.T) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// refusal returns the message that an error refuses with; empty for another.
func refusal(err error) relay.Message {
	var refused *relay.RefusedError
	if errors.As(err, &refused) {
		return refused.Notice.Message
	}
	return ""
}

// in words a refusal in English.
func inWords(err error) string {
	var refused *relay.RefusedError
	if !errors.As(err, &refused) {
		return fmt.Sprint(err)
	}
	return relay.CatalogueOf("en").Say(refused.Notice.Message, refused.Notice.Values...)
}

// pair is a planner and a builder that are linked.
type pair struct {
	*world
	planner, builder *client
}

const (
	plannerID = "aaaa1111-0000-4000-8000-000000000001"
	builderID = "bbbb2222-0000-4000-8000-000000000002"
)

// strangers are two sessions without a link.
func strangers() pair {
	w := newWorld()
	return pair{w, w.open(plannerID, "plan"), w.open(builderID, "build")}
}

// asked is a pair whose builder has not answered yet.
func asked(t *testing.T) pair {
	t.Helper()
	p := strangers()
	must(p.operator(nil).Pair(p.planner.speaker(), relay.Planner, builderID, relay.Terms{}))(t)
	return p
}

// linked is a pair without a goal.
func linked(t *testing.T, planner, builder relay.Terms) pair {
	t.Helper()
	p := strangers()
	must(p.operator(nil).Pair(p.planner.speaker(), relay.Planner, builderID, planner))(t)
	must(p.operator(nil).Accept(p.builder.speaker(), "", builder))(t)
	return p
}

// working is a pair whose planner has its goal before it.
func working(t *testing.T) pair {
	t.Helper()
	p := linked(t, relay.Terms{}, relay.Terms{})
	p.goal(t, "Build it")
	return p
}

// goal gives the planner a goal and shows it.
func (p pair) goal(t *testing.T, text string) {
	t.Helper()
	must(p.operator(nil).Goal(p.planner.speaker(), text, false))(t)
	p.planner.receives(t)
}

// round plays a whole round: a step, and its report before the planner.
func (p pair) round(t *testing.T, step, report string) {
	t.Helper()
	p.planner.stops(t, block(step))
	p.builder.receives(t)
	p.builder.stops(t, block(report))
	p.planner.receives(t)
}

// block is an answer that hands something off.
func block(text string) string { return "So far.\n\n<handoff>\n" + text + "\n</handoff>" }

// paused returns why the link stands still.
func (p pair) paused(t *testing.T) []relay.Reason {
	t.Helper()
	var reasons []relay.Reason
	for _, pause := range p.planner.state(t).Pauses() {
		reasons = append(reasons, pause.Reason)
	}
	return reasons
}

// resume is a person's relay resume.
func (p pair) resume(t *testing.T, c *client) []string {
	t.Helper()
	return must(p.operator(nil).Resume(c.speaker()))(t).Lines()
}
