package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/domain/relay"
)

// termFlags are the flags of what a side brings into a link.
type termFlags struct {
	maxRounds int
	lang      string
}

func (f *termFlags) add(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.maxRounds, "max-rounds", 0, "stop for a word of yours after `N` rounds (default 10)")
	cmd.Flags().StringVar(&f.lang, "lang", "", "speak `LANG`: en or es")
	if err := cmd.RegisterFlagCompletionFunc("lang",
		cobra.FixedCompletions([]cobra.Completion{"en", "es"}, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag is defined just above
	}
}

// terms are the person's defaults with what was typed over them.
func (f *termFlags) terms(s *shared, cmd *cobra.Command) (relay.Terms, error) {
	t, err := s.Operator.Defaults.Terms()
	if err != nil {
		return t, err
	}
	if cmd.Flags().Changed("max-rounds") {
		if t, err = t.With("--max-rounds", strconv.Itoa(f.maxRounds)); err != nil {
			return t, cobracli.Usage(err)
		}
	}
	if cmd.Flags().Changed("lang") {
		if t, err = t.With("--lang", f.lang); err != nil {
			return t, cobracli.Usage(err)
		}
	}
	return t, nil
}

func newPairCmd(s *shared, role relay.Role) *cobra.Command {
	var f termFlags
	cmd := &cobra.Command{
		Use:   string(role) + " SESSION",
		Short: fmt.Sprintf("Be the %s of a pair with another session", role),
		Long: fmt.Sprintf("Ask a live session for a link in which this one is the %s, or accept its request\n"+
			"for that. SESSION is an id, the beginning of one, or a name; relay sessions lists them.", role),
		Example: fmt.Sprintf("  relay %s 071a81ba\n  relay %s b-3f --max-rounds 5 --lang es", role, role),
		Args:    oneSession,
		RunE: func(cmd *cobra.Command, args []string) error {
			terms, err := f.terms(s, cmd)
			if err != nil {
				return err
			}
			self, err := s.speaker()
			if err != nil {
				return err
			}
			r, err := s.Operator.Pair(self, role, args[0], terms)
			return s.say(self, r, err)
		},
		ValidArgsFunction: s.completeSessions,
	}
	f.add(cmd)
	return cmd
}

func oneSession(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return errors.New("which session? relay sessions lists them")
	}
	return nil
}

func newAcceptCmd(s *shared) *cobra.Command {
	var f termFlags
	cmd := &cobra.Command{
		Use:     "accept [SESSION]",
		Short:   "Accept the request of another session",
		Example: "  relay accept\n  relay accept 28410c0e",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			terms, err := f.terms(s, cmd)
			if err != nil {
				return err
			}
			self, err := s.speaker()
			if err != nil {
				return err
			}
			r, err := s.Operator.Accept(self, strings.Join(args, ""), terms)
			return s.say(self, r, err)
		},
		ValidArgsFunction: s.completeSessions,
	}
	f.add(cmd)
	return cmd
}

// newVerbCmd is a command without anything but the session that it speaks for.
func newVerbCmd(s *shared, use, short, example string, verb func(relay.Speaker) (relay.Outcome, error)) *cobra.Command {
	return newVerbOfCmd(s, use, short, example, s.speaker, verb)
}

// newVerbOfCmd is one that speaks for whoever speaker names.
func newVerbOfCmd(
	s *shared, use, short, example string, speaker func() (relay.Speaker, error), verb func(relay.Speaker) (relay.Outcome, error),
) *cobra.Command {
	return &cobra.Command{
		Use:     use,
		Short:   short,
		Example: "  " + example,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			self, err := speaker()
			if err != nil {
				return err
			}
			r, err := verb(self)
			return s.say(self, r, err)
		},
	}
}

// newLinkVerbCmd is such a command that also takes a link by its id.
func newLinkVerbCmd(s *shared, use, short, example string, verb func(relay.Speaker) (relay.Outcome, error)) *cobra.Command {
	var named linkFlags
	cmd := newVerbOfCmd(s, use, short, example, func() (relay.Speaker, error) {
		if !named.named() {
			return s.speaker()
		}
		status, err := s.status(&named)
		if err != nil {
			return relay.Speaker{}, err
		}
		return relay.Speaker{Party: status.State.Party(status.Role)}, nil
	}, verb)
	named.add(cmd)
	return cmd
}

func newDeclineCmd(s *shared) *cobra.Command {
	return newVerbCmd(s, "decline", "Refuse the request of another session", "relay decline",
		func(self relay.Speaker) (relay.Outcome, error) { return s.Operator.Decline(self, "") })
}

func newResumeCmd(s *shared) *cobra.Command {
	return newVerbCmd(s, "resume", "Go on after a pause, and send what was held", "relay resume", s.Operator.Resume)
}

func newPauseCmd(s *shared) *cobra.Command {
	return newLinkVerbCmd(s, "pause", "Hold what comes next; a running turn is not cut", "relay pause", s.Operator.Pause)
}

func newUnlinkCmd(s *shared) *cobra.Command {
	return newLinkVerbCmd(s, "unlink", "End the link", "relay unlink", s.Operator.Unlink)
}

func newGoalCmd(s *shared) *cobra.Command {
	var restart bool
	cmd := &cobra.Command{
		Use:     "goal TEXT...",
		Short:   "Start the work: give the planner its goal",
		Example: "  relay goal make the parser stream\n  relay goal --restart make it stream and keep the API",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("what is the goal? relay goal TEXT")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			self, err := s.speaker()
			if err != nil {
				return err
			}
			r, err := s.Operator.Goal(self, strings.Join(args, " "), restart)
			return s.say(self, r, err)
		},
	}
	cmd.Flags().BoolVar(&restart, "restart", false, "start again at round 1, whatever is under way")
	return cmd
}
