package exchange

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/domain/text"
)

// running is one look at what is new for a session that runs.
type running struct {
	hook Hook
	site site
	id   string
	cwd  string

	// now is what this look goes by, remembered what the last one left.
	now        look
	remembered []byte

	claims  Claims
	own     Claim
	holders holders
	holder  Holder
	shelf   Shelf
	// fresh are the handoffs that the session was not shown, newest first.
	fresh []Filed
	// overlaps are those that this look told of first.
	overlaps []string
	// unseen is why nobody can tell which those are; empty where it is known.
	unseen string
}

// prompt says what is new at a prompt. Without news it costs a fixed number of calls
// to the file system, however much is stored.
func (h Hook) prompt(e session.Event, cwd string, resolution Resolution, budget int) Reply {
	before, after := &briefing{cut: h.Cutter}, &briefing{cut: h.Cutter}
	r, err := h.running(e, cwd, resolution)
	if err != nil {
		before.say("%s", text.Printable(err.Error()))
		return Reply{Lines: before.lines(budget)}
	}
	if r.covered() && r.onBranch() {
		return Reply{}
	}
	if !r.look() {
		return Reply{}
	}
	r.faults(before)
	r.beside(after)
	return r.tell(before, after, ShownAtPrompt, budget)
}

// stop returns one line for the person, at most once for each handoff. It remembers no
// look: what else is new is the next prompt's to say.
func (h Hook) stop(e session.Event, cwd string, resolution Resolution) []string {
	r, err := h.running(e, cwd, resolution)
	if err != nil || r.covered() || !r.look() {
		return nil // the next prompt says what is wrong
	}
	n := r.remind()
	if n == 0 {
		return nil
	}
	b := &briefing{cut: h.Cutter}
	b.say("%d new handoff(s) for this session: the next prompt shows them to it", n)
	return b.lines(tightLine * 2)
}

// running begins a look: it notes what the look goes by, before anything is read.
func (h Hook) running(e session.Event, cwd string, resolution Resolution) (*running, error) {
	if err := CheckDirID(e.SessionID); err != nil {
		return nil, err
	}
	store, err := h.Open(resolution.Root)
	if err != nil {
		return nil, err
	}
	r := &running{hook: h, site: site{Resolution: resolution, store: store}, id: e.SessionID, cwd: cwd}
	r.now = sighted(store, cwd, h.Clock.Now())
	return r, nil
}

// covered reports that the last look has seen everything.
func (r *running) covered() bool {
	data, written, err := r.site.store.LastLook(r.id)
	if err != nil {
		return false // looking once too often does no harm
	}
	r.remembered = data
	return !r.now.more && r.now.covers(data, written)
}

// look reads what may be new. It returns false for a session that is told nothing
// while it runs.
func (r *running) look() bool {
	s := &r.site
	s.cfg, s.cfgErr = r.hook.config(s.Root)
	if s.cfg.Deliver == DeliverAtStart {
		return false
	}
	s.rendering = rendering{cfg: s.cfg, cut: r.hook.Cutter, now: r.hook.Clock.Now()}
	s.registry, s.regErr = r.hook.registry()
	if r.hook.isRun(*s, r.id) {
		return false
	}
	r.claims = s.store.Claims()
	r.own = r.claims.under(r.id)
	r.now.claimed, r.now.branch = r.own.Cwd, r.own.GitBranch
	r.holders = r.hook.holders(s.Root)
	r.holder = Holder{
		IDs: withAdded([]string{r.id}, r.own.Was), Repos: r.holders.withRepo(r.own.Repos, r.hook.absolute(r.cwd)), Paths: r.own.Paths,
	}
	r.shelf = s.store.Pending()
	seen, err := seenBy(s.store, r.holder.IDs)
	if err != nil {
		r.unseen = "nobody can tell what this session was shown, so nothing new is shown: " + err.Error()
		r.now.more = true
		return true
	}
	for _, item := range r.holder.waiting(r.shelf) {
		if !seen[item.ID] {
			seen[item.ID] = true // two records may have one id
			r.fresh = append(r.fresh, item)
		}
	}
	return true
}

