package relay

import (
	"errors"
	"fmt"
	"slices"

	"github.com/changeover/changeover/domain/session"
)

// Speaker is the session that a command speaks for.
type Speaker struct {
	Party
	// Person: the command may give consent; false in what a session's tools
	// started.
	Person bool
}

// Speak finds the session that a command speaks for: the one named, else the
// one that the environment names, else the only one of a directory.
func (o Operator) Speak(named, cwd string) (Speaker, error) {
	registry, err := o.registry()
	if err != nil {
		return Speaker{}, fmt.Errorf("the session registry could not be read: %w", err)
	}
	person := o.Env.Lookup("CLAUDE_CODE_CHILD_SESSION") == ""
	if named == "" {
		named = o.Env.Lookup("CLAUDE_CODE_SESSION_ID")
	}
	if named != "" {
		row, err := registry.Named(named)
		return Speaker{Party: partyOf(row), Person: person}, err
	}
	rows := registry.In(cwd)
	if len(rows) == 0 {
		return Speaker{}, fmt.Errorf("no live session works in %s: start claude there, or name one with --session <id>; relay sessions lists them", plain(cwd, reasonLength))
	}
	if len(rows) != 1 {
		return Speaker{Person: person}, &severalError{rows: rows, cwd: cwd}
	}
	return Speaker{Party: partyOf(rows[0]), Person: person}, nil
}

// severalError reports a directory in which more than one session works.
type severalError struct {
	rows []session.Row
	cwd  string
}

// Error implements error.
func (e *severalError) Error() string {
	return fmt.Sprintf("%d live sessions work in %s: name one with --session <name or id>; relay sessions lists them", len(e.rows), plain(e.cwd, reasonLength))
}

// Look finds the session whose link a command shows: the one that Speak finds; and
// where several work in a directory, the planner of the link that is the only one
// that they have.
func (o Operator) Look(named, cwd string) (Speaker, error) {
	self, err := o.Speak(named, cwd)
	var several *severalError
	if !errors.As(err, &several) {
		return self, err
	}
	link, found := "", false
	for _, row := range several.rows {
		m, memberErr := o.member(row.SessionID)
		if memberErr != nil || m.Link != "" && link != "" && m.Link != link {
			return self, err
		}
		if m.Link == "" {
			continue
		}
		link = m.Link
		if m.Role == Planner || !found {
			self.Party, found = partyOf(row), true
		}
	}
	if !found {
		return self, err
	}
	return self, nil
}

func partyOf(row session.Row) Party {
	return Party{Session: row.SessionID, Name: row.Name, Cwd: row.Cwd, PID: row.PID, Start: row.ProcStart}
}

// Live returns the sessions that can be paired: same directory first.
func (o Operator) Live(cwd string) ([]session.Row, error) {
	registry, err := o.registry()
	rows := registry.Peers(false)
	slices.SortStableFunc(rows, func(a, b session.Row) int {
		switch near := a.Cwd == cwd; {
		case near == (b.Cwd == cwd):
			return 0
		case near:
			return -1
		}
		return 1
	})
	return rows, err
}
