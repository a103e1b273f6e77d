package faults_test

import (
	"fmt"
	"strings"

	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/plan"
	"github.com/changeover/changeover/domain/baton/project"
)

// verb is one command, on a ground that was prepared for it.
type verb struct {
	name    string
	prepare func(g *ground)
	run     func(g *ground, w baton.World) error
	// code is its exit code.
	code int
	// agents: the verb is about agents, so that the session tells how it ended.
	agents bool
}

func signals(g *ground) baton.Signals {
	return baton.Signals{Stop: g.t.Context(), Hurry: g.t.Context()}
}

// verbs are the commands that change something.
func verbs() []verb {
	return []verb{
		{name: "init", prepare: func(g *ground) { g.put(".gitignore", "node_modules/\n") }, run: func(g *ground, w baton.World) error {
			_, err := w.Init(g.t.Context(), baton.Place{}, true)
			return err
		}},
		{name: "run, the first", prepare: busy, run: runs, agents: true},
		{name: "run", prepare: func(g *ground) {
			used(g)
			busy(g)
			register(g)
		}, run: runs, agents: true},
		{name: "run to a wall and on", prepare: func(g *ground) {
			used(g)
			walled(g)
		}, run: runs, agents: true},
		{name: "handoff --no-run", prepare: used, run: func(g *ground, w baton.World) error { return hands(g, w, true) }, agents: true},
		{name: "handoff", prepare: func(g *ground) {
			used(g)
			walled(g)
		}, run: func(g *ground, w baton.World) error { return hands(g, w, false) }, agents: true},
		{name: "plan", prepare: func(g *ground) {
			used(g)
			planning(g)
		}, run: func(g *ground, w baton.World) error { return plans(g, w, false) }, agents: true},
		{name: "plan by an agent that empties it", prepare: func(g *ground) {
			used(g)
			g.script["claude"] = func(a *actor) int {
				a.g.put(baton.Artifact(baton.PlanFile), "\n")
				a.errs("no idea")
				return 3
			}
		}, run: func(g *ground, w baton.World) error { return plans(g, w, false) }, code: baton.ExitAgent, agents: true},
		{name: "plan --no-run", prepare: begun, run: func(g *ground, w baton.World) error { return plans(g, w, true) }, agents: true},
		{name: "execute", prepare: func(g *ground) {
			used(g)
			busy(g)
		}, run: func(g *ground, w baton.World) error { return executes(g, w, "") }, agents: true},
		{name: "execute --from", prepare: func(g *ground) {
			used(g)
			walled(g)
			g.put("docs/other.md", aPlan("from elsewhere"))
		}, run: func(g *ground, w baton.World) error { return executes(g, w, "docs/other.md") }, agents: true},
		{name: "receipt done", prepare: used, run: func(g *ground, w baton.World) error {
			_, err := w.AddReceipt(g.t.Context(), baton.ReceiptRequest{Mark: plan.Done, Step: 1, Note: "it works"})
			return err
		}},
		{name: "project add", prepare: register, run: func(g *ground, w baton.World) error {
			_, err := w.AddProject(g.t.Context(), project.Wanted{Path: g.home, Name: "another"})
			return err
		}},
		{name: "compact", prepare: used, run: compacts},
		{name: "run to a wall, compressed, and on", prepare: func(g *ground) {
			used(g)
			walled(g)
			heavy(g)
		}, run: runs, agents: true},
	}
}

func runs(g *ground, w baton.World) error {
	return w.Run(g.t.Context(), signals(g), baton.RunRequest{Task: "Mend the parser", Diet: "ultra"})
}

func hands(g *ground, w baton.World, only bool) error {
	return w.Handoff(g.t.Context(), signals(g), baton.HandoffRequest{To: "claude", NoRun: only}, func(baton.Written) {})
}

func plans(g *ground, w baton.World, only bool) error {
	_, err := w.Plan(g.t.Context(), signals(g), baton.PlanRequest{Task: "Plan the parser", NoRun: only})
	return err
}

func executes(g *ground, w baton.World, from string) error {
	return w.Execute(g.t.Context(), signals(g), baton.ExecuteRequest{From: from})
}

func compacts(g *ground, w baton.World) error {
	_, err := w.Compact(g.t.Context(), baton.Place{}, "")
	return err
}

// begun gives a ground a session in which nothing has happened yet.
func begun(g *ground) {
	_, err := g.begin(sound, 0).Init(g.t.Context(), baton.Place{}, false)
	if err != nil {
		g.t.Fatal(err)
	}
}

// used gives a ground a session with everything that one may hold.
func used(g *ground) {
	begun(g)
	g.artifact(baton.StateFile, "# Current State\n\n## Goal\n- a parser that streams\n\n## Next Step\n- mend it\n")
	g.artifact(baton.DecisionsFile, "# Decisions\n\n- no recursion\n")
	g.artifact(baton.ErrorsFile, "# Errors\n\n- it loops\n")
	g.artifact(baton.PlanFile, aPlan("the first"))
	g.artifact(baton.HandoffFile, "# Relay Baton Handoff\n\n## Goal\nan earlier one\n")
	g.artifact(baton.TestResultsFile, "all red\n")
	busy(g)
	if err := runs(g, g.begin(sound, 0)); err != nil {
		g.t.Fatal(err)
	}
}

// register gives a ground a registry with its repository in it.
func register(g *ground) {
	_, err := g.begin(sound, 0).AddProject(g.t.Context(), project.Wanted{Path: g.top, Name: "the first"})
	if err != nil {
		g.t.Fatal(err)
	}
}

// busy has the agents do their work.
func busy(g *ground) {
	work := func(a *actor) int {
		a.says("at work")
		a.adds("Done", fmt.Sprintf("step in life %d", a.life.pid))
		a.says("done")
		return 0
	}
	g.script["codex"], g.script["claude"] = work, work
}

// walled has the first agent meet a wall.
func walled(g *ground) {
	busy(g)
	g.script["codex"] = func(a *actor) int {
		a.says("at work")
		a.adds("In Progress", fmt.Sprintf("step in life %d", a.life.pid))
		a.errs("Error: quota exceeded for this account")
		return 1
	}
}

// planning has the planner write another plan each time.
func planning(g *ground) {
	g.script["claude"] = func(a *actor) int {
		a.says("thinking")
		a.writes(baton.PlanFile, aPlan(fmt.Sprintf("in life %d", a.life.pid)))
		a.says("written")
		return 0
	}
}

// heavy gives the log more than the profile allows.
func heavy(g *ground) {
	var log strings.Builder
	for n := range 1200 {
		fmt.Fprintf(&log, "[stdout] working on item %d of a long job\n", n)
	}
	g.put(baton.Artifact(baton.LogFile), log.String())
}

// aPlan is a plan that passes its gate.
func aPlan(title string) string {
	return "# relay-baton plan\n\n## Goal\n" + title + "\n\n## Scope (in)\n- src/app.go\n\n## Out of scope\n- docs\n\n## Approach\n- small steps\n\n" +
		"## Steps\n1. Mend src/app.go\n2. Test src/new.go\n\n## Risks\n- none known\n\n## Verification\n- go test\n" + aPlanEnd
}

// aPlanEnd is the end of every plan here.
const aPlanEnd = "\n## Next step\n- Mend src/app.go\n"
