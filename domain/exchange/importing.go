package exchange

import (
	"errors"
	"fmt"
	"path"
	"slices"

	"github.com/changeover/changeover/domain/exchange/ledger"
	"github.com/changeover/changeover/domain/text"
)

// ledgerLimit bounds the reading of a ledger, in bytes.
const ledgerLimit = 64 << 20

// Signatures of the moves that an import makes.
const (
	importedBy   = "exchange migrate --step 4"
	importedNote = "closed in the ledger"
)

// Importer makes handoffs of the entries of a markdown ledger.
type Importer struct {
	World
	Fold ledger.Fold
}

// Import plans to take over the ledger that the marker declares, and takes it
// over where apply says so and nothing is in the way. With an error nothing was
// written, and nobody can tell what would be.
func (i Importer) Import(cwd string, apply bool) (ImportReport, error) {
	s, err := i.site(cwd)
	if err != nil {
		return ImportReport{}, err
	}
	if s.cfgErr != nil {
		return ImportReport{}, s.cfgErr
	}
	r := ImportReport{root: s.Root, applied: apply, rendering: s.rendering}
	if s.cfg.Ledger == nil {
		return r, nil
	}
	r.declared = true
	r.plan = i.plan(s)
	if apply && len(r.plan.problems) == 0 {
		i.write(s, &r)
	}
	return r, nil
}

// plan reads ledger and store, and compares them.
func (i Importer) plan(s site) importPlan {
	p := importPlan{root: s.Root, now: i.Clock.Now(), fold: i.Fold}
	var entries []ledger.Entry
	p.path, entries, p.unread = i.read(s)
	if p.unread != nil {
		p.problem("%s", p.unread)
		return p
	}
	shelf := everything(s.store)
	p.problems = append(p.problems, shelf.Problems()...)
	p.routes = p.routeTable(s.cfg.Ledger.Routes)
	p.compare(entries, shelf.Items)
	return p
}

// errGrammar reports a ledger that is there and cannot be made sense of.
var errGrammar = errors.New("cannot be imported")

// read reads the entries of the ledger.
func (i Importer) read(s site) (name string, entries []ledger.Entry, err error) {
	declared := s.cfg.Ledger.Path
	name, err = i.locator().expand(declared)
	if err != nil {
		return declared, nil, fmt.Errorf("the ledger %s cannot be found: %s", declared, reason(err))
	}
	if !path.IsAbs(name) {
		name = path.Join(s.Root, name)
	}
	data, err := i.Files.ReadLinked(name, ledgerLimit)
	if err != nil {
		return name, nil, fmt.Errorf("the ledger %s could not be read: %s", name, reason(err))
	}
	entries, err = ledger.Parse(string(data), s.cfg.Ledger.Section, i.Fold)
	if errors.Is(err, ledger.ErrNotUTF8) {
		return name, nil, fmt.Errorf("the ledger %s could not be read: %w", name, err)
	}
	if err != nil {
		return name, nil, fmt.Errorf("the ledger %s %w: %w", name, errGrammar, err)
	}
	return name, entries, nil
}

// everything reads the store and its archive. What goes into the archive
// meanwhile is seen in both, and counts once.
func everything(store Store) Shelf {
	shelf, archive := store.Handoffs(), store.Archived()
	here := map[string]bool{}
	for _, filed := range shelf.Items {
		here[filed.ID] = true
	}
	archive.Items = slices.DeleteFunc(archive.Items, func(f Filed) bool { return here[f.ID] })
	archive.Unread = slices.DeleteFunc(archive.Unread, func(problem string) bool { return slices.Contains(shelf.Unread, problem) })
	return Shelf{
		Items:  slices.Concat(shelf.Items, archive.Items),
		Unread: slices.Concat(shelf.Unread, archive.Unread),
	}
}

// write makes what is planned. A failure does not stop the rest.
func (i Importer) write(s site, r *ImportReport) {
	for _, c := range r.plan.creates {
		if err := s.store.Post(c.record); err != nil {
			r.failed = append(r.failed, fmt.Sprintf("the entry %s: %s", text.Quote(c.headline), err))
			continue
		}
		r.posted = append(r.posted, c)
	}
	for _, filed := range r.plan.closes {
		if err := i.close(s, filed.ID); err != nil {
			r.failed = append(r.failed, fmt.Sprintf("%s could not be closed: %s", filed.ID, err))
			continue
		}
		r.closed = append(r.closed, filed.ID)
	}
	if len(r.failed) > 0 {
		r.failed = append(r.failed, fmt.Sprintf("%d of %d write(s) made; run it again when that is settled: what is written stays, and nothing is written twice",
			len(r.posted)+len(r.closed), len(r.plan.creates)+len(r.plan.closes)))
	}
}

// close closes a handoff as anybody would, as it is by now.
func (i Importer) close(s site, id string) error {
	filed, err := s.movable(id)
	if err == nil {
		err = filed.refusal(Closed)
	}
	if err != nil {
		return err
	}
	move := Move{At: i.Clock.Now(), Status: Closed, After: filed.Next(), By: importedBy, Note: importedNote}
	return Mail{World: i.World}.add(s, id, move)
}

// step says how far the import is.
func (i Importer) step(s site, marked bool) Step {
	step := Step{Number: 4, Title: "open handoffs imported", Mark: StepUnknown}
	switch {
	case s.cfgErr != nil:
		step.Why = "the marker cannot be read, so nobody knows whether there is a ledger"
		return step
	case !marked:
		step.Why = "the root has no marker that could name a ledger"
		return step
	case s.cfg.Ledger == nil:
		step.Mark = StepInapplicable
		step.Why = fmt.Sprintf("no legacy_ledger is named; if there was one, name it in %s", MarkerPath(s.Root))
		return step
	}
	const look = "exchange migrate --step 4 names them"
	plan := i.plan(s)
	step.Mark = StepOutstanding
	switch todo := len(plan.creates) + len(plan.closes); {
	case plan.unread != nil && !errors.Is(plan.unread, errGrammar):
		step.Mark, step.Why = StepUnknown, plan.unread.Error()
	case len(plan.problems) > 0:
		step.Why = fmt.Sprintf("%d problem(s): %s", len(plan.problems), look)
	case len(plan.stranded) > 0:
		step.Why = fmt.Sprintf("%d handoff(s) are open and their entries are gone from the ledger: %s", len(plan.stranded), look)
	case todo > 0:
		step.Why = fmt.Sprintf("%d to create, %d to close: %s", len(plan.creates), len(plan.closes), look)
	default:
		step.Mark = StepDone
	}
	return step
}
