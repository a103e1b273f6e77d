package baton

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/logs"
	"github.com/changeover/changeover/domain/port"
)

// pressure is what a cycle of compression was asked to do.
type pressure struct {
	trigger   Trigger
	diet      diet
	threshold float64
	// refuse has the gate refuse what was written; empty for what it finds itself.
	refuse string
}

// fresh is how long an agent that may still run is given to finish state.md.
const fresh = 2 * time.Second

// pressed is a file that changes: as it was when it was read, and as it will be.
type pressed struct {
	name string
	info port.Info
	// raw and short are the contents of a text; those of the log are too long to
	// be held, and draft is the new one.
	raw, short string
	draft      port.Draft

	// copy is the raw copy; empty while there is none.
	copy string
	// replaced: the new content stands, and now is what stat said of it.
	replaced bool
	now      port.Info
}

// pressing is one reading of the context, with what a cycle makes of it.
type pressing struct {
	CompressionPlan
	files []*pressed
	// draft is the new log; nil for none.
	draft port.Draft
}

// prepare reads the context and builds all new contents. That of the log goes to a
// draft where drafting is said, and nowhere else: nothing is written then.
func (w World) prepare(r Repo, meta SessionMeta, o pressure, drafting bool) (*pressing, error) {
	p := &pressing{CompressionPlan: newPlan(o, w.Clock.Now())}
	if err := w.pressLog(p, r, o, drafting); err != nil {
		return nil, errors.Join(fmt.Errorf("compress %s: %w", LogFile, err), p.discard())
	}
	trim := compact.NewEntryTrimmer(w.Cut, meta.LastHandoffAt, meta.ExecuteStartedAt)
	for _, text := range []struct {
		name  string
		press func(raw string) (short string, changed bool)
	}{
		{StateFile, func(raw string) (short string, changed bool) {
			short, p.Loss.State, changed = compact.NewStateCompactor(w.Cut, o.diet.budgets.MaxStateChars).InPlace(raw)
			return short, changed
		}},
		{DecisionsFile, func(raw string) (short string, changed bool) {
			short, p.Loss.Decisions, changed = trim.Trim(raw)
			return short, changed
		}},
		{ErrorsFile, func(raw string) (short string, changed bool) {
			short, p.Loss.Errors, changed = trim.Trim(raw)
			return short, changed
		}},
	} {
		if err := p.pressText(r.Desk, text.name, text.press); err != nil {
			return nil, errors.Join(fmt.Errorf("compress %s: %w", text.name, err), p.discard())
		}
	}
	p.CompressionPlan = p.summed()
	state := p.find(StateFile)
	switch {
	case state == nil:
	case o.trigger == AutoTrigger && w.Clock.Now().Sub(state.info.ModTime) < fresh:
		p.leave(state, "it was written just now")
	default:
		p.Faults = append(p.Faults, compact.CheckState(state.raw, state.short)...)
	}
	return p, nil
}

// find returns a file that changes; nil for one that does not.
func (p *pressing) find(name string) *pressed {
	for _, f := range p.files {
		if f.name == name {
			return f
		}
	}
	return nil
}

// leave takes a file out of the cycle.
func (p *pressing) leave(f *pressed, why string) {
	kept := p.files[:0:0]
	for _, other := range p.files {
		if other != f {
			kept = append(kept, other)
		}
	}
	p.files = kept
	p.CompressionPlan = p.without(f.name, why)
}

// discard takes away what was drafted and did not come into use.
func (p *pressing) discard() error {
	if p.draft == nil {
		return nil
	}
	return p.draft.Discard()
}

// pressText reads a text and makes it short.
func (p *pressing) pressText(d Desk, name string, press func(string) (string, bool)) error {
	info, err := d.files.Lstat(d.Path(name))
	if errors.Is(err, fs.ErrNotExist) {
		p.Files = append(p.Files, Shrinking{File: name})
		return nil
	}
	if err != nil {
		return err
	}
	raw, err := d.Text(name)
	if err != nil {
		return err
	}
	s := Shrinking{File: name, Before: compact.Chars(raw)}
	s.After = s.Before
	if short, changed := press(raw); changed {
		s.After, s.Changed = compact.Chars(short), true
		p.files = append(p.files, &pressed{name: name, info: info, raw: raw, short: short})
	}
	p.Files = append(p.Files, s)
	return nil
}

// pressLog reads the log and makes it short.
func (w World) pressLog(p *pressing, r Repo, o pressure, drafting bool) (err error) {
	source, err := r.files.Open(r.Path(LogFile))
	if errors.Is(err, fs.ErrNotExist) {
		p.Files = append(p.Files, Shrinking{File: LogFile})
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	f := &pressed{name: LogFile, info: source.Info()}
	if f.info.Size == 0 {
		p.Files = append(p.Files, Shrinking{File: LogFile})
		return nil
	}
	out := io.Discard
	if drafting {
		if p.draft, err = r.files.Draft(r.Path(LogFile), fileMode, port.Synced); err != nil {
			return err
		}
		f.draft, out = p.draft, p.draft
	}
	changed, err := p.shorten(out, logSource{source}, logs.Compressor{Phrases: r.Phrases(), Cutter: w.Cut}, o.diet.budgets)
	if changed {
		p.files = append(p.files, f)
	}
	return err
}

// shorten writes the short form of the log, and looks whether it holds what it
// must. One that would be longer is no change.
func (p *pressing) shorten(out io.Writer, log logs.Source, c logs.Compressor, budgets compact.Profile) (changed bool, err error) {
	proof := logs.NewProof(out, log)
	c.Surveyed = func(s logs.Survey) {
		proof.Expect(s.LastHit)
		proof.Expect(s.LastExit)
	}
	result, err := c.Fit(proof, log, budgets)
	if err != nil {
		return false, err
	}
	before := result.Before
	s := Shrinking{File: LogFile, Before: before.Chars, After: before.Chars, Notices: before.NoticeChars}
	if result.Changed && result.Weight <= before.Weight() {
		s.After, s.Changed = result.Weight, true
		p.Loss.Log = &result.Loss
	}
	p.Files = append(p.Files, s)
	if !s.Changed {
		return false, nil
	}
	if at := before.LastHit; !at.None() && !proof.Found(at) {
		p.Faults = append(p.Faults, fmt.Sprintf("%s would lose its last hit, line %d", LogFile, at.Line))
	}
	if at := before.LastExit; !at.None() && !proof.Found(at) {
		p.Faults = append(p.Faults, fmt.Sprintf("%s would lose its last exit line, line %d", LogFile, at.Line))
	}
	return true, nil
}
