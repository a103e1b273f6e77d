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
	Applied  bool
	IDs      []string
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
		todo = append(todo, Filed{File: id + ".json", Handoff: Handoff{ID: id}})
	}
	for _, filed := range todo {
		if apply {
			if err := s.store.Archive(filed); err != nil {
				r.Problems = append(r.Problems, fmt.Sprintf("%s could not be archived: %s", filed.ID, err))
				continue
			}
		}
		r.IDs = append(r.IDs, filed.ID)
	}
	return r, nil
}

// Lines renders the report. A dry run says what the real one would.
func (r TidyReport) Lines() []string {
	var lines []string
	for _, id := range r.IDs {
		lines = append(lines, fmt.Sprintf("%-10s%s", "archive", text.Printable(id)))
	}
	for _, problem := range r.Problems {
		lines = append(lines, fmt.Sprintf("%-10s%s", "problem", text.Printable(problem)))
	}
	switch {
	case r.Applied:
		lines = append(lines, fmt.Sprintf("%-10s%d handoff(s)", "archived", len(r.IDs)))
	case len(r.IDs) > 0:
		lines = append(lines, fmt.Sprintf("%-10snothing was moved; exchange tidy --apply moves %d handoff(s)", "dry run", len(r.IDs)))
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
