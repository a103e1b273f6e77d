package exchange

import (
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/text"
)

// rowsOfAThing is how many rows of one kind of thing are printed.
const rowsOfAThing = 50

// Lines renders the answer, a line for each thing and a last one with what to type
// next.
func (r WhyReport) Lines() []string {
	p := r.rendering.page()
	if r.SessionID != "" {
		name := r.rendering.short(r.Name)
		if r.Name != r.SessionID {
			name += "  " + r.rendering.short(r.SessionID)
		}
		p.row("for", "%s", name)
	}
	if r.Root != "" {
		p.row("root", "%s  (by %s)", text.Printable(r.Root), r.Rule)
	}
	printed, cut := map[Thing]int{}, 0
	for _, f := range r.Findings {
		if printed[f.Thing]++; printed[f.Thing] > rowsOfAThing {
			cut++
			continue
		}
		p.row(string(f.Thing), "%s", r.line(f))
	}
	if cut > 0 {
		p.line("  +%d more not shown: --json has all", cut)
	}
	for _, row := range r.Live {
		p.row("live", "%s  exchange doctor --why --session %s", r.rendering.session(row), r.rendering.short(row.SessionID))
	}
	p.problems(r.Problems)
	p.row("next", "%s", r.Next())
	return p.lines
}

// line is one thing and its rule.
func (r WhyReport) line(f Finding) string {
	what := f.ID
	if f.Name != "" {
		what = f.Name
	}
	if what == "" {
		return f.Says()
	}
	return r.rendering.short(what) + "  " + f.Says()
}

// Next is what to do or to type next: what helps against the cause that explains
// most.
func (r WhyReport) Next() string {
	best, rank := "", len(Readings())
	for _, f := range r.Findings {
		if _, at := reading(f.Cause); at < rank && f.Do() != "" {
			best, rank = f.Do(), at
		}
	}
	switch {
	case best != "":
		return best
	case r.Faulty():
		return "exchange doctor"
	}
	return "exchange show"
}

// Document renders the answer for a script.
func (r WhyReport) Document() jsondoc.Object {
	doc := jsondoc.Object{}
	doc.AddText("session_id", r.SessionID)
	if r.Name != r.SessionID {
		doc.AddText("name", r.Name)
	}
	if r.Root == "" {
		doc.Add("root", nil)
	} else {
		doc.Add("root", r.Root)
	}
	doc.Add("rule", string(r.Rule))
	doc.AddText("cwd", r.Cwd)
	things := []jsondoc.Object{}
	for _, f := range r.Findings {
		thing := jsondoc.Object{{Key: "thing", Value: string(f.Thing)}}
		thing.AddText("id", f.ID)
		thing.AddText("name", f.Name)
		thing.Add("cause", string(f.Cause))
		thing.Add("says", f.Says())
		thing.AddText("do", f.Do())
		thing.Add("at_start", f.AtStart)
		thing.Add("at_prompt", f.AtPrompt)
		if !f.Shown.IsZero() {
			thing.Add("shown", Timestamp(f.Shown))
		}
		things = append(things, thing)
	}
	doc.Add("things", things)
	live := []jsondoc.Object{}
	for _, row := range r.Live {
		live = append(live, sessionDocument(row))
	}
	doc.Add("live", live)
	doc.Add("next", r.Next())
	doc.Add("problems", append([]string{}, r.Problems...))
	return doc
}
