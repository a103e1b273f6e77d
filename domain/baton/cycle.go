package baton

import (
	"errors"
	"fmt"
	"slices"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/logs"
	"github.com/changeover/changeover/domain/baton/plan"
	"github.com/changeover/changeover/domain/baton/stamp"
)

// Cycle is what a cycle of compression came to.
type Cycle struct {
	CompressionPlan
	// Report is what the gate said.
	Report GateReport
	// Held: what the cycle wrote stands. Otherwise everything is as before.
	Held bool
	// ID is the cycle's file timestamp, Rotated are the raw copies that it left.
	ID      string
	Rotated []string
}

// cycle is a cycle of compression that writes.
type cycle struct {
	*shift
	*pressing
	pressure
	id string
	// names is what the session directory held before.
	names []string
}

// compress runs one cycle of compression. The session's status leads back to where
// it was, whatever becomes of the cycle. An error comes with a cycle that holds
// where only what follows it went wrong.
func (s *shift) compress(o pressure) (done Cycle, err error) {
	names, err := s.sweep(func(name string) bool { return leftover(name) || hidden(name) })
	if err != nil {
		return done, err
	}
	p, err := s.prepare(s.Repo, s.meta, o, true)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, p.discard()) }()
	if g := p.Gate(); !g.Passed() {
		return Cycle{CompressionPlan: p.CompressionPlan, Report: g}, nil
	}
	before := s.meta
	if s.meta, err = s.meta.StartCompression(); err != nil {
		return done, err
	}
	if err := s.save(); err != nil {
		s.meta = before
		return done, err
	}
	c := cycle{shift: s, pressing: p, pressure: o, names: names, id: freeCycle(names, stamp.File(p.Loss.At))}
	done, err = c.run()
	return done, errors.Join(err, s.resume(done))
}

// sweep takes away what earlier cycles could not, and lists the rest.
func (s *shift) sweep(litter func(name string) bool) (names []string, err error) {
	all, err := s.List()
	if err != nil {
		return nil, err
	}
	for _, name := range all {
		if !litter(name) {
			names = append(names, name)
			continue
		}
		if err := s.Drop(name); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// resume leads the status back to where the cycle began.
func (s *shift) resume(done Cycle) error {
	var held *LastCompression
	if done.Held {
		held = done.record()
	}
	meta, err := s.meta.EndCompression(held)
	if err != nil {
		return err
	}
	s.meta = meta
	return s.save()
}

// run writes what was built, asks the gate, and takes it back where that refuses,
// or where something goes wrong.
func (c cycle) run() (done Cycle, err error) {
	guard, err := c.guarded()
	if err != nil {
		return done, err
	}
	err = c.exchange()
	done = Cycle{CompressionPlan: c.CompressionPlan, ID: c.id}
	done.Loss = c.report()
	if err == nil {
		done.Report, err = c.judge(guard)
	}
	if err != nil || !done.Report.Passed() {
		return done, errors.Join(err, c.rollBack())
	}
	done.Held = true
	done.Rotated, err = c.settle()
	return done, err
}

// guarded are the documents that no cycle may change.
func (s *shift) guarded() (now [2]string, err error) {
	raw, err := s.Text(PlanFile)
	if err != nil {
		return now, err
	}
	handoff, err := s.Text(HandoffFile)
	return [2]string{plan.Hash(raw), handoff}, err
}

// exchange keeps a copy of everything that changes, tells what goes, and puts the
// new contents in place. A file that is not any more what was read stays alone.
func (c cycle) exchange() error {
	for _, f := range c.files {
		if err := c.keep(f); err != nil {
			return fmt.Errorf("keep a copy of %s: %w", f.name, err)
		}
	}
	if err := c.tell(); err != nil {
		return err
	}
	for _, f := range slices.Clone(c.files) {
		same, err := c.unchanged(f)
		if err != nil {
			return err
		}
		if same {
			err = c.replace(f)
		} else {
			err = c.spare(f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// tell writes the loss report.
func (c cycle) tell() error { return c.Write(lossName(c.id), string(c.report().Document())) }

// report is the loss report with the names of the raw copies that are to stay.
func (c cycle) report() compact.LossReport {
	return named(c.Loss, func(file string) string {
		if f := c.find(file); f != nil && c.rotates() {
			return f.copy
		}
		return ""
	})
}

// unchanged says whether a file is still what was read.
func (c cycle) unchanged(f *pressed) (bool, error) {
	info, err := c.shift.Files.Lstat(c.Path(f.name))
	if err != nil || info.Size != f.info.Size || !info.ModTime.Equal(f.info.ModTime) {
		return false, nilWhereGone(err)
	}
	if f.draft != nil {
		return true, nil
	}
	raw, err := c.Text(f.name)
	return raw == f.raw, err
}

// spare leaves a file alone that somebody else has changed meanwhile.
func (c cycle) spare(f *pressed) error {
	if f.draft != nil {
		if err := f.draft.Discard(); err != nil {
			return err
		}
	}
	if err := c.Drop(f.copy); err != nil {
		return err
	}
	c.leave(f, "it changed meanwhile")
	return c.tell()
}

// replace puts a new content in place.
func (c cycle) replace(f *pressed) error {
	var err error
	if f.draft != nil {
		err = f.draft.Publish()
	} else {
		err = c.Write(f.name, f.short)
	}
	if err != nil {
		return err
	}
	f.replaced = true
	f.now, err = c.shift.Files.Lstat(c.Path(f.name))
	return err
}

// judge asks the gate about what was written.
func (c cycle) judge(guard [2]string) (g GateReport, err error) {
	g = c.Gate()
	for _, f := range c.files {
		info, err := c.shift.Files.Lstat(c.Path(f.copy))
		if err != nil || info.Size == 0 || info.Size != f.info.Size {
			g.Failures = append(g.Failures, fmt.Sprintf("the raw copy %s is not what %s was", f.copy, f.name))
		}
	}
	now, err := c.guarded()
	if now[0] != guard[0] {
		g.Failures = append(g.Failures, PlanFile+" changed meanwhile")
	}
	if now[1] != guard[1] {
		g.Failures = append(g.Failures, HandoffFile+" changed meanwhile")
	}
	if c.refuse != "" {
		g.Failures = append(g.Failures, c.refuse)
	}
	return g, err
}

// rotates says whether the raw copies outlive the cycle.
func (c cycle) rotates() bool { return c.Config.Compression.RotateRaw }

// settle ends a cycle that holds: the log tells of it, and older copies go.
func (c cycle) settle() (rotated []string, err error) {
	err = c.note(logs.Compressed(c.Before().Total, c.After().Total))
	gone := outdated(c.names, c.id, c.Config.Compression.KeepRotations)
	for _, f := range c.files {
		if c.rotates() {
			rotated = append(rotated, f.copy)
		} else {
			gone = append(gone, f.copy)
		}
	}
	for _, name := range gone {
		err = errors.Join(err, c.Drop(name))
	}
	return rotated, err
}

// note adds the line of a cycle to the log.
func (c cycle) note(line string) error {
	last, err := c.logEnd(1)
	if err != nil {
		return err
	}
	if last != "" && last != "\n" {
		line = "\n" + line
	}
	out, err := c.shift.Files.Append(c.Path(LogFile), fileMode)
	if err != nil {
		return err
	}
	_, err = out.Write([]byte(line + "\n"))
	return errors.Join(err, out.Close())
}
