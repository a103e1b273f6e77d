package baton

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/logs"
	"github.com/changeover/changeover/domain/baton/markdown"
	"github.com/changeover/changeover/domain/jsondoc"
)

// LossView is a loss report with what it takes to show it.
type LossView struct {
	// There: there is a report. ID is its cycle; empty for one that would run.
	There  bool
	ID     string
	Report compact.LossReport
	// Document is the report as it is stored.
	Document any
	// Ends are the first and the last line of each elided run that the report
	// lists, State the lines of state.md. Gone are the files whose raw copy is.
	Ends  []logs.Ends
	State []string
	Gone  []string
}

// longEnd is how many characters of an elided line are shown.
const longEnd = 100

// ShowLoss reads the loss report of a cycle; of the newest where none is named.
func (w World) ShowLoss(ctx context.Context, q CompressRequest, cycle string) (v LossView, err error) {
	r, _, err := w.compressible(ctx, q)
	if err != nil {
		return v, err
	}
	names, err := r.List()
	if err != nil {
		return v, err
	}
	ids := Losses(names)
	switch {
	case cycle == "" && len(ids) == 0:
		return v, nil
	case cycle == "":
		cycle = ids[0]
	case !slices.Contains(ids, cycle):
		return v, usagef("no loss report of a cycle %s: %s", cycle, known(ids))
	}
	v.There, v.ID = true, cycle
	raw, err := r.Text(lossName(cycle))
	if err != nil {
		return v, err
	}
	if v.Report, err = compact.ReadLossReport([]byte(raw)); err != nil {
		return v, fmt.Errorf("%s: %w", Artifact(lossName(cycle)), err)
	}
	if v.Document, err = jsondoc.DecodeOrdered([]byte(raw)); err != nil {
		return v, err
	}
	return w.quote(r, v)
}

// ForeseeLoss is the report of the cycle that would run now, whatever the weight.
func (w World) ForeseeLoss(ctx context.Context, q CompressRequest) (v LossView, err error) {
	r, meta, err := w.compressible(ctx, q)
	if err != nil {
		return v, err
	}
	chosen, err := w.chosen(r, q.Diet, meta)
	if err != nil {
		return v, err
	}
	threshold := r.Config.Compression.Threshold
	if q.Threshold != nil {
		threshold = *q.Threshold
	}
	p, err := w.foresee(r, meta, chosen, threshold)
	if err != nil {
		return v, err
	}
	return w.quote(r, LossView{There: true, Report: p.Loss, Document: p.Loss.Object()})
}

// quote reads what the report speaks of from the raw copies.
func (w World) quote(r Repo, v LossView) (LossView, error) {
	if log := v.Report.Log; log != nil {
		name, err := v.copy(r.Desk, LogFile, log.Raw)
		if err != nil {
			return v, err
		}
		if name == "" {
			v.Gone = append(v.Gone, LogFile)
		} else if err := r.withLog(name, func(raw logs.Source) error {
			v.Ends, err = logs.RunEnds(raw, log.Elided, w.Cut, longEnd)
			return err
		}); err != nil {
			return v, err
		}
	}
	if state := v.Report.State; state != nil {
		name, err := v.copy(r.Desk, StateFile, state.Raw)
		if err != nil {
			return v, err
		}
		if name == "" {
			v.Gone = append(v.Gone, StateFile)
			return v, nil
		}
		raw, err := r.Text(name)
		if err != nil {
			return v, err
		}
		body, _ := markdown.Read(raw)
		v.State = strings.Split(body, "\n")
	}
	return v, nil
}

// copy is the name of what a file was before the cycle; empty where that is gone. A
// report cannot name anything else.
func (v LossView) copy(d Desk, file, raw string) (name string, err error) {
	if v.ID == "" {
		return file, nil
	}
	if of, _, ok := cycleFile(raw); !ok || of != file {
		return "", nil
	}
	there, err := d.Has(raw)
	if err != nil || !there {
		return "", err
	}
	return raw, nil
}
