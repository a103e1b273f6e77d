package exchange

import (
	"fmt"
	"path"
)

// StepMark says how far one of the seven steps is.
type StepMark string

// The marks of a step.
const (
	StepDone         StepMark = "x"
	StepOutstanding  StepMark = " "
	StepUnknown      StepMark = "?"
	StepInapplicable StepMark = "-"
)

// Step is one of the seven steps from the earlier scripts to this tool. It is
// always derived from what is there now, never from a note.
type Step struct {
	Number int
	Title  string
	Mark   StepMark
	Why    string
}

func (s Step) label() string {
	switch s.Mark {
	case StepUnknown:
		return "not checkable here"
	case StepInapplicable:
		return "not applicable"
	case StepDone:
		return "done"
	}
	return "outstanding"
}

func (d Doctor) steps(s site, marked bool, found wirings) []Step {
	return []Step{
		{1, "old parser fixed in place", StepUnknown, "the earlier scripts are not part of this installation"},
		{2, "root resolution extracted", StepDone, ""},
		d.pluginStep(),
		Importer{World: d.World, Fold: d.Fold}.step(s, marked),
		markStep(s, marked),
		{6, "every other root marked", StepUnknown, "roots do not see each other"},
		legacyStep(found),
	}
}

func (d Doctor) pluginStep() Step {
	step := Step{Number: 3, Title: "plugin skeleton present", Mark: StepDone}
	dir := d.pluginDir()
	for _, file := range []string{"hooks/hooks.json", "schemas/" + SchemaName("handoff"), "commands/exchange.md"} {
		if present, err := isRegular(d.Files, path.Join(dir, file)); err != nil || !present {
			step.Mark = StepOutstanding
			step.Why = fmt.Sprintf("%s is missing in %s; the plugin's own copy of this program lies in its bin/", file, dir)
			return step
		}
	}
	return step
}

func markStep(s site, marked bool) Step {
	step := Step{Number: 5, Title: "this root marked", Mark: StepDone}
	if !marked {
		step.Mark = StepOutstanding
		step.Why = fmt.Sprintf("exchange init %s", s.Root)
	}
	return step
}

func legacyStep(found wirings) Step {
	step := Step{Number: 7, Title: "legacy hooks retired", Mark: StepDone}
	if len(found.onDisk)+len(found.legacy) > 0 {
		step.Mark = StepOutstanding
		step.Why = fmt.Sprintf("%d script(s) on disk, %d wiring(s): exchange migrate --step 7", len(found.onDisk), len(found.legacy))
	}
	return step
}
