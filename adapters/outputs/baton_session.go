package outputs

import (
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/wall"
)

func batonNoSession() shape { return object(must("session", exactly(false))) }

// batonRan is how the session stands, and the run that a command started.
func batonRan() []shape {
	run := must("run", orNull(batonRun(batonEvidence())))
	return []shape{
		object(must("session", exactly(false)), run),
		object(with(batonSession(), run)...),
	}
}

func batonStatus() shape {
	return one(baton.Initialized, baton.Running, baton.FallbackDetected, baton.HandoffReady, baton.RunningFallback,
		baton.Planning, baton.PlanReady, baton.Executing, baton.Compressing, baton.Completed, baton.Failed)
}

func batonSession() []member {
	return []member{
		must("session", exactly(true)), must("task", orNull(text())), must("status", batonStatus()), must("workflowMode", text()),
		must("activeAgent", text()), must("lastAgent", text()), must("primaryAgent", orNull(text())), must("fallbackAgent", orNull(text())),
		must("fallbackReason", orNull(text())), must("tokenDietProfile", orNull(text())),
		must("changedFiles", list(text())), must("handoffExists", yesNo()), must("contextBudgetExists", yesNo()),
		must("lastError", orNull(text())),
		must("timing", object(
			must("startedAt", orNull(instant())), must("endedAt", orNull(instant())), must("durationMs", orNull(count())),
			must("handoffCount", count()), must("lastHandoffAt", orNull(instant())),
		)),
		must("plan", object(
			must("exists", yesNo()), must("state", text()), must("failures", list(text())), must("steps", count()),
			must("planAuthor", orNull(text())), must("executor", orNull(text())),
			must("planFinalizedAt", orNull(instant())), must("executeStartedAt", orNull(instant())),
		)),
		must("compression", object(
			must("total", count()), must("budget", count()), must("ratio", decimal()), must("threshold", decimal()),
			must("enabled", yesNo()), must("auto", yesNo()), must("active", yesNo()), must("rotatedLogs", count()),
			must("last", orNull(object(
				may("at", instant()), must("trigger", text()), must("before", count()), must("after", count()),
				must("ratioBefore", decimal()), must("ratioAfter", decimal()),
			))),
		)),
		must("limits", list(object(
			must("agent", text()), must("class", text()), must("kind", orNull(text())), must("resetAt", orNull(instant())),
			must("resetExact", yesNo()), must("seenAt", orNull(instant())), must("passed", yesNo()),
		))),
		must("waiting", orNull(object(must("agent", text()), must("until", orNull(instant()))))),
		must("lastRun", orNull(batonRun(batonEvidence()))),
		must("stale", yesNo()).describe("True where a run was cut and nothing works any more."),
		must("git", object(
			must("available", yesNo()), must("branch", orNull(text())), must("head", orNull(text())), must("clean", orNull(yesNo())),
			must("changed", orNull(count())), must("staged", orNull(count())), must("unstaged", orNull(count())), must("untracked", orNull(count())),
		)),
	}
}

// batonEvidence are the members of what a class rests on.
func batonEvidence() []member {
	return []member{
		must("source", orNull(text())), must("event", orNull(text())), must("text", orNull(text())), must("file", orNull(text())),
		must("line", orNull(count())),
	}
}

func batonRun(evidence []member) shape {
	return object(
		must("n", count()), must("agent", orNull(text())),
		must("role", orNull(one(wall.AsPrimary, wall.AsFallback, wall.AsPlanner, wall.AsExecutor, wall.AsHandoff))),
		must("protocol", orNull(text())), must("argv", list(text())).describe("The command without the prompt."),
		must("promptChars", count()), must("promptVia", orNull(one(wall.ByArgument, wall.ByStdin))), must("clientSession", orNull(text())),
		must("startedAt", orNull(instant())), must("endedAt", orNull(instant())), must("exitCode", whole()), must("signal", orNull(whole())),
		must("class", orNull(text())), must("kind", orNull(text())), must("resetAt", orNull(instant())), must("resetExact", orNull(yesNo())),
		must("rule", orNull(text())), must("evidence", orNull(object(evidence...))),
		must("ignored", object(must("count", count()), must("firstLine", orNull(text())))),
		must("denied", byName(count())).describe("Refused tools, by name."),
		must("decision", orNull(text())), must("next", orNull(text())), must("why", orNull(text())),
		must("forced", list(object(must("gate", text()), must("detail", text())))),
	)
}

func batonExplained() shape {
	return batonRun(with(batonEvidence(), must("now", orNull(object(must("file", text()), must("line", count()))))))
}

func batonCompressed() shape {
	return object(
		must("outcome", text()), must("reason", orNull(text())), must("profile", orNull(text())), must("threshold", decimal()),
		must("total", count()), must("budget", count()), must("ratio", decimal()), must("after", orNull(count())),
		must("ratioAfter", orNull(decimal())),
		must("files", list(object(
			must("file", text()), must("before", count()), must("after", count()), must("changed", yesNo()), must("kept", orNull(text())),
		))),
		must("gate", orNull(object(must("passed", yesNo()), must("failures", list(text()))))),
		must("cycle", orNull(text())), must("rotated", list(text())), must("report", orNull(batonLoss())),
	)
}

// batonLoss is the report of what a cycle left out, as loss.<time>.json keeps it.
func batonLoss() shape {
	raw := []member{must("file", text()), must("raw", orNull(text()))}
	chars := []member{must("charsBefore", count()), must("charsAfter", count())}
	log := object(with(raw, with(chars,
		must("linesBefore", count()), must("linesAfter", count()), must("elidedRuns", count()), must("elidedLines", count()),
		must("elided", list(object(must("from", count()), must("to", count()), must("count", count())))), must("more", count()),
		must("shortened", list(object(must("line", count()), must("chars", count())))), may("moreShortened", count()),
		must("notices", list(count())), may("moreNotices", count()),
		must("kept", counts("tail", "hits", "exits", "failures", "starts")),
	)...)...)
	state := object(with(raw, with(chars, must("sections", list(object(
		must("section", text()), must("itemsBefore", count()), must("itemsAfter", count()),
		must("lost", list(object(
			must("reason", text()), must("count", count()), must("lines", list(list(count()))), may("more", count()),
		))),
	))))...)...)
	entries := object(with(raw, with(chars,
		must("dropped", list(object(must("title", text()), must("from", count()), must("to", count()), must("date", instant())))),
		may("more", count()),
	)...)...)
	return object(
		must("schemaVersion", exactly(1)), must("at", instant()), must("trigger", text()), must("profile", text()),
		must("threshold", decimal()), must("before", count()), must("after", count()), must("files", list(either(log, state, entries))),
	)
}
