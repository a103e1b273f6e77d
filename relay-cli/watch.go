package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/text"
)

// newWatchCmd follows the log of a link.
func newWatchCmd(s *shared) *cobra.Command {
	var asJSON bool
	var named linkFlags
	cmd := &cobra.Command{
		Use:     "watch",
		Short:   "Follow a link live: one line per change, until Ctrl-C",
		Long:    "Show where a link stands, then one line for each thing that happens to it, until Ctrl-C.",
		Example: "  relay watch\n  relay watch --json\n  relay watch --last",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			status, err := s.status(&named)
			if err != nil {
				return err
			}
			f := follower{shared: s, status: status, asJSON: asJSON, seen: map[string]bool{}}
			switch {
			case !status.Linked && asJSON:
				return f.stands(strings.Join(status.Lines(), " "))
			case !status.Linked:
				return s.print(status.Lines())
			}
			return f.run(cmd.Context())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print each change as one JSON document")
	named.add(cmd)
	return cmd
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
