package main

import "github.com/changeover/changeover/adapters/cobracli"

// nextSteps are what a person types after each command.
func nextSteps() cobracli.Steps {
	return cobracli.Steps{
		"relay":          {"relay sessions                       # who can be paired"},
		"relay sessions": {"relay planner 071a81ba               # ask one of them to be the builder"},
		"relay planner":  {"relay status                         # has the other side accepted?", "relay goal \"make the parser stream\"  # once it has"},
		"relay builder":  {"relay status                         # what the planner's session says of it"},
		"relay accept":   {"relay goal \"make the parser stream\"  # in the planner's session", "relay status"},
		"relay decline":  {"relay sessions                       # who else is there"},
		"relay goal":     {"relay watch                          # follow the rounds", "relay pause                          # hold what comes next"},
		"relay pause":    {"relay resume                         # go on", "relay unlink                         # or end it"},
		"relay resume":   {"relay watch"},
		"relay unlink":   {"relay sessions                       # whom to pair with next"},
		"relay status": {
			"relay log                            # the texts of each round", "relay resume                         # when it is paused",
			"relay doctor --why                   # when nothing comes",
		},
		"relay log":     {"relay status", "relay log --json                     # the same for a script"},
		"relay watch":   {"relay log                            # what was said in full"},
		"relay doctor":  {"relay doctor --why                   # why nothing came to a session", "relay sessions"},
		"relay run":     {"relay log --last                     # the trail of it", "relay run --continue                 # after a pause"},
		"relay version": {"relay doctor                         # which of it reaches which session"},
	}
}
