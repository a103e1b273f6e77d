package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/text"
)

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
	// peer is the other side's process, zero where there is none; there tells
	// whether it was there when last looked at.
	peer  relay.Attachment
	there bool
	// status is what was seen last.
	status relay.Status
	alert  alert
	// view is what the mod was last told, by kind.
	view map[string]string
	// unheard is why the mod could not be told something.
	unheard error
	told    told
	letters letters
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
	if pid, elsewhere := a.Operator.Elsewhere(a.session, a.client); elsewhere {
		// What this process claims nobody would see.
		return fmt.Errorf("session %s runs in process %d, and this is not its mod: relay watch follows a link", a.session, pid)
	}
	signal.Ignore(syscall.SIGPIPE) // what its client does not take is put back
	a.self = a.identify(os.Getpid())
	a.holder = a.identify(a.client)
	err := a.Operator.Attach(a.session, a.self)
	if err != nil {
		return err
	}
	defer func() { _ = a.Operator.Detach(a.session, a.self) }() // a dead process counts as detached anyway
	if a.alert, err = newAlert(a.Operator.Env.ClientDir()); err != nil {
		return err
	}
	defer a.alert.end()
	for {
		if over, err := a.look(); over || err != nil {
			return err
		}
		a.mail()
		if err := a.wait(ctx); err != nil {
			return nil
		}
		if a.unheard != nil {
			return a.unheard
		}
	}
}

// wait returns when there is reason for a look; with an error when ctx or the client
// ends.
func (a *attachment) wait(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-a.alert.picture.C:
			a.show(a.status)
		case <-a.alert.later.C:
			if a.alert.stale || a.gone() || a.there != a.Operator.Lives(a.peer) {
				a.alert.looks()
				return nil
			}
			a.alert.guard(a.client, a.peer.PID)
		case <-a.alert.holder.ended:
			return errGone
		case <-a.alert.peer.ended:
			a.alert.peer.over()
			a.alert.looks()
			return nil
		case <-a.alert.soon.C:
			a.alert.looks()
			return nil
		case e := <-a.alert.watch.Events:
			if a.alert.urgent(e) {
				a.alert.looks()
				return nil
			}
		case err := <-a.alert.watch.Errors:
			a.Log.Debug().Err(err).Msg("watch")
			a.alert.looks()
			return nil
		}
	}
}

// errGone reports that the client has ended.
var errGone = errors.New("the client has ended")

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
	if err := a.alert.follow(a.Store.Places(a.session, m.Link), a.Store.Inbox(m.Link, m.Role)); err != nil {
		return false, err
	}
	if m.Link != "" {
		if err := a.refresh(m); err != nil && !errors.Is(err, relay.ErrNoLink) {
			a.toast(err.Error())
		}
	}
	status, err := a.Operator.Status(a.session)
	if err != nil {
		return false, err
	}
	if status.Unread != nil {
		a.Log.Debug().Err(status.Unread).Msg("requests")
	}
	a.peer = status.Peer()
	a.there = a.Operator.Lives(a.peer)
	a.alert.guard(a.client, a.peer.PID)
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
		a.toast(line)
	}
	return err
}

// show prints band and panel where they changed, and a toast for what is news.
func (a *attachment) show(status relay.Status) {
	band, tone := status.Line()
	band = strings.Join(slices.DeleteFunc([]string{band, a.letters.news.Line()}, func(s string) bool { return s == "" }), " · ")
	a.tell("band", jsondoc.Object{{Key: "kind", Value: "band"}, {Key: "text", Value: band}, {Key: "tone", Value: string(tone)}})
	rows, err := a.Operator.Live(cwd())
	if err != nil {
		a.Log.Debug().Err(err).Msg("registry")
	}
	a.tell("panel", status.Panel(rows).Document())
	for _, line := range a.told.news(status) {
		a.toast(line)
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
		case s.Phase == relay.IsDone && status.Role == relay.Planner:
			// The end of the turn that said so has told it.
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
		if a.unheard != nil {
			return errors.Join(a.unheard, a.Operator.TakeBack(c, a.holder))
		}
		if !c.More {
			return nil
		}
	}
	return nil
}

func (a *attachment) toast(line string) {
	if line == "" {
		return
	}
	line = a.Operator.InSession(a.session, []string{line})[0]
	a.write(jsondoc.Object{{Key: "kind", Value: "toast"}, {Key: "text", Value: text.Printable(line)}})
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
		a.unheard = fmt.Errorf("the client does not listen: %w", err)
	}
}
