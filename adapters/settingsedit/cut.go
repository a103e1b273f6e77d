package settingsedit

import "bytes"

// list cuts the items that go out of their list or object, a row of them at a
// time.
func (e *edit) list(items []item) {
	for i := 0; i < len(items); i++ {
		if !items[i].gone {
			continue
		}
		j := i
		for j+1 < len(items) && items[j+1].gone {
			j++
		}
		e.row(items, i, j)
		i = j
	}
}

// row cuts neighbours that go, from i to j, with as many commas: those behind
// them; or, where there is none behind the last one or commas begin lines here,
// those before them.
func (e *edit) row(items []item, i, j int) {
	leads := i > 0 && e.beginsLine(items[i-1].comma)
	shift := 0
	if i > 0 && (leads || items[j].comma < 0) {
		shift = -1
	}
	for k := i + shift; k <= j+shift; k++ {
		if at := items[k].comma; at >= 0 {
			e.cuts = append(e.cuts, span{at, at + 1})
		}
	}
	var whole []span
	for k := i; k <= j; k++ {
		own := e.own(items, k, leads)
		if n := len(whole); n > 0 && isBlank(e.text[whole[n-1].end:own.start]) {
			whole[n-1].end = own.end // nothing between them stays
			continue
		}
		whole = append(whole, own)
	}
	for _, own := range whole {
		e.cuts = append(e.cuts, e.widened(own, i == 0))
	}
}

// own returns an item with the comments that are its own, and with its comma
// where that stands on one line with it. leads says that commas begin lines.
func (e *edit) own(items []item, i int, leads bool) span {
	it := items[i]
	own := span{e.above(it, i == 0), it.end}
	if leads && isBlank(e.text[it.from:own.start]) {
		own.start = it.from - 1
	}
	if it.comma < 0 {
		own.end += restOfLine(e.text[it.end:it.to]) // up to the bracket
		return own
	}
	gap := e.text[it.end:it.comma]
	if leads || hasLineEnd(gap) {
		own.end += restOfLine(gap)
		if !leads && isBlank(e.text[own.end:it.comma]) {
			own.end = it.comma + 1
		}
		return own
	}
	own.end = it.comma + 1
	if behind := e.text[own.end:it.to]; hasLineEnd(behind) || i == len(items)-1 {
		own.end += restOfLine(behind)
	}
	return own
}

// above returns where an item begins with the comments before it.
func (e *edit) above(it item, first bool) int {
	pieces := split(e.text[it.from:it.start])
	reach := lineEndOf(pieces) // what stands before it is on another's line
	if first && reach < 0 {
		return it.start
	}
	begin, at, ends := it.start, it.start, 0
	for i := len(pieces) - 1; i > reach && ends < 2 && (ends == 0 || !first); i-- {
		at -= len(pieces[i].text)
		switch pieces[i].kind {
		case lineEnd:
			ends++
		case comment:
			begin, ends = at, 0
		}
	}
	return begin
}

// widened adds to a piece the space that nobody needs without it: whole lines
// where nothing else stands on them, else the blanks on one side of it. first
// says that nothing that stays is before it in its list.
func (e *edit) widened(own span, first bool) span {
	after := own.end
	for after < len(e.text) && isOneOf(e.text[after], " \t\r") {
		after++
	}
	begins, ends := e.beginsLine(own.start), after == len(e.text) || e.text[after] == '\n'
	switch {
	case begins && ends:
		return span{e.blanksBefore(own.start), min(after+1, len(e.text))}
	case begins:
		return span{own.start, after}
	case first:
		return span{own.start, e.next(own.end)}
	}
	return span{e.blanksBefore(own.start), own.end}
}

func (e *edit) blanksBefore(at int) int { return len(bytes.TrimRight(e.text[:at], " \t")) }

// beginsLine reports that nothing but blanks stands before a place on its line.
func (e *edit) beginsLine(at int) bool {
	before := e.blanksBefore(at)
	return before == 0 || e.text[before-1] == '\n'
}

// next returns where the following value or bracket stands; where a comment
// comes first, the end of the blanks.
func (e *edit) next(at int) int {
	blanks := at
	for blanks < len(e.text) && isOneOf(e.text[blanks], " \t") {
		blanks++
	}
	all := blanks
	for all < len(e.text) && isOneOf(e.text[all], " \t\r\n") {
		all++
	}
	if all < len(e.text) && e.text[all] == '/' {
		return blanks
	}
	return all
}
