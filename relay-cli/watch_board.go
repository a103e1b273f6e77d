package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/changeover/changeover/adapters/board"
	"github.com/changeover/changeover/domain/relay"
)

// linkSight is what was seen of a link at one moment.
type linkSight struct {
	status   relay.Status
	passages []relay.Passage
	changes  []relay.Change
	trail    []board.Line
}

// sight returns what looks at the link that was named, else the session's. What
// could not be read is an error beside what could; nothing at all is a nil sight.
func (s *shared) sight(named *linkFlags) func() (*linkSight, error) {
	return func() (*linkSight, error) {
		status, err := s.status(named)
		if err != nil {
			return nil, err
		}
		sight := &linkSight{status: status}
		err = s.worded(status.Unread, status.Session)
		if !status.Linked {
			return sight, err
		}
		changes, _, changesErr := s.Operator.Changes(status.State.Link)
		if changesErr != nil {
			return nil, errors.Join(err, s.worded(changesErr, status.Session))
		}
		sight.changes, sight.passages = changes, status.State.Passages()
		sight.trail = board.Block(board.Plain, status.Trail().Markdown())
		return sight, err
	}
}

// showLink runs the dashboard of a link.
func (s *shared) showLink(ctx context.Context, f *watchFlags, status relay.Status) error {
	ctx, cancel := context.WithCancel(ctx)
	wake, ended, err := s.stirs(ctx, status)
	if err != nil {
		cancel()
		return err
	}
	err = board.Run(ctx, s.Streams.In, s.Streams.Out, newLinkBoard(s.sight(&f.linkFlags)),
		board.Options{Interval: f.interval, Wake: wake, Environ: os.Environ(), Now: s.Operator.Clock.Now})
	cancel()
	<-ended
	return err
}

// gathering is how long a change waits for more: a delivery is many of them, and
// whoever carries it is not to be slowed down by looks.
const gathering = 60 * time.Millisecond

// stirs says whenever something changes where a link is kept, until ctx ends.
func (s *shared) stirs(ctx context.Context, status relay.Status) (wake <-chan struct{}, ended <-chan struct{}, err error) {
	watch, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, nil, err
	}
	for _, dir := range s.Store.Places(status.Session, status.State.Link) {
		if err := watch.Add(dir); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, nil, errors.Join(err, watch.Close())
		}
	}
	stirred, done := make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(done)
		defer func() { _ = watch.Close() }() // nothing was written
		var due <-chan time.Time
		for {
			select {
			case <-ctx.Done():
				return
			case <-watch.Events:
				if due == nil {
					due = time.After(gathering)
				}
			case err := <-watch.Errors:
				s.Log.Debug().Err(err).Msg("watch")
			case <-due:
				due = nil
				select {
				case stirred <- struct{}{}:
				default: // it has not been heard yet
				}
			}
		}
	}()
	return stirred, done, nil
}

// What a linkBoard shows in place of the overview.
type linkPage int

const (
	overview linkPage = iota
	wholeRound
	wholeTrail
)

// linkBoard is the dashboard of a link.
type linkBoard struct {
	look   func() (*linkSight, error)
	sight  linkSight
	chosen int
	page   linkPage
}

func newLinkBoard(look func() (*linkSight, error)) *linkBoard { return &linkBoard{look: look} }

// Read implements board.Source.
func (b *linkBoard) Read(context.Context) (func(), error) {
	sight, err := b.look()
	if sight == nil {
		return nil, err
	}
	return func() { b.take(*sight) }, err
}

// take keeps the chosen delivery, and goes on to the newest where that one was.
func (b *linkBoard) take(sight linkSight) {
	newest := b.chosen >= len(b.sight.passages)-1
	b.sight = sight
	if b.chosen >= len(sight.passages) || newest && b.page != wholeRound {
		b.chosen = max(0, len(sight.passages)-1)
	}
}

// Keys implements board.Source.
func (b *linkBoard) Keys() []board.Key {
	if b.page != overview {
		return []board.Key{{Names: []string{"esc"}, Does: "back"}}
	}
	return []board.Key{
		{Names: []string{"up", "down"}, Label: "↑↓", Does: "choose a delivery"},
		{Names: []string{"enter"}, Does: "its round's texts"},
		{Names: []string{"l"}, Does: "log"},
		{Names: []string{"r"}, Does: "look again"},
	}
}

// Press implements board.Source.
func (b *linkBoard) Press(key string) board.Reaction {
	switch {
	case key == "r":
		return board.Reaction{Handled: true, Refresh: true}
	case b.page != overview:
		if key != "esc" && key != "enter" && key != "l" {
			return board.Reaction{}
		}
		return b.turn(overview)
	case key == "up", key == "k":
		b.chosen = max(0, b.chosen-1)
	case key == "down", key == "j":
		b.chosen = max(0, min(len(b.sight.passages)-1, b.chosen+1))
	case key == "enter" && len(b.sight.passages) > 0:
		return b.turn(wholeRound)
	case key == "l" && b.sight.status.Linked:
		return b.turn(wholeTrail)
	case key == "enter":
		return board.Reaction{Handled: true, Message: "there is no text yet"}
	case key == "l":
		return board.Reaction{Handled: true, Message: "there is no link, so it has no log"}
	default:
		return board.Reaction{}
	}
	return board.Reaction{Handled: true}
}

func (b *linkBoard) turn(page linkPage) board.Reaction {
	b.page = page
	return board.Reaction{Handled: true, Top: true}
}
