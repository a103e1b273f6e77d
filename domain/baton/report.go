package baton

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/logs"
	"github.com/changeover/changeover/domain/baton/plan"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/port"
)

// Report is how a session stands. It is read without the lock, and writes
// nothing.
type Report struct {
	Repo
	// There: there is a session.
	There bool
	Meta  SessionMeta
	// Stale: the session claims work that nobody does.
	Stale bool
	// Budgets are those of the session's profile.
	Profile string
	Budgets compact.Profile

	Plan   PlanState
	Weight compact.Weight
	// Rotated counts the raw copies of the log.
	Rotated int

	HandoffExists bool
	BudgetExists  bool

	// Tree is the working tree; TreeFault why git could not tell of it.
	Tree      port.WorkTree
	TreeFault error

	// Last is the newest run; nil for none.
	Last *wall.RunRecord

	Now time.Time
	// Warnings are what could not be read.
	Warnings []string
}

// PlanState is how the plan stands.
type PlanState struct {
	Exists bool
	// Report is what the gate says about it.
	Report plan.Report
}

// Name is the state in one word: none, draft, ready or finalized.
func (p PlanState) Name(finalized bool) string {
	switch {
	case !p.Exists:
		return "none"
	case !p.Report.Passed():
		return "draft"
	case finalized:
		return "finalized"
	}
	return "ready"
}

// Status reads how the session stands.
func (w World) Status(ctx context.Context, place Place) (Report, error) {
	r, err := w.Visit(ctx, place)
	if err != nil {
		return Report{}, err
	}
	if _, err := r.Exists(); err != nil {
		return Report{}, err
	}
	s := Report{Repo: r, Now: w.Clock.Now()}
	if r.Missing != nil {
		s.Warnings = append(s.Warnings, r.Missing.Error())
	}
	if r.Invalid != nil {
		s.Warnings = append(s.Warnings, r.Invalid.Error()+"; the defaults are used")
	}
	s.warn(r.dubious())
	if err := w.observe(&s); err != nil || !s.There {
		return s, unreadable(err)
	}
	var warnings []string
	s.Profile, s.Budgets, warnings, err = r.Diet("", s.Meta.TokenDietProfile)
	if err != nil {
		return s, err
	}
	s.Warnings = append(s.Warnings, warnings...)
	if s.TreeFault = r.Missing; s.TreeFault == nil {
		s.Tree, s.TreeFault = w.Git.Status(ctx, r.Top(), SessionDir)
	}
	if s.TreeFault != nil && r.Missing == nil {
		s.Warnings = append(s.Warnings, s.TreeFault.Error())
	}
	err = w.fill(&s)
	return s, err
}

// observe reads the session and who works on it. What looks as if nobody did is
// looked at twice: whoever ends in that moment writes the session first, and the
// lock file may be seen half-written.
func (w World) observe(s *Report) error {
	for look := 0; ; look++ {
		var err error
		if s.Meta, s.There, err = s.ReadMeta(); err != nil || !s.There {
			return err
		}
		holder, fault := w.holder(s.Desk)
		s.Stale = s.Meta.Stale(holder, w.lives)
		left := s.Meta.Waiting != wall.Waiting{} && (holder == nil || !w.lives(holder.Process))
		if (s.Stale || left) && look == 0 {
			w.pause(lockPoll)
			continue
		}
		if left {
			s.Meta = s.Meta.StopWaiting()
		}
		if fault != nil {
			s.Warnings = append(s.Warnings, fault.Error())
		}
		return nil
	}
}

// fill reads what the session keeps.
func (w World) fill(s *Report) error {
	var err error
	if s.HandoffExists, err = s.Has(HandoffFile); err != nil {
		return err
	}
	if s.BudgetExists, err = s.Has(BudgetFile); err != nil {
		return err
	}
	raw, there, err := s.Read(PlanFile)
	if err != nil {
		return err
	}
	gate, err := w.gate(s.Repo, PlanFile, s.Budgets.MaxPlanChars)
	if err != nil {
		return err
	}
	s.Plan = PlanState{Exists: there, Report: gate.Missing()}
	if there {
		s.Plan.Report = gate.Check(raw)
	}
	weights, err := s.Weights()
	if err != nil {
		return err
	}
	s.Weight = compact.Weigh(weights, s.Budgets)
	names, err := s.List()
	if err != nil {
		return err
	}
	for _, name := range names {
		if strings.HasPrefix(name, LogFile+".full.") {
			s.Rotated++
		}
	}
	runs, err := s.Runs()
	if err != nil {
		return err
	}
	if last, ok := runs.Last(); ok {
		s.Last = &last
	}
	s.warn(lostRuns(runs))
	unlocked, err := s.unlocked(s.Meta, runs)
	s.warn(unlocked)
	return err
}

