package dashboard_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/port"
)

// goodPlan passes the gate and has three steps.
const goodPlan = `# relay-baton plan

## Goal
Show import progress.

## Scope (in)
- docs/import.md

## Out of scope
- the upload form

## Approach
Count rows, expose the count.

## Steps
1. Add the column in src/model.go
2. Serve the counter in src/server.go
3. Talk to the users

## Risks
- drift on retries

## Verification
go test ./...

## Next step
- Add the column
`

func TestLook_WithoutASession(t *testing.T) {
	is := is.New(t)
	g := newGround(t)
	v := g.see()
	is.NoErr(v.Repo.Fault)
	is.NoErr(v.Session.Fault)
	is.True(!v.Session.Value.There)
	is.Equal(v.Profile, "balanced")
	is.Equal(v.Repo.Value.Top(), g.top)
	is.Equal(g.disk.written, nil)
	_, err := os.Lstat(filepath.Join(g.top, baton.SessionDir))
	is.True(errors.Is(err, fs.ErrNotExist)) // nothing was made
}

func TestLook_TheSession(t *testing.T) {
	is := is.New(t)
	g := newGround(t)
	g.session(`"status":"failed","task":"do it","workflowMode":"plan-execute","activeAgent":"none","lastAgent":"codex",` +
		`"fallbackReason":"usage_limit: out","tokenDietProfile":"ultra","startedAt":"2026-05-28T09:00:00.000Z",` +
		`"endedAt":"2026-05-28T09:10:00.000Z","durationMs":600000,"handoffCount":3,` +
		`"limits":{"codex":{"class":"usage_limit","kind":"weekly","resetAt":"2026-05-29T00:00:00.000Z","resetExact":true,"text":"x"}}`)
	v := g.see()
	m := v.Session.Value.Meta
	is.Equal(m.Task, "do it")
	is.Equal(m.Mode(), baton.PlanExecuteMode)
	is.Equal([]string{m.ActiveAgent, m.LastAgent}, []string{"none", "codex"})
	is.Equal(m.FallbackReason, "usage_limit: out")
	is.Equal(m.Duration, 10*time.Minute)
	is.Equal(m.Limits["codex"].ResetAt, time.Date(2026, 5, 29, 0, 0, 0, 0, time.UTC))
	is.Equal(v.Profile, "ultra")
	is.Equal(v.Handoff.Value.Count, 3)
}

// Readers never try the lock: they ask whether its holder lives.
func TestLook_Stale(t *testing.T) {
	is := is.New(t)
	g := newGround(t)
	for _, status := range []baton.Status{baton.Running, baton.RunningFallback, baton.Planning, baton.Executing, baton.Compressing} {
		g.session(fmt.Sprintf(`"status":%q`, status))
		is.NoErr(os.RemoveAll(filepath.Join(g.top, baton.Artifact(baton.LockFile))))
		v := g.see()
		is.True(v.Session.Value.Stale)
		is.True(!v.Session.Value.Is(status))
		g.held()
		v = g.see()
		is.True(!v.Session.Value.Stale)
		is.True(v.Session.Value.Is(status))
		g.artifact(baton.LockFile, fmt.Sprintf(`{"pid":%d,"processStart":"another","command":"run"}`, os.Getpid()))
		is.True(g.see().Session.Value.Stale) // its number belongs to another process now
	}
	is.Equal(g.tried, 0)
	is.Equal(g.disk.written, nil)
}

func TestLook_Waiting(t *testing.T) {
	is := is.New(t)
	g := newGround(t)
	g.session(`"status":"fallback_detected","waitingFor":"codex","waitingUntil":"2026-05-28T11:00:00.000Z"`)
	is.Equal(g.see().Session.Value.Meta.Waiting.Agent, "") // nobody waits any more
	g.held()
	is.Equal(g.see().Session.Value.Meta.Waiting.Agent, "codex")
}

func TestLook_ThePlan(t *testing.T) {
	is := is.New(t)
	g := newGround(t)
	g.session(`"status":"plan_ready"`)
	state := func() string { return g.see().Plan.Value.Name(false) }
	is.Equal(state(), "none")
	g.artifact(baton.PlanFile, "# relay-baton plan\n\n## Goal\nx\n")
	is.Equal(state(), "draft")
	is.Equal(len(g.see().Plan.Value.Report.Failures), 7)
	g.artifact(baton.PlanFile, goodPlan)
	is.Equal(state(), "ready")
	is.Equal(g.see().Plan.Value.Report.Steps, 3)
	is.Equal(g.see().Plan.Value.Name(true), "finalized")
}

