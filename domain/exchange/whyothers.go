package exchange

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/domain/text"
)

// others says of each other session whether a start lists it.
func (q *inquiry) others(r replayed) {
	s := r.start
	for _, item := range s.claims.Items {
		f := Finding{Thing: ClaimThing, ID: item.SessionID, Name: item.Label(), Cause: s.barrier(item.Claim)}
		f.values = []string{"id", text.Printable(item.SessionID)}
		if f.Cause == StaleClaim && q.site.regErr != nil {
			f.Cause = UnjudgedClaim
		}
		q.listed(&f, r)
		q.add(f)
	}
	for _, row := range q.hook.unclaimed(q.site, s.claims, s.mine) {
		f := Finding{Thing: PeerThing, ID: row.SessionID, Name: row.Label()}
		q.listed(&f, r)
		q.add(f)
	}
	if n := q.outside(r); n > 0 {
		q.add(Finding{Thing: PeerThing, Cause: Outside, values: []string{"n", fmt.Sprint(n)}})
	}
}

// listed tells what is shown from what is cut.
func (q *inquiry) listed(f *Finding, r replayed) {
	if f.Cause != "" {
		return
	}
	f.Cause = SessionsCut
	if slices.Contains(r.sessions, f.ID) {
		f.Cause, f.AtStart = ShownSession, true
	}
}

// outside counts the live sessions without a claim that work elsewhere. It is not
// said which: another root's are not this one's to name.
func (q *inquiry) outside(r replayed) int {
	held, under := r.start.claims.held(), q.why.under(q.site.Root)
	n := 0
	for _, row := range q.site.registry.Peers(q.site.cfg.Scripted) {
		if !r.start.mine[row.SessionID] && !held[row.SessionID] && !under(row.Cwd) {
			n++
		}
	}
	return n
}

// overlaps says of each other claim of a session that runs whether it overlaps.
func (q *inquiry) overlaps(r replayed) {
	s := r.start
	told, err := overlapsTold(s.site.store, s.holder.IDs)
	silent := err != nil || r.running == nil || r.covered || q.site.cfg.Deliver == DeliverAtStart
	for _, item := range s.claims.Items {
		if s.barrier(item.Claim) != "" {
			continue
		}
		f := Finding{Thing: OverlapThing, ID: item.SessionID, Name: item.Label()}
		paths, apart := s.holders.clash(s.holder, item.Claim)
		who := text.Printable(item.Label())
		if len(s.holder.Paths) == 0 {
			who = "this session"
		}
		f.Cause = apart
		f.values = []string{"paths", q.site.rendering.list(paths), "who", who, "session", q.asker(s.holder, item.Claim)}
		if apart == "" {
			f.Cause, f.AtStart = ShownOverlap, slices.Contains(r.sessions, item.SessionID)
			m := meeting{StoredClaim: item, paths: paths}
			f.AtPrompt = !silent && m.note(s.site.store, told, s.holder.IDs[0], q.why.Clock.Now())
		}
		q.add(f)
	}
}

// asker is whose claim lacks the paths.
func (q *inquiry) asker(me Holder, c Claim) string {
	if len(me.Paths) == 0 {
		return text.Printable(q.report.SessionID)
	}
	return text.Printable(c.SessionID)
}

// branch says whether a start tells of another branch.
func (q *inquiry) branch(r replayed) {
	before := r.start.before
	if before.Cwd == "" {
		return // there is no claim to compare with
	}
	now := q.hook.trees().Branch(before.Cwd)
	said := q.hook.switched(q.site, before.Cwd, before.GitBranch, now, func(id string) bool { return r.start.mine[id] })
	rendering := q.site.rendering
	f := Finding{Thing: BranchThing, values: []string{
		"branch", rendering.branch(now), "was", rendering.branch(before.GitBranch), "is", rendering.branch(now), "said", said,
	}}
	switch {
	case said != "":
		f.Cause, f.AtStart = ShownBranch, true
		f.AtPrompt = r.running != nil && !r.covered && q.site.cfg.Deliver != DeliverAtStart && r.running.own.SessionID != ""
	case now == before.GitBranch:
		f.Cause = SameBranch
	default:
		f.Cause = AloneInTree
	}
	q.add(f)
}

// wake says whether a wake-up waits, and whether the session can be woken.
func (q *inquiry) wake() {
	watched, err := q.site.store.WakePath(q.report.SessionID)
	if err != nil {
		return // an id that nothing can be kept about: said already
	}
	_, err = q.why.Files.Lstat(watched)
	waits := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		q.report.Problems = append(q.report.Problems, fmt.Sprintf("%s could not be looked at: %s", watched, reason(err)))
	}
	f := Finding{Thing: WakeThing, Cause: NoWake, values: []string{"deliver", q.site.cfg.Deliver, "file", q.marker(), "asked", ""}}
	switch {
	case q.site.cfg.Deliver != DeliverByWaking:
		f.Cause = WakeOff
		if waits {
			f.values = append([]string{"asked", "; a wake-up of before lies there"}, f.values...)
		}
	case q.known && q.row.State == session.Live && q.row.Entrypoint != "" && q.row.Entrypoint != interactiveEntrypoint:
		f.Cause = WakeUnattended
	case waits:
		f.Cause = WakeWaits
	}
	q.add(f)
}
