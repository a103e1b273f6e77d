package exchange

import (
	"errors"
	"fmt"
	"slices"

	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/domain/text"
)

// Archivist moves what is over out of the way, and back.
type Archivist struct{ World }

// TidyReport says what would be or was archived.
type TidyReport struct {
	Applied bool
	IDs     []string
	// Restored are those that a killed run left half in the archive and that are
	// not over.
	Restored []string
	// Forgotten are the sessions of which nothing is kept any more.
	Forgotten []string
	Notes     []string
	Problems  []string
}

// Tidy lists what is over and, when applied, archives it.
func (a Archivist) Tidy(cwd string, apply bool) (TidyReport, error) {
	s, err := a.site(cwd)
	if err != nil {
		return TidyReport{}, err
	}
	if s.cfgErr != nil {
		return TidyReport{}, fmt.Errorf("%w; nothing is archived by guess", s.cfgErr)
	}
	r := TidyReport{Applied: apply}
	shelf := s.store.Handoffs()
	r.unread(shelf)
	todo := over(shelf, s.cfg, a.Clock.Now())
	for _, id := range s.store.HalfArchived() {
		if s.needed(id) {
			r.restore(s.store, id)
			continue
		}
		todo = append(todo, Filed{File: id + ".json", Handoff: Handoff{ID: id}})
	}
	for _, filed := range todo {
		r.archive(s.store, filed)
	}
	r.forget(a.World, s)
	return r, nil
}

// unread says what could not be read, and may be over.
func (r *TidyReport) unread(shelf Shelf) {
	r.Problems = append(r.Problems, shelf.Unread...)
	for _, item := range shelf.Items {
		r.Problems = append(r.Problems, item.Unread...)
	}
}

// forget clears what is kept of sessions that are gone: it is old, they neither run
// nor have a claim, and they have no receipt of a handoff that still stands.
func (r *TidyReport) forget(w World, s site) {
	claims := s.store.Claims()
	traces, problems := s.store.Traces()
	r.Problems = append(r.Problems, problems...)
	if s.regErr != nil || len(claims.Problems) > 0 {
		if len(traces) > 0 {
			r.Notes = append(r.Notes, "nobody can tell which sessions are gone: what is kept of them stays")
		}
		return
	}
	held := claims.held()
	for _, trace := range traces {
		_, known := s.registry.Lookup(trace.SessionID)
		old := w.Clock.Now().Sub(trace.Touched) > s.cfg.staleAfter()
		if !old || held[trace.SessionID] || known && s.registry.Standing([]string{trace.SessionID}, true) != session.Gone {
			continue
		}
		if slices.ContainsFunc(trace.Handoffs, func(id string) bool { return stands(s.store, id) }) {
			continue
		}
		if r.Applied {
			if err := s.store.Forget(trace.SessionID); err != nil {
				r.Problems = append(r.Problems, fmt.Sprintf("what is kept of %s could not be cleared: %s", trace.SessionID, err))
				continue
			}
		}
		r.Forgotten = append(r.Forgotten, trace.SessionID)
	}
}

// stands reports a handoff that is not archived, or that nobody can tell of.
func stands(store HandoffReader, id string) bool {
	_, err := store.Handoff(id)
	return !errors.Is(err, ErrNoHandoff)
}

// needed reports an archived handoff that somebody may still act on: it was
// moved while it was archived, and whoever did that was killed.
func (s site) needed(id string) bool {
	filed, err := s.store.ArchivedHandoff(id)
	return err == nil && len(filed.Unread) == 0 && !filed.Over()
}

func (r *TidyReport) archive(store Archiver, filed Filed) {
	var err error
	if r.Applied {
		err = store.Archive(filed)
	}
	switch {
	case errors.Is(err, ErrMoved):
		r.Notes = append(r.Notes, fmt.Sprintf("%s: %s", filed.ID, err))
	case err != nil:
		r.Problems = append(r.Problems, fmt.Sprintf("%s could not be archived: %s", filed.ID, err))
	default:
		r.IDs = append(r.IDs, filed.ID)
	}
}

func (r *TidyReport) restore(store Archiver, id string) {
	if r.Applied {
		if err := store.Restore(id); err != nil && !errors.Is(err, ErrNoHandoff) {
			r.Problems = append(r.Problems, fmt.Sprintf("%s could not be brought back: %s", id, err))
			return
		}
	}
	r.Restored = append(r.Restored, id)
}

// Lines renders the report. A dry run says what the real one would.
func (r TidyReport) Lines() []string {
	var lines []string
	for _, id := range r.IDs {
		lines = append(lines, fmt.Sprintf("%-10s%s", "archive", text.Printable(id)))
	}
	for _, id := range r.Restored {
		lines = append(lines, fmt.Sprintf("%-10s%s: it is half in the archive and not over", "restore", text.Printable(id)))
	}
	for _, id := range r.Forgotten {
		lines = append(lines, fmt.Sprintf("%-10s%s: the session is gone, and what it was shown is archived", "forget", text.Printable(id)))
	}
	for _, note := range r.Notes {
		lines = append(lines, fmt.Sprintf("%-10s%s", "note", text.Printable(note)))
	}
	for _, problem := range r.Problems {
		lines = append(lines, fmt.Sprintf("%-10s%s", "problem", text.Printable(problem)))
	}
	switch todo := len(r.IDs) + len(r.Restored); {
	case r.Applied:
		lines = append(lines, fmt.Sprintf("%-10s%d handoff(s)", "archived", len(r.IDs)))
	case todo > 0:
		lines = append(lines, fmt.Sprintf("%-10snothing was moved; exchange tidy --apply moves %d handoff(s)", "dry run", todo))
	case len(r.Forgotten) > 0:
		lines = append(lines, fmt.Sprintf("%-10snothing was cleared; exchange tidy --apply clears what is kept of %d session(s)", "dry run", len(r.Forgotten)))
	default:
		lines = append(lines, fmt.Sprintf("%-10snothing to archive", "tidy"))
	}
	return lines
}

// RestoreReport says what would be or was brought back.
type RestoreReport struct {
	Applied bool
	ID      string
}

// Lines renders the report.
func (r RestoreReport) Lines() []string {
	if r.Applied {
		return []string{r.ID + " is back in the store"}
	}
	return []string{
		fmt.Sprintf("%-10s%s", "restore", r.ID),
		fmt.Sprintf("%-10snothing was moved; exchange handoff restore %s --apply moves it", "dry run", r.ID),
	}
}

// Restore brings an archived handoff back. With an error, running it again
// finishes what was begun.
func (a Archivist) Restore(cwd, id string, apply bool) (RestoreReport, error) {
	s, err := a.site(cwd)
	if err != nil {
		return RestoreReport{}, err
	}
	if err := CheckID(id); err != nil {
		return RestoreReport{}, err
	}
	if _, err := s.store.ArchivedHandoff(id); errors.Is(err, ErrNoHandoff) {
		if _, err := s.store.Handoff(id); !errors.Is(err, ErrNoHandoff) {
			return RestoreReport{}, fmt.Errorf("%s is not archived: it stands in the store; exchange handoff show %s shows it", id, id)
		}
		return RestoreReport{}, fmt.Errorf("no handoff with id %s in the archive: exchange handoff list --archived names them", id)
	}
	r := RestoreReport{Applied: apply, ID: id}
	if apply {
		return r, s.store.Restore(id)
	}
	return r, nil
}
