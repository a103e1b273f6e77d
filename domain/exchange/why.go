package exchange

import (
	"fmt"
	"time"

	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/domain/text"
)

// answerBudget is what one answer of the hook may hold, in UTF-16 units.
const answerBudget = 8000

// Why tells why a session was told nothing, or not this.
type Why struct {
	World
	// Codex reads how Codex's hooks are wired; nil where nobody asks.
	Codex CodexReader
	// Blocked tells when relay last kept a prompt from a session's model.
	Blocked func(sessionID string) (at time.Time, found bool, err error)
	// Variables returns what a process was started with of the named variables.
	Variables func(pid int, names ...string) (map[string]string, error)
}

// WhyRequest asks about a session: the own one where none is named.
type WhyRequest struct {
	Cwd     string
	Session *string
}

// Thing is a kind of what a session can be told, or of what decides about it.
type Thing string

// The things.
const (
	RootThing    Thing = "root"
	SessionThing Thing = "session"
	HooksThing   Thing = "hooks"
	RunThing     Thing = "ran"
	MarkerThing  Thing = "marker"
	HandoffThing Thing = "handoff"
	ClaimThing   Thing = "claim"
	PeerThing    Thing = "peer"
	OverlapThing Thing = "overlap"
	BranchThing  Thing = "branch"
	WakeThing    Thing = "wake"
)

// Finding is one thing and the rule that decided about it.
type Finding struct {
	Thing Thing
	// ID is that of a handoff or of a session, Name what a person calls it.
	ID, Name string
	Cause    Cause
	// AtStart and AtPrompt: a start, a prompt of the session now shows it.
	AtStart, AtPrompt bool
	// Shown is when the session was shown it; zero where it was not.
	Shown time.Time
	// Problem is what is wrong; empty where the rule is no fault.
	Problem string

	values []string
}

// Says is the rule in words.
func (f Finding) Says() string {
	r, _ := reading(f.Cause)
	return filled(r.Says, f.values)
}

// Do is what to do about it; empty where there is nothing.
func (f Finding) Do() string {
	r, _ := reading(f.Cause)
	return filled(r.Do, f.values)
}

// WhyReport is the answer.
type WhyReport struct {
	// SessionID is empty where no session was found.
	SessionID string
	Name      string
	Root      string
	Rule      Rule
	// Cwd is where the hook is taken to run.
	Cwd      string
	Findings []Finding
	// Live are the sessions here that can be asked about, where none was found.
	Live []session.Row
	// Problems are what is wrong with what the hook reads.
	Problems []string

	rendering rendering
}

// inquiry is one question on its way to an answer.
type inquiry struct {
	why    Why
	site   site
	report WhyReport
	row    session.Judged
	known  bool
	// hook is the hook over a store that nothing is written to.
	hook Hook
	// claim is the session's, or the one put aside when it ended.
	claim      Claim
	ended      bool
	lastLook   time.Time
	lookCwd    string
	receipts   int
	looked     bool
	resolution Resolution
}

// Explain replays the hook for a session from what is on disk. An error is a
// question that cannot be asked: nothing was looked at.
func (w Why) Explain(req WhyRequest) (WhyReport, error) {
	if req.Session != nil {
		if err := CheckID(*req.Session); err != nil {
			return WhyReport{}, fmt.Errorf("--session: %w", err)
		}
	}
	q := &inquiry{why: w}
	q.site.Resolution = w.locator().Resolve(req.Cwd)
	q.site.cfg = DefaultConfig(q.site.Root)
	if q.site.Found() {
		q.site.cfg, q.site.cfgErr = w.config(q.site.Root)
	}
	q.site.rendering = rendering{cfg: q.site.cfg, cut: w.Cutter, now: w.Clock.Now()}
	q.site.registry, q.site.regErr = w.registry()
	q.report = WhyReport{Root: q.site.Root, Rule: q.site.Rule, rendering: q.site.rendering}
	if q.session(req) && q.root(req) && q.place() {
		q.replay()
	}
	return q.report, nil
}

// session finds out whom the question is about.
func (q *inquiry) session(req WhyRequest) bool {
	s := q.site
	switch {
	case req.Session != nil:
		q.report.SessionID = *req.Session
	default:
		own, found := s.own()
		if nearest, ok := s.registry.Nearest(); ok && (!found || nearest.SessionID != own.SessionID) {
			q.add(Finding{Thing: SessionThing, Cause: InsideRun, values: []string{"run", s.rendering.session(nearest)}})
		}
		if !found {
			q.nobody(req)
			return false
		}
		q.report.SessionID = own.SessionID
	}
	q.row, q.known = s.registry.Lookup(q.report.SessionID)
	q.report.Name = q.row.Label()
	if !q.known {
		q.report.Name = q.report.SessionID
	}
	return true
}

// nobody lists the sessions that can be asked about.
func (q *inquiry) nobody(req WhyRequest) {
	if q.site.regErr != nil {
		q.fault(Finding{Thing: SessionThing, Cause: RegistryUnreadable}, q.site.regErr.Error())
		return
	}
	root := q.site.Root
	if root == "" {
		root = q.why.locator().Walk(req.Cwd).Root
	}
	under := q.why.under(root)
	for _, row := range q.site.registry.Peers(q.site.cfg.Scripted) {
		if root != "" && under(row.Cwd) {
			q.report.Live = append(q.report.Live, row)
		}
	}
	id := "<id>"
	if len(q.report.Live) > 0 {
		id = q.report.Live[0].SessionID
	}
	q.fault(Finding{Thing: SessionThing, Cause: NoSession, values: []string{"id", id}},
		fmt.Sprintf("no session is known above this process; of %d live one(s) here, name one", len(q.report.Live)))
	if !q.site.Found() {
		q.noRoot(req.Cwd, q.site.Resolution)
	}
}

func (q *inquiry) add(f Finding) { q.report.Findings = append(q.report.Findings, f) }

// fault adds what is wrong beside its rule.
func (q *inquiry) fault(f Finding, problem string) {
	f.Problem = problem
	q.add(f)
	q.report.Problems = append(q.report.Problems, problem)
}

// root goes on where there is one.
func (q *inquiry) root(req WhyRequest) bool {
	if q.site.Found() {
		q.report.Cwd = q.why.absolute(req.Cwd)
		return true
	}
	q.noRoot(req.Cwd, q.site.Resolution)
	return false
}

func (q *inquiry) noRoot(cwd string, r Resolution) {
	f := Finding{Thing: RootThing, Cause: Unmarked, values: []string{"dir", text.Printable(cwd)}}
	problem := r.Problem
	switch r.Rule {
	case RuleOverrideInvalid:
		f.Cause = OverrideInvalid
	case RuleCwdInvalid:
		f.Cause = NoDirectory
	case RuleUnreadable:
		f.Cause = RootUnreadable
	default:
		problem = (&NoRootError{Resolution: r, Advice: q.why.initAdvice(cwd)}).Error()
	}
	q.fault(f, problem)
}

// Faulty reports a problem.
func (r WhyReport) Faulty() bool { return len(r.Problems) > 0 }
