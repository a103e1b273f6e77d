package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/text"
)

// lookAgain is how often an attached process looks whether everybody is still
// there. The other side's end must be noticed within 3 s, and an idle minute must
// cost next to nothing.
const lookAgain = 1500 * time.Millisecond

// pictureDelay is how long band and panel wait for what happens next: the client
// draws them at the cost of what it is about to do, which is to carry a delivery.
const pictureDelay = 300 * time.Millisecond

// newAttachCmd keeps the mod of a session informed.
func newAttachCmd(s *shared) *cobra.Command {
	return &cobra.Command{
		Use:     "attach",
		Short:   "Keep the mod of a session informed; not for typing",
		Example: "  relay attach --session 071a81ba-6892-4d6c-86b3-46f6db0b309f",
		Hidden:  true,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !relay.IsID(s.session) {
				return errors.New("attach needs --session with a session's id")
			}
			a := &attachment{shared: s, client: os.Getppid(), view: map[string]string{}}
			return a.run(cmd.Context())
		},
	}
}

// attachment is one running attach.
type attachment struct {
	*shared
	client int
	self   relay.Attachment
	holder relay.Attachment
	watch  *fsnotify.Watcher
	// peer is the other side's process, zero where there is none; there tells
	// whether it was there when last looked at.
	peer  relay.Attachment
	there bool
	// stale: the session registry has changed since it was read. It changes
	// whenever any session begins or ends a turn, so that waits for the tick.
	stale bool
	// status is what was seen last, and picture the time to show it.
	status  relay.Status
	picture *time.Timer
	// view is what the mod was last told, by kind.
	view map[string]string
	told told
}

// told is what the person has been told in toasts.
type told struct {
	begun    bool
	requests map[string]bool
	phase    relay.Phase
	paused   string
}

// run tells the mod whatever changes until the client, the session or ctx ends.
func (a *attachment) run(ctx context.Context) error {
	a.self = a.identify(os.Getpid())
	a.holder = a.identify(a.client)
	if err := a.Operator.Attach(a.session, a.self); err != nil {
		return err
	}
	defer func() { _ = a.Operator.Detach(a.session, a.self) }() // a dead process counts as detached anyway
	watch, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	a.watch = watch
	defer func() { _ = watch.Close() }() // nothing was written
	ticker := time.NewTicker(lookAgain)
	defer ticker.Stop()
	a.picture = time.NewTimer(0)
	defer a.picture.Stop()
	for {
		if over, err := a.look(); over || err != nil {
			return err
		}
		if err := a.wait(ctx, ticker.C); err != nil {
			return nil
		}
	}
}

// wait returns when there is reason for a look; with an error when ctx ends.
func (a *attachment) wait(ctx context.Context, tick <-chan time.Time) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-a.picture.C:
			a.show(a.status)
		case <-tick:
			if a.stale || a.gone() || a.there != a.Operator.Lives(a.peer) {
				a.stale = false
				a.picture.Reset(pictureDelay)
				return nil
			}
		case e := <-a.watch.Events:
			if a.settle(e) {
				a.picture.Reset(pictureDelay)
				return nil
			}
		case err := <-a.watch.Errors:
			a.Log.Debug().Err(err).Msg("watch")
			return nil
		}
	}
}

// settle takes what else has been reported meanwhile, and tells whether any of
// it is reason for a look at once.
func (a *attachment) settle(e fsnotify.Event) (now bool) {
	for {
		if filepath.Dir(e.Name) == a.registry() {
			a.stale = true
		} else {
			now = true
		}
		select {
		case e = <-a.watch.Events:
		default:
			return now
		}
	}
}

// registry is the directory in which the client registers its sessions.
func (a *attachment) registry() string { return filepath.Join(a.Operator.Env.ClientDir(), "sessions") }

func (a *attachment) identify(pid int) relay.Attachment {
	start, err := a.Operator.Processes.Started(pid)
	if err != nil {
		return relay.Attachment{PID: pid}
	}
	return relay.Attachment{PID: pid, Start: start.Token}
}

// gone reports that the client has ended.
func (a *attachment) gone() bool { return os.Getppid() != a.client || !a.Operator.Lives(a.holder) }

// over reports that the client is gone, or that it shows another session by now:
// this process would claim what nobody sees.
func (a *attachment) over() bool { return a.gone() || !a.Operator.Holds(a.session, a.client) }

