package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/text"
)

// newExplainCmd tells why the last run did or did not hand over.
func newExplainCmd(d deps) *cobra.Command {
	var place baton.Place
	var n int
	var all, json bool
	cmd := &cobra.Command{
		Use:   "explain",
		Short: "Tell why the last agent run did or did not hand over",
		Long: "Tell what the decision after an agent run rests on: the class of its end, the rule,\n" +
			"the event or line that proves it and where that stands, and what was seen and not\n" +
			"believed.",
		Example: "  baton explain\n  baton explain --run 2\n  baton explain --all --json",
		Args:    noArgument("run"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("run") && n == 0 {
				n = -1 // there is no such run; without the flag it is the newest
			}
			runs, err := d.World.Explain(cmd.Context(), place, n, all)
			if err != nil {
				return exit(cmd.Context(), err)
			}
			if json {
				return d.json(explainDocument(runs, all))
			}
			for i, run := range runs {
				if i > 0 {
					fmt.Fprintln(d.Streams.Out)
				}
				for _, line := range explainLines(run, d.World.Zones.Local, d.World.Cut) {
					fmt.Fprintln(d.Streams.Out, text.Printable(line))
				}
			}
			return nil
		},
	}
	d.bindPlace(cmd, &place)
	cmd.Flags().IntVar(&n, "run", 0, "explain the run with this `NUMBER`")
	cmd.Flags().BoolVar(&all, "all", false, "explain every run, the oldest first")
	cmd.Flags().BoolVar(&json, "json", false, "print the record as JSON; with --all a list")
	cmd.MarkFlagsMutuallyExclusive("run", "all")
	return cmd
}

func explainDocument(runs []baton.Explained, all bool) any {
	list := []jsondoc.Object{}
	for _, run := range runs {
		list = append(list, run.Document())
	}
	if all {
		return list
	}
	return list[0]
}

// longQuoted is how many characters of an event, and of what it says, are shown.
const longQuoted = 300

// explainLines words a run: what was decided comes first, and then what that rests
// on.
func explainLines(e baton.Explained, zone *time.Location, cut text.Cutter) []string {
	took := e.EndedAt.Sub(e.StartedAt).Round(time.Millisecond)
	lines := []string{fmt.Sprintf("run %d: %s as %s, exit code %d after %s", e.N, e.Agent, e.Role, e.ExitCode, took)}
	decision := "decision: " + string(e.Decision)
	if e.Next != "" {
		decision += ", next " + e.Next
	}
	lines = append(lines, decision, "why: "+e.Why)
	class := "class: " + wall.Label(e.Class, e.Limit)
	if !e.Limit.ResetAt.IsZero() {
		class += ", resets " + e.Limit.ResetAt.In(zone).Format("2006-01-02 15:04:05 MST")
		if !e.Limit.Exact {
			class += " (read from the text)"
		}
	}
	lines = append(lines, class, "rule: "+e.Rule)
	lines = append(lines, evidenceLines(e, cut)...)
	if e.Ignored.Count > 0 {
		lines = append(lines, fmt.Sprintf("seen and not believed: %s, the first: %s", baton.Counted(e.Ignored.Count, "line"), e.Ignored.FirstLine))
	}
	if denied := wall.DeniedNotice(e.Agent, e.Denied); denied != "" {
		lines = append(lines, "denied: "+denied)
	}
	for _, f := range e.Forced {
		lines = append(lines, fmt.Sprintf("gate overridden: %s: %s", f.Gate, f.Detail))
	}
	return lines
}

// evidenceLines tell what the class rests on and where that stands now.
func evidenceLines(e baton.Explained, cut text.Cutter) []string {
	if e.Evidence == (wall.Evidence{}) {
		return []string{"evidence: none"}
	}
	lines := []string{fmt.Sprintf("evidence (%s): %s", e.Evidence.Source, cut.Clip(firstLine(e.Evidence.Text), longQuoted))}
	switch {
	case e.Evidence.Line == 0:
	case e.Now == nil:
		lines = append(lines, fmt.Sprintf("  was at %s:%d, no longer in the log", e.Evidence.File, e.Evidence.Line))
	default:
		lines = append(lines, fmt.Sprintf("  at %s:%d", e.Now.File, e.Now.Line))
	}
	if e.Evidence.Event != "" {
		event := cut.Clip(firstLine(e.Evidence.Event), longQuoted)
		if event != e.Evidence.Event {
			event += " (whole with --json)"
		}
		lines = append(lines, "  event: "+event)
	}
	return lines
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
