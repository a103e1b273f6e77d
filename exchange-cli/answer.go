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

// print writes lines to the results, each cut to what a line may hold.
func (s *shared) print(lines []string) error {
	cut := make([]string, len(lines))
	for i, line := range lines {
		cut[i] = s.World.Cutter.Line(line)
	}
	return s.write(cut)
}

// write writes lines as they are.
func (s *shared) write(lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	_, err := s.Streams.Out.Write([]byte(strings.Join(lines, "\n") + "\n"))
	return err
}

// report prints a result and ends with the exit code that it asks for.
func (s *shared) report(lines []string, faulty bool) error { return ended(s.print(lines), faulty) }

// ended is the exit code of a command that has printed what it had to say.
func ended(err error, faulty bool) error {
	if err == nil && faulty {
		return errSaid
	}
	return err
}

// read prints a report as a person or as a script wants it. It has cut its own
// lines: a body is shown whole.
func (s *shared) read(r document, faulty, asJSON bool) error {
	if !asJSON {
		return ended(s.write(r.Lines()), faulty)
	}
	return s.json(r.Document(), faulty)
}

func (s *shared) json(doc jsondoc.Object, faulty bool) error {
	_, err := s.Streams.Out.Write(jsondoc.Shown(doc))
	return ended(err, faulty)
}

// refuse prints why a command did nothing.
func (s *shared) refuse(err error) error {
	s.Log.Debug().Err(err).Msg("refused")
	return s.report(s.hinted([]string{"problem: " + text.Printable(err.Error())}), true)
}

// hinted are the lines of a refusal. Where none of them names a command to type, the
// last one names the help of the command that was refused.
func (s *shared) hinted(lines []string) []string {
	for _, line := range lines {
		if strings.Contains(line, "exchange ") {
			return lines
		}
	}
	return append(lines, "  "+s.command+" --help shows how")
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
