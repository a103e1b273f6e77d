package exchange

import (
	"errors"
	"fmt"
	"strings"

	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/domain/text"
)

// place finds out where the session works, and whether the hook says anything
// there. It returns false where nothing of this root can reach it.
func (q *inquiry) place() bool {
	if !q.elsewhere() {
		return false
	}
	store, err := q.why.Open(q.site.Root)
	if err != nil {
		f := Finding{Thing: RootThing, Cause: StoreUnreadable}
		if errors.Is(err, ErrForeignStore) {
			f.Cause = ForeignRoot
		}
		q.fault(f, err.Error())
		return false
	}
	q.site.store = store
	q.hook = q.why.rehearsed(store)
	if q.hook.isRun(q.site, q.report.SessionID) {
		f := Finding{Thing: SessionThing, Cause: ScriptedSession, values: []string{"file", text.Printable(MarkerPath(q.site.Root))}}
		if q.known && q.row.IsJob() {
			f.Cause = JobSession
		}
		q.add(f)
		return false
	}
	q.ran()
	q.standing()
	q.wiring()
	if q.site.cfgErr != nil {
		q.fault(Finding{Thing: MarkerThing, Cause: BrokenMarker}, q.site.cfgErr.Error())
	}
	return true
}

// elsewhere resolves the directory of the session as its own hook does. It returns
// true where that is this very root.
func (q *inquiry) elsewhere() bool {
	if !q.known || q.row.Cwd == "" {
		q.resolution = q.site.Resolution
		return true
	}
	q.report.Cwd = q.why.absolute(q.row.Cwd)
	q.resolution = q.locator().Resolve(q.row.Cwd)
	values := []string{
		"dir", text.Printable(q.row.Cwd), "arg", shellWord(text.Printable(q.row.Cwd)), "id", text.Printable(q.report.SessionID),
		"root", text.Printable(q.resolution.Root), "how", q.relation(),
	}
	switch {
	case q.resolution.Problem != "":
		q.noRoot(q.row.Cwd, q.resolution)
	case !q.resolution.Found():
		q.add(Finding{Thing: RootThing, Cause: NoRootThere, values: values})
	case q.resolution.Root != q.site.Root:
		q.add(Finding{Thing: RootThing, Cause: OtherRoot, values: values})
	default:
		return true
	}
	return false
}

// relation says where the other root lies.
func (q *inquiry) relation() string {
	switch here, there := q.site.Root, q.resolution.Root; {
	case within(here, there):
		return "nested in this one"
	case there != "" && within(there, here):
		return "around this one"
	}
	return "apart from this one"
}

// locator resolves directories with what the session was started with. Where that
// cannot be looked at, it is taken to be as here.
func (q *inquiry) locator() Locator {
	w := q.why
	if w.Variables == nil || q.row.State != session.Live || q.row.PID < 1 {
		return w.locator()
	}
	if own, ok := q.site.registry.Nearest(); ok && own.SessionID == q.report.SessionID {
		return w.locator() // this process inherited them
	}
	values, err := w.Variables(q.row.PID, RootVariable)
	if err != nil {
		q.add(Finding{Thing: RootThing, Cause: VariablesUnread, values: []string{"why", reason(err)}})
		return w.locator()
	}
	return NewLocator(w.Files, func(name string) string { return values[name] }, w.Env.Home)
}

// standing says what is known of the session's process.
func (q *inquiry) standing() {
	id := text.Printable(q.report.SessionID)
	f := Finding{Thing: SessionThing, values: []string{"id", id, "hint", q.site.sameName(q.report.SessionID)}}
	switch {
	case q.site.regErr != nil:
		f.Cause = RegistryUnreadable
		q.fault(f, q.site.regErr.Error())
	case q.ended, q.known && q.row.State == session.Dead:
		f.Cause = SessionEnded
		q.add(f)
	case !q.known:
		f.Cause = UnknownSession
		q.add(f)
	case q.row.State == session.Elsewhere:
		f.Cause = ForeignSession
		q.add(f)
	}
	if CheckDirID(q.report.SessionID) != nil {
		q.add(Finding{Thing: SessionThing, Cause: UnusableID})
	}
}

// ran says when the hook ran last, by what it left.
func (q *inquiry) ran() {
	id := q.report.SessionID
	var runs []string
	claim, err := q.site.store.Claim(id)
	if errors.Is(err, ErrNoClaim) {
		if claim, err = q.site.store.EndedClaim(id); err == nil {
			q.ended = true
		}
	}
	unread := err != nil && !errors.Is(err, ErrNoClaim)
	if err == nil {
		q.claim = claim
		what := "its claim is of "
		if q.ended {
			what = "it ended; its claim was put aside, of "
		}
		runs = append(runs, what+Timestamp(claim.UpdatedAt))
	}
	if CheckDirID(id) == nil {
		if data, written, err := q.site.store.LastLook(id); err == nil && len(data) > 0 {
			q.looked, q.lastLook, q.lookCwd = true, written, cwdIn(data)
			runs = append(runs, "its last look at what is new was at "+Timestamp(written))
		}
		if seen, err := q.site.store.Seen(id); err == nil && len(seen) > 0 {
			q.receipts = len(seen)
		}
	}
	if q.receipts > 0 {
		runs = append(runs, fmt.Sprintf("%d handoff(s) were shown to it", q.receipts))
	}
	q.workplace()
	if len(runs) == 0 && !unread {
		q.add(Finding{Thing: RunThing, Cause: NeverRan})
		return
	}
	if unread {
		runs = append(runs, "its claim cannot be read")
	}
	q.add(Finding{Thing: RunThing, Cause: RanLast, values: []string{"runs", strings.Join(runs, "; ")}})
}

// workplace is where the hook is taken to run: where it looked last, else where the
// session claims to be, as long as that is in this root.
func (q *inquiry) workplace() {
	for _, dir := range []string{q.lookCwd, q.claim.Cwd} {
		if dir != "" && q.why.locator().Resolve(dir).Root == q.site.Root {
			q.report.Cwd = dir
			return
		}
	}
}
