package baton

import (
	"context"
	"errors"
	"fmt"

	"github.com/changeover/changeover/domain/baton/plan"
	"github.com/changeover/changeover/domain/port"
)

// ReceiptRequest is what became of a step, as somebody says.
type ReceiptRequest struct {
	Place
	Mark plan.Mark
	Step int
	Note string
}

// AddReceipt notes what became of a step of the plan. added is false where the
// step's latest receipt says the same. It takes no session lock: the agent that
// carries the plan out calls it while baton holds that.
func (w World) AddReceipt(ctx context.Context, q ReceiptRequest) (added bool, err error) {
	d, err := w.planned(ctx, q.Place)
	if err != nil {
		return false, err
	}
	lock, err := w.wait(d.Path(ReceiptLockFile), receiptPatience)
	if errors.Is(err, port.ErrLocked) {
		return false, &BusyError{}
	}
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	raw, err := d.Text(PlanFile)
	if err != nil {
		return false, err
	}
	next, added, err := plan.Add(raw, plan.NewReceipt(w.Clock.Now(), q.Mark, q.Step, q.Note, w.Cut))
	var step *plan.StepError
	if errors.As(err, &step) || errors.Is(err, plan.ErrNone) {
		return false, usage(err)
	}
	if err != nil || !added {
		return false, err
	}
	return true, d.Write(PlanFile, next)
}

// Receipts tells what became of the steps of the plan.
func (w World) Receipts(ctx context.Context, place Place) (plan.Trail, error) {
	d, err := w.planned(ctx, place)
	if err != nil {
		return plan.Trail{}, err
	}
	raw, err := d.Text(PlanFile)
	return plan.Read(raw).Trail(), err
}

// planned is the desk of a repository that has a plan. Without flags, that of the
// working directory comes before the active project's: an agent that carries a
// plan out stands there.
func (w World) planned(ctx context.Context, place Place) (Desk, error) {
	if place == (Place{}) {
		if top, err := w.Git.Top(ctx, w.Dir); err == nil {
			d := NewDesk(w.Files, top)
			if there, err := d.Has(PlanFile); err == nil && there {
				_, invalid, unread := w.configuration(top)
				return d, usage(joinFirst(unread, invalid))
			}
		}
	}
	r, err := w.ready(ctx, place)
	if err != nil {
		return r.Desk, err
	}
	there, err := r.Has(PlanFile)
	if err == nil && !there {
		err = usagef("there is no %s: make one with 'baton plan \"TASK\"'", Artifact(PlanFile))
	}
	return r.Desk, err
}

// Review compares what changed in the repository with what its plan names.
func (w World) Review(ctx context.Context, place Place, base string) (plan.Review, error) {
	d, err := w.planned(ctx, place)
	if err != nil {
		return plan.Review{}, err
	}
	raw, err := d.Text(PlanFile)
	if err != nil {
		return plan.Review{}, err
	}
	if base == "" {
		meta, _, err := d.ReadMeta()
		if err != nil {
			return plan.Review{}, unreadable(err)
		}
		base = meta.ExecuteHead.Text
	}
	changed, err := w.Git.Changed(ctx, d.Top(), base, SessionDir)
	if errors.Is(err, port.ErrNoRevision) {
		return plan.Review{}, usage(fmt.Errorf("%w; name a commit, a branch or a tag with --base", err))
	}
	if err != nil {
		return plan.Review{}, err
	}
	tree, err := w.Git.Status(ctx, d.Top(), SessionDir)
	if err != nil {
		return plan.Review{}, err
	}
	for _, c := range tree.Changes {
		if c.Untracked() {
			changed = append(changed, c.Path)
		}
	}
	if base == "" {
		base = "HEAD"
	}
	return plan.Read(raw).Review(base, changed), nil
}
