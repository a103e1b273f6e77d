package exchange

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/exchange/ledger"
	"github.com/changeover/changeover/domain/text"
)

// recordLimit is how large a record may be for its readers, in bytes.
const recordLimit = 1 << 20

// creation is an entry that becomes a handoff.
type creation struct {
	record Handoff
	// headline is the entry's own, not what it is known by.
	headline string
	// lost: nobody knows whom it is for.
	lost bool
}

// drift is a handoff that differs from its entry. Nothing is done about it.
type drift struct {
	id     string
	fields []string
}

// importPlan is what an import would do, and all that keeps it from it.
type importPlan struct {
	root   string
	path   string
	now    time.Time
	fold   ledger.Fold
	routes map[string]Address
	// unread is why there are no entries.
	unread error

	parsed, unchanged, skipped int

	creates           []creation
	closes            []Filed
	drifts            []drift
	stranded, orphans []Filed
	// doubtful are headlines of entries that count as closed and say they are
	// not.
	doubtful []string
	problems []string
}

func (p *importPlan) problem(format string, args ...any) {
	p.problems = append(p.problems, fmt.Sprintf(format, args...))
}

// routeTable returns the addresses of the routes in the spelling in which groups
// are compared.
func (p *importPlan) routeTable(declared map[string]Address) map[string]Address {
	table, spelt := map[string]Address{}, map[string]string{}
	for _, label := range slices.Sorted(maps.Keys(declared)) {
		group := p.fold.Groups(label)
		earlier, twice := spelt[group]
		switch {
		case group == "":
			p.problem("the routes of legacy_ledger have an empty label %s", text.Quote(label))
		case twice:
			p.problem("the routes of legacy_ledger name one label twice: %s and %s", text.Quote(earlier), text.Quote(label))
		default:
			table[group], spelt[group] = declared[label], label
		}
	}
	return table
}

// compare decides on each entry, in order, then on what is stored without one.
func (p *importPlan) compare(entries []ledger.Entry, items []Filed) {
	p.parsed = len(entries)
	stored := p.imported(items)
	seen := map[ledger.Key]ledger.Entry{}
	for _, e := range entries {
		if e.Doubtful() {
			p.doubtful = append(p.doubtful, e.Headline)
		}
		if !e.HasRoute() {
			p.problem("the entry %s does not say whom it is for: its header has no route", named(e))
			continue
		}
		own := e.Key(p.fold)
		key := own.Renewed(p.fold)
		if earlier, twice := seen[key]; twice {
			p.problem("two entries have one key (route, date, beginning of the headline): %s and %s",
				named(earlier), named(e))
			continue
		}
		seen[key] = e
		filed, known := stored[key]
		switch {
		case known:
			p.update(e, own, filed)
		case e.Closed:
			p.skipped++
		default:
			p.create(e, own)
		}
	}
	p.remainder(items, seen)
}

// imported returns the stored handoffs that were made from a ledger.
func (p *importPlan) imported(items []Filed) map[ledger.Key]Filed {
	stored := map[ledger.Key]Filed{}
	for _, filed := range items {
		if filed.Imported == nil {
			continue
		}
		key := p.keyOf(filed)
		if earlier, twice := stored[key]; twice {
			p.problem("%s and %s are stored for one entry of the ledger, %s", earlier.ID, filed.ID, text.Quote(key.Headline))
			continue
		}
		stored[key] = filed
	}
	return stored
}

func (p *importPlan) keyOf(f Filed) ledger.Key { return ledger.Key(*f.Imported).Renewed(p.fold) }

// update decides on an entry that is stored.
func (p *importPlan) update(e ledger.Entry, key ledger.Key, filed Filed) {
	status, isClosed := filed.Status(), false
	var fields []string
	if strings.TrimSpace(filed.Body) != strings.TrimSpace(e.Block) {
		fields = append(fields, "body")
	}
	if *filed.Imported != Imported(key) {
		fields = append(fields, "imported")
	}
	switch {
	case e.Closed && status != Closed:
		p.closes = append(p.closes, filed)
		isClosed = true
	case !e.Closed && status != Open:
		fields = append(fields, "status")
	}
	if len(fields) > 0 {
		p.drifts = append(p.drifts, drift{filed.ID, fields})
	} else if !isClosed {
		p.unchanged++
	}
}

// create plans the handoff of an entry. What no store would take is told before
// anything is written.
func (p *importPlan) create(e ledger.Entry, key ledger.Key) {
	imported := Imported(key)
	c := creation{headline: e.Headline, record: Handoff{
		ID:       key.ID(),
		From:     Sender{Name: e.Sender, Cwd: p.root},
		Created:  p.now,
		Body:     strings.TrimSpace(e.Block),
		Imported: &imported,
	}}
	to, err := p.address(e)
	if err != nil {
		c.lost = true
		p.problem("the entry %s %s", named(e), err)
	} else {
		c.record.To = to
		if err := p.complete(&c.record); err != nil {
			p.problem("the entry %s cannot become a handoff: %s", named(e), err)
		}
	}
	p.creates = append(p.creates, c)
}

// complete dates a record and checks that it can be stored.
func (p *importPlan) complete(h *Handoff) error {
	if h.Imported.Date != "" {
		created, err := parseTimestamp(h.Imported.Date + "T00:00:00Z")
		if err != nil {
			return fmt.Errorf("%s is no day", text.Quote(h.Imported.Date))
		}
		h.Created = created
	}
	data, err := h.Encode(h.ID + ".json")
	if err == nil && len(data) > recordLimit {
		err = errors.New("it is larger than 1 MiB: put the bulk into a file and name it")
	}
	return err
}

// address returns whom an entry is for: what is declared for all its recipients
// together, else what is declared for each, which must be the same.
func (p *importPlan) address(e ledger.Entry) (Address, error) {
	to, found := p.routes[p.fold.Group(e.Recipients)]
	if !found {
		for n, recipient := range e.Recipients {
			next, known := p.routes[p.fold.Label(recipient)]
			if !known {
				return Address{}, fmt.Errorf("has no route: add %s to the routes of legacy_ledger", text.Quote(recipient))
			}
			if n > 0 && !sameScope(to, next) {
				return Address{}, fmt.Errorf("is for recipients on different scopes: add %s to the routes of legacy_ledger",
					text.Quote(strings.Join(e.Recipients, " + ")))
			}
			to = next
		}
	}
	for _, scope := range append([]string{to.Repo}, to.Paths...) {
		if err := CheckScope(scope); err != nil {
			return Address{}, fmt.Errorf("has a route that cannot be one: %w", err)
		}
	}
	to.Paths = withAdded(nil, to.Paths)
	return to, nil
}

func sameScope(a, b Address) bool {
	return spelling(a.Repo) == spelling(b.Repo) &&
		slices.EqualFunc(a.Paths, b.Paths, func(p, q string) bool { return spelling(p) == spelling(q) })
}

// remainder decides on what is stored without an entry.
func (p *importPlan) remainder(items []Filed, seen map[ledger.Key]ledger.Entry) {
	for _, filed := range items {
		if filed.Imported == nil {
			continue
		}
		if _, known := seen[p.keyOf(filed)]; known {
			continue
		}
		if filed.Status() == Closed {
			p.orphans = append(p.orphans, filed)
		} else {
			p.stranded = append(p.stranded, filed)
		}
	}
}

// named is an entry as a problem names it.
func named(e ledger.Entry) string {
	if e.Headline == "" {
		return text.Quote(text.FirstLine(e.Block))
	}
	return text.Quote(e.Headline)
}
