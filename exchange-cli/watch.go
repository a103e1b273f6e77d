package main

import (
	"context"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/board"
	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/domain/exchange"
)

// watchFlags are those of watch.
type watchFlags struct {
	once     bool
	asJSON   bool
	interval time.Duration
}

func newWatchCmd(s *shared) *cobra.Command {
	f := watchFlags{interval: board.UsualInterval}
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "Show sessions, claims, overlaps and handoffs, and follow them",
		Long: "Show who is here, what they claim, where they meet and which handoffs wait, of this root and of\n" +
			"every root in which a session works, and follow it. ? lists the keys, q quits. Two sessions can\n" +
			"be paired from here, and the log of a link read: relay does that, by the commands that are shown.\n" +
			"It starts no agent. Where the output is no terminal, it is printed once as plain text.",
		Example: "  exchange watch\n  exchange watch --once\n  exchange watch --json\n  exchange watch --interval 10s",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := board.CheckInterval(f.interval); err != nil {
				return cobracli.Usage(err)
			}
			return s.watch(cmd.Context(), f)
		},
	}
	cmd.Flags().BoolVar(&f.once, "once", false, "print it once as plain text, and end")
	cmd.Flags().DurationVar(&f.interval, "interval", board.UsualInterval, "look again after this `TIME`")
	jsonFlag(cmd, &f.asJSON)
	cmd.MarkFlagsMutuallyExclusive("once", "json")
	return cmd
}

// watcher looks at processes anew each time.
func (s *shared) watcher() exchange.Watcher {
	world := s.World
	world.Processes, world.Machine = s.Table, s.Table
	return exchange.Watcher{World: world}
}

// watch shows the dashboard, once where there is no terminal for it.
func (s *shared) watch(ctx context.Context, f watchFlags) error {
	if f.asJSON {
		r := s.sight(s.watcher())().report
		return s.json(r.Document(), len(r.Problems()) > 0)
	}
	rootBoard := newRootBoard(s.sight(s.watcher()), s.World.Clock.Now, installedRelay(s.World.Env.Executable))
	if f.once || !board.Terminal(s.Streams.Out) || !board.Terminal(s.Streams.In) {
		if err := board.Once(ctx, s.Streams.Out, rootBoard, board.Options{}); err != nil {
			return s.refuse(err)
		}
		return ended(nil, len(rootBoard.sight.report.Problems()) > 0)
	}
	return board.Run(ctx, s.Streams.In, s.Streams.Out, rootBoard,
		board.Options{Interval: f.interval, Environ: os.Environ(), Now: s.World.Clock.Now})
}

// rootSight is what was seen at one moment.
type rootSight struct {
	report exchange.WatchReport
	// links are the links of the sessions, by the sessions' ids.
	links map[string]string
}

// sight returns what looks at everything.
func (s *shared) sight(watcher exchange.Watcher) func() rootSight {
	return func() rootSight {
		sight := rootSight{report: watcher.Look(s.cwd()), links: map[string]string{}}
		for i, seen := range sight.report.Sessions {
			if !isArgument(seen.SessionID) {
				continue
			}
			m, err := s.Relay.Known(seen.SessionID)
			if err != nil {
				sight.report.Unread = append(sight.report.Unread, "what relay knows of "+seen.Label()+": "+err.Error())
				continue
			}
			if m.Link != "" {
				sight.links[seen.SessionID], sight.report.Sessions[i].Role = m.Link, string(m.Role)
			}
		}
		return sight
	}
}
