package exchange

import "strings"

// Cause is the rule that kept something out of a session, or let it in.
type Cause string

// Why a session is told nothing at all.
const (
	NoSession          Cause = "no-session"
	Unmarked           Cause = "unmarked"
	OverrideInvalid    Cause = "override-invalid"
	NoDirectory        Cause = "no-directory"
	RootUnreadable     Cause = "root-unreadable"
	ForeignRoot        Cause = "store-of-another-root"
	StoreUnreadable    Cause = "store-unreadable"
	OtherRoot          Cause = "other-root"
	NoRootThere        Cause = "session-unmarked"
	JobSession         Cause = "job"
	ScriptedSession    Cause = "scripted"
	HooksOff           Cause = "hooks-off"
	ManagedOnly        Cause = "managed-hooks-only"
	PluginOff          Cause = "plugin-off"
	NotWired           Cause = "not-wired"
	CodexNotWired      Cause = "codex-not-wired"
	CodexUntrusted     Cause = "codex-untrusted"
	ExecutableMissing  Cause = "hookd-missing"
	ExecutableMode     Cause = "hookd-not-executable"
	NeverRan           Cause = "never-ran"
	RegistryUnreadable Cause = "registry-unreadable"
	UnknownSession     Cause = "unknown-session"
	SessionEnded       Cause = "session-ended"
	ForeignSession     Cause = "session-elsewhere"
	UnusableID         Cause = "unusable-id"
)

// Why what is new is not told while the session runs.
const (
	BrokenMarker     Cause = "marker-broken"
	ReceiptsUnread   Cause = "receipts-unreadable"
	DeliverStart     Cause = "deliver-start"
	BlockedByRelay   Cause = "relay-blocked"
	BlocksUnread     Cause = "relay-unreadable"
	NothingChanged   Cause = "nothing-changed"
	SettingsUnread   Cause = "settings-unreadable"
	VariablesUnread  Cause = "environment-unknown"
	ExecutableUnread Cause = "hookd-unknown"
	InsideRun        Cause = "inside-run"
)

// What became of a handoff.
const (
	UnreadRecord  Cause = "record-unreadable"
	UnreadMoves   Cause = "moves-unreadable"
	TiedHandoff   Cause = "tied"
	OtherCase     Cause = "other-case"
	OtherPaths    Cause = "other-paths"
	NoRepo        Cause = "no-repo"
	OtherRepo     Cause = "other-repo"
	OtherSession  Cause = "other-session"
	OverLimit     Cause = "over-limit"
	OverBudget    Cause = "over-budget"
	WaitsForStart Cause = "waits-for-start"
	NewHandoff    Cause = "new"
	OwnPost       Cause = "own-post"
	ClosedHandoff Cause = "closed"
	Archived      Cause = "archived"
	SeenHandoff   Cause = "shown"
)

// What became of other sessions, overlaps, the branch and wake-ups.
const (
	UnreadClaim    Cause = "claim-unreadable"
	StaleClaim     Cause = "claim-stale"
	RunClaim       Cause = "claim-of-run"
	ForeignClaim   Cause = "claim-elsewhere"
	UnjudgedClaim  Cause = "claim-unjudged"
	SessionsCut    Cause = "sessions-over-budget"
	Outside        Cause = "outside"
	OwnClaim       Cause = "own-claim"
	ShownSession   Cause = "session-shown"
	OverlapNoPaths Cause = "overlap-no-paths"
	OverlapNoRepo  Cause = "overlap-no-repo"
	OverlapApart   Cause = "overlap-apart"
	ShownOverlap   Cause = "overlap-shown"
	SameBranch     Cause = "branch-same"
	AloneInTree    Cause = "branch-alone"
	ShownBranch    Cause = "branch-shown"
	WakeOff        Cause = "wake-off"
	WakeUnattended Cause = "wake-not-interactive"
	WakeWaits      Cause = "wake-waits"
	NoWake         Cause = "wake-none"
	WiredBy        Cause = "wired"
	RanLast        Cause = "ran"
	UnseenWiring   Cause = "wired-unseen"
)

// Reading is how a cause is put to a person. Pieces in braces stand for values.
type Reading struct {
	Cause Cause
	// Says is the rule in words, Do what to do or to type; empty where there is
	// nothing to do.
	Says, Do string
}

// filled puts values, which come in pairs of name and value, into a text.
func filled(text string, values []string) string {
	var pairs []string
	for i := 0; i+1 < len(values); i += 2 {
		pairs = append(pairs, "{"+values[i]+"}", values[i+1])
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// Readings returns how every cause is put, those first that explain most.
func Readings() []Reading { return append(silenceReadings(), thingReadings()...) }

// reading returns how a cause is put, and its rank among all.
func reading(c Cause) (Reading, int) {
	for i, r := range Readings() {
		if r.Cause == c {
			return r, i
		}
	}
	panic("exchange: no words for the cause " + string(c))
}