// A plan is judged whole, however long it is.
func TestLook_ALongPlanKeepsItsFirstSections(t *testing.T) {
	is := is.New(t)
	g := newGround(t)
	g.session(`"status":"plan_ready"`)
	g.artifact(baton.PlanFile, strings.Replace(goodPlan, "- drift on retries", strings.Repeat("- drift on retries, again\n", 800), 1))
	v := g.see()
	is.Equal(v.Plan.Value.Name(false), "ready")
	is.Equal(v.Plan.Value.Report.Steps, 3)
	is.True(v.Budget.Value.Plan > 20000)
}

func TestLook_WeightBudgetAndHandoffs(t *testing.T) {
	is := is.New(t)
	g := newGround(t)
	g.session(`"status":"completed","tokenDietProfile":"ultra","handoffCount":2`)
	g.artifact(baton.LogFile, strings.Repeat("ü", 1000))
	g.artifact(baton.StateFile, strings.Repeat("s", 400))
	g.artifact(baton.DecisionsFile, "12345")
	g.artifact(baton.ErrorsFile, "123")
	g.artifact(baton.PlanFile, goodPlan)
	g.artifact(baton.HandoffFile, "# Handoff to claude\n")
	g.artifact("handoff.2026-05-27T09-00-00-000Z.md", "# Older\n")
	g.artifact("commands.log.full.2026-05-27T09-00-00-000Z", "raw")
	g.artifact("state.md.full.2026-05-27T09-00-00-000Z", "raw")
	g.artifact(baton.BudgetFile, `{"profile":"ultra","maxHandoffChars":12000,"truncated":true,"generatedAt":"2026-05-28T09:00:00.000Z"}`)
	older := now.Add(-24 * time.Hour)
	is.NoErr(os.Chtimes(filepath.Join(g.top, baton.Artifact("handoff.2026-05-27T09-00-00-000Z.md")), older, older))
	v := g.see()
	is.Equal(v.Weight.Value, compact.Weight{Total: 1408, Budget: 1800 + 4*1000})
	is.Equal(v.Rotated.Value, 1)
	cut := true
	is.Equal(cmp.Diff(v.Budget.Value, baton.Spent{
		Handoff: 20, HandoffLimit: 12000, Plan: len(goodPlan), PlanLimit: 9000, Cut: &cut,
	}), "")
	is.Equal([]int{v.Handoff.Value.Count, v.Handoff.Value.Kept}, []int{2, 2})
	is.Equal(v.Handoff.Value.Newest.Name, baton.HandoffFile)
	is.Equal(v.Handoff.Value.Newest.Label, "Handoff to claude")
}

func TestLook_ChangedFilesAndExcerpts(t *testing.T) {
	is := is.New(t)
	g := newGround(t)
	g.session(`"status":"completed"`)
	g.state.Changes = []port.Change{{Path: "a.go", Staged: '.', Unstaged: 'M'}, {Path: "b.go", Staged: '?', Unstaged: '?'}}
	g.artifact(baton.LogFile, "\ufeffone\r\ntwo\n[error] b\xffd\n")
	g.artifact(baton.CompactStateFile, "# Compact State\n\n## Goal\n- x\n")
	v := g.see()
	is.Equal(v.Tree.Value.Changes, g.state.Changes)
	is.Equal(v.Log.Value.Lines, []string{"one", "two", "[error] b\uFFFDd"})
	is.Equal(v.Compact.Value.Lines, []string{"# Compact State", "", "## Goal", "- x"})
	is.True(!v.Errors.Value.There)
}

