package session

import "slices"

// nearest returns the innermost session of a kind that this process runs in. The
// process table tells, and the environment where it does not: of a session whose
// process cannot be seen from here, since it is not known or lies outside of a
// sandbox.
func (r Registry) nearest(wanted func(Row) bool) (Row, bool) {
	above, found := r.above(wanted)
	unseen, named := r.unseen(wanted)
	// Of one that runs inside the other, the inner one began later.
	if named && (!found || !above.StartedAt.IsZero() && above.StartedAt.Before(unseen.StartedAt)) {
		return unseen, true
	}
	return above, found
}

// above returns the nearest ancestor's row. A process may have several sessions:
// then the environment tells which of them this one serves.
func (r Registry) above(wanted func(Row) bool) (Row, bool) {
	for _, pid := range r.walk {
		var first Row
		found := false
		for _, row := range r.rows {
			if row.PID != pid || row.State != Live || !wanted(row.Row) {
				continue
			}
			if !found || r.depth(row.SessionID) < r.depth(first.SessionID) {
				first, found = row.Row, true
			}
		}
		if found {
			return first, true
		}
	}
	return Row{}, false
}

// depth is the place of an id among those that the environment names.
func (r Registry) depth(id string) int {
	if i := slices.Index(r.inside, id); i >= 0 {
		return i
	}
	return len(r.inside)
}

// unseen returns the live session without a known process that the environment
// names.
func (r Registry) unseen(wanted func(Row) bool) (Row, bool) {
	for _, id := range r.inside {
		for _, i := range r.byID[id] {
			if row := r.rows[i]; row.Held && row.PID == 0 && wanted(row.Row) {
				return row.Row, true
			}
		}
	}
	return Row{}, false
}
