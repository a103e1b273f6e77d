package exchange

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/domain/text"
)

// replayed is what the hook would say now.
type replayed struct {
	start *starting
	// handoffs and sessions are those whose rows a start keeps.
	handoffs, sessions []string
	// running is the look of a prompt, and prompted the handoffs that it shows.
	running  *running
	prompted []string
	covered  bool
	// seen are the handoffs that the session has a receipt of, readable or not.
	seen map[string]bool
}

// replay runs the hook over what is on disk, once as a start and once as a prompt,
// and says of each thing what became of it.
func (q *inquiry) replay() {
	r, err := q.run()
	if err != nil {
		q.fault(Finding{Thing: RootThing, Cause: StoreUnreadable}, err.Error())
		return
	}
	q.rules(r)
	q.handoffs(r)
	q.archived(r)
	q.others(r)
	q.overlaps(r)
	q.branch(r)
	q.wake()
}

// errBecameRun reports a session whose row is that of a run by now.
var errBecameRun = errors.New("the session's row in the registry changed just now: ask again")

// run lets the hook itself answer. Nothing is written.
func (q *inquiry) run() (replayed, error) {
	var r replayed
	id, cwd := q.report.SessionID, q.report.Cwd
	resolution := q.site.Resolution
	start, err := q.hook.opening(session.Event{Name: session.SessionStart, SessionID: id, Source: "resume"}, cwd, resolution)
	if err != nil {
		return r, err
	}
	if start == nil {
		return r, errBecameRun
	}
	start.run()
	r.start = start
	r.handoffs, r.sessions = start.out.survivors(answerBudget), start.out.kept(presenceRow, answerBudget)
	if seen, err := seenBy(q.site.store, start.holder.IDs); err == nil { // a fault is told of the prompt
		r.seen = seen
	}
	prompt := session.Event{Name: session.UserPromptSubmit, SessionID: id}
	r.prompted = q.hook.prompt(prompt, cwd, resolution, answerBudget).shown.handoffs
	if running, err := q.hook.running(prompt, cwd, resolution); err == nil {
		r.running, r.covered = running, running.covered() && running.onBranch()
		running.look()
	}
	return r, nil
}

// rules says what decides about everything that is new.
func (q *inquiry) rules(r replayed) {
	if q.site.cfg.Deliver == DeliverAtStart {
		q.add(Finding{Thing: MarkerThing, Cause: DeliverStart, values: []string{"file", q.marker()}})
	}
	if r.running != nil && r.running.unseen != "" {
		q.fault(Finding{Thing: RunThing, Cause: ReceiptsUnread}, r.running.unseen)
	}
	q.blocked()
	q.report.Problems = append(q.report.Problems, q.site.store.Strays()...)
	for _, problem := range r.start.claims.Problems {
		q.fault(Finding{Thing: ClaimThing, Name: fileIn(problem), Cause: UnreadClaim}, problem)
	}
}

// blocked says that relay kept a prompt from the session since the last look.
func (q *inquiry) blocked() {
	if q.why.Blocked == nil {
		return
	}
	since := q.lastLook
	if since.IsZero() {
		since = q.claim.UpdatedAt
	}
	at, found, err := q.why.Blocked(q.report.SessionID)
	switch {
	case err != nil:
		q.add(Finding{Thing: RunThing, Cause: BlocksUnread, values: []string{"why", text.Printable(err.Error())}})
	case found && at.After(since):
		q.add(Finding{Thing: RunThing, Cause: BlockedByRelay, values: []string{
			"time", Timestamp(at), "id", text.Printable(q.report.SessionID),
		}})
	}
}

func (q *inquiry) marker() string { return text.Printable(MarkerPath(q.site.Root)) }

// fileIn returns the file that a problem of the store begins with.
func fileIn(problem string) string {
	name, _, _ := strings.Cut(problem, " ")
	return strings.TrimSuffix(text.Printable(name), ":")
}

// handoffs says of each handoff of the store what became of it, the newest first.
func (q *inquiry) handoffs(r replayed) {
	shelf := q.site.store.Handoffs()
	items := slices.Clone(shelf.Items)
	newestFirst(items)
	for _, item := range items {
		q.add(q.handoff(item, r))
	}
	for _, problem := range shelf.Unread {
		q.fault(Finding{Thing: HandoffThing, Name: fileIn(problem), Cause: UnreadRecord}, problem)
	}
	for _, problem := range shelf.Problems() {
		if !slices.Contains(q.report.Problems, problem) {
			q.report.Problems = append(q.report.Problems, problem)
		}
	}
}

// handoff applies the rules of the hook to one handoff.
func (q *inquiry) handoff(item Filed, r replayed) Finding {
	f := Finding{
		Thing: HandoffThing, ID: item.ID,
		AtStart: slices.Contains(r.handoffs, item.ID), AtPrompt: slices.Contains(r.prompted, item.ID),
	}
	holder := r.start.holder
	f.Cause = holder.barrier(item)
	f.values = []string{
		"id", text.Printable(item.ID), "session", text.Printable(q.report.SessionID), "limit", fmt.Sprint(q.site.cfg.MaxHandoffsListed),
		"more", "", "why", "", "to", q.site.rendering.scope(item.To), "have", q.held(holder.Repos), "repo", shellWord(text.Printable(item.To.Repo)),
	}
	switch f.Cause {
	case "":
		q.addressed(&f, item, r)
	case ClosedHandoff:
		if !item.Settled() {
			f.Cause = TiedHandoff
		}
	case OtherPaths:
		f.values = append([]string{"have", q.held(holder.Paths), "path", shellWord(text.Printable(item.To.Paths[0]))}, f.values...)
	case OtherRepo:
		q.otherRepo(&f, item, holder)
	}
	return f
}

