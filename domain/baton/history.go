package baton

import (
	"context"

	"github.com/changeover/changeover/domain/baton/handoff"
	"github.com/changeover/changeover/domain/port"
)

// labelBytes is how much of a handoff is read for its label.
const labelBytes = 64 << 10

// History lists the handoff and the earlier ones, the newest first.
func (w World) History(ctx context.Context, place Place) ([]handoff.Entry, error) {
	r, err := w.ready(ctx, place)
	if err != nil {
		return nil, err
	}
	names, err := r.List()
	if err != nil {
		return nil, err
	}
	var entries []handoff.Entry
	for _, name := range names {
		if !handoff.InHistory(name) {
			continue
		}
		e, err := w.entry(r.Desk, name)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return handoff.History(entries), nil
}

func (w World) entry(d Desk, name string) (e handoff.Entry, err error) {
	source, err := d.files.Open(d.Path(name))
	if err != nil {
		return e, err
	}
	info := source.Info()
	part := make([]byte, min(info.Size, labelBytes))
	n, _ := source.ReadAt(part, 0) // a file that got shorter has another label
	e = handoff.Entry{Name: name, ModifiedAt: info.ModTime.UTC(), Size: info.Size, Label: handoff.Label(string(part[:n]), w.Cut)}
	return e, source.Close()
}

// ShowHandoff reads the handoff, or the earlier one of that name.
func (w World) ShowHandoff(ctx context.Context, place Place, name string) (handoff.Shown, error) {
	r, err := w.ready(ctx, place)
	if err != nil {
		return handoff.Shown{}, err
	}
	if name == "" {
		name = HandoffFile
	}
	if !handoff.InHistory(name) {
		return handoff.Shown{}, usagef("%q is no handoff: give a FILE of 'baton handoff history'", name)
	}
	body, there, err := r.Read(name)
	if err != nil {
		return handoff.Shown{}, err
	}
	if !there && name == HandoffFile {
		return handoff.Shown{}, usagef("there is no handoff yet: 'baton handoff --to AGENT' writes one and starts the agent, with --no-run it only writes it")
	}
	if !there {
		return handoff.Shown{}, usagef("there is no %s; 'baton handoff history' lists those there are", Artifact(name))
	}
	var info port.Info
	if info, err = w.Files.Lstat(r.Path(name)); err != nil {
		return handoff.Shown{}, err
	}
	limit, err := r.handoffLimit(name)
	return handoff.Shown{Name: name, ModifiedAt: info.ModTime.UTC(), Limit: limit, Body: body}, err
}

// handoffLimit is the limit of a handoff: of the newest what was noted with it, of
// the others what the session goes by.
func (r Repo) handoffLimit(name string) (int, error) {
	noted, err := r.Text(BudgetFile)
	if err != nil {
		return 0, err
	}
	if b, ok, err := handoff.ReadBudget([]byte(noted)); name == HandoffFile && ok && err == nil {
		return b.MaxHandoffChars, nil
	}
	meta, _, _ := r.ReadMeta() // without a session the default profile counts
	_, budgets, _, err := r.Diet("", meta.TokenDietProfile)
	return budgets.MaxHandoffChars, err
}
