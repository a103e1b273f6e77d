package exchange

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/domain/text"
)

// wakeUnlink is what the client calls a watched file that is gone: this program's
// own doing.
const wakeUnlink = "unlink"

// errNotWritten reports a client that did not take an answer.
var errNotWritten = errors.New("the client did not take the text")

// changed answers a watched file that changed. Where it is the session's wake
// file, one process takes it and wakes the session with what is new.
func (h Hook) changed(e session.Event, cwd string, resolution Resolution, budget int) Reply {
	if e.Change == wakeUnlink || session.ScriptedEntrypoint(h.Env.Lookup("CLAUDE_CODE_ENTRYPOINT")) {
		return Reply{}
	}
	r, err := h.running(e, cwd, resolution)
	if err != nil {
		return Reply{} // whose file it is cannot be told; the next prompt says why
	}
	if watched, err := r.site.store.WakePath(r.id); err != nil || watched != e.FilePath {
		return Reply{}
	}
	b := &briefing{cut: h.Cutter}
	switch err := r.take(); {
	case errors.Is(err, ErrNoWake):
		return Reply{}
	case err != nil:
		b.say("this session cannot be woken: %s", text.Printable(err.Error()))
		return Reply{Lines: b.lines(budget)}
	}
	if !r.look() || r.site.cfg.Deliver != DeliverByWaking || len(r.fresh) == 0 {
		return Reply{}
	}
	reply := r.tell(&briefing{cut: h.Cutter}, &briefing{cut: h.Cutter}, ShownByWaking, budget)
	if len(reply.shown.handoffs) > 0 {
		reply.Wake, reply.Lines = strings.Join(reply.Lines, "\n"), nil
	}
	return reply
}

// take takes the wake file away.
func (r *running) take() error {
	suffix, err := r.hook.Random.Hex(suffixBytes)
	if err != nil {
		return fmt.Errorf("no random name can be made: %w", err)
	}
	return r.site.store.TakeWake(r.id, suffix)
}

// shown are the handoffs and overlaps that a reply tells of and that are noted as
// told by it.
type shown struct {
	store interface {
		ReceiptKeeper
		Remembrancer
	}
	sessionID string
	handoffs  []string
	overlaps  []string
}

// HandedOver takes the text of a reply out of this process's hands. Text that was
// not written was shown to nobody, and what it told is new again: then the answer is an error.
func (h Hook) HandedOver(r Reply, written bool) error {
	if written {
		return nil
	}
	faults := []error{errNotWritten}
	for _, id := range r.shown.handoffs {
		faults = append(faults, r.shown.store.DropReceipt(r.shown.sessionID, id))
	}
	for _, name := range r.shown.overlaps {
		faults = append(faults, r.shown.store.Unremember(r.shown.sessionID, MemoryOverlap, name))
	}
	return errors.Join(faults...)
}

// interactiveEntrypoint is that of a session that a person sits at.
const interactiveEntrypoint = "cli"

// interactive reports a session that a person sits at, as the client says.
func (h Hook) interactive(id string) bool {
	return h.Env.Lookup("CLAUDE_CODE_SESSION_ID") == id && h.Env.Lookup("CLAUDE_CODE_ENTRYPOINT") == interactiveEntrypoint
}

// watch returns what the client is to watch for the session. A wake file that lies
// there raises nothing: what it was for is told at this start.
func (s *starting) watch() []string {
	id := s.event.SessionID
	if s.site.cfg.Deliver != DeliverByWaking || !s.hook.interactive(id) {
		return nil
	}
	watched, err := s.site.store.WakePath(id)
	if err == nil {
		err = s.site.store.PrepareWake()
	}
	if err != nil {
		s.out.say("this session cannot be woken: %s", s.site.rendering.short(err.Error()))
		return nil
	}
	r := running{hook: s.hook, site: s.site, id: id}
	_ = r.take() // mostly there is none
	return []string{watched}
}

// wake asks every live session that a handoff is for, but its sender, to take it
// at once.
func (m Mail) wake(s site, h Handoff) (asked int, notes []string) {
	if s.cfg.Deliver != DeliverByWaking {
		return 0, []string{fmt.Sprintf("this root does not wake (deliver is %s in %s): the handoff waits as any other",
			s.cfg.Deliver, text.Printable(MarkerPath(s.Root)))}
	}
	if s.regErr != nil {
		return 0, []string{"nobody was asked to wake: " + text.Printable(s.regErr.Error())}
	}
	for _, id := range m.addressed(s, h) {
		if err := s.store.PutWake(id); err != nil {
			notes = append(notes, fmt.Sprintf("%s could not be asked to wake: %s", text.Printable(id), text.Printable(err.Error())))
			continue
		}
		asked++
	}
	return asked, notes
}

// addressed returns the ids of the live sessions that a handoff reaches, without
// its sender's.
func (m Mail) addressed(s site, h Handoff) []string {
	var ids []string
	claims, holders := s.store.Claims(), m.holders(s.Root)
	sender := h.From.SessionID
	for _, item := range claims.Items {
		if s.registry.Standing(item.IDs(), s.cfg.Scripted) != session.Present || sender != "" && item.Holds(sender) {
			continue
		}
		if h.To.Reaches(holders.of(item.Claim)) {
			ids = append(ids, item.SessionID)
		}
	}
	for _, row := range m.unclaimed(s, claims, map[string]bool{sender: true}) {
		if h.To.Reaches(Holder{IDs: []string{row.SessionID}, Repos: holders.withRepo(nil, m.absolute(row.Cwd))}) {
			ids = append(ids, row.SessionID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
