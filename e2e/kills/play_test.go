package kills_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	plannerID = "aaaa1111-0000-4000-8000-000000000001"
	builderID = "bbbb2222-0000-4000-8000-000000000002"

	// rounds is how long the work of one link is.
	rounds = 3

	// patience is how often the persons look, type or wait before a link counts as
	// stuck.
	patience = 24
)

// machine runs what the clients and the persons of two sessions run. Each may be
// killed at any moment, as long as kills are left.
type machine interface {
	// opens starts a session.
	opens(id string) *client

	// pair links the two sessions; again: after they were linked before. Whoever
	// was to do that does it again where it was killed.
	pair(again bool)

	// hook runs the hook of an event; answers holds those that ended by
	// themselves. times tells how often it is wired.
	hook(c *client, e event, times int) (answers []answer)

	// attaches starts the process that keeps the mod of a session informed; the func
	// ends it, and returns what it had the client show.
	attaches(c *client) (ends func() (texts []string))

	// mod reports the end of a turn as the mod does, beside its hook.
	mod(c *client, e event)

	// types runs a command of a person's for a session.
	types(c *client, args ...string)

	// stands returns how far a link has come. It is never killed.
	stands() standing

	// passes lets an hour go by in which both clients do nothing.
	passes()

	// state is the directory in which relay keeps its state.
	state() string

	// story returns what was run since it was last asked for.
	story() []string
}

// event is a hook event with what the hooks of relay read of it.
type event struct {
	name, promptID, prompt, message string
}

// answer is what a hook said.
type answer struct {
	wake  string
	block bool
}

// standing is how far a link has come.
type standing struct {
	Phase  string `json:"phase"`
	Goal   string `json:"goal"`
	Pauses []struct {
		Reason string `json:"reason"`
	} `json:"pauses"`
}

// client is one session as its client has it: what is queued, what was written down,
// and what its model was shown.
type client struct {
	id         string
	pid        int
	transcript string
	// queue is what wakes it, submitted what its mod submits.
	queue, submitted []string
	// hasMod: the client has one.
	hasMod  bool
	bell    chime
	entered map[string]int
	prompts int
	busy    bool
}

// chime is what a client's watch tells two rings of a bell apart by. A number alone
// is not enough: the second of two takes that of the file before the first.
type chime struct {
	inode uint64
	at    time.Time
}

// game plays the work of one link, in whatever order things happen.
type game struct {
	machine
	name             string
	order            *rand.Rand
	planner, builder *client
	tell             func(format string, args ...any)
}

// score is what came out of one link.
type score struct {
	deliveries, lost, twice int
	stuck                   bool
}

// play has the goal met, and looks what came of each text.
func (g *game) play() score {
	var s score
	quiet := 0
	for quiet < patience {
		if g.order.IntN(20) == 0 { // a person stops them for a while
			g.types(g.planner, "pause")
		}
		if g.order.IntN(20) == 0 {
			g.types(g.builder, "status")
		}
		if g.moves() {
			quiet = 0
			continue
		}
		if g.stands().Phase == "done" {
			break
		}
		g.nudge(quiet)
		quiet++
	}
	s.stuck = quiet == patience
	for c, texts := range map[*client][]string{g.planner: g.forPlanner(), g.builder: g.forBuilder()} {
		for _, text := range texts {
			s.deliveries++
			switch n := c.entered[text]; {
			case n == 0:
				s.lost++
				g.tell("%s: %q is lost", g.name, text)
			case n > 1:
				s.twice++
				g.tell("%s: %q was shown %d times", g.name, text, n)
			}
		}
	}
	if s.stuck {
		g.tell("%s is stuck: %+v", g.name, g.stands())
	}
	if story := g.story(); s.stuck || s.lost+s.twice > 0 {
		g.tell("%s went so:\n%s\nand left:\n%s", g.name, strings.Join(story, "\n"), left(g.state()))
	}
	return s
}

// left lists the logs and boxes of the link that changed last.
func left(state string) string {
	links, _ := filepath.Glob(filepath.Join(state, "links", "*"))
	slices.SortFunc(links, func(a, b string) int { return modified(a).Compare(modified(b)) })
	if len(links) == 0 {
		return ""
	}
	var b strings.Builder
	_ = filepath.WalkDir(links[len(links)-1], func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %s\n", strings.TrimPrefix(path, state), strings.Join(strings.Fields(string(data)), " "))
		return err
	}) // what cannot be read is left out
	return b.String()
}

