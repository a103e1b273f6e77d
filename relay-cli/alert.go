package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// lookAgain is how long a change of the session registry, which changes whenever
	// any session begins or ends a turn, waits for a look; and how often an attached
	// process looks whether everybody is still there, where the system does not tell:
	// the other side's end must be noticed within 3 s.
	lookAgain = 1500 * time.Millisecond

	// lookSoon is how long other changes than a delivery gather before a look: a
	// sender writes several files, and both clients need the processor meanwhile.
	lookSoon = 60 * time.Millisecond

	// pictureDelay is how long band and panel wait for what happens next: the
	// client draws them at the cost of what it is about to do, which is to carry a
	// delivery.
	pictureDelay = 300 * time.Millisecond
)

// alert tells an attached process when to look and when to draw.
type alert struct {
	watch                *fsnotify.Watcher
	later, soon, picture *time.Timer
	// holder and peer are the vigils over the processes of the client and of the
	// other side.
	holder, peer    vigil
	registry, inbox string
	awaitsSoon      bool
	// stale: the session registry has changed since it was read.
	stale bool
	// mailbox are the directories of the session's handoffs; posted: something has
	// changed there.
	mailbox map[string]bool
	posted  bool
}

// newAlert begins to watch the registry of the client whose directory is given.
// The first picture is due at once.
func newAlert(clientDir string) (alert, error) {
	watch, err := fsnotify.NewWatcher()
	if err != nil {
		return alert{}, err
	}
	soon, later := time.NewTimer(lookSoon), time.NewTimer(lookAgain)
	soon.Stop()
	later.Stop()
	return alert{
		watch: watch, later: later, soon: soon, picture: time.NewTimer(0),
		registry: filepath.Join(clientDir, "sessions"),
	}, nil
}

func (a *alert) end() {
	a.later.Stop()
	a.soon.Stop()
	a.picture.Stop()
	a.holder.keep(0)
	a.peer.keep(0)
	_ = a.watch.Close() // nothing was written
}

// follow watches the places in which something may happen to a session, its inbox
// among them. Those that do not exist yet are made by whoever writes there first.
func (a *alert) follow(places []string, inbox string) error {
	a.inbox = inbox
	for _, dir := range append(places, a.registry) {
		if err := a.watch.Add(dir); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// looks notes that a look begins, which sees all that was reported so far.
func (a *alert) looks() {
	a.soon.Stop()
	a.later.Stop()
	a.awaitsSoon, a.stale = false, false
	a.picture.Reset(pictureDelay)
}

// guard keeps vigil over both processes. Where the system does not tell of their
// end, they are looked at again and again.
func (a *alert) guard(holder, peer int) {
	told := a.holder.keep(holder)
	if told = a.peer.keep(peer) && told; !told {
		a.later.Reset(lookAgain)
	}
}

// urgent takes what has been reported, and tells whether any of it is reason for a
// look at once: a delivery is. What else has changed is looked at soon, a registry
// later, and a file in the making not at all.
func (a *alert) urgent(e fsnotify.Event) bool {
	for urgent := false; ; {
		dir, name := filepath.Split(e.Name)
		a.posted = a.posted || a.mailbox[filepath.Clean(dir)] && !strings.HasPrefix(name, ".tmp-")
		switch {
		case strings.HasPrefix(name, ".tmp-"):
		case filepath.Clean(dir) == a.registry:
			if !a.stale {
				a.stale = true
				a.later.Reset(lookAgain)
			}
		case filepath.Clean(dir) == a.inbox && e.Has(fsnotify.Create):
			urgent = true
		case !a.awaitsSoon:
			a.awaitsSoon = true
			a.soon.Reset(lookSoon)
		}
		select {
		case e = <-a.watch.Events:
		default:
			return urgent
		}
	}
}
