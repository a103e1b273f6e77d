package main

import (
	"errors"
	"fmt"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/domain/text"
)

// why answers why nothing came to the session that the command speaks for, or went
// from it.
func (s *shared) why(asJSON bool) error {
	self, err := s.speaker()
	if err != nil {
		return s.nobody(err, asJSON)
	}
	rows, err := s.Operator.Live(cwd())
	if err != nil {
		return fmt.Errorf("the session registry could not be read: %w", err)
	}
	row := session.Row{SessionID: self.Session, Name: self.Name, Cwd: self.Cwd, PID: self.PID, ProcStart: self.Start}
	for _, live := range rows {
		if live.SessionID == self.Session {
			row = live
		}
	}
	around := s.surroundings(row)
	checkup, err := s.Operator.Examine(row, s.Store.Inspect().Dir, around)
	if err != nil {
		return err
	}
	return s.answer(s.Operator.Why(row, &checkup, around.Switches), asJSON)
}

// nobody answers where no live session is meant: about one that has ended, where
// relay knows it, else with those that can be asked about.
func (s *shared) nobody(cause error, asJSON bool) error {
	var unclear *session.AmbiguousError
	if errors.As(cause, &unclear) && len(unclear.Candidates) == 0 && relay.IsID(s.session) {
		heard, err := s.Operator.Heard(s.session)
		if err != nil {
			return err
		}
		if heard {
			return s.answer(s.Operator.Why(session.Row{SessionID: s.session}, nil, relay.Switches{}), asJSON)
		}
	}
	rows, err := s.Operator.Live(cwd())
	if err != nil {
		return fmt.Errorf("the session registry could not be read: %w", err)
	}
	if asJSON {
		live := []jsondoc.Object{}
		for _, row := range rows {
			live = append(live, jsondoc.Object{
				{Key: "session", Value: row.SessionID}, {Key: "name", Value: row.Name}, {Key: "cwd", Value: row.Cwd},
			})
		}
		doc := jsondoc.Object{{Key: "session", Value: nil}, {Key: "live", Value: live}, {Key: "problems", Value: []string{cause.Error()}}}
		return ended(s.json(doc), true)
	}
	lines := []string{"problem   " + text.Printable(cause.Error())}
	for _, row := range rows {
		lines = append(lines, fmt.Sprintf("%-10s%s  relay doctor --why --session %s", "live", row.Label(), row.SessionID))
	}
	next := "relay sessions"
	if len(rows) > 0 {
		next = "relay doctor --why --session " + rows[0].SessionID
	}
	return ended(s.print(append(lines, fmt.Sprintf("%-10s%s", "next", next))), true)
}

func (s *shared) answer(r relay.WhyReport, asJSON bool) error {
	if asJSON {
		return ended(s.json(r.Document()), r.Faulty())
	}
	return ended(s.print(r.Lines()), r.Faulty())
}

// ended is the exit code of a command that has printed what it had to say.
func ended(err error, faulty bool) error {
	if err == nil && faulty {
		return errSaid
	}
	return err
}