// look tells the mod what has changed. over: the client is gone or shows another
// session.
func (a *attachment) look() (over bool, err error) {
	if a.over() {
		return true, nil
	}
	m, err := a.Operator.Known(a.session)
	if err != nil {
		return false, err
	}
	if err := a.follow(m); err != nil {
		return false, err
	}
	if m.Link != "" {
		if err := a.refresh(m); err != nil && !errors.Is(err, relay.ErrNoLink) {
			a.say("toast", text.Printable(err.Error()))
		}
	}
	status, err := a.Operator.Status(a.session)
	if err != nil {
		return false, err
	}
	a.peer = status.Peer()
	a.there = a.Operator.Lives(a.peer)
	a.status = status
	return false, a.submit(m, status)
}

// refresh repairs the link on the way, and tells what was refused.
func (a *attachment) refresh(m relay.Member) error {
	if err := a.Operator.Refresh(m); err != nil {
		return err
	}
	lines, err := a.Operator.News(m)
	for _, line := range lines {
		a.say("toast", line)
	}
	return err
}

// follow watches the directories in which something may happen to the session.
// Those that do not exist yet are made by whoever writes there first.
func (a *attachment) follow(m relay.Member) error {
	for _, dir := range append(a.Store.Places(a.session, m.Link), a.registry()) {
		if err := a.watch.Add(dir); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// show prints band and panel where they changed, and a toast for what is news.
func (a *attachment) show(status relay.Status) {
	band, tone := status.Line()
	a.tell("band", jsondoc.Object{{Key: "kind", Value: "band"}, {Key: "text", Value: band}, {Key: "tone", Value: string(tone)}})
	rows, err := a.Operator.Live(cwd())
	if err != nil {
		a.Log.Debug().Err(err).Msg("registry")
	}
	a.tell("panel", status.Panel(rows).Document())
	for _, line := range a.told.news(status) {
		a.say("toast", line)
	}
}

// news returns what the person has not been told, and remembers it.
func (t *told) news(status relay.Status) []string {
	var lines []string
	requests := map[string]bool{}
	for _, r := range status.Requests {
		requests[r.Link] = true
		if !t.requests[r.Link] {
			lines = append(lines, r.Line())
		}
	}
	t.requests = requests
	if !status.Linked {
		return lines
	}
	c := relay.CatalogueOf(status.Lang)
	s := status.State
	peer := s.Party(status.Role.Other()).Label()
	if s.Phase != t.phase && t.begun {
		switch {
		case s.Phase == relay.IsDeclined:
			lines = append(lines, c.Say(relay.SayDeclinedBy, peer))
		case s.Phase == relay.IsUnlinked:
			lines = append(lines, c.Say(relay.SayUnlinkedBy, peer))
		case s.Phase == relay.IsDone:
			lines = append(lines, c.Say(relay.SayDone, text.FirstLine(s.Summary())))
		case t.phase == relay.Asking:
			lines = append(lines, c.Say(relay.SayAccepted, peer))
		}
	}
	paused := ""
	if pauses := s.Pauses(); len(pauses) > 0 {
		paused = c.Say(relay.SayPausedWhy, c.Why(pauses[0].Event))
	}
	if paused != t.paused && paused != "" {
		lines = append(lines, paused)
	}
	t.phase, t.paused, t.begun = s.Phase, paused, true
	return lines
}

// submit claims what waits and gives it to the mod to show.
func (a *attachment) submit(m relay.Member, status relay.Status) error {
	for m.Link != "" {
		if a.over() {
			return nil
		}
		c, ok, err := a.Operator.Claim(m)
		if err != nil || !ok {
			return err
		}
		if err := a.Operator.HandOver(c, a.holder); err != nil {
			return errors.Join(err, a.Operator.PutBack(c))
		}
		a.write(jsondoc.Object{
			{Key: "kind", Value: "submit"},
			{Key: "id", Value: token(relay.Box{From: c.From, Seq: c.Seq, Copy: c.Copy})},
			{Key: "text", Value: c.Prompt(relay.CatalogueOf(status.Lang))},
		})
		if !c.More {
			return nil
		}
	}
	return nil
}

func (a *attachment) say(kind, line string) {
	a.write(jsondoc.Object{{Key: "kind", Value: kind}, {Key: "text", Value: line}})
}

// tell prints a document of a kind where it is not what was printed last.
func (a *attachment) tell(kind string, doc jsondoc.Object) {
	line := string(jsondoc.Line(doc))
	if a.view[kind] == line {
		return
	}
	a.view[kind] = line
	a.write(doc)
}

func (a *attachment) write(doc jsondoc.Object) {
	if _, err := a.Streams.Out.Write(append(jsondoc.Line(doc), '\n')); err != nil {
		a.Log.Debug().Err(err).Msg("the client does not listen")
	}
}
