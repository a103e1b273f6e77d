package exchange

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/session"
)

// name is what a session remembers an overlap under, where the other one has that
// id: another set of paths is another overlap.
func (m meeting) name(id string) string {
	sum := sha256.Sum256([]byte(strings.Join(m.paths, "\n")))
	return id + "-" + hex.EncodeToString(sum[:4])
}

// overlapsTold returns the overlaps that a session was told of under any of its ids.
func overlapsTold(store Remembrancer, ids []string) (map[string]bool, error) {
	told := map[string]bool{}
	for _, id := range ids {
		if CheckDirID(id) != nil {
			continue
		}
		names, err := store.Remembered(id, MemoryOverlap)
		if err != nil {
			return nil, err
		}
		maps.Copy(told, names)
	}
	return told, nil
}

// note remembers that a session was told of an overlap. It returns false where it
// was told before, under any of the ids of the other, or by another process just now.
func (m meeting) note(store Remembrancer, told map[string]bool, id string, now time.Time) bool {
	for _, theirs := range m.IDs() {
		if told[m.name(theirs)] {
			return false
		}
	}
	return store.Remember(id, MemoryOverlap, m.name(m.SessionID), now) == nil
}

// beside says what is new beside handoffs: overlaps, then a changed branch.
func (r *running) beside(b *briefing) {
	standing := func(c Claim) session.Standing { return r.site.registry.Standing(c.IDs(), r.site.cfg.Scripted) }
	rendering := r.site.rendering
	// Told twice is worse than told at the next start.
	if told, err := overlapsTold(r.site.store, r.holder.IDs); err == nil && len(r.holder.Paths) > 0 {
		for _, m := range r.holders.meetings(r.holder, r.claims.working(standing)) {
			if m.note(r.site.store, told, r.id, r.hook.Clock.Now()) {
				r.overlaps = append(r.overlaps, m.name(m.SessionID))
				b.say("%s works on the same paths; overlaps: %s", rendering.short(m.Label()), rendering.list(m.paths))
			}
		}
	}
	r.branch(b)
}

// onBranch reports that the branch is that of the session's claim. It is all that is
// looked at where the last look has seen everything else.
func (r *running) onBranch() bool {
	claimed := kept(r.remembered, claimedKey) // the claims have not changed since
	return claimed == "" || kept(r.remembered, branchKey) == r.hook.trees().Branch(claimed)
}

// branch tells of a branch that was switched under the session. The claim takes the
// new one, so that it is said once, and so that what the session itself switched
// while it was alone is not said of whoever comes later.
func (r *running) branch(b *briefing) {
	if r.own.SessionID == "" {
		return
	}
	branch := r.hook.trees().Branch(r.own.Cwd)
	if branch == r.own.GitBranch {
		return
	}
	said := r.hook.switched(r.site, r.own.Cwd, r.own.GitBranch, branch, r.own.Holds)
	c, err := r.site.store.Claim(r.id)
	if err != nil {
		return // the next start replaces it, and says so
	}
	c.GitBranch, c.UpdatedAt = branch, r.hook.Clock.Now()
	if err := r.site.store.PutClaim(c); err != nil {
		b.say("the claim of this session keeps the old branch: %s", r.site.rendering.short(err.Error()))
	}
	if said != "" {
		b.say("%s", said)
	}
}

// recall remembers the overlaps that a start shows: those of the sessions whose rows
// are kept. The others are for the next prompt.
func (s *starting) recall(kept []string) {
	if CheckDirID(s.event.SessionID) != nil {
		return
	}
	told, err := overlapsTold(s.site.store, s.holder.IDs)
	if err != nil {
		return
	}
	for _, m := range s.met() {
		if slices.Contains(kept, m.SessionID) {
			if m.note(s.site.store, told, s.event.SessionID, s.hook.Clock.Now()) { // told twice does no harm
				s.overlaps = append(s.overlaps, m.name(m.SessionID))
			}
		} else {
			s.now.more = true
		}
	}
}
