package main

import (
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/claudereg/regtest"
	"github.com/changeover/changeover/adapters/proc/proctest"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/session"
)

// The mod draws the text of an answer in a row, and in a toast where that row comes
// late. What opens the panel is said there too.
func TestEvent_ACommandIsAnsweredOnce(t *testing.T) {
	th := newTheatre(t)
	th.machine.Run(20, proctest.Process{Start: session.Start{Token: "200"}})
	row := session.Row{SessionID: "s-1", PID: 20, ProcStart: "200", Name: "pier", Cwd: place, Entrypoint: "cli", Kind: "interactive"}
	th.h.Sessions = regtest.New(row)
	for name, tt := range map[string]struct {
		session, args, want string
	}{
		"the panel":      {"s-1", "", `{"text":"this session has no link: /changeover:relay planner <session> or /changeover:relay builder <session> asks for one","open":true}`},
		"a verb":         {"s-1", "pause", `{"text":"this session has no link: /changeover:relay planner <session> or /changeover:relay builder <session> asks for one"}`},
		"nobody's words": {"s-2", "pause", `{"text":"`},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			s := &shared{deps: deps{Operator: th.h.Operator}, session: tt.session}
			doc, err := s.event("command", modEvent{Args: tt.args})
			is.NoErr(err)
			line := string(jsondoc.Line(doc))
			is.True(strings.HasPrefix(line, tt.want))
			is.True(!strings.Contains(line, `"toast"`))
		})
	}
}
