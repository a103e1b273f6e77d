package linkstore

import (
	"errors"
	"io/fs"
	"path"
	"time"

	"github.com/changeover/changeover/domain/relay"
)

func (s Store) boxPath(link string, to relay.Role, b relay.Box) string {
	place := placeIn
	if b.Taken {
		place = placeTaken
	}
	return path.Join(s.sideDir(link, to), place, boxName(b))
}

// Put implements relay.Boxes.
func (s Store) Put(d relay.Delivery) error {
	b := relay.Box{From: d.From, Seq: d.Seq, Copy: d.Copy}
	err := s.create(s.boxPath(d.Link, d.To, b), encodeDelivery(d))
	if errors.Is(err, relay.ErrTaken) {
		return nil
	}
	return err
}

// Claim implements relay.Boxes.
func (s Store) Claim(link string, to relay.Role, b relay.Box, holder relay.Attachment) (relay.Delivery, error) {
	taken := b
	taken.Taken, taken.PID, taken.Start = true, holder.PID, holder.Start
	if err := s.move(link, to, b, taken); err != nil {
		return relay.Delivery{}, err
	}
	object, err := s.read(s.boxPath(link, to, taken), relay.ErrTaken)
	switch {
	case errors.Is(err, relay.ErrTaken), errors.Is(err, relay.ErrUnusable):
		return relay.Delivery{}, err
	case err != nil: // nobody knows what is in it: the next one looks
		if back := s.move(link, to, taken, b); back != nil && !errors.Is(back, relay.ErrTaken) {
			err = errors.Join(err, back)
		}
		return relay.Delivery{}, err
	}
	return decodeDelivery(to, b, object), nil
}

// HandOver implements relay.Passer.
func (s Store) HandOver(link string, to relay.Role, b relay.Box, holder relay.Attachment, at time.Time) error {
	given := b
	given.PID, given.Start, given.HandedAt = holder.PID, holder.Start, at
	return s.move(link, to, b, given)
}

// Release implements relay.Boxes.
func (s Store) Release(link string, to relay.Role, b relay.Box) error {
	if s.fault != nil {
		return s.fault
	}
	back := relay.Box{From: b.From, Seq: b.Seq, Copy: b.Copy}
	_, err := s.fs.Stat(s.boxPath(link, to, back))
	if err == nil {
		// It was put down twice: the other one waits as soon as this is gone.
		return s.Withdraw(link, to, b)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return s.move(link, to, b, back)
}

// Withdraw implements relay.Withdrawer. Whoever removes the file first has it.
func (s Store) Withdraw(link string, to relay.Role, b relay.Box) error {
	if s.fault != nil {
		return s.fault
	}
	err := s.fs.Remove(s.boxPath(link, to, b))
	if errors.Is(err, fs.ErrNotExist) {
		return relay.ErrTaken
	}
	return err
}

// move gives a box another place by one rename: the loser's fails.
func (s Store) move(link string, to relay.Role, from, into relay.Box) error {
	target := s.boxPath(link, to, into)
	if err := s.makeDirs(path.Dir(target)); err != nil {
		return err
	}
	return s.renameNew(s.boxPath(link, to, from), target)
}
