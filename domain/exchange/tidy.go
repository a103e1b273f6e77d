package exchange

import (
	"errors"
	"fmt"

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
	Notes    []string
	Problems []string
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
	todo := over(s.store.Handoffs(), s.cfg, a.Clock.Now())
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
	return r, nil
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
			return RestoreReport{}, fmt.Errorf("%s is not archived: it stands in the store", id)
		}
		return RestoreReport{}, fmt.Errorf("no handoff with id %s in the archive", id)
	}
	r := RestoreReport{Applied: apply, ID: id}
	if apply {
		return r, s.store.Restore(id)
	}
	return r, nil
}
