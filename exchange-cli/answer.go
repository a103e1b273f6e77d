package main

import (
	"errors"
	"strings"

	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/text"
)

// errSaid ends a command that has printed what is wrong: exit code 1.
var errSaid = &cobracli.StatusError{Code: cobracli.Failed}

// document is a report that a script can read.
type document interface {
	Lines() []string
	Document() jsondoc.Object
}

// print writes lines to the results.
func (s *shared) print(lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	_, err := s.Streams.Out.Write([]byte(strings.Join(lines, "\n") + "\n"))
	return err
}

// report prints a result and ends with the exit code that it asks for.
func (s *shared) report(lines []string, faulty bool) error {
	if err := s.print(lines); err != nil {
		return err
	}
	if faulty {
		return errSaid
	}
	return nil
}

// read prints a report as a person or as a script wants it.
func (s *shared) read(r document, faulty, asJSON bool) error {
	if !asJSON {
		return s.report(r.Lines(), faulty)
	}
	return s.json(r.Document(), faulty)
}

func (s *shared) json(doc jsondoc.Object, faulty bool) error {
	if _, err := s.Streams.Out.Write(jsondoc.Shown(doc)); err != nil {
		return err
	}
	if faulty {
		return errSaid
	}
	return nil
}

// refuse prints why a command did nothing.
func (s *shared) refuse(err error) error {
	s.Log.Debug().Err(err).Msg("refused")
	return s.report([]string{"problem: " + text.Printable(err.Error())}, true)
}

// cannotRead answers a reading command that got no report.
func (s *shared) cannotRead(err error, asJSON bool) error {
	if !asJSON {
		return s.refuse(err)
	}
	doc := jsondoc.Object{}
	var none *exchange.NoRootError
	if errors.As(err, &none) {
		doc.Add("root", nil)
	}
	doc.Add("problems", []string{err.Error()})
	return s.json(doc, true)
}
