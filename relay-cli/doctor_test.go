package main

import (
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/linkstore"
	"github.com/changeover/changeover/adapters/proc/proctest"
	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/session"
)

func TestDoctor_TransportAndWhy(t *testing.T) {
	row := session.Row{SessionID: "s-1", PID: 20, ProcStart: "200", Name: "pier", Cwd: place}
	here := relay.Surroundings{StateDir: "/state"}
	hook := relay.HookInput{Event: session.Event{SessionID: "s-1"}, Interactive: true, PID: 20, Start: "200"}
	attach := func(th *theatre) error { return th.h.Attach("s-1", relay.Attachment{PID: 21, Start: "210"}) }
	tests := []struct {
		name   string
		before func(th *theatre) error
		around relay.Surroundings
		want   relay.Transport
		why    string
		way    string
	}{
		{"attached", attach, here, relay.ByMod, "attached", ""},
		{"hooks have run", func(th *theatre) error { _, err := th.h.Start(hook); return err }, here, relay.ByHooks, "hooks only", "--debug-file"},
		{"nothing has run", func(*theatre) error { return nil }, here, relay.NoWay, "plugin not seen", "claude plugin list"},
		{"hooks ran in an earlier process", func(th *theatre) error {
			earlier := hook
			earlier.PID = 19
			_, err := th.h.Start(earlier)
			return err
		}, here, relay.NoWay, "plugin not seen", ""},
		{"a session that ended is forgotten", func(th *theatre) error {
			if _, err := th.h.Start(hook); err != nil {
				return err
			}
			_, err := th.h.End(hook)
			return err
		}, here, relay.NoWay, "plugin not seen", ""},
		{"the attach is dead", func(th *theatre) error {
			if _, err := th.h.Start(hook); err != nil {
				return err
			}
			return th.h.Attach("s-1", relay.Attachment{PID: 22, Start: "1"})
		}, here, relay.ByHooks, "hooks only", "relay attach has ended"},
		{"mods off", func(th *theatre) error { _, err := th.h.Start(hook); return err }, relay.Surroundings{
			StateDir: "/state", Switches: relay.Switches{NoMods: true},
		}, relay.ByHooks, "hooks only", "mods switched off"},
		{"hooks off", func(*theatre) error { return nil }, relay.Surroundings{
			StateDir: "/state", Switches: relay.Switches{NoHooks: "/h/settings.json"},
		}, relay.NoWay, "plugin not seen", "disableAllHooks is set in /h/settings.json"},
		{"another state", attach, relay.Surroundings{StateDir: "/other"}, relay.NoWay, "elsewhere", "RELAY_STATE_DIR"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			th := newTheatre(t)
			th.machine.Run(20, proctest.Process{Start: session.Start{Token: "200"}})
			th.machine.Run(21, proctest.Process{Start: session.Start{Token: "210"}})
			is.NoErr(tt.before(th))
			c, err := th.h.Examine(row, "/state", tt.around)
			is.NoErr(err)
			said := strings.Join(c.Lines(), "\n")
			is.Equal(c.Transport, tt.want)
			is.True(strings.Contains(c.Why, tt.why))
			is.True(strings.Contains(strings.Join(c.Obstacles, "\n"), tt.way))
			is.Equal(strings.Contains(said, relay.WithoutMods), tt.want != relay.ByMod) // said plainly
		})
	}
}

func TestDoctor_ListsTheFirstProblemsOfTheState(t *testing.T) {
	is := is.New(t)
	state := linkstore.Inspection{Dir: "/state", Exists: true, Mode: 0o755, Problems: []string{"1", "2", "3", "4", "5", "6", "7"}}
	lines := report(state, nil)
	is.Equal(lines[0], "state  /state  (mode 0755)")
	is.Equal(lines[6:9], []string{"  +2 more", "  mend it with: chmod -R go= /state", "no live session: start one with claude"})
}

func TestDoctor_JSON(t *testing.T) {
	is := is.New(t)
	code, stdout, _ := call(t, "doctor", "--json")
	is.Equal(code, 0)
	is.True(strings.Contains(stdout, `"sessions": []`))
	is.True(strings.Contains(stdout, `"problems": []`) || strings.Contains(stdout, "may be looked into"))
}