// The ends of the log and of errors.md are read from there, however long they are.
func TestLook_ReadsNoLongFileWhole(t *testing.T) {
	is := is.New(t)
	g := newGround(t)
	g.session(`"status":"running"`)
	g.artifact(baton.LogFile, "the beginning\n")
	const size = 2 << 30
	for _, name := range []string{baton.LogFile, baton.ErrorsFile} {
		g.artifact(name, "the beginning\n")
		file, err := os.OpenFile(filepath.Join(g.top, baton.Artifact(name)), os.O_WRONLY, 0)
		is.NoErr(err)
		_, err = file.WriteAt([]byte("\nlast but one\nthe last\n"), size)
		is.NoErr(err)
		is.NoErr(file.Close())
	}
	v := g.see()
	for _, part := range []baton.Part[baton.Excerpt]{v.Log, v.Errors} {
		is.NoErr(part.Fault)
		is.True(part.Value.Cut)
		is.Equal(part.Value.Lines, []string{"last but one", "the last"})
	}
	is.True(v.Weight.Value.Total > 2*size) // which the bytes stand for
	most := int64(32<<10 + 1<<20)          // the excerpt, and what the plan's gate compares
	is.True(g.disk.read[baton.LogFile] <= most)
	is.True(g.disk.read[baton.ErrorsFile] <= 32<<10)
	before := g.disk.read[baton.LogFile]
	g.see()
	is.True(g.disk.read[baton.LogFile]-before <= 32<<10) // the gate's answer is remembered
	t.Logf("read of %d bytes: %d at the first look, %d at the second", size, before, g.disk.read[baton.LogFile]-before)
}

// What was worked out of a file is kept until that changes, or is forgotten.
func TestLook_CountsAgainWhatChanged(t *testing.T) {
	is := is.New(t)
	g := newGround(t)
	g.session(`"status":"completed"`)
	g.artifact(baton.StateFile, strings.Repeat("s", 5000))
	is.Equal(g.see().Weight.Value.Total, 5000)
	is.Equal(g.see().Weight.Value.Total, 5000)
	is.Equal(g.disk.read[baton.StateFile], int64(5000)) // once
	g.Forget()
	g.see()
	is.Equal(g.disk.read[baton.StateFile], int64(10000))
	g.artifact(baton.StateFile, strings.Repeat("s", 6000))
	is.Equal(g.see().Weight.Value.Total, 6000)
}

func TestLook_WarnsOfAConfigurationAndAProfileThatDoNotCount(t *testing.T) {
	is := is.New(t)
	g := newGround(t)
	g.session(`"status":"completed","tokenDietProfile":"vegan"`)
	g.put("relay-baton.config.json", "{")
	v := g.see()
	is.Equal(len(v.Warnings), 2)
	is.True(strings.Contains(v.Warnings[0], "relay-baton.config.json"))
	is.True(strings.Contains(v.Warnings[1], `"vegan"`))
	is.Equal(v.Profile, "balanced")
}

func TestLook_WarnsOfALockThatIsGone(t *testing.T) {
	is := is.New(t)
	g := newGround(t)
	g.session(`"status":"running"`)
	is.True(strings.Contains(strings.Join(g.see().Warnings, "\n"), ".lock is missing"))
}

// faults are the parts of a view that could not be read, by name.
func faults(v baton.View) map[string]bool {
	found := map[string]bool{}
	for name, err := range map[string]error{
		"registry": v.Registry.Fault, "repository": v.Repo.Fault, "session": v.Session.Fault, "plan": v.Plan.Fault, "tree": v.Tree.Fault,
		"weight": v.Weight.Fault, "rotated": v.Rotated.Fault, "budget": v.Budget.Fault, "handoff": v.Handoff.Fault,
		"compact": v.Compact.Fault, "log": v.Log.Fault, "errors": v.Errors.Fault,
	} {
		if err != nil {
			found[name] = true
		}
	}
	return found
}

// What cannot be read hides nothing but what is made of it.
func TestLook_OneUnreadableFileHidesNoOther(t *testing.T) {
	for file, want := range map[string][]string{
		baton.MetaFile:            {"session"},
		baton.PlanFile:            {"plan", "budget"},
		baton.LogFile:             {"log", "weight", "plan", "budget"},
		baton.ErrorsFile:          {"errors", "weight"},
		baton.StateFile:           {"weight"},
		baton.CompactStateFile:    {"compact"},
		baton.HandoffFile:         {"handoff", "budget"},
		baton.BudgetFile:          {"budget"},
		"projects.json":           {"registry"},
		"relay-baton.config.json": {}, // of which the defaults stand in
		baton.LockFile:            {}, // whose holder nobody knows then
	} {
		t.Run(file, func(t *testing.T) {
			is := is.New(t)
			g := newGround(t)
			g.session(`"status":"completed","task":"t"`)
			for _, name := range []string{
				baton.LogFile, baton.ErrorsFile, baton.StateFile, baton.CompactStateFile, baton.HandoffFile, baton.LockFile,
			} {
				g.artifact(name, "x\n")
			}
			g.artifact(baton.LockFile, "")
			g.artifact(baton.BudgetFile, "{}")
			g.artifact(baton.PlanFile, goodPlan)
			g.put("../home/.relay-baton/projects.json", `{"activeProjectId":null,"projects":[]}`)
			is.Equal(faults(g.see()), map[string]bool{})
			g.Forget()
			g.disk.refused = file
			wanted := map[string]bool{}
			for _, name := range want {
				wanted[name] = true
			}
			is.Equal(cmp.Diff(wanted, faults(g.see())), "")
			is.Equal(g.disk.written, nil)
		})
	}
}

