package prompt_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton/prompt"
)

// missing returns those of the words that a text does not hold.
func missing(text string, words ...string) string {
	var list []string
	for _, w := range words {
		if !strings.Contains(text, w) {
			list = append(list, w)
		}
	}
	return strings.Join(list, " | ")
}

var dietRules = []string{
	"Token diet rules:\n", "no full logs unless", "full diff only if the summary is not enough", "Do not paste instruction files", "updates of the state short",
	"No unrelated analysis", "concise bullets", "Do not repeat the handoff",
}

func TestContinuation_SaysWhatItMust(t *testing.T) {
	is := is.New(t)
	got := prompt.Continuation(prompt.Settings{Concise: true}, false)
	is.Equal(missing(
		got, "handoff through relay-baton", "not a new task", "AGENTS.md and CLAUDE.md, if present", ".ai-session/task.md", ".ai-session/handoff.md",
		".ai-session/compact-state.md", ".ai-session/changed-files.md", ".ai-session/repo-map.md", ".ai-session/test-results.md", "Do not start over",
		"beats any assumption", "git diff before you edit", "Go on from Next Steps", "architecture", "names", "style", "small, targeted changes",
		"Update .ai-session/state.md after each meaningful step", "relevant tests, or say why not", "Do not auto-commit",
	), "")
	is.Equal(missing(got, dietRules...), "")
	is.Equal(missing(got, "plan.md"), "plan.md")
	is.True(strings.Contains(got[strings.LastIndex(got, "\n\n"):], "Immediate task: ")) // it ends with that
}

func TestContinuation_OfAPlan(t *testing.T) {
	is := is.New(t)
	got := prompt.Continuation(prompt.Settings{}, true)
	is.Equal(missing(
		got, ".ai-session/plan.md is the contract", "first step that is not done", "Do not rewrite the plan", ".ai-session/errors.md", "Go on from Next Steps",
	), "")
	is.True(strings.Contains(got[strings.LastIndex(got, "\n\n"):], "Immediate task: "))
}

// Row 54.
func TestPlanner_SaysWhatItMust(t *testing.T) {
	is := is.New(t)
	task := "# Import\n\nShow how far it has come.\n"
	got := prompt.Planner(task, 9000)
	is.Equal(missing(
		got, "planner", "only output is the file .ai-session/plan.md", "Do not write or edit source code", "AGENTS.md and CLAUDE.md", ".ai-session/task.md",
		".ai-session/repo-map.md", "\n# relay-baton plan\n## Goal\n## Scope (in)\n## Out of scope\n## Approach\n## Steps\n## Risks\n## Verification\n## Next step\n",
		"missing or empty is rejected", "Every section is present", "numbered list of concrete actions", "exactly one bullet", "goes to Risks",
		"do not guess in Steps", "Reference files by their paths", "Never inline diffs, logs, AGENTS.md or CLAUDE.md", "contract", "not a transcript",
		"at most 9000 chars", "Stop after writing",
	), "")
	is.True(strings.HasSuffix(got, "\n\n"+task))
}

// Row 54.
func TestExecutor_SaysWhatItMust(t *testing.T) {
	is := is.New(t)
	got := prompt.Executor(prompt.Settings{Concise: true}, prompt.Receipts{})
	is.Equal(missing(
		got, "executor", ".ai-session/plan.md, before all others", "AGENTS.md and CLAUDE.md", ".ai-session/repo-map.md", "Follow Steps in their order",
		"Next step", "git diff", "Update .ai-session/state.md after each step", "STOP and write it to .ai-session/errors.md", "instead of improvising",
		"targeted changes", "Run what Verification says, or say why not", "Do not rewrite .ai-session/plan.md", "Do not auto-commit",
	), "")
	is.Equal(missing(got, dietRules[:6]...), "")
	is.Equal(missing(got, "receipt"), "receipt")
}

func TestExecutor_Receipts(t *testing.T) {
	is := is.New(t)
	asked := prompt.Executor(prompt.Settings{}, prompt.Receipts{Asked: true})
	is.Equal(missing(asked, "`baton receipt done <n>`", "`baton receipt skip <n> --note", "not possible, go on"), "")
	is.Equal(missing(asked, "are finished"), "are finished")
	there := prompt.Executor(prompt.Settings{}, prompt.Receipts{There: true})
	is.Equal(missing(there, "Execution receipts", "are finished"), "")
	is.Equal(missing(there, "baton receipt"), "baton receipt")
}

func TestPrompts_NameTheCommandsThatAreSet(t *testing.T) {
	is := is.New(t)
	set := prompt.Settings{Test: "go test ./...", Build: "make build"}
	for _, got := range []string{prompt.Continuation(set, false), prompt.Executor(set, prompt.Receipts{})} {
		is.Equal(missing(got, "go test ./...", "make build"), "")
	}
	is.Equal(missing(prompt.Continuation(prompt.Settings{}, false), "run with"), "run with")
}

func TestPrompts_AskForShortOutputOnlyWhenConcise(t *testing.T) {
	is := is.New(t)
	for _, got := range []string{prompt.Continuation(prompt.Settings{}, false), prompt.Executor(prompt.Settings{}, prompt.Receipts{})} {
		is.Equal(missing(got, "concise", "Do not repeat"), "concise | Do not repeat")
		is.Equal(missing(got, dietRules[:6]...), "")
	}
}

// An agent would take a prompt for an option or a command that begins like one.
func TestPrompts_BeginWithALetterAndHaveNoControlCharacters(t *testing.T) {
	for _, got := range []string{
		prompt.Continuation(prompt.Settings{Concise: true}, true), prompt.Planner("x", 1), prompt.Executor(prompt.Settings{Concise: true}, prompt.Receipts{Asked: true, There: true}),
	} {
		is := is.New(t)
		is.True(got[0] >= 'A' && got[0] <= 'Z')
		is.True(strings.IndexFunc(got, func(r rune) bool { return r < ' ' && r != '\n' }) < 0)
	}
}
