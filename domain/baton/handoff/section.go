package handoff

import (
	"fmt"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/markdown"
	"github.com/changeover/changeover/domain/baton/plan"
	"github.com/changeover/changeover/domain/baton/stamp"
	"github.com/changeover/changeover/domain/text"
)

// Where the next agent finds what the handoff leaves out.
const (
	dir              = ".ai-session/"
	fullDiffPath     = dir + "full-diff.patch"
	fullLogPath      = dir + "commands.log"
	compactStatePath = dir + "compact-state.md"
	repoMapPath      = dir + "repo-map.md"
	planPath         = dir + plan.File
	statePath        = dir + "state.md"
	errorsPath       = dir + "errors.md"
)

const (
	// levels is how far headings of embedded texts are lowered, so that every
	// level-2 heading is one of the handoff's own.
	levels = 2
	// steps is how many next steps are taken from the state.
	steps = 10
	// goalShare is the part of the budget that the goal may take up.
	goalShare = 4

	none = "(none)"
)

// sections returns the sections in the order of the document.
func (in Input) sections(cutter text.Cutter) []*section {
	list := []*section{
		{title: Goal, priority: high, text: in.goal()},
		{title: Previous, priority: high, text: embedded(line(in.Previous), none)},
		{title: Next, priority: high, text: embedded(line(in.Next), none)},
		{title: Reason, priority: high, text: in.reason()},
		{title: Diet, priority: high, fixed: true},
		{title: Repository, priority: medium, text: fenced("", in.Status, "(clean)")},
		{title: RepoMap, priority: medium, text: "Full map: " + repoMapPath + gap + embedded(in.RepoMap, "(no repo map)")},
		{title: Relevant, priority: medium, text: embedded(in.Relevant.String(), "(none selected)")},
		{title: Changed, priority: high, text: bullets(in.Changed, none)},
		{title: Progress, priority: medium, text: embedded(in.State, "(no progress recorded)")},
		{title: Diff, priority: low, text: diffLead + fenced("diff", strings.TrimPrefix(in.Diff, noDiff), noDiff)},
		{title: KnownErrors, priority: high, newest: true, text: bullets(in.KnownErrors, "(none detected)")},
		{title: TestResults, priority: medium, text: in.testResults()},
		{title: NextSteps, priority: high, text: in.nextSteps()},
		{title: Instructions, priority: high, fixed: true, text: in.instructions()},
	}
	for _, s := range list {
		s.set(s.text)
		switch s.title {
		case Goal:
			s.cap(cutter, in.Budgets.MaxHandoffChars/goalShare)
		case Diff:
			s.cap(cutter, in.Budgets.MaxDiffChars)
		}
	}
	return list
}

// goal is the task without the heading that it may begin with.
func (in Input) goal() string {
	task := strings.TrimSpace(markdown.Clean(in.Task))
	first, rest, _ := strings.Cut(task, "\n")
	if level, heading := markdown.Heading(first); level > 0 {
		task = rest
		if strings.TrimSpace(rest) == "" {
			task = heading
		}
	}
	return embedded(task, "(no goal recorded)")
}

func (in Input) reason() string {
	if strings.TrimSpace(in.Reason) == "" {
		return "manual handoff"
	}
	list := []string{embedded(line(in.Reason), "")}
	for _, at := range []struct {
		words string
		time  time.Time
	}{{"resets at ", in.ResetAt}, {"waited until ", in.WaitedUntil}} {
		if !at.time.IsZero() {
			list = append(list, "- "+at.words+stamp.Text(at.time))
		}
	}
	return strings.Join(list, "\n")
}

// diet is the token diet summary.
func (in Input) diet(before int, cut bool) string {
	list := []string{
		"- Profile: " + line(in.Profile),
		fmt.Sprintf("- Handoff limit: %d chars", in.Budgets.MaxHandoffChars),
		fmt.Sprintf("- Chars before fitting: %d", before),
		"- Full diff: " + fullDiffPath,
		"- Full log: " + fullLogPath,
		"- Compact state: " + compactStatePath,
	}
	if cut {
		list = append(list, "- Sections were cut to fit; the files hold the whole.")
	}
	return strings.Join(list, "\n")
}

const (
	noDiff   = "(no diff)"
	diffLead = "Full diff: " + fullDiffPath + gap
)

// DiffRoom is how long a compacted diff may be so that, with what stands around
// it, the section Important Diff is within the budget.
func DiffRoom(maxDiffChars int) int {
	const longerFence = 4
	return max(0, maxDiffChars-len(diffLead)-len("```diff\n\n```")-longerFence)
}

// testResults is the text, unless it is nothing but a heading and placeholders.
func (in Input) testResults() string {
	for _, l := range markdown.Lines(markdown.Clean(in.TestResults)) {
		if level, _ := markdown.Heading(l.Text); level == 0 && plan.Real(l.Text) {
			return embedded(in.TestResults, "")
		}
	}
	return "No tests were run."
}

func (in Input) nextSteps() string {
	var list []string
	for _, item := range append(append([]string{}, in.NextStep...), in.Remaining...) {
		if s := markdown.Payload(strings.Join(strings.Fields(item), " ")); plan.Real(s) && len(list) < steps {
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		list = []string{
			"Look at the git diff.",
			"Go on from the current state of the repository.",
			"Build, and run the tests.",
			"Update " + statePath + ".",
		}
	}
	if in.Planned {
		list = append([]string{"Follow " + planPath + " from its first step that is not done."}, list...)
	}
	return bullets(list, none)
}

func (in Input) instructions() string {
	list := []string{
		"This is a handoff through relay-baton and no new task: do not start over.",
		"Read AGENTS.md and CLAUDE.md if they are there, then " + dir + "task.md and " + compactStatePath + ".",
		"The repository as it is now beats any assumption; inspect the git diff before you edit.",
		"Go on from Next Steps.",
		"Keep the architecture, the names and the style.",
		"Make small, targeted changes.",
		"Update " + statePath + " after each meaningful step.",
		"Run the tests that matter, or say why not.",
		"Do not auto-commit.",
		"Open the full log or the full diff only when this summary is not enough, and paste no instruction files.",
	}
	if in.Planned {
		list = append(list, planPath+" is the contract: do not rewrite it, and write what differs from it to "+errorsPath+".")
	}
	return bullets(list, none)
}

// embedded is a text as it may stand in a section.
func embedded(raw, placeholder string) string {
	if body := markdown.Embed(raw, levels); body != "" {
		return body
	}
	return placeholder
}

// fenced is a text in a fenced block.
func fenced(language, raw, placeholder string) string {
	body := strings.Trim(markdown.Clean(raw), "\n")
	if strings.TrimSpace(body) == "" {
		return placeholder
	}
	return markdown.Fence(language, body)
}

// bullets is a list of texts of one line each.
func bullets(list []string, placeholder string) string {
	var lines []string
	for _, item := range list {
		if s := line(item); s != "" {
			lines = append(lines, "- "+s)
		}
	}
	if len(lines) == 0 {
		return placeholder
	}
	return strings.Join(lines, "\n")
}

// line makes one line of a text. Spaces stay as they are, for a path may hold
// several.
func line(raw string) string {
	return strings.TrimSpace(strings.NewReplacer("\n", " ", "\t", " ").Replace(markdown.Clean(raw)))
}

// cap cuts the section to a budget of its own, the marker included.
func (s *section) cap(cutter text.Cutter, limit int) {
	if s.chars <= limit || limit <= 0 {
		return
	}
	s.marked = true
	s.set(beginning(cutter, s.text, max(0, limit-len(compact.Marker)-len(gap))))
}
