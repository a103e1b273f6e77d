package outputs

import (
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/plan"
)

func batonAnswers() []answer {
	ran := "How the session stands after the run, and the run."
	return []answer{
		{"baton status", "How the session stands.", []shape{batonNoSession(), object(batonSession()...)}},
		{"baton run", ran, batonRan()},
		{"baton handoff", ran, batonRan()},
		{"baton execute", ran, batonRan()},
		{
			"baton plan", ran + " With --check what the gate says of the plan, with --diff what changed in it.",
			append(batonRan(), batonGate(), batonPlanDiff()),
		},
		{
			"baton explain", "Why the last agent run did or did not hand over; with --all a list of all runs.",
			[]shape{batonExplained(), list(batonExplained())},
		},
		{"baton budget", "How long the artifacts are against their budgets.", []shape{batonBudget()}},
		{
			"baton compress-context", "What one cycle of compression did, or would do; with --diff the report of what the last one left out, null where there is none.",
			[]shape{batonCompressed(), batonLoss(), kind("null")},
		},
		{"baton handoff history", "The handoff and the earlier ones, newest first.", []shape{list(object(
			must("current", yesNo()), must("file", text()), must("modifiedAt", instant()), must("size", count()), must("label", text()),
		))}},
		{"baton handoff show", "One handoff with its sections.", []shape{object(
			must("file", text()), must("current", yesNo()), must("modifiedAt", instant()), must("chars", count()), must("limit", orNull(count())),
			must("sections", list(object(must("title", text()), must("chars", count()), must("cut", yesNo())))), must("body", text()),
		)}},
		{"baton receipt list", "The steps of the plan and what became of each.", []shape{object(
			must("steps", list(object(
				must("n", count()), must("text", text()), must("state", one(plan.Done, plan.Skipped, plan.Open)),
				must("at", orNull(instant())), must("note", orNull(text())), must("count", count()),
			))),
			must("unreadable", list(text())),
		)}},
		{"baton review", "What changed, step by step, and beside the plan.", []shape{batonReview()}},
		{"baton doctor", "What baton's work in this repository depends on.", []shape{object(
			must("passed", yesNo()), must("ok", count()), must("warn", count()), must("fail", count()), must("info", count()),
			must("checks", batonChecks()), must("advice", orNull(text())),
		)}},
		{"baton verify", "What a session goes through, tried out without any agent.", []shape{object(
			must("passed", yesNo()), must("pass", count()), must("warn", count()), must("fail", count()),
			must("steps", list(object(must("name", text()), must("result", text()), must("text", text()), must("details", list(text()))))),
			must("temp", orNull(text())).describe("The directory that --keep-temp left."),
		)}},
		{"baton project add", "The project that was registered.", []shape{object(
			must("project", batonProject(false)), must("already", yesNo()), must("updated", yesNo()), must("active", yesNo()),
		)}},
		{"baton project list", "The registered projects. What others keep beside a project's members is passed on.", []shape{object(
			must("activeProjectId", orNull(text())), must("projects", list(batonProject(true))),
		)}},
		{"baton project current", "The active project, and where baton works.", []shape{object(
			must("project", orNull(batonProject(false))), must("path", text()),
		)}},
		{"baton project remove", "The project that was forgotten.", []shape{object(
			must("removed", batonProject(false)), must("activeProjectId", orNull(text())),
		)}},
		{"baton project doctor", "How each registered repository stands.", []shape{list(object(
			must("id", text()), must("path", text()), must("active", yesNo()), must("passed", yesNo()), must("checks", batonChecks()),
		))}},
	}
}

func batonChecks() shape {
	return list(object(
		must("mark", one(baton.MarkOK, baton.MarkWarn, baton.MarkFail, baton.MarkInfo)), must("label", text()), must("value", text()),
	))
}

func batonProject(others bool) shape {
	return record(others, []member{
		must("id", text()), must("name", text()), must("path", text()),
		may("createdAt", instant()), may("updatedAt", instant()), may("lastUsedAt", instant()),
		may("defaultDiet", text()), may("primaryAgent", text()), may("fallbackAgent", text()), may("fallbackPatterns", list(text())),
	})
}

func batonBudget() shape {
	return object(
		must("profile", text()), must("maxHandoffChars", count()), must("maxPlanChars", count()),
		must("chars", byName(count())).describe("Characters by artifact."),
		must("lastHandoffCut", orNull(yesNo())),
		must("context", object(must("total", count()), must("budget", count()), must("ratio", decimal()))),
	)
}

func batonIssues() shape { return list(object(must("code", text()), must("message", text()))) }

func batonGate() shape {
	return object(
		must("failures", batonIssues()), must("warnings", batonIssues()), must("steps", count()), must("chars", count()), must("limit", count()),
	)
}

func batonPlanDiff() shape {
	return object(
		must("from", orNull(text())).describe("The earlier plan; null where there is none."), must("to", text()),
		must("sections", list(object(
			must("name", text()), must("state", one(plan.Added, plan.Removed, plan.Changed, plan.Unchanged)),
			must("added", count()), must("removed", count()), must("diff", orNull(text())),
		))),
		must("steps", object(
			must("added", list(count())), must("removed", list(count())), must("moved", list(object(must("from", count()), must("to", count())))),
		)),
	)
}

func batonReview() shape {
	return object(
		must("base", text()),
		must("steps", list(object(
			must("n", count()), must("text", text()), must("state", text()), must("receipt", orNull(one(plan.Done, plan.Skipped))),
			must("paths", list(text())), must("files", list(text())),
		))),
		must("files", list(object(must("path", text()), must("steps", list(count())), must("inScope", yesNo())))),
		must("unplanned", list(text())),
		must("contradictions", list(object(must("n", count()), must("receipt", text()), must("state", text())))),
	)
}
