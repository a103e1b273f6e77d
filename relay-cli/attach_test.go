package main

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/claudereg/regtest"
	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/adapters/proc/proctest"
	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/session"
)

// deaf is a client that takes nothing.
type deaf struct{}

func (deaf) Write([]byte) (int, error) { return 0, errors.New("nobody reads") }

func TestAttach_PutsBackWhatItsClientDoesNotTake(t *testing.T) {
	is := is.New(t)
	th := newTheatre(t)
	client := relay.Attachment{PID: os.Getppid(), Start: "1"}
	th.machine.Run(client.PID, proctest.Process{Start: session.Start{Token: client.Start}})
	link, err := th.h.Begin("make it stream", place, map[relay.Role]string{relay.Planner: "claude", relay.Builder: "codex"}, relay.Terms{MaxRounds: 3, Lang: "en"})
	is.NoErr(err)
	m := relay.Member{Session: "run-" + link + "-planner", Link: link, Role: relay.Planner}
	is.NoErr(th.h.Refresh(m))
	a := &attachment{
		shared: &shared{deps: deps{Operator: th.h.Operator, Streams: cobracli.Streams{Out: deaf{}}}, session: m.Session},
		client: client.PID, holder: client, view: map[string]string{},
	}
	err = a.submit(m, relay.Status{Lang: "en"})
	is.True(err != nil && strings.Contains(err.Error(), "the client does not listen: nobody reads"))
	_, waits, err := th.h.Claim(m)
	is.NoErr(err)
	is.True(waits) // for whoever comes next
}

func TestAttach_LeavesASessionToItsOwnClient(t *testing.T) {
	is := is.New(t)
	th := newTheatre(t)
	th.machine.Run(20, proctest.Process{Start: session.Start{Token: "200"}})
	th.h.Sessions = regtest.New(session.Row{
		SessionID: "s-1", PID: 20, ProcStart: "200", Name: "pier", Cwd: place, Entrypoint: "cli", Kind: "interactive",
	})
	a := &attachment{shared: &shared{deps: deps{Operator: th.h.Operator}, session: "s-1"}, client: 21}
	err := a.run(t.Context())
	is.True(err != nil && strings.Contains(err.Error(), "session s-1 runs in process 20"))
	_, err = th.store.Attachment("s-1")
	is.True(errors.Is(err, relay.ErrNoSession)) // it registered nothing
}
