package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/board"
	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/text"
)

// watchFlags are those of watch.
type watchFlags struct {
	linkFlags
	asJSON   bool
	plain    bool
	once     bool
	interval time.Duration
}

// newWatchCmd follows a link.
func newWatchCmd(s *shared) *cobra.Command {
	f := watchFlags{interval: board.UsualInterval}
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "Follow a link live: a dashboard, or one line per change",
		Long: "Show where a link stands, and follow it. On a terminal that is a dashboard: each round's texts,\n" +
			"receipts and times, what waits, what happened last; ? lists its keys, q quits. Elsewhere, and\n" +
			"with --plain or --json, it is one line for each thing that happens, until Ctrl-C.\n" +
			"It starts no agent and changes nothing of the link.",
		Example: "  relay watch\n  relay watch --last\n  relay watch --once\n  relay watch --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := board.CheckInterval(f.interval); err != nil {
				return cobracli.Usage(err)
			}
			return s.watch(cmd.Context(), &f)
		},
	}
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print each change as one JSON document")
	cmd.Flags().BoolVar(&f.plain, "plain", false, "print each change as one line, on a terminal too")
	cmd.Flags().BoolVar(&f.once, "once", false, "print the dashboard once, as plain text, and end")
	cmd.Flags().DurationVar(&f.interval, "interval", board.UsualInterval, "look again after this `TIME`, though nothing seems to happen")
	cmd.MarkFlagsMutuallyExclusive("json", "plain", "once")
	f.add(cmd)
	return cmd
}

// watch shows the dashboard where there is a terminal to show it on.
func (s *shared) watch(ctx context.Context, f *watchFlags) error {
	status, err := s.status(&f.linkFlags)
	if err != nil {
		return err
	}
	switch {
	case f.once:
		return board.Once(ctx, s.Streams.Out, newLinkBoard(s.sight(&f.linkFlags)), board.Options{})
	case !f.asJSON && !f.plain && board.Terminal(s.Streams.Out) && board.Terminal(s.Streams.In):
		return s.showLink(ctx, f, status)
	}
	return s.follow(ctx, status, f.asJSON)
}

// follow prints a line for each thing that happens.
func (s *shared) follow(ctx context.Context, status relay.Status, asJSON bool) error {
	f := follower{shared: s, status: status, asJSON: asJSON, seen: map[string]bool{}}
	switch {
	case !status.Linked && asJSON:
		return f.stands(strings.Join(status.Lines(), " "))
	case !status.Linked:
		return s.print(status.Lines())
	}
	return f.run(ctx)
}

// follower prints what happens to a link.
type follower struct {
	*shared
	status relay.Status
	asJSON bool
	seen   map[string]bool
	fault  string
}

func (f *follower) run(ctx context.Context) error {
	watch, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	defer func() { _ = watch.Close() }() // nothing was written
	for _, dir := range f.Store.Places(f.status.Session, f.status.State.Link) {
		if err := watch.Add(dir); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if err := f.begin(); err != nil {
		return err
	}
	ticker := time.NewTicker(lookAgain)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		case <-watch.Events:
		case err := <-watch.Errors:
			f.Log.Debug().Err(err).Msg("watch")
		}
		if err := f.look(); err != nil {
			return err
		}
	}
}

// begin prints where the link stands; what led there is not news.
func (f *follower) begin() error {
	changes, state, err := f.Operator.Changes(f.status.State.Link)
	if err != nil {
		return err
	}
	for _, c := range changes {
		f.seen[c.Key] = true
	}
	f.status.State = state
	band, _ := f.status.Line()
	if f.asJSON {
		return f.stands(band)
	}
	return f.print([]string{band})
}

// stands says to a script where the link stands.
func (f *follower) stands(line string) error {
	return f.line(jsondoc.Object{{Key: "kind", Value: "stands"}, {Key: "text", Value: text.Printable(line)}})
}

// look prints what has happened since the last look. That a session is gone is
// noted by whoever looks.
func (f *follower) look() error {
	link := f.status.State.Link
	_, err := f.Operator.Watch(relay.Member{Link: link, Role: f.status.Role})
	changes, _, changesErr := f.Operator.Changes(link)
	if err = errors.Join(err, changesErr); err != nil {
		// A file that somebody moves meanwhile is read at the next look.
		if said := err.Error(); said != f.fault {
			f.fault = said
			f.Log.Warn().Err(err).Msg("the link could not be read")
		}
		return nil
	}
	f.fault = ""
	for _, c := range changes {
		if f.seen[c.Key] {
			continue
		}
		f.seen[c.Key] = true
		if f.asJSON {
			err = f.line(c.Document())
		} else {
			err = f.print([]string{c.Line()})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *follower) line(doc jsondoc.Object) error {
	_, err := f.Streams.Out.Write(append(jsondoc.Line(doc), '\n'))
	return err
}
