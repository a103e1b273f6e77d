package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/domain/exchange"
)

type claimOptions struct {
	request exchange.ClaimRequest
	focus   string
	session string
	drop    bool
}

func newClaimCmd(s *shared) *cobra.Command {
	o := &claimOptions{}
	cmd := &cobra.Command{
		Use:   "claim [FOCUS...]",
		Short: "Say what this session is doing",
		Long: "Say what this session is doing, for the others under this root to see. What is\n" +
			"not named stays as it was. --drop takes the claim away.",
		Example: "  exchange claim porting the parser\n" +
			"  exchange claim --focus \"port the parser\" --repo site --path lib/parse --ticket T-12\n" +
			"  exchange claim --set-path lib/print --clear-tickets\n" +
			"  exchange claim --drop",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd.Flags(), args); err != nil {
				return cobracli.Usage(err)
			}
			o.request.Cwd = s.cwd()
			if o.drop {
				return runDrop(s, o)
			}
			return runClaim(s, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.focus, "focus", "", "the `TEXT` that says what the session is doing")
	f.StringArrayVar(&o.request.Repos, "repo", nil, "add repo `R`, relative to the root (repeatable)")
	f.StringArrayVar(&o.request.Paths, "path", nil, "add path `P` in the claimed repos (repeatable)")
	f.StringArrayVar(&o.request.SetPaths, "set-path", nil, "replace the paths by `P` (repeatable)")
	f.StringArrayVar(&o.request.Tickets, "ticket", nil, "add ticket `T` (repeatable)")
	f.BoolVar(&o.request.ClearPaths, "clear-paths", false, "take all paths out, last of all")
	f.BoolVar(&o.request.ClearRepos, "clear-repos", false, "take all repos out, last of all")
	f.BoolVar(&o.request.ClearTickets, "clear-tickets", false, "take all tickets out, last of all")
	f.StringVar(&o.session, "session", "", "speak for the session with this `ID` (not its name) instead of the own one")
	f.BoolVar(&o.drop, "drop", false, "take the claim away")
	return cmd
}

// check reads the focus, and refuses what cannot go together.
func (o *claimOptions) check(flags *pflag.FlagSet, words []string) error {
	if flags.Changed("session") {
		o.request.Session = &o.session
	}
	if o.drop {
		var other string
		flags.Visit(func(f *pflag.Flag) {
			if f.Name != "drop" && f.Name != "session" && f.Name != "cwd" && f.Name != "verbose" {
				other = "--" + f.Name
			}
		})
		if len(words) > 0 {
			other = "a focus"
		}
		if other != "" {
			return errors.New("--drop goes with --session alone, not with " + other)
		}
		return nil
	}
	focused := flags.Changed("focus")
	if focused && len(words) > 0 {
		return errors.New("the focus is given twice: as words and with --focus")
	}
	if len(words) > 0 {
		o.focus, focused = strings.Join(words, " "), true
	}
	if focused {
		o.request.Focus = &o.focus
	}
	return nil
}

func runClaim(s *shared, o *claimOptions) error {
	r, err := exchange.Claimer{World: s.World}.Claim(o.request)
	if err != nil {
		return s.refuse(err)
	}
	return s.done(r.Lines(), r.Problem)
}

// done prints what was done, and what went wrong all the same.
func (s *shared) done(lines []string, problem string) error {
	if err := s.print(lines); err != nil || problem == "" {
		return err
	}
	return s.refuse(errors.New(problem))
}

func runDrop(s *shared, o *claimOptions) error {
	r, err := exchange.Claimer{World: s.World}.Drop(o.request.Cwd, o.request.Session)
	if err != nil {
		return s.refuse(err)
	}
	return s.done(r.Lines(), r.Problem)
}
