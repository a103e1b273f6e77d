package main

import "github.com/changeover/changeover/adapters/cobracli"

// nextSteps are what a person types after each command.
func nextSteps() cobracli.Steps {
	return cobracli.Steps{
		"baton":                  {"baton doctor                        # what is installed and logged in", "baton run \"make the parser stream\""},
		"baton init":             {"baton doctor", "baton run \"make the parser stream\""},
		"baton login":            {"baton doctor                        # is it logged in now?"},
		"baton doctor":           {"baton login codex                   # what it finds missing", "baton run \"make the parser stream\""},
		"baton verify":           {"baton run \"make the parser stream\""},
		"baton run":              {"baton status", "baton explain                       # why it did or did not hand over", "baton handoff --to claude           # go on with another agent"},
		"baton handoff":          {"baton status", "baton handoff show"},
		"baton handoff history":  {"baton handoff show"},
		"baton handoff show":     {"baton handoff --to claude           # write it anew and start the agent"},
		"baton plan":             {"baton plan --check", "baton execute                       # carry it out"},
		"baton execute":          {"baton receipt list                  # which steps are done", "baton review                        # what changed beside the plan"},
		"baton receipt":          {"baton receipt list"},
		"baton receipt done":     {"baton receipt list", "baton review"},
		"baton receipt skip":     {"baton receipt list", "baton review"},
		"baton receipt list":     {"baton execute                       # go on with what is open", "baton review"},
		"baton review":           {"baton status"},
		"baton status":           {"baton explain", "baton handoff --to claude"},
		"baton tui":              {"baton explain                       # why the last run did or did not hand over", "baton handoff --to claude"},
		"baton explain":          {"baton handoff --to claude           # hand over all the same", "baton status"},
		"baton budget":           {"baton compact                       # refresh the short forms", "baton compress-context --dry-run    # what else could go"},
		"baton compact":          {"baton budget"},
		"baton compress":         {"baton budget"},
		"baton compress-context": {"baton budget", "baton compress-context --diff       # what went"},
		"baton project":          {"baton project list"},
		"baton project add":      {"baton project switch parser", "baton init --project parser"},
		"baton project list":     {"baton project switch parser"},
		"baton project current":  {"baton status"},
		"baton project switch":   {"baton project current", "baton project doctor"},
		"baton project remove":   {"baton project list"},
		"baton project doctor":   {"baton project list", "baton doctor"},
		"baton version":          {"baton doctor"},
	}
}
