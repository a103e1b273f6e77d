package session

import (
	"fmt"
	"strings"
)

// shortestPrefix is how much of a session id names it.
const shortestPrefix = 4

// AmbiguousError reports a name that fits several sessions, or none.
type AmbiguousError struct {
	Name string
	// Candidates are the sessions that it fits; empty where it fits none.
	Candidates []Row
}

// Error lists the candidates.
func (e *AmbiguousError) Error() string {
	if len(e.Candidates) == 0 {
		return fmt.Sprintf("no live session is called %q, and no id begins so: relay sessions lists them", e.Name)
	}
	var fits []string
	for _, row := range e.Candidates {
		fits = append(fits, fmt.Sprintf("%s (%s)", row.SessionID, row.Label()))
	}
	return fmt.Sprintf("%q fits several sessions: %s", e.Name, strings.Join(fits, ", "))
}

// Named returns the one live peer that a name means: its id, a prefix of it of at
// least four hex digits, or its registry name. *AmbiguousError otherwise.
func (r Registry) Named(name string) (Row, error) {
	var fits []Row
	for _, row := range r.Peers(false) {
		if row.SessionID == name {
			return row, nil
		}
		if name != "" && row.Name == name || isPrefix(name, row.SessionID) {
			fits = append(fits, row)
		}
	}
	if len(fits) == 1 {
		return fits[0], nil
	}
	return Row{}, &AmbiguousError{Name: name, Candidates: fits}
}

// In returns the live peers whose directory is the given one.
func (r Registry) In(cwd string) []Row {
	var rows []Row
	for _, row := range r.Peers(false) {
		if row.Cwd == cwd {
			rows = append(rows, row)
		}
	}
	return rows
}

func isPrefix(prefix, id string) bool {
	if len(prefix) < shortestPrefix || !strings.HasPrefix(id, strings.ToLower(prefix)) {
		return false
	}
	return strings.Trim(strings.ToLower(prefix), "0123456789abcdef-") == ""
}
