package outputs

import (
	"github.com/changeover/changeover/domain/exchange"
)

func exchangeAnswers() []answer {
	refused := exchangeRefusal()
	return []answer{
		{"exchange show", "Who is here and what is stored.", []shape{exchangeHere(), refused}},
		{"exchange handoff list", "The handoffs, newest first, uncapped.", []shape{exchangeList(), refused}},
		{"exchange watch", "Everybody who is here and everything that is stored, root by root.", []shape{object(
			must("sessions", list(object(
				must("session_id", text()), may("name", text()), may("cwd", text()), may("root", text()), may("status", text()),
				may("status_at", instant()), may("started_at", instant()), may("role", one("planner", "builder")), must("this", yesNo()),
			))),
			must("registry", exchangeRegistry()),
			must("roots", list(object(must("show", exchangeHere()), must("list", exchangeList())))),
			must("problems", list(text())),
		)}},
		{"exchange handoff show", "One handoff with its moves, and who was shown it.", []shape{object(with(handoffMembers(),
			must("receipts", list(object(
				must("session_id", text()), may("name", text()), must("at", instant()), must("how", text()),
			))),
			must("archived", yesNo()), must("problems", list(text())),
		)...), refused}},
		{"exchange doctor", "How the installation stands; with --why what a session was told, and why not more.", []shape{
			object(must("plugin", exchangePlugin()), must("root", kind("null")), must("problems", list(text()))),
			exchangeCheckup(), exchangeReasons(), refused,
		}},
		{"exchange migrate", "What step 4 or step 7 would write.", []shape{
			object(
				must("root", text()), must("ledger", kind("null")), must("not_applicable", text()), must("problems", list(text())),
			),
			exchangeImport(), exchangeRetirement(), refused,
		}},
	}
}

func exchangeList() shape {
	return object(
		must("root", text()), must("stored", count()), must("shown", count()),
		must("handoffs", list(object(handoffMembers()...))), must("problems", list(text())),
	)
}

// exchangeRefusal is the answer where nothing could be read.
func exchangeRefusal() shape {
	return object(may("root", kind("null")).describe("There where no root is marked."), must("problems", list(text())))
}

func exchangeRule() shape {
	return one(exchange.RuleOverride, exchange.RuleOverrideInvalid, exchange.RuleMarker, exchange.RuleCwdInvalid,
		exchange.RuleUnreadable, exchange.RuleUnmarked)
}

func exchangeStatus() shape { return one(exchange.Open, exchange.Accepted, exchange.Closed) }

func exchangeSession() shape {
	return object(must("session_id", text()), may("name", text()), may("cwd", text()))
}

func exchangeRegistry() shape {
	return object(must("unread", count()), must("files", list(text())))
}

func exchangeHere() shape {
	return object(
		must("root", text()), must("rule", exchangeRule()), must("name", text()), may("this", exchangeSession()),
		must("registry", exchangeRegistry()),
		must("claims", list(object(
			must("session_id", text()), may("name", text()), must("cwd", text()), may("git_branch", text()), may("focus", text()),
			must("repos", list(text())), must("paths", list(text())), must("tickets", list(text())), must("was", list(text())),
			must("updated_at", instant()), must("standing", one("live", "run", "elsewhere", "unknown", "gone")),
			must("overlaps", list(object(must("session_id", text()), may("name", text()), must("paths", list(text()))))),
		))),
		must("unclaimed", list(exchangeSession())),
		must("runs", object(must("background", count()), must("scripted", count()))),
		must("handoffs", object(must("stored", count()), must("not_closed", count()))),
		must("problems", list(text())),
	)
}

func exchangeAddress() shape {
	return either(object(must("session_id", text())), object(must("repo", text()), may("paths", list(text()))))
}

func handoffMembers() []member {
	return []member{
		must("id", text()), must("status", exchangeStatus()),
		must("settled", yesNo()).describe("False where two sessions moved it at once: exchange handoff resolve."),
		must("to", exchangeAddress()),
		must("from", object(may("session_id", text()), may("name", text()), must("cwd", text()))),
		must("created", instant()), must("body", text()),
		must("moves", list(object(
			must("after", count()), must("at", instant()), must("status", exchangeStatus()), may("by", text()), may("note", text()),
		))),
	}
}

func exchangePlugin() shape { return object(may("version", text()), must("dir", text())) }

func exchangeCheckup() shape {
	return object(
		must("plugin", exchangePlugin()), must("root", text()), must("rule", exchangeRule()), must("name", text()),
		must("marker", one("valid", "absent", "faulty")),
		must("legacy", object(
			must("on_disk", list(text())),
			must("wired", list(object(must("script", text()), must("settings", text()), must("scope", one("root", "machine"))))),
		)),
		must("double_fire", yesNo()), must("cross_root", yesNo()),
		must("hooks", list(object(must("file", text()), may("command", text())))),
		must("wired_twice", yesNo()),
		must("codex", orNull(object(
			must("file", text()), must("trusted", list(text())), must("untrusted", list(text())), must("altered", list(text())),
			must("trusted_once", list(text())), must("not_wired", list(text())),
		))),
		must("registry", exchangeRegistry()), must("store", object(must("faults", count()))),
		must("steps", list(object(must("number", count()), must("title", text()), must("mark", text()), may("why", text())))),
		must("next", orNull(count())).describe("The number of the step that comes next."),
		must("problems", list(text())),
	)
}

func exchangeReasons() shape {
	return object(
		may("session_id", text()), may("name", text()), must("root", orNull(text())), must("rule", text()), may("cwd", text()),
		must("things", list(object(
			must("thing", text()), may("id", text()), may("name", text()), must("cause", text()).describe("One of docs/troubleshooting.md."),
			must("says", text()), may("do", text()), must("at_start", yesNo()), must("at_prompt", yesNo()), may("shown", instant()),
		))),
		must("live", list(exchangeSession())), must("next", text()).describe("What to type."), must("problems", list(text())),
	)
}

func exchangeImport() shape {
	return object(
		must("root", text()), must("ledger", text()),
		must("counts", counts("parsed", "to_create", "to_close", "unchanged", "closed_and_skipped", "stored_with_no_entry",
			"drifted", "stranded_open", "problems")),
		must("create", list(object(must("id", text()), may("date", text()), may("to", exchangeAddress()), must("headline", text())))),
		must("close", list(text())),
		must("drift", list(object(must("id", text()), must("fields", list(text()))))),
		must("stranded", list(object(must("id", text()), must("status", exchangeStatus()), must("headline", text())))),
		must("orphan", list(text())), must("check", list(text())), must("dry_run", exactly(true)), must("problems", list(text())),
	)
}

func exchangeRetirement() shape {
	return object(
		must("root", text()),
		must("counts", counts("wirings_to_remove", "files", "scripts_to_retire", "kept", "problems")),
		must("unwire", list(object(must("names", list(text())), must("file", text())))),
		must("machine", list(object(must("name", text()), must("file", text())))),
		must("retire", list(text())), must("keep", list(text())), may("note", text()),
		must("nothing", yesNo()), must("dry_run", exactly(true)), must("problems", list(text())),
	)
}

// counts is an object of numbers.
func counts(names ...string) shape {
	var members []member
	for _, name := range names {
		members = append(members, must(name, count()))
	}
	return object(members...)
}
