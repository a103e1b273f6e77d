package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/text"
)

// linkFlags name a link in place of the session that has it.
type linkFlags struct {
	link string
	last bool
}

func (f *linkFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.link, "link", "", "mean the link with this `ID`, not a session's")
	cmd.Flags().BoolVar(&f.last, "last", false, "mean the last relay run of this directory")
	cmd.MarkFlagsMutuallyExclusive("link", "last")
}

// named reports that a link was named.
func (f *linkFlags) named() bool { return f.link != "" || f.last }

// orLast returns the link that was named, else the last run of this directory.
func (f *linkFlags) orLast(s *shared) (string, error) {
	if f.link != "" {
		return f.link, nil
	}
	return s.Operator.LastRun(cwd())
}

// status is where the link that was named stands, else the session's.
func (s *shared) status(f *linkFlags) (relay.Status, error) {
	if f.named() {
		link, err := f.orLast(s)
		if err != nil {
			return relay.Status{}, err
		}
		r, err := s.Operator.StatusOf(link)
		return r, s.ofLink(link, err)
	}
	self, err := s.Operator.Look(s.session, cwd())
	if err != nil {
		return relay.Status{}, err
	}
	r, err := s.Operator.Status(self.Session)
	return r, s.worded(err, self.Session)
}

// trail is that of the link that was named, else of the session's.
func (s *shared) trail(f *linkFlags) (relay.Trail, error) {
	if f.named() {
		link, err := f.orLast(s)
		if err != nil {
			return relay.Trail{}, err
		}
		r, err := s.Operator.TrailOf(link)
		return r, s.ofLink(link, err)
	}
	self, err := s.Operator.Look(s.session, cwd())
	if err != nil {
		return relay.Trail{}, err
	}
	r, err := s.Operator.Trail(self.Session)
	return r, s.worded(err, self.Session)
}

// ofLink words what is wrong with a link that was named, and says how one finds the
// name of another.
func (s *shared) ofLink(link string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("link %s: %w; relay status --json names the link of a session, relay status --last --json that of the last relay run here",
		text.Quote(link), s.worded(err, ""))
}

// worded puts an error into the words of a session's language.
func (s *shared) worded(err error, session string) error {
	if err == nil {
		return nil
	}
	return errors.New(text.Printable(s.Operator.Word(err, session)))
}
