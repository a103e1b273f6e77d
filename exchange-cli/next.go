package main

import "github.com/changeover/changeover/adapters/cobracli"

// nextSteps are what a person types after each command.
func nextSteps() cobracli.Steps {
	const id = "20260301T101500Z-0a1b2c"
	return cobracli.Steps{
		"exchange":       {"exchange init                    # once for each tree", "exchange show"},
		"exchange init":  {"exchange doctor                  # are the hooks wired?", "exchange claim port the parser   # say what you do"},
		"exchange show":  {"exchange handoff list            # what waits, with its first lines", "exchange doctor --why            # when a session was told nothing"},
		"exchange watch": {"exchange show                    # the same in lines", "exchange handoff list            # what waits, with its first lines"},
		"exchange claim": {"exchange show                    # what the others see of it", "exchange claim --drop            # when it is done"},
		"exchange doctor": {
			"exchange doctor --why            # why a session was told nothing", "exchange migrate --step 4        # what it lists as outstanding",
		},
		"exchange handoff":         {"exchange handoff list"},
		"exchange handoff post":    {"exchange handoff list            # it is there, and for whom", "exchange show                    # who is told of it"},
		"exchange handoff list":    {"exchange handoff show " + id, "exchange handoff accept " + id},
		"exchange handoff show":    {"exchange handoff accept " + id, "exchange handoff close " + id},
		"exchange handoff accept":  {"exchange handoff close " + id + "   # when it is done"},
		"exchange handoff close":   {"exchange handoff list", "exchange tidy                    # what is old enough for the archive"},
		"exchange handoff resolve": {"exchange handoff show " + id},
		"exchange handoff restore": {"exchange handoff show " + id},
		"exchange tidy":            {"exchange handoff list --archived", "exchange handoff restore " + id},
		"exchange migrate":         {"exchange doctor                  # which steps are left"},
		"exchange codex-hooks":     {"exchange doctor                  # does Codex trust them?"},
		"exchange version":         {"exchange doctor                  # is the plugin of the same build?"},
	}
}
