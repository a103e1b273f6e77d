package baton

// SessionDir is the directory of a session, below the top of its repository.
const SessionDir = ".ai-session"

// The artifacts of a session.
const (
	TaskFile         = "task.md"
	StateFile        = "state.md"
	CompactStateFile = "compact-state.md"
	HandoffFile      = "handoff.md"
	PlanFile         = "plan.md"
	DecisionsFile    = "decisions.md"
	ErrorsFile       = "errors.md"
	ChangedFile      = "changed-files.md"
	RepoMapFile      = "repo-map.md"
	LogFile          = "commands.log"
	RunsFile         = "runs.jsonl"
	TestResultsFile  = "test-results.md"
	DiffFile         = "full-diff.patch"
	BudgetFile       = "context-budget.json"
	BaselineFile     = "git-baseline.json"
	MetaFile         = "session.json"
	LockFile         = ".lock"
	ReceiptLockFile  = ".receipts.lock"
)

// Artifact returns the path of an artifact as it is shown and stored: relative to
// the repository.
func Artifact(name string) string { return SessionDir + "/" + name }
