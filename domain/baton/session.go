package baton

import (
	"time"

	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/jsondoc"
)

// NoAgent stands in a session where no agent runs or ran.
const NoAgent = "none"

// Mode is how a session works.
type Mode string

// The modes.
const (
	FallbackMode    Mode = "fallback"
	PlanExecuteMode Mode = "plan-execute"
)

// SessionMeta is what session.json holds. Its status changes by Move alone; zero
// times and empty texts are absent, or null where the file always has the key.
type SessionMeta struct {
	ID        string
	CreatedAt time.Time
	UpdatedAt time.Time
	RepoRoot  string
	Task      string

	status Status
	// before is the status in which a compression cycle began.
	before Status

	PrimaryAgent  string
	FallbackAgent string
	// ActiveAgent and LastAgent are NoAgent where there is none.
	ActiveAgent string
	LastAgent   string

	FallbackReason   string
	LastError        string
	TokenDietProfile string

	StartedAt     time.Time
	EndedAt       time.Time
	Duration      time.Duration
	HandoffCount  int
	LastHandoffAt time.Time

	// WorkflowMode is empty until a command sets it; Mode reads it.
	WorkflowMode Mode

	PlanAuthor       Optional
	PlanFinalizedAt  time.Time
	Executor         Optional
	ExecuteStartedAt time.Time
	// ExecuteHead is the commit at which the executor started, null without
	// commits.
	ExecuteHead Optional

	LastCompression   *LastCompression
	SuspectedFallback string
	Limits            wall.Limits

	// Waiting is whom baton waits for; the zero value is nobody.
	Waiting wall.Waiting

	// original is the file as it was read, with what this version does not
	// know; known is what was read of it.
	original jsondoc.Object
	known    jsondoc.Object
}

// Optional is a text that a file may have, have as null, or not have.
type Optional struct {
	// There: the key is in the file. An empty Text is null then.
	There bool
	Text  string
}

// Some is a text that is there; an empty one is null.
func Some(text string) Optional { return Optional{There: true, Text: text} }

// LastCompression is the newest compression cycle that held.
type LastCompression struct {
	At          time.Time
	Trigger     string // auto, handoff or manual
	Before      int
	After       int
	RatioBefore float64
	RatioAfter  float64
}

// NewSession is what a session begins with.
type NewSession struct {
	ID            string
	RepoRoot      string
	Task          string
	PrimaryAgent  string
	FallbackAgent string
	Diet          string
}

// Init returns a session in which nothing has run yet.
func Init(n NewSession, now time.Time) SessionMeta {
	return SessionMeta{
		ID: n.ID, CreatedAt: now, UpdatedAt: now, RepoRoot: n.RepoRoot, Task: n.Task, status: Initialized,
		PrimaryAgent: n.PrimaryAgent, FallbackAgent: n.FallbackAgent, ActiveAgent: NoAgent, LastAgent: NoAgent,
		TokenDietProfile: n.Diet,
	}
}

// Status is what the session is doing, or did last.
func (m SessionMeta) Status() Status { return m.status }

// BeforeCompression is the status in which the compression cycle began that goes
// on; empty where none does.
func (m SessionMeta) BeforeCompression() Status { return m.before }

// Mode is how the session works; that of an old file is FallbackMode.
func (m SessionMeta) Mode() Mode {
	if m.WorkflowMode == "" {
		return FallbackMode
	}
	return m.WorkflowMode
}
