package compact

import (
	"strings"

	"github.com/changeover/changeover/domain/baton/markdown"
)

// CheckState says what a rewritten state.md lacks: each canonical section
// exactly once, and a Goal and a Next Step where the file had them before.
// A file that was blank can lack nothing.
func CheckState(before, after string) []string {
	if strings.TrimSpace(before) == "" {
		return nil
	}
	var faults []string
	count := map[Section]int{}
	body, _ := markdown.Read(after)
	for _, line := range markdown.Lines(body) {
		if level, heading := markdown.Heading(line.Text); level == 2 && !line.Fenced {
			count[sectionOf(heading)]++
		}
	}
	for _, s := range Sections() {
		switch {
		case count[s] == 0:
			faults = append(faults, "state.md has no section "+string(s))
		case count[s] > 1:
			faults = append(faults, "state.md has the section "+string(s)+" more than once")
		}
	}
	old, rewritten := ReadState(before), ReadState(after)
	for _, s := range []Section{Goal, NextStep} {
		if old.Filled(s) && !rewritten.Filled(s) {
			faults = append(faults, "state.md lost its "+string(s))
		}
	}
	return faults
}
