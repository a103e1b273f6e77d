package relay

import (
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
		return Speaker{}, fmt.Errorf("%d live sessions work in %s: name one with --session <id>; relay sessions lists them", len(rows), plain(cwd, reasonLength))
	}
	return Speaker{Party: partyOf(rows[0]), Person: person}, nil
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