func TestLook_GitThatFails(t *testing.T) {
	is := is.New(t)
	g := newGround(t)
	g.session(`"status":"completed"`)
	g.fault = errors.New("git: index is damaged")
	is.Equal(faults(g.see()), map[string]bool{"tree": true})
}

func TestLook_ASessionDirectoryThatIsNone(t *testing.T) {
	is := is.New(t)
	g := newGround(t)
	g.put(baton.SessionDir, "a file")
	v := g.see()
	is.True(strings.Contains(v.Session.Fault.Error(), "no directory"))
	is.NoErr(v.Tree.Fault)
}

// A registry that is damaged is told of, and stays as it is.
func TestLook_ADamagedRegistryIsLeftAlone(t *testing.T) {
	is := is.New(t)
	g := newGround(t)
	g.put("../home/.relay-baton/projects.json", "{")
	v := g.see()
	is.True(v.Registry.Fault != nil)
	is.NoErr(v.Repo.Fault)
	is.Equal(g.disk.written, nil)
	is.Equal(g.tried, 0)
	_, err := g.Open(t.Context(), baton.Place{Project: "x"})
	is.Equal(baton.ExitCode(err), baton.ExitUsage)
}

func TestLook_Projects(t *testing.T) {
	is := is.New(t)
	g := newGround(t)
	other := filepath.Join(filepath.Dir(g.top), "other")
	g.put("../other/README.md", "")
	g.put("../home/.relay-baton/projects.json", fmt.Sprintf(`{"activeProjectId":"repo","projects":[`+
		`{"id":"repo","name":"Repo","path":%q,"createdAt":"2026-05-28T09:00:00.000Z","updatedAt":"2026-05-28T09:00:00.000Z","defaultDiet":"lite"},`+
		`{"id":"other","name":"Other","path":%q,"createdAt":"2026-05-28T09:00:00.000Z","updatedAt":"2026-05-28T09:00:00.000Z"},`+
		`{"id":"gone","name":"Gone","path":"/nowhere/at/all","createdAt":"2026-05-28T09:00:00.000Z","updatedAt":"2026-05-28T09:00:00.000Z"}]}`, g.top, other))
	v := g.see()
	is.Equal(len(v.Registry.Value.Projects), 3)
	is.Equal(v.Repo.Value.Project.ID, "repo")
	is.Equal(v.Profile, "lite") // without a session, the project's
	is.Equal(g.Look(t.Context(), baton.Place{Project: "OTHER"}).Repo.Value.Top(), other)
	gone := g.Look(t.Context(), baton.Place{Project: "gone"})
	is.Equal(faults(gone), map[string]bool{"repository": true})
	is.Equal(len(gone.Registry.Value.Projects), 3) // so that another can be chosen
	is.Equal(g.disk.written, nil)                  // not even when a project was used last
}

// Agents are asked for their version when somebody wants to know, and never by a look.
func TestAvailable_AsksForTheVersionAlone(t *testing.T) {
	is := is.New(t)
	g := newGround(t)
	g.session(`"status":"completed"`)
	for range 3 {
		g.see()
	}
	is.Equal(len(g.agents.Started()), 0)
	for id, mark := range map[string]baton.Mark{"codex": baton.MarkWarn, "claude": baton.MarkOK} {
		check, err := g.Available(t.Context(), baton.Place{}, id)
		is.NoErr(err)
		is.Equal(check.Label, id)
		is.Equal(check.Mark, mark)
		if mark == baton.MarkOK {
			is.Equal(check.Value, "9.9.9 (Claude Code)")
		}
	}
	for _, c := range g.agents.Started() {
		is.Equal(c.Argv[1:], []string{"--version"})
	}
}