func (q *inquiry) held(scopes []string) string {
	if len(scopes) == 0 {
		return "none"
	}
	return q.site.rendering.short(strings.Join(scopes, ", "))
}

// otherRepo tells a repo that was misspelt, and a session without any.
func (q *inquiry) otherRepo(f *Finding, item Filed, holder Holder) {
	if len(holder.Repos) == 0 {
		f.Cause = NoRepo
		return
	}
	for _, repo := range holder.Repos {
		if strings.EqualFold(spelling(repo), spelling(item.To.Repo)) {
			f.Cause = OtherCase
			f.values = append([]string{"have", q.site.rendering.short(repo)}, f.values...)
		}
	}
}

// addressed says what became of a handoff that is for the session.
func (q *inquiry) addressed(f *Finding, item Filed, r replayed) {
	receipt, known := q.receipt(item.ID, r.start.holder.IDs)
	deliver := q.site.cfg.Deliver != DeliverAtStart
	switch {
	case known, r.seen[item.ID]:
		f.Cause, f.Shown = SeenHandoff, receipt.At
		when, how := Timestamp(receipt.At), string(receipt.How)
		if !known {
			when, how = "a time that cannot be read", "its receipt cannot be used"
		}
		then := ", the next start shows it again"
		if !f.AtStart {
			then = ", and the next start leaves it out: newer ones come first"
		}
		f.values = append([]string{"time", when, "how", how, "then", then}, f.values...)
	case f.AtPrompt:
		f.Cause = NewHandoff
		f.values = append([]string{"why", q.lately(item)}, f.values...)
	case len(item.Unread) > 0:
		f.Cause = UnreadMoves
		f.values = append([]string{"then", shownWhen(*f)}, f.values...)
	case deliver && r.running != nil && r.running.unseen == "" && r.covered:
		f.Cause = NothingChanged
	case f.AtStart:
		f.Cause = WaitsForStart
		f.values = append([]string{"why", q.promptRule(item, r, deliver)}, f.values...)
	default:
		f.Cause = q.cut(item, r.start.waiting, q.site.cfg.MaxHandoffsListed)
		if deliver {
			f.values = append([]string{"more", "; later prompts show it"}, f.values...)
		}
	}
}

func shownWhen(f Finding) string {
	if f.AtStart {
		return "the next start shows it all the same"
	}
	return "newer ones come first"
}

// promptRule is why a prompt leaves out what a start shows.
func (q *inquiry) promptRule(item Filed, r replayed, deliver bool) string {
	switch {
	case !deliver:
		return ": deliver is start"
	case r.running == nil:
		return ": nothing can be kept about it, so prompts say nothing"
	case r.running.unseen != "":
		return ": what it was shown cannot be read"
	}
	if q.cut(item, r.running.fresh, q.site.cfg.MaxHandoffsListed) == OverLimit {
		return ", and at a later prompt: newer ones come first"
	}
	return ", and at a later prompt: one answer holds 8,000 units"
}

// cut is the limit that leaves a handoff out of a list.
func (q *inquiry) cut(item Filed, list []Filed, limit int) Cause {
	i := slices.IndexFunc(list, func(other Filed) bool { return other.ID == item.ID })
	if i >= limit {
		return OverLimit
	}
	return OverBudget
}

// lately is why a handoff was not shown yet.
func (q *inquiry) lately(item Filed) string {
	switch {
	case !q.looked:
		return "no prompt has looked for it"
	case item.Created.After(q.lastLook.Truncate(time.Second)):
		return "it came after the last look at " + Timestamp(q.lastLook)
	}
	return "the last look at " + Timestamp(q.lastLook) + " left it out, or it was not for this session then"
}

// receipt returns the session's earliest receipt of a handoff under any of its ids.
func (q *inquiry) receipt(id string, ids []string) (Receipt, bool) {
	receipts := q.site.store.Receipts(id)
	q.report.Problems = append(q.report.Problems, receipts.Problems...)
	for _, r := range receipts.Items {
		if slices.Contains(ids, r.SessionID) {
			return r.Receipt, true
		}
	}
	return Receipt{}, false
}

// archived names the archived handoffs that would be for the session.
func (q *inquiry) archived(r replayed) {
	shelf := q.site.store.Archived()
	items := slices.Clone(shelf.Items)
	newestFirst(items)
	for _, item := range items {
		if item.To.Reaches(r.start.holder) {
			q.add(Finding{Thing: HandoffThing, ID: item.ID, Cause: Archived, values: []string{"id", text.Printable(item.ID)}})
		}
	}
	for _, problem := range shelf.Unread {
		q.fault(Finding{Thing: HandoffThing, Name: fileIn(problem), Cause: UnreadRecord}, problem)
	}
}
