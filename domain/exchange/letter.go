package exchange

import (
	"errors"
	"fmt"
	"slices"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/text"
)

// LetterReport is one handoff with its whole body, its moves and its receipts.
type LetterReport struct {
	Filed    Filed
	Receipts Receipts
	Archived bool

	rendering rendering
}

// Show reads one handoff, from the store or from its archive. An invalid or
// unknown id and an unusable record are errors.
func (m Reader) Show(cwd, id string) (LetterReport, error) {
	s, err := m.site(cwd)
	if err != nil {
		return LetterReport{}, err
	}
	if err := CheckID(id); err != nil {
		return LetterReport{}, err
	}
	r := LetterReport{rendering: s.rendering}
	r.Filed, err = s.store.Handoff(id)
	if errors.Is(err, ErrNoHandoff) {
		r.Archived = true
		r.Filed, err = s.store.ArchivedHandoff(id)
	}
	if errors.Is(err, ErrNoHandoff) {
		return r, fmt.Errorf("no handoff with id %s under %s, nor in its archive: exchange handoff list --all names them", id, text.Printable(s.Root))
	}
	if err == nil {
		r.Receipts = s.store.Receipts(id)
	}
	return r, err
}

// Problems returns what is wrong with the handoff.
func (r LetterReport) Problems() []string {
	return slices.Concat([]string{}, r.Filed.Problems(), r.Receipts.Problems)
}

// Lines renders the handoff, its body uncapped.
func (r LetterReport) Lines() []string {
	f := r.Filed
	p := r.rendering.page()
	p.line("%s  %s", f.ID, f.Status())
	p.line("  to %s", r.rendering.scope(f.To))
	from := r.rendering.sender(f.Handoff)
	if f.From.SessionID != "" {
		from += " " + f.From.SessionID
	}
	p.line("  from %s, %s", from, Timestamp(f.Created))
	p.line("  moves %d", len(f.Moves))
	for _, m := range f.Moves {
		p.line("    %d  %s  %s%s", m.After, Timestamp(m.At), m.Status, r.author(m))
	}
	p.line("  receipts %d", len(r.Receipts.Items))
	for _, receipt := range r.Receipts.Items {
		p.line("    shown to %s at %s (%s)", r.rendering.short(receipt.Label()), Timestamp(receipt.At), receipt.How)
	}
	p.line("  body")
	for _, line := range text.Lines(f.Body) {
		p.lines = append(p.lines, "    "+text.Printable(line))
	}
	if r.Archived {
		p.row("note", "archived: exchange handoff restore %s --apply brings it back", f.ID)
	}
	p.problems(r.Problems())
	return p.lines
}

func (r LetterReport) author(m Move) string {
	out := ""
	if m.By != "" {
		out = "  by " + r.rendering.short(m.By)
	}
	if m.Note != "" {
		out += ": " + r.rendering.short(m.Note)
	}
	return out
}

// Document renders the handoff for a script.
func (r LetterReport) Document() jsondoc.Object {
	doc := handoffDocument(r.Filed)
	receipts := []jsondoc.Object{}
	for _, item := range r.Receipts.Items {
		receipt := jsondoc.Object{{Key: "session_id", Value: item.SessionID}}
		receipt.AddText("name", item.Name)
		receipt.Add("at", Timestamp(item.At))
		receipt.Add("how", string(item.How))
		receipts = append(receipts, receipt)
	}
	doc.Add("receipts", receipts)
	doc.Add("archived", r.Archived)
	doc.Add("problems", r.Problems())
	return doc
}

// Document renders the list for a script, uncapped.
func (r ListReport) Document() jsondoc.Object {
	items := []jsondoc.Object{}
	for _, item := range r.Items {
		items = append(items, handoffDocument(item))
	}
	return jsondoc.Object{
		{Key: "root", Value: r.Root},
		{Key: "stored", Value: r.Stored},
		{Key: "shown", Value: len(items)},
		{Key: "handoffs", Value: items},
		{Key: "problems", Value: append([]string{}, r.Problems...)},
	}
}

func handoffDocument(f Filed) jsondoc.Object {
	var from jsondoc.Object
	from.AddText("session_id", f.From.SessionID)
	from.AddText("name", f.From.Name)
	from.Add("cwd", f.From.Cwd)
	moves := []jsondoc.Object{}
	for _, m := range f.Moves {
		move := jsondoc.Object{
			{Key: "after", Value: m.After}, {Key: "at", Value: Timestamp(m.At)}, {Key: "status", Value: string(m.Status)},
		}
		move.AddText("by", m.By)
		move.AddText("note", m.Note)
		moves = append(moves, move)
	}
	return jsondoc.Object{
		{Key: "id", Value: f.ID},
		{Key: "status", Value: string(f.Status())},
		{Key: "settled", Value: f.Settled()},
		{Key: "to", Value: f.To.document()},
		{Key: "from", Value: from},
		{Key: "created", Value: Timestamp(f.Created)},
		{Key: "body", Value: f.Body},
		{Key: "moves", Value: moves},
	}
}