// under returns the claim that stands under an id; an empty one where there is none.
func (c Claims) under(id string) Claim {
	for _, item := range c.Items {
		if item.SessionID == id && !item.Misfiled() {
			return item.Claim
		}
	}
	return Claim{}
}

// seenBy returns the handoffs that a session was shown under any of its ids.
func seenBy(store ReceiptKeeper, ids []string) (map[string]bool, error) {
	seen := map[string]bool{}
	for _, id := range ids {
		if CheckDirID(id) != nil {
			continue // nothing can be kept under it
		}
		more, err := store.Seen(id)
		if err != nil {
			return nil, err
		}
		for handoff := range more {
			seen[handoff] = true
		}
	}
	return seen, nil
}

// faults says what is wrong with the store, unless it was said already.
func (r *running) faults(b *briefing) {
	problems := r.site.problems(r.claims, r.shelf)
	r.now.said = digest(problems)
	if r.now.said != "" && r.now.said != kept(r.remembered, saidKey) {
		r.site.sayProblems(b, problems)
	}
	if r.unseen != "" {
		b.say("%s", r.site.rendering.short(r.unseen))
	}
}

// tell puts together what is said, and records what of it is shown just before it
// goes out.
func (r *running) tell(before, after *briefing, how Showing, budget int) Reply {
	rows := r.fresh[:min(len(r.fresh), r.site.cfg.MaxHandoffsListed)]
	fit := r.answer(before, rows, len(r.fresh)-len(rows), after).survivors(budget)
	rows = slices.DeleteFunc(slices.Clone(rows), func(item Filed) bool { return !slices.Contains(fit, item.ID) })
	left := len(r.fresh) - len(rows)
	claimed, failed := r.claim(rows, how)
	r.now.more = r.now.more || left > 0 || len(claimed) < len(rows)
	if failed != nil {
		before.say("new handoffs wait and cannot be noted as shown: %s; `exchange handoff list` names them", text.Printable(failed.Error()))
	}
	if how != ShownByWaking { // what else is new is the next prompt's to say
		r.now.remember(r.site.store, r.id, r.hook.Clock.Now())
	}
	done := shown{store: r.site.store, sessionID: r.id, overlaps: r.overlaps}
	for _, item := range claimed {
		done.handoffs = append(done.handoffs, item.ID)
	}
	return Reply{Lines: r.answer(before, claimed, left, after).lines(budget), shown: done}
}

// answer lays out new handoffs; left counts those that no row is for.
func (r *running) answer(before *briefing, rows []Filed, left int, after *briefing) *briefing {
	b := &briefing{cut: r.hook.Cutter, parts: slices.Clone(before.parts)}
	if len(rows) > 0 {
		b.say("%d new handoff(s) for this session, newest first; %s", len(rows)+left, howToAnswer)
		b.handoffs(r.site.rendering, rows)
	}
	if len(rows) > 0 && left > 0 {
		b.add(fixed, fmt.Sprintf("  +%d older not shown: the next prompt shows more", left))
	}
	b.parts = append(b.parts, after.parts...)
	return b
}

// claim makes the receipts, and returns those handoffs of which no other process
// had made one. failed is why others could not be claimed at all.
func (r *running) claim(rows []Filed, how Showing) (claimed []Filed, failed error) {
	receipt := Receipt{At: r.hook.Clock.Now(), How: how, Name: r.own.Name}
	for _, item := range rows {
		switch err := r.site.store.AddReceipt(r.id, item.ID, receipt); {
		case err == nil:
			claimed = append(claimed, item)
		case !errors.Is(err, fs.ErrExist):
			failed = err
		}
	}
	return claimed, failed
}

// remind returns of how many new handoffs the person is told by this process.
func (r *running) remind() int {
	n := 0
	told := map[string]bool{}
	for _, id := range r.holder.IDs {
		if CheckDirID(id) != nil {
			continue
		}
		names, err := r.site.store.Remembered(id, MemoryTold)
		if err != nil {
			return 0 // the next prompt says what is wrong
		}
		for name := range names {
			told[name] = true
		}
	}
	for _, item := range r.fresh {
		if !told[item.ID] && r.site.store.Remember(r.id, MemoryTold, item.ID, r.hook.Clock.Now()) == nil {
			n++
		}
	}
	return n
}
