package dashboard_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/flock"
	"github.com/changeover/changeover/domain/baton"
)

// files are those of the session with what they hold, the lock apart.
func (g *ground) files() map[string]string {
	g.t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(filepath.Join(g.top, baton.SessionDir))
	if err != nil && !os.IsNotExist(err) {
		g.t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(g.top, baton.SessionDir, e.Name()))
		if err != nil {
			g.t.Fatal(err)
		}
		if e.Name() != baton.LockFile {
			all[e.Name()] = string(data)
		}
	}
	return all
}

func (g *ground) meta() baton.SessionMeta {
	g.t.Helper()
	m, err := baton.ReadSession([]byte(g.files()[baton.MetaFile]))
	if err != nil {
		g.t.Fatal(err)
	}
	return m
}

func TestForeseeExecute_SaysWhatWouldBeStarted(t *testing.T) {
	is := is.New(t)
	g := newGround(t)
	g.session(`"status":"plan_ready","workflowMode":"plan-execute"`)
	g.artifact(baton.PlanFile, goodPlan)
	before := g.files()
	f := g.ForeseeExecute(t.Context(), baton.Place{})
	is.NoErr(f.Refused)
	is.Equal([]string{f.Executor, f.Agent, f.Next}, []string{"codex", "codex", "claude"})
	is.Equal(f.Command, []string{"codex", "exec", "--sandbox", "workspace-write", "--json"})
	is.True(f.PromptChars > 100)
	is.True(!f.Stdin)
	is.True(f.Watched)
	is.Equal(f.Report.Steps, 3)
	is.Equal(f.Profile, "balanced")
	is.Equal(f.Notices, nil)
	is.Equal(cmp.Diff(before, g.files()), "")
	is.Equal(len(g.agents.Started()), 0)
	is.Equal(g.tried, 0)
	is.Equal(g.disk.written, nil)
}

func TestForeseeExecute_SaysWhyItWouldBeRefused(t *testing.T) {
	tests := []struct {
		name string
		lay  func(g *ground)
		code int
		says string
	}{
		{"no plan", func(g *ground) {
			is.New(g.t).NoErr(os.Remove(filepath.Join(g.top, baton.Artifact(baton.PlanFile))))
		}, baton.ExitUsage, "there is no plan"},
		{"a draft", func(g *ground) { g.artifact(baton.PlanFile, "# t\n") }, baton.ExitGate, "Steps"},
		{"a configuration that does not count", func(g *ground) { g.put("relay-baton.config.json", "{") }, baton.ExitUsage, "relay-baton.config.json"},
		{"a damaged session", func(g *ground) { g.artifact(baton.MetaFile, "{") }, baton.ExitUsage, "session.json"},
		{"another baton at work", func(g *ground) { g.held() }, baton.ExitBusy, "in use by 'baton run'"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			g := newGround(t)
			g.session(`"status":"plan_ready","workflowMode":"plan-execute"`)
			g.artifact(baton.PlanFile, goodPlan)
			tt.lay(g)
			f := g.ForeseeExecute(t.Context(), baton.Place{})
			is.Equal(baton.ExitCode(f.Refused), tt.code)
			is.True(strings.Contains(f.Refused.Error(), tt.says))
			is.Equal(g.tried, 0)
			is.Equal(g.disk.written, nil)
		})
	}
}

func TestForeseeExecute_TellsOfKeysLimitsAndASessionThatIsStale(t *testing.T) {
	is := is.New(t)
	g := newGround(t)
	g.env["OPENAI_API_KEY"] = "sk-not-to-be-shown"
	g.session(`"status":"executing","workflowMode":"plan-execute","limits":{` +
		`"codex":{"class":"usage_limit","kind":"weekly","resetAt":"2026-05-29T00:00:00.000Z","resetExact":true,"text":"x"}}`)
	g.artifact(baton.PlanFile, goodPlan)
	f := g.ForeseeExecute(t.Context(), baton.Place{})
	is.NoErr(f.Refused)
	said := strings.Join(f.Notices, "\n")
	for _, part := range []string{"claims to be executing", "OPENAI_API_KEY is set and kept from the agents", "codex", "it is started all the same"} {
		is.True(strings.Contains(said, part))
	}
	is.True(!strings.Contains(said, "sk-not-to-be-shown"))
}

func TestHandOff_WritesAHandoffAndStartsNobody(t *testing.T) {
	is := is.New(t)
	g := newGround(t)
	g.session(`"status":"failed","task":"do it","lastAgent":"codex","tokenDietProfile":"balanced","handoffCount":1`)
	g.artifact(baton.TaskFile, "do it\n")
	g.artifact(baton.StateFile, "# Current State\n\n## Goal\n- do it\n\n## Next Step\n- the parser\n")
	done, err := g.HandOff(t.Context(), baton.Place{}, "ultra")
	is.NoErr(err)
	is.Equal(done.To, "claude")
	is.Equal(done.File, ".ai-session/handoff.md")
	is.Equal(done.Limit, 12000) // that of the diet which was chosen
	m := g.meta()
	is.Equal(m.Status(), baton.HandoffReady)
	is.Equal(m.HandoffCount, 2)
	is.Equal(m.LastHandoffAt, now) // the gates passed
	is.Equal(m.TokenDietProfile, "balanced")
	is.Equal(len(g.agents.Started()), 0)
	is.Equal(g.see().Handoff.Value.Count, 2)
}

// A gate that refuses leaves the handoff where it can be looked at, and says why.
func TestHandOff_ThatAGateRefuses(t *testing.T) {
	is := is.New(t)
	g := newGround(t)
	g.session(`"status":"failed","task":"t","lastAgent":"claude"`)
	g.artifact(baton.TaskFile, "use ghp_"+strings.Repeat("aB3dE5fG7hJ9", 3)+"\n")
	done, err := g.HandOff(t.Context(), baton.Place{}, "")
	is.Equal(baton.ExitCode(err), baton.ExitGate)
	is.Equal(done.To, "codex")
	is.True(done.Chars > 0)
	m := g.meta()
	is.Equal(m.HandoffCount, 1)
	is.True(m.LastHandoffAt.IsZero())
	is.True(strings.Contains(m.LastError, "secrets"))
}

func TestHandOff_WhileTheSessionIsInUse(t *testing.T) {
	is := is.New(t)
	g := newGround(t)
	g.session(`"status":"running"`)
	g.held()
	before := g.files()
	lock, err := flock.Locker{}.TryLock(filepath.Join(g.top, baton.Artifact(baton.LockFile)), 0o600)
	is.NoErr(err)
	_, err = g.HandOff(t.Context(), baton.Place{}, "")
	var busy *baton.BusyError
	is.True(errors.As(err, &busy))
	is.Equal(busy.Holder.Command, "run")
	is.True(maps.Equal(before, g.files()))
	is.NoErr(lock.Release())
}

// The first handoff of a session that has not run goes to the agent that would come
// second.
func TestHandOff_BeforeAnyRun(t *testing.T) {
	is := is.New(t)
	g := newGround(t)
	done, err := g.HandOff(t.Context(), baton.Place{}, "")
	is.NoErr(err)
	is.Equal(done.To, "claude")
	is.Equal(g.meta().HandoffCount, 1)
}