func modified(path string) time.Time {
	info, err := os.Stat(filepath.Join(path, "planner", "events"))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

func (g *game) goal() string { return g.name + ": map the coast" }

func (g *game) step(n int) string { return fmt.Sprintf("%s: chart bay %d", g.name, n) }

func (g *game) report(n int) string { return fmt.Sprintf("%s: bay %d is charted", g.name, n) }

func (g *game) forPlanner() []string {
	texts := []string{g.goal()}
	for n := 1; n <= rounds; n++ {
		texts = append(texts, fmt.Sprintf("[relay round %d · from builder]\n\n%s", n, g.report(n)))
	}
	return texts
}

func (g *game) forBuilder() []string {
	var texts []string
	for n := 1; n <= rounds; n++ {
		texts = append(texts, fmt.Sprintf("[relay round %d · from planner]\n\n%s", n, g.step(n)))
	}
	return texts
}

// says is what a model answers to what it was shown.
func (g *game) says(text string) string {
	for n := 1; n <= rounds; n++ {
		switch {
		case strings.HasSuffix(text, g.step(n)):
			return "Done.\n<handoff>" + g.report(n) + "</handoff>"
		case strings.HasSuffix(text, g.report(n)) && n == rounds:
			return "<done>the coast is mapped</done>"
		case strings.HasSuffix(text, g.report(n)):
			return "Good.\n<handoff>" + g.step(n+1) + "</handoff>"
		}
	}
	if text == g.goal() {
		return "So be it.\n<handoff>" + g.step(1) + "</handoff>"
	}
	return "I wait."
}

// moves lets one thing happen that needs no person; false where there is none.
func (g *game) moves() bool {
	clients := []*client{g.planner, g.builder}
	g.order.Shuffle(2, func(i, j int) { clients[i], clients[j] = clients[j], clients[i] })
	for _, c := range clients {
		if len(c.queue) > 0 && g.order.IntN(4) > 0 {
			prompt := c.queue[0]
			c.queue = c.queue[1:]
			g.turn(c, prompt, fmt.Sprintf(wakeEnvelope, prompt), true)
			return true
		}
		if len(c.submitted) > 0 {
			prompt := c.submitted[0]
			c.submitted = c.submitted[1:]
			g.turn(c, prompt, prompt, true)
			return true
		}
		if c.rang(g.state()) {
			if c.hasMod && g.order.IntN(2) == 0 {
				c.submitted = append(c.submitted, g.attaches(c)()...)
				return true
			}
			for _, a := range g.hook(c, event{name: "FileChanged"}, g.times()) {
				if a.wake != "" {
					c.queue = append(c.queue, a.wake)
				}
			}
			return true
		}
	}
	return len(g.planner.queue)+len(g.builder.queue) > 0
}

// times is how often hooks are wired this time.
func (g *game) times() int {
	if g.order.IntN(5) == 0 {
		return 2
	}
	return 1
}

// rang reports that a session's bell has rung since it was last looked at.
func (c *client) rang(state string) bool {
	info, err := os.Stat(filepath.Join(state, "bells", c.id))
	if err != nil {
		return false
	}
	sys, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	rung := chime{sys.Ino, info.ModTime()}
	if rung == c.bell {
		return false
	}
	c.bell = rung
	return true
}

// wakeEnvelope is what the client makes of a wake, around its text.
const wakeEnvelope = "<task-notification>\n<summary>changeover: delivery</summary>\n</task-notification>\n<system-reminder>\n" +
	"Delivery from changeover:\n %s\n\n</system-reminder>"

// turn has a text enter a turn as a prompt, unless a hook blocks it, and that turn end.
// delivered: it came from the other side. The end is told by the mod too where one is
// attached by then.
func (g *game) turn(c *client, text, prompt string, delivered bool) {
	c.prompts++
	id := fmt.Sprintf("%s-%s-%d", g.name, c.id[:4], c.prompts)
	for _, a := range g.hook(c, event{name: "UserPromptSubmit", promptID: id, prompt: prompt}, g.times()) {
		if a.block {
			return
		}
	}
	// A hook that was killed blocks nothing.
	c.busy = true
	if delivered {
		c.entered[text]++
	}
	origin := "human"
	switch {
	case prompt != text:
		origin = "task-notification"
	case delivered:
		origin = "plugin"
	}
	c.write(row("user", id, origin, prompt))
	message := g.says(text)
	c.write(row("assistant", id, "", message))
	end := event{name: "Stop", promptID: id, message: message}
	if !c.hasMod || g.order.IntN(4) > 0 {
		g.hook(c, end, g.times())
		c.busy = false
		return
	}
	ends := g.attaches(c)
	g.hook(c, end, g.times())
	c.busy = false
	g.mod(c, end)
	c.submitted = append(c.submitted, ends()...)
}

// write adds a row to what the client writes down.
func (c *client) write(line string) {
	f, err := os.OpenFile(c.transcript, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(line + "\n")
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		panic(err)
	}
}

// nudge is what a person does where nothing goes on: they type something, look how
// things stand, give the goal again where it did not take, or come back later.
func (g *game) nudge(n int) {
	s := g.stands()
	switch {
	case s.Goal == "":
		g.types(g.planner, "goal", g.goal())
	case len(s.Pauses) > 0:
		g.types(g.planner, "resume")
	case n%4 == 0:
		g.turn(g.planner, "go on", "go on", false)
	case n%4 == 1:
		g.turn(g.builder, "go on", "go on", false)
	case n%4 == 2:
		g.types(g.builder, "status")
	default:
		g.passes()
		g.types(g.planner, "status")
	}
}
