// Package compact makes texts smaller by rule: what a handoff may hold of a
// diff, of the session's state, of the repository; and what a cycle of context
// compression leaves of state.md, decisions.md and errors.md. It asks no model
// and loses nothing in silence: each cut is marked, or reported with the lines
// that went.
package compact

// Profile is the budgets of one token-diet profile, in characters.
type Profile struct {
	MaxHandoffChars int
	MaxDiffChars    int
	MaxRepoMapChars int
	MaxLogTailChars int
	MaxStateChars   int
	MaxErrorChars   int
	// MaxPlanChars is 0 in a profile that names none; the plan's budget is then
	// that of the handoff.
	MaxPlanChars int
}
