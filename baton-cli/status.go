package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/stamp"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/text"
)

// newStatusCmd tells how the session stands.
func newStatusCmd(d deps) *cobra.Command {
	var place baton.Place
	var json bool
	cmd := &cobra.Command{
		Use:     "status",
		Short:   "Tell how the session stands",
		Long:    "Tell how the session stands. Nothing is locked or written, so it can be asked while\nwork goes on.",
		Example: "  baton status\n  baton status --json | jq .plan.state",
		Args:    noArgument("path"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := d.World.Status(cmd.Context(), place)
			if err != nil {
				return exit(cmd.Context(), err)
			}
			d.notices(append(report.Notices, report.Warnings...))
			if json {
				return d.json(report.Document())
			}
			if !report.There {
				fmt.Fprintln(d.Streams.Out, "There is no session here; 'baton init' makes one.")
				return nil
			}
			for _, row := range statusRows(report, d.World.Zones.Local) {
				value := text.Printable(strings.Join(strings.Fields(row.value), " "))
				if value == "" {
					value = "(none)"
				}
				fmt.Fprintf(d.Streams.Out, "%s: %s\n", row.key, value)
			}
			return nil
		},
	}
	d.bindPlace(cmd, &place)
	cmd.Flags().BoolVar(&json, "json", false, "print one JSON document")
	return cmd
}

// row is one line of the status.
type row struct{ key, value string }

// statusRows are the lines of the status.
func statusRows(r baton.Report, zone *time.Location) []row {
	m := r.Meta
	status := string(m.Status())
	if r.Stale {
		status += " (stale)"
	}
	at := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return stamp.Text(t)
	}
	duration := ""
	if !m.EndedAt.IsZero() {
		duration = strconv.FormatInt(m.Duration.Milliseconds(), 10)
	}
	rows := []row{
		{"task", m.Task},
		{"status", status},
		{"workflowMode", string(m.Mode())},
		{"activeAgent", agentName(m.ActiveAgent)},
		{"lastAgent", agentName(m.LastAgent)},
		{"primaryAgent", m.PrimaryAgent},
		{"fallbackAgent", m.FallbackAgent},
		{"fallbackReason", wall.Worded(m.FallbackReason)},
		{"tokenDietProfile", m.TokenDietProfile},
		{"plan", planLine(r)},
		{"planAuthor", m.PlanAuthor.Text},
		{"executor", m.Executor.Text},
		{"executeStartedAt", at(m.ExecuteStartedAt)},
		{"compression", compressionLine(r)},
	}
	rows = append(rows, limitRows(r, zone)...)
	waiting := ""
	if m.Waiting.Agent != "" {
		waiting = fmt.Sprintf("for %s until %s", m.Waiting.Agent, wall.WhenLeft(m.Waiting.Until, r.Now, zone))
	}
	git := "not available"
	if r.TreeFault == nil {
		git = r.Tree.Branch
		if git == "" {
			git = "detached"
		}
		git += fmt.Sprintf(", %d changed", len(r.Tree.Changes))
	}
	return append(rows,
		row{"waiting", waiting},
		row{"handoffCount", strconv.Itoa(m.HandoffCount)},
		row{"startedAt", at(m.StartedAt)},
		row{"endedAt", at(m.EndedAt)},
		row{"durationMs", duration},
		row{"changedFiles", text.List(r.Changed(), 10)},
		row{"git", git},
		row{"handoff.md", presence(r.HandoffExists)},
		row{"context-budget.json", presence(r.BudgetExists)},
		row{"lastError", m.LastError},
	)
}

// agentName is an agent, empty for none.
func agentName(id string) string {
	if id == baton.NoAgent {
		return ""
	}
	return id
}

func presence(there bool) string {
	if there {
		return "exists"
	}
	return "missing"
}

func planLine(r baton.Report) string {
	finalized := !r.Meta.PlanFinalizedAt.IsZero()
	switch state := r.Plan.Name(finalized); state {
	case "draft":
		return fmt.Sprintf("draft, %s; 'baton plan --check' lists them", baton.Counted(len(r.Plan.Report.Failures), "failure"))
	case "finalized":
		return "ready, finalized at " + stamp.Text(r.Meta.PlanFinalizedAt)
	default:
		return state
	}
}

func compressionLine(r baton.Report) string {
	if r.Meta.Status() == baton.Compressing && !r.Stale {
		return "compressing now"
	}
	line := fmt.Sprintf("ratio %.2f, threshold %g", r.Weight.Ratio(), r.Config.Compression.Threshold)
	if last := r.Meta.LastCompression; last != nil {
		line += fmt.Sprintf(", last %s: %d -> %d chars (%s)", stamp.Text(last.At), last.Before, last.After, last.Trigger)
	}
	return line
}

// limitRows is one line for each limit that is noted.
func limitRows(r baton.Report, zone *time.Location) []row {
	var rows []row
	for _, id := range r.Meta.Limits.Agents() {
		n := r.Meta.Limits[id]
		kind := string(n.Class)
		if n.Kind != wall.NoKind && n.Kind != wall.Unknown {
			kind += " (" + string(n.Kind) + ")"
		}
		switch {
		case n.ResetAt.IsZero():
			kind += ", no reset time given"
		case n.Passed(r.Now):
			kind += ", passed"
		default:
			kind += ", resets " + wall.WhenLeft(n.ResetAt, r.Now, zone)
		}
		rows = append(rows, row{"limits", strings.Join([]string{id, kind}, ": ")})
	}
	if rows == nil {
		rows = []row{{"limits", ""}}
	}
	return rows
}
