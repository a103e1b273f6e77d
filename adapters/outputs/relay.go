package outputs

import "github.com/changeover/changeover/domain/relay"

func relayAnswers() []answer {
	return []answer{
		{"relay sessions", "The live sessions that can be paired.", []shape{object(must("sessions", list(object(
			must("session_id", text()), must("name", text()), must("cwd", text()),
		))))}},
		{"relay status", "Where the link of a session stands; all from link on is there only where linked is true.", []shape{
			object(with(relayAsked(), must("linked", exactly(false)))...),
			object(with(relayAsked(), with(relayLink(), must("linked", exactly(true)))...)...),
		}},
		{"relay log", "The trail of a link: each delivery with its receipt and times.", []shape{relayTrail()}},
		{"relay watch", "One document a line: where the link stands, then each thing that happens to it.", []shape{
			object(must("kind", exactly("stands")), must("text", text())), relayChange(),
		}},
		{"relay doctor", "How deliveries reach each live session; with --why what became of everything for one.", []shape{
			relayCheckup(), relayReasons(), relayNobody(),
		}},
	}
}

func relayRole() shape { return one(relay.Planner, relay.Builder) }

// relaySender is whom a delivery is from: a goal comes from the person.
func relaySender() shape { return one(relay.Planner, relay.Builder, relay.Person) }

func relayReceipt() shape {
	return one(relay.Queued, relay.Taken, relay.WasShown, relay.Answered, relay.WasBack, relay.WasRefuse, relay.Unknown)
}

func relayPhase() shape {
	return one(relay.Asking, relay.Linked, relay.Running, relay.IsDone, relay.IsDeclined, relay.IsUnlinked)
}

// relayAsked are the members of a status that are always there.
func relayAsked() []member {
	return []member{
		must("session", text()).describe("The session that was asked about; empty for a link that was named by its id."),
		must("requests", list(object(
			must("from", text()), must("name", text()), must("role", relayRole()),
			must("accept", text()).describe("What to type to accept it."),
		))),
	}
}

func relayLink() []member {
	return []member{
		must("link", text()), must("role", relayRole()), must("peer", text()), must("phase", relayPhase()),
		must("round", count()), must("allowed", count()).describe("How many rounds there may be."),
		must("turn", text()).describe("Whose turn it is: planner, builder, or empty."),
		must("goal", text()), must("summary", text()), must("band", text()).describe("The line that the session shows."),
		must("tone", text()).describe("How the band is coloured: asking, running, waiting, paused or done."),
		must("pauses", list(object(
			must("reason", text()), must("side", relayRole()), may("detail", text()), may("held", text()),
		))),
		must("deliveries", list(object(
			must("round", count()), must("from", relaySender()), must("to", relayRole()), must("receipt", relayReceipt()),
			must("sent_at", instant()), must("text", text()),
		))),
	}
}

func relayTrail() shape {
	return object(
		must("link", text()), must("phase", relayPhase()), must("planner", text()), must("builder", text()),
		must("deliveries", list(object(
			must("round", count()), must("from", relaySender()), must("to", relayRole()), must("receipt", relayReceipt()),
			must("sent_at", instant()), may("shown_at", instant()), must("text", text()),
		))),
		must("summary", text()),
	)
}

func relayChange() shape {
	return object(
		must("at", instant()), must("side", relayRole()), must("kind", text()), may("round", count()), must("text", text()),
	)
}

func relayCheckup() shape {
	return object(
		must("state", object(
			must("dir", text()), must("mode", text()).describe("The access of the directory in octal; empty where there is none."),
			must("problems", list(text())),
		)),
		must("sessions", list(object(
			must("session", text()), must("name", text()), must("cwd", text()),
			must("transport", one(relay.ByMod, relay.ByHooks, relay.NoWay)), must("why", text()),
			must("obstacles", list(text())), must("hook_text_seen", yesNo()), must("state_dir", text()),
			must("state_apart", yesNo()), must("unknown", list(text())),
		))),
	)
}

func relayReasons() shape {
	return object(
		must("session", text()), must("name", text()),
		must("things", list(object(
			must("thing", text()), may("name", text()), must("cause", text()).describe("One of docs/troubleshooting.md."),
			must("says", text()), may("do", text()),
		))),
		must("next", text()).describe("What to type."), must("problems", list(text())),
	)
}

func relayNobody() shape {
	return object(
		must("session", kind("null")),
		must("live", list(object(must("session", text()), must("name", text()), must("cwd", text())))),
		must("problems", list(text())),
	)
}
