package exchange

import (
	"fmt"

	"github.com/changeover/changeover/domain/text"
)

// howToAnswer says what can be done about a handoff that is listed.
const howToAnswer = "`exchange handoff show <id>` gives the whole text, `exchange handoff accept <id>` takes it on"

func (s *starting) mail(shelf Shelf) {
	s.waiting = s.holder.waiting(shelf)
	if len(s.waiting) == 0 {
		return
	}
	s.out.say("%d handoff(s) for this session, newest first; %s", len(s.waiting), howToAnswer)
	shown := min(len(s.waiting), s.site.cfg.MaxHandoffsListed)
	s.out.handoffs(s.site.rendering, s.waiting[:shown])
	if older := len(s.waiting) - shown; older > 0 {
		s.out.add(fixed, fmt.Sprintf("  +%d older not shown: raise max_handoffs_listed in %s",
			older, text.Printable(MarkerPath(s.site.Root))))
	}
}

// waiting returns the handoffs that are for a session, newest first: those that are
// not closed, reach it, and were not posted by it.
func (h Holder) waiting(shelf Shelf) []Filed {
	var mine []Filed
	for _, item := range shelf.Items {
		if h.barrier(item) == "" {
			mine = append(mine, item)
		}
	}
	newestFirst(mine)
	return mine
}

// record makes the receipts of what is shown that have not been made, and remembers
// this look. Nobody is told where that fails: the next prompt shows again what has
// no receipt, and says why.
func (s *starting) record(rows []string) shown {
	id := s.event.SessionID
	done := shown{store: s.site.store, sessionID: id, overlaps: s.overlaps}
	if CheckDirID(id) != nil {
		return done
	}
	seen, err := seenBy(s.site.store, s.holder.IDs)
	if err != nil {
		return done
	}
	receipt := Receipt{At: s.hook.Clock.Now(), How: ShownAtStart, Name: s.after.Name}
	for _, handoff := range rows {
		if !seen[handoff] && s.site.store.AddReceipt(id, handoff, receipt) == nil {
			seen[handoff] = true
			done.handoffs = append(done.handoffs, handoff)
		}
	}
	for _, item := range s.waiting {
		s.now.more = s.now.more || !seen[item.ID]
	}
	s.now.claimed, s.now.branch = s.after.Cwd, s.after.GitBranch
	if s.site.cfg.Deliver != DeliverAtStart {
		s.now.remember(s.site.store, id, s.hook.Clock.Now())
	}
	return done
}
