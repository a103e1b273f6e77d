package relay_test

import (
	"context"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/relay"
)

// A run without terminals is no session's, so relay resume does not reach it.
func TestStatus_OfAHeadlessRunNamesWhatGoesOn(t *testing.T) {
	is := is.New(t)
	w := newWorld()
	w.processes[1] = "s1"
	h := relay.Headless{
		Operator: w.operator(nil), Tell: func(string) {},
		Turn: func(_, _ context.Context, a relay.Assignment, noted func(relay.Sign) error) (string, error) {
			return block("from the " + string(a.Role)), noted(relay.Sign{Began: true})
		},
	}
	agents := map[relay.Role]string{relay.Planner: "claude", relay.Builder: "codex"}
	link := must(h.Begin("Build it", "/w", agents, relay.Terms{MaxRounds: 1}))(t)
	r := must(h.Run(t.Context(), t.Context(), link))(t)
	is.Equal(r.Stand, relay.StandPaused)
	status := must(w.operator(nil).StatusOf(link))(t)
	said := strings.Join(status.Lines(), "\n")
	is.True(strings.Contains(said, "paused: ") && strings.Contains(said, "; relay run --continue goes on"))
	is.True(!strings.Contains(said, "relay resume"))
	again := must(w.operator(nil).Pause(relay.Speaker{Party: status.State.Party(relay.Planner)}))(t)
	is.Equal(again.Lines(), []string{"the link is paused already: relay run --continue goes on"})
}
