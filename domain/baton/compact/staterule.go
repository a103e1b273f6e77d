package compact

import (
	"cmp"
	"slices"
)

// stateLosses notes what the rules take, by section and reason.
type stateLosses map[Section]map[Reason]*Loss

// note adds an item that went, or a part of one.
func (l stateLosses) note(s Section, reason Reason, count int, spans ...Span) {
	if l[s] == nil {
		l[s] = map[Reason]*Loss{}
	}
	loss := l[s][reason]
	if loss == nil {
		loss = &Loss{Reason: reason}
		l[s][reason] = loss
	}
	loss.Count += count
	for _, span := range spans {
		loss.Lines, loss.More = add(loss.Lines, loss.More, span)
	}
}

// of returns what a section lost, in the order of the reasons.
func (l stateLosses) of(s Section) []Loss {
	var lost []Loss
	for _, reason := range reasons {
		if loss := l[s][reason]; loss != nil {
			slices.SortFunc(loss.Lines, func(a, b Span) int { return cmp.Compare(a.From, b.From) })
			lost = append(lost, *loss)
		}
	}
	return lost
}

// tidy applies the rules that need no budget: of equal items the last stays,
// what is done is neither in progress nor remaining, and no section holds more
// than it may.
func (d StateDoc) tidy(losses stateLosses) {
	for _, s := range sections {
		if n := d.elided[s]; n > 0 {
			losses.note(s, Earlier, n)
		}
		d.dedupe(s, Duplicate, losses)
	}
	d.supersede(Done, InProgress, losses)
	d.supersede(Done, Remaining, losses)
	d.supersede(InProgress, Remaining, losses)
	for _, s := range sections {
		most, keepFirst := limits(s)
		for range len(d.items[s]) - most {
			d.remove(s, keepFirst, Capped, losses)
		}
	}
}

// dedupe removes each item that a later one of its section equals.
func (d StateDoc) dedupe(s Section, reason Reason, losses stateLosses) {
	items := d.items[s]
	last := make(map[string]int, len(items))
	keys := make([]string, len(items))
	for n, item := range items {
		keys[n] = item.key()
		last[keys[n]] = n
	}
	d.keep(s, reason, losses, func(n int, _ Item) bool { return last[keys[n]] == n })
}

// supersede removes from a section what has got further.
func (d StateDoc) supersede(further, s Section, losses stateLosses) {
	known := make(map[string]bool, len(d.items[further]))
	for _, item := range d.items[further] {
		known[item.firstKey()] = true
	}
	delete(known, "")
	d.keep(s, Superseded, losses, func(_ int, item Item) bool { return !known[item.firstKey()] })
}

// keep removes the items of a section that do not stay.
func (d StateDoc) keep(s Section, reason Reason, losses stateLosses, stays func(int, Item) bool) {
	var kept []Item
	for n, item := range d.items[s] {
		if stays(n, item) {
			kept = append(kept, item)
			continue
		}
		losses.note(s, reason, 1, item.spans...)
	}
	d.items[s] = kept
}

// remove takes one item off the end of a section, or off its beginning, and
// counts it.
func (d StateDoc) remove(s Section, atEnd bool, reason Reason, losses stateLosses) {
	items := d.items[s]
	gone, rest := items[0], items[1:]
	if atEnd {
		gone, rest = items[len(items)-1], items[:len(items)-1]
	}
	d.items[s] = rest
	d.elided[s] = min(d.elided[s]+1, mostElided)
	losses.note(s, reason, 1, gone.spans...)
}
