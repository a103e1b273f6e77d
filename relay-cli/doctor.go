package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/linkstore"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/session"
)

// shownProblems is how many wide modes are listed.
const shownProblems = 5

// newDoctorCmd tells how deliveries reach each live session.
func newDoctorCmd(s *shared) *cobra.Command {
	var asJSON, why bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check how deliveries reach each live session, and where state is kept",
		Long: "Check how deliveries reach each live session, and where state is kept. With --why\n" +
			"say what became of everything that could have come to a session or gone from it:\n" +
			"requests, the link and its pauses, the last turns, each delivery.",
		Example: "  relay doctor\n  relay doctor --json\n  relay doctor --why --session 071a81ba   # why did nothing come?",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if why {
				return s.why(asJSON)
			}
			rows, err := s.Operator.Live(cwd())
			if err != nil {
				return fmt.Errorf("the session registry could not be read: %w", err)
			}
			state := s.Store.Inspect()
			var checkups []relay.Checkup
			for _, row := range rows {
				c, err := s.Operator.Examine(row, state.Dir, s.surroundings(row))
				if err != nil {
					return err
				}
				checkups = append(checkups, c)
			}
			if asJSON {
				return s.json(examined(state, checkups))
			}
			return s.print(report(state, checkups))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	cmd.Flags().BoolVar(&why, "why", false, "say why nothing came to a session or went from it")
	return cmd
}

// ofInterest are the variables of a session that say where its state lies and what
// its client heeds.
var ofInterest = []string{
	"RELAY_STATE_DIR", "XDG_STATE_HOME", "HOME", "CLAUDE_CONFIG_DIR", "DISABLE_TELEMETRY",
	"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "CLAUDE_CODE_GB_DISK_CACHE_WHEN_TELEMETRY_OFF",
}

// surroundings looks at a session from outside: what its process was started
// with, and what its settings say.
func (s *shared) surroundings(row session.Row) relay.Surroundings {
	var around relay.Surroundings
	env := s.Env
	values, err := s.Table.Variables(row.PID, ofInterest...)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		around.StateFault = "the session's RELAY_STATE_DIR: this system does not show it"
	case err != nil:
		around.StateFault = "the session's RELAY_STATE_DIR: " + err.Error()
	default:
		env = port.Environment{Lookup: func(name string) string { return values[name] }, Home: values["HOME"]}
		if around.StateDir, err = linkstore.Dir(env); err != nil {
			around.StateFault = err.Error()
		}
	}
	if around.Switches, err = s.Settings.Switches(env, row.Cwd); err != nil {
		around.SettingsFault = err.Error()
	}
	return around
}

func report(state linkstore.Inspection, checkups []relay.Checkup) []string {
	lines := []string{"state  " + state.Dir + "  (nothing kept there yet)"}
	switch {
	case state.Dir == "":
		lines = []string{"state  not known"}
	case state.Exists:
		lines = []string{fmt.Sprintf("state  %s  (mode %04o)", state.Dir, state.Mode)}
	}
	for i, problem := range state.Problems {
		if i == shownProblems {
			lines = append(lines, fmt.Sprintf("  +%d more", len(state.Problems)-i))
			break
		}
		lines = append(lines, "  "+problem)
	}
	if len(state.Problems) > 0 && state.Dir != "" {
		lines = append(lines, "  mend it with: chmod -R go= "+state.Dir)
	}
	if len(checkups) == 0 {
		lines = append(lines, "no live session: start one with claude")
	}
	for _, c := range checkups {
		lines = append(lines, c.Lines()...)
	}
	return lines
}

func examined(state linkstore.Inspection, checkups []relay.Checkup) jsondoc.Object {
	mode := ""
	if state.Exists {
		mode = fmt.Sprintf("%04o", state.Mode)
	}
	sessions := []jsondoc.Object{}
	for _, c := range checkups {
		sessions = append(sessions, c.Document())
	}
	return jsondoc.Object{
		{Key: "state", Value: jsondoc.Object{
			{Key: "dir", Value: state.Dir},
			{Key: "mode", Value: mode},
			{Key: "problems", Value: append([]string{}, state.Problems...)},
		}},
		{Key: "sessions", Value: sessions},
	}
}