// Changed are the paths that differ from HEAD or are new.
func (r Report) Changed() []string {
	var names []string
	for _, c := range r.Tree.Changes {
		names = append(names, c.Path)
	}
	return names
}

// Count counts the changes: staged, unstaged and untracked.
func (r Report) Count() (staged, unstaged, untracked int) {
	for _, c := range r.Tree.Changes {
		switch {
		case c.Untracked():
			untracked++
			continue
		case c.Staged != '.':
			staged++
		}
		if c.Unstaged != '.' {
			unstaged++
		}
	}
	return staged, unstaged, untracked
}

// Runs reads the record of runs.
func (d Desk) Runs() (wall.Runs, error) {
	content, err := d.Text(RunsFile)
	return wall.ReadRuns([]byte(content)), err
}

// ErrNoRun reports that no agent has run yet, or not that one.
var ErrNoRun = errors.New("no such run")

// Explained is one run with the place where its evidence stands now.
type Explained struct {
	wall.RunRecord
	// Now is where the text of the evidence stands; nil where it stands nowhere
	// any more, or never did.
	Now *NowAt
}

// NowAt is a line of a file, counted from 1.
type NowAt struct {
	File string
	Line int
}

// Explain tells why runs did or did not lead to another: the run n, or with all
// every one, or the newest.
func (w World) Explain(ctx context.Context, place Place, n int, all bool) ([]Explained, error) {
	r, err := w.ready(ctx, place)
	if err != nil {
		return nil, err
	}
	runs, err := r.Runs()
	if err != nil {
		return nil, err
	}
	if lost := lostRuns(runs); lost != "" {
		w.Sink.Notice(lost)
	}
	records := runs.Records
	switch {
	case len(records) == 0:
		return nil, usagef("%w: no agent has run here yet; 'baton run \"TASK\"' starts one", ErrNoRun)
	case n != 0:
		one, ok := runs.Find(n)
		if !ok {
			return nil, usagef("%w: %d; there are the runs %d to %d", ErrNoRun, n, records[0].N, records[len(records)-1].N)
		}
		records = []wall.RunRecord{one}
	case !all:
		records = records[len(records)-1:]
	}
	explained := make([]Explained, len(records))
	for i, record := range records {
		explained[i].RunRecord = record
		if explained[i].Now, err = r.locate(record.Evidence); err != nil {
			return nil, err
		}
	}
	return explained, nil
}

// rawLogs are the raw copies of the log, the newest first.
func (d Desk) rawLogs() ([]string, error) {
	names, err := d.List()
	raws := slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, LogFile+".full.") })
	slices.Sort(raws)
	slices.Reverse(raws)
	return raws, err
}

// locate finds where the text of an evidence stands now: in the log, or in a raw
// copy of it.
func (d Desk) locate(e wall.Evidence) (*NowAt, error) {
	if e.Line == 0 || e.Text == "" {
		return nil, nil
	}
	raws, err := d.rawLogs()
	if err != nil {
		return nil, err
	}
	for _, name := range append([]string{LogFile}, raws...) {
		at, err := d.find(name, e)
		if at != nil || err != nil {
			return at, err
		}
	}
	return nil, nil
}

// find looks for the text of an evidence in a log.
func (d Desk) find(name string, e wall.Evidence) (at *NowAt, err error) {
	err = d.withLog(name, func(log logs.Source) error {
		line, ok, err := logs.Find(log, e.Text, e.Line)
		if ok {
			at = &NowAt{File: Artifact(name), Line: line}
		}
		return err
	})
	return at, err
}
