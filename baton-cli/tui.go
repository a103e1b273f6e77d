package main

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/changeover/changeover/adapters/board"
	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/domain/baton"
)

// tuiOptions are what the dashboard was asked for.
type tuiOptions struct {
	place    baton.Place
	interval time.Duration
	once     bool
}

// newTUICmd shows the session and follows it.
func newTUICmd(d deps) *cobra.Command {
	o := tuiOptions{interval: board.UsualInterval}
	cmd := &cobra.Command{
		Use:   "tui",
		Short: "Show the session and follow it",
		Long: "Show the session and follow it: how it stands, the plan, the compression, what changed,\n" +
			"the budgets, the last handoff and the ends of the log. It reads, locks nothing and starts\n" +
			"no agent; the key h alone writes. ? lists the keys. Where input or output is no terminal,\n" +
			"one frame is printed as plain text.",
		Example: "  baton tui\n  baton tui --project parser --interval 10s\n  baton tui --once | less",
		Args:    noArgument("path"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := board.CheckInterval(o.interval); err != nil {
				return cobracli.Usage(err)
			}
			return exit(cmd.Context(), d.tui(cmd.Context(), o))
		},
	}
	d.bindPlace(cmd, &o.place)
	cmd.Flags().Var((*lasting)(&o.interval), "interval", "look again after this `TIME`")
	cmd.Flags().BoolVar(&o.once, "once", false, "print one frame as plain text, and end")
	return cmd
}

// tui shows the dashboard until it is quit, or once.
func (d deps) tui(ctx context.Context, o tuiOptions) error {
	dashboard := baton.NewDashboard(d.World)
	if _, err := dashboard.Open(ctx, o.place); err != nil {
		return err
	}
	source := newSessionBoard(dashboard, o.place, d.World.Zones.Local, d.World.Cut)
	options := board.Options{Interval: o.interval, Wake: source.agents.told, Environ: d.World.Environ, Now: d.World.Clock.Now}
	out := behind(d.Streams.Out)
	if o.once || !board.Terminal(out) || !board.Terminal(d.Streams.In) {
		options.Width = columns(out)
		source.agents.look(ctx, o.place)
		source.agents.running.Wait()
		return board.Once(ctx, d.Streams.Out, source, options)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer source.agents.running.Wait()
	defer cancel(nil)
	err := board.Run(ctx, d.Streams.In, out, source, options)
	return errors.Join(err, ctx.Err())
}

// behind is the file that a stream writes to, or the stream.
func behind(w io.Writer) io.Writer {
	if q, ok := w.(*quiet); ok {
		return q.w
	}
	return w
}

// columns is the width of a terminal, 0 where it is none.
func columns(w io.Writer) int {
	file, ok := w.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0
	}
	return width
}
