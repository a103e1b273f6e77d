package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/stamp"
	"github.com/changeover/changeover/domain/text"
)

// longQuote is how many characters of a line of the raw files are shown.
const longQuote = 100

// showLoss prints what a cycle took away.
func (d deps) showLoss(cmd *cobra.Command, o *compressOptions) error {
	var view baton.LossView
	var err error
	if o.dry {
		view, err = d.World.ForeseeLoss(cmd.Context(), o.CompressRequest)
	} else {
		view, err = d.World.ShowLoss(cmd.Context(), o.CompressRequest, o.cycle)
	}
	switch {
	case err != nil:
		return exit(cmd.Context(), err)
	case o.asJSON:
		return d.json(view.Document)
	case !view.There:
		fmt.Fprintln(d.Streams.Out, "There is no loss report yet; 'baton compress-context' makes one when it takes something away.")
		return nil
	}
	d.printLoss(view)
	return nil
}

// lossPrinter prints a loss report.
type lossPrinter struct {
	deps
	baton.LossView
}

func (d deps) printLoss(v baton.LossView) {
	p := lossPrinter{d, v}
	r := v.Report
	if v.ID == "" {
		p.say("a cycle that would run now (%s)", r.Profile)
	} else {
		p.say("cycle %s (%s, %s)", v.ID, r.Trigger, r.Profile)
	}
	p.say("total: %d -> %d chars", r.Before, r.After)
	if r.Log != nil {
		p.log(*r.Log)
	}
	if r.State != nil {
		p.state(*r.State)
	}
	if r.Decisions != nil {
		p.entries(baton.DecisionsFile, *r.Decisions)
	}
	if r.Errors != nil {
		p.entries(baton.ErrorsFile, *r.Errors)
	}
}

// say prints a line; what comes from files is in it already fit to be shown.
func (p lossPrinter) say(format string, args ...any) {
	fmt.Fprintln(p.Streams.Out, text.Printable(fmt.Sprintf(format, args...)))
}

// log prints what went of the log.
func (p lossPrinter) log(l compact.LogLoss) {
	p.say("%s: %d -> %d chars, %d -> %d lines", baton.LogFile, l.CharsBefore, l.CharsAfter, l.LinesBefore, l.LinesAfter)
	gone := slices.Contains(p.Gone, baton.LogFile)
	if gone {
		p.say("  raw copy is gone")
	}
	for i, run := range l.Elided {
		p.say("  %s: %s", span(compact.Span{From: run.From, To: run.To}), baton.Counted(run.Count, "line"))
		if gone || i >= len(p.Ends) {
			continue
		}
		p.say("    first: %s", p.Ends[i].First)
		if run.To > run.From {
			p.say("    last:  %s", p.Ends[i].Last)
		}
	}
	p.more(l.More, "elided run")
	for _, s := range l.Shortened {
		p.say("  line %d: %d chars less", s.Line, s.Chars)
	}
	p.more(l.MoreShortened, "shortened line")
}

func (p lossPrinter) more(n int, what string) {
	if n > 0 {
		p.say("  and %s more", baton.Counted(n, what))
	}
}

// state prints what went of state.md.
func (p lossPrinter) state(l compact.StateLoss) {
	p.say("%s: %d -> %d chars", baton.StateFile, l.CharsBefore, l.CharsAfter)
	if slices.Contains(p.Gone, baton.StateFile) {
		p.say("  raw copy is gone")
	}
	for _, s := range l.Sections {
		if len(s.Lost) == 0 {
			continue
		}
		p.say("  %s: %d -> %s", s.Section, s.ItemsBefore, baton.Counted(s.ItemsAfter, "item"))
		for _, lost := range s.Lost {
			p.say("    %s: %d", lost.Reason, lost.Count)
			for _, at := range lost.Lines {
				p.say("      %s", p.item(at))
			}
			if lost.More > 0 {
				p.say("      and %d more", lost.More)
			}
		}
	}
}

// item is an item of state.md by its lines, with the first of them.
func (p lossPrinter) item(at compact.Span) string {
	if at.From < 1 || at.From > len(p.State) {
		return span(at)
	}
	return span(at) + ": " + p.World.Cut.Clip(text.Printable(p.State[at.From-1]), longQuote)
}

// entries prints what went of decisions.md or errors.md.
func (p lossPrinter) entries(file string, l compact.EntriesLoss) {
	p.say("%s: %d -> %d chars", file, l.CharsBefore, l.CharsAfter)
	for _, e := range l.Dropped {
		p.say("  %s: %s (%s)", span(e.Span), e.Title, stamp.Text(e.Date))
	}
	if l.More > 0 {
		p.say("  and %d more", l.More)
	}
}

// span names lines.
func span(s compact.Span) string {
	if s.From == s.To {
		return fmt.Sprintf("line %d", s.From)
	}
	return fmt.Sprintf("lines %d-%d", s.From, s.To)
}
