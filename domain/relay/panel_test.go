package relay_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/relay"
)

// panel is that of a session with its mod.
func (c *client) panel(t *testing.T) relay.Panel {
	t.Helper()
	o := c.w.operator(nil)
	return must(o.Status(c.id))(t).Panel(must(o.Live("/w"))(t))
}

// controls are the ids of a panel's controls.
func controls(p relay.Panel) string {
	var ids []string
	for _, c := range p.Controls {
		ids = append(ids, c.ID)
	}
	return strings.Join(ids, " ")
}

// inSight fails the test unless the client draws the whole panel at 100 columns and
// 32 rows: it gives it eight rows of 96 columns there, cuts a line that is set in
// and continues every other.
func inSight(t *testing.T, p relay.Panel) {
	t.Helper()
	rows, buttons := 0, 0
	for _, line := range p.Lines {
		rows++
		if !strings.HasPrefix(line, "  ") {
			rows += (utf8.RuneCountInString(line) - 1) / 96
		}
	}
	for _, c := range p.Controls {
		if c.Kind == "button" {
			buttons = 1
		} else {
			rows++
		}
	}
	if rows+buttons > 8 {
		t.Errorf("the panel takes %d rows:\n%s\n%s", rows+buttons, strings.Join(p.Lines, "\n"), controls(p))
	}
}

func TestPanel_KeepsItsControlsInSight(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("step 1"))
	is.Equal(p.planner.panel(t).Lines[1:], []string{
		"  round 0  person → planner  answered  Build it",
		"  round 1  planner → builder  queued  step 1",
	}) // all there is
	p.builder.receives(t)
	p.builder.stops(t, block("report 1"))
	p.planner.receives(t)
	long := strings.Repeat("word ", 30)
	for n := 2; n <= 6; n++ {
		p.round(t, fmt.Sprintf("step %d %s", n, long), fmt.Sprintf("report %d %s", n, long))
		inSight(t, p.planner.panel(t))
		inSight(t, p.builder.panel(t))
	}
	shown := p.planner.panel(t)
	is.Equal(controls(shown), "pause unlink")
	is.Equal(len(shown.Lines), 7)
	is.Equal(shown.Lines[1], "  8 before; relay log shows them") // of 13
	is.True(strings.HasPrefix(shown.Lines[6], "  round 6  builder → planner  shown  report 6 word"))

	must(p.operator(nil).Pause(p.builder.speaker()))(t)
	p.planner.stops(t, block("step 7"))
	shown = p.planner.panel(t)
	inSight(t, shown)
	is.Equal(controls(shown), "resume unlink")
	is.True(strings.Contains(strings.Join(shown.Lines, "\n"), "held: step 7"))

	p.resume(t, p.planner)
	p.builder.receives(t)
	p.builder.stops(t, block("report 7"))
	p.planner.receives(t)
	p.planner.stops(t, "<done>"+long+"</done>")
	shown = p.planner.panel(t)
	inSight(t, shown)
	is.Equal(controls(shown), "goal unlink")
	is.True(strings.HasPrefix(shown.Lines[len(shown.Lines)-1], "relay: done: word"))

	must(p.operator(nil).Unlink(p.planner.speaker()))(t)
	shown = p.planner.panel(t)
	inSight(t, shown)
	is.Equal(controls(shown), "role peer connect")
}

func TestPanel_BeforeALinkSaysWhatToDo(t *testing.T) {
	is := is.New(t)
	p := strangers()
	p.planner.attach()
	shown := p.planner.panel(t)
	is.Equal(shown.Lines, []string{"no link yet: choose a role and the other session"})
	is.Equal(controls(shown), "role peer connect")
	p.builder.kill()
	shown = p.planner.panel(t)
	is.Equal(shown.Lines, []string{"no link yet, and no other session to pair with: start one with claude"})
	is.Equal(controls(shown), "")
}

func TestPanel_OfARequestSaysWhoAsks(t *testing.T) {
	is := is.New(t)
	p := asked(t)
	p.builder.attach()
	shown := p.builder.panel(t)
	inSight(t, shown)
	is.Equal(len(shown.Lines), 1)
	is.True(strings.Contains(shown.Lines[0], "plan asks you to be the builder; accept with /relay builder "+plannerID))
	is.Equal(controls(shown), "accept decline")
}
