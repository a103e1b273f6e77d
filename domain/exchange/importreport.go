package exchange

import (
	"fmt"
	"strings"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/text"
)

// headlineShown is how much of a headline a row shows, in code points.
const headlineShown = 60

// ImportReport says what an import would do, or did.
type ImportReport struct {
	root     string
	declared bool
	applied  bool
	plan     importPlan

	posted []creation
	closed []string
	failed []string

	rendering rendering
}

// Problems returns what keeps the import from being made, or what of it failed.
func (r ImportReport) Problems() []string {
	return append(append([]string{}, r.plan.problems...), r.failed...)
}

// Lines renders the report. A dry run says what the real one would.
func (r ImportReport) Lines() []string {
	p := r.rendering.page()
	if !r.declared {
		p.row("ledger", "%s", r.undeclared())
		return p.lines
	}
	p.row("ledger", "%s", text.Printable(r.plan.path))
	p.row("counts", "%s", r.counts())
	for _, c := range r.plan.creates {
		p.row("create", "%s  %s  %s", c.when(), r.whom(c), r.headline(c.headline))
	}
	for _, filed := range r.plan.closes {
		p.row("close", "%s  closed in the ledger", filed.ID)
	}
	for _, d := range r.plan.drifts {
		p.row("drift", "%s  %s, reported, not written", d.id, strings.Join(d.fields, ", "))
	}
	for _, filed := range r.plan.stranded {
		p.row("stranded", "%s  %s, and its entry is gone from the ledger: close it if it is over  %s",
			filed.ID, filed.Status(), r.headline(filed.Imported.Headline))
	}
	for _, filed := range r.plan.orphans {
		p.row("orphan", "%s  closed, and its entry is gone from the ledger", filed.ID)
	}
	for _, headline := range r.plan.doubtful {
		p.row("check", "%s  counts as closed, though its status says it is not", r.headline(headline))
	}
	for _, c := range r.posted {
		p.row("posted", "%s  %s", c.record.ID, r.headline(c.headline))
	}
	for _, id := range r.closed {
		p.row("closed", "%s", id)
	}
	p.problems(r.plan.problems)
	p.advise(r.failed)
	r.ending(&p)
	return p.lines
}

func (r ImportReport) undeclared() string {
	return fmt.Sprintf("not applicable: no ledger is declared. To declare one, add to %s: "+
		`"legacy_ledger": {"path": "notes/handoffs.md", "routes": {"Some label": {"repo": "some-repo"}}}`,
		text.Printable(MarkerPath(r.root)))
}

func (r ImportReport) counts() string {
	p := r.plan
	return fmt.Sprintf("%d parsed, %d to create, %d to close, %d unchanged, %d closed and skipped, %d stored with no entry, %d drifted, %d stranded open, %d problem(s)",
		p.parsed, len(p.creates), len(p.closes), p.unchanged, p.skipped, len(p.orphans)+len(p.stranded), len(p.drifts), len(p.stranded), len(p.problems))
}

func (c creation) when() string {
	if date := c.record.Imported.Date; date != "" {
		return text.Printable(date)
	}
	return "undated, so dated at the import"
}

func (r ImportReport) whom(c creation) string {
	if c.lost {
		return "(no route)"
	}
	return r.rendering.scope(c.record.To)
}

func (r ImportReport) headline(s string) string {
	return r.rendering.cut.Cap(text.Printable(s), headlineShown)
}

// ending says what to do next.
func (r ImportReport) ending(p *page) {
	todo := len(r.plan.creates) + len(r.plan.closes)
	switch {
	case r.applied && len(r.plan.problems) > 0:
		p.row("refused", "nothing was written; settle the problems first")
	case r.applied && len(r.failed) == 0:
		p.row("applied", "%d write(s) made", len(r.posted)+len(r.closed))
	case r.applied: // the last problem says it
	case len(r.plan.problems) > 0:
		p.row("dry run", "nothing was written; settle the problems first")
	case todo == 0:
		p.row("dry run", "nothing was written; there is nothing to write")
	default:
		p.row("dry run", "nothing was written; exchange migrate --step 4 --apply makes %d write(s)", todo)
	}
}

// Document renders a dry run for a script, uncapped.
func (r ImportReport) Document() jsondoc.Object {
	if !r.declared {
		return jsondoc.Object{
			{Key: "root", Value: r.root},
			{Key: "ledger", Value: nil},
			{Key: "not_applicable", Value: r.undeclared()},
			{Key: "problems", Value: []string{}},
		}
	}
	p := r.plan
	creates, drifts, stranded := []jsondoc.Object{}, []jsondoc.Object{}, []jsondoc.Object{}
	for _, c := range p.creates {
		item := jsondoc.Object{{Key: "id", Value: c.record.ID}}
		item.AddText("date", c.record.Imported.Date)
		if !c.lost {
			item.Add("to", c.record.To.document())
		}
		item.Add("headline", c.headline)
		creates = append(creates, item)
	}
	for _, d := range p.drifts {
		drifts = append(drifts, jsondoc.Object{{Key: "id", Value: d.id}, {Key: "fields", Value: d.fields}})
	}
	for _, filed := range p.stranded {
		stranded = append(stranded, jsondoc.Object{
			{Key: "id", Value: filed.ID}, {Key: "status", Value: string(filed.Status())}, {Key: "headline", Value: filed.Imported.Headline},
		})
	}
	return jsondoc.Object{
		{Key: "root", Value: r.root},
		{Key: "ledger", Value: p.path},
		{Key: "counts", Value: jsondoc.Object{
			{Key: "parsed", Value: p.parsed},
			{Key: "to_create", Value: len(p.creates)},
			{Key: "to_close", Value: len(p.closes)},
			{Key: "unchanged", Value: p.unchanged},
			{Key: "closed_and_skipped", Value: p.skipped},
			{Key: "stored_with_no_entry", Value: len(p.orphans) + len(p.stranded)},
			{Key: "drifted", Value: len(p.drifts)},
			{Key: "stranded_open", Value: len(p.stranded)},
			{Key: "problems", Value: len(p.problems)},
		}},
		{Key: "create", Value: creates},
		{Key: "close", Value: idsOf(p.closes)},
		{Key: "drift", Value: drifts},
		{Key: "stranded", Value: stranded},
		{Key: "orphan", Value: idsOf(p.orphans)},
		{Key: "check", Value: append([]string{}, p.doubtful...)},
		{Key: "dry_run", Value: !r.applied},
		{Key: "problems", Value: r.Problems()},
	}
}

func idsOf(items []Filed) []string {
	ids := []string{}
	for _, filed := range items {
		ids = append(ids, filed.ID)
	}
	return ids
}
