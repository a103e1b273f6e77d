package linkstore

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/relay"
)

func (s Store) sideDir(link string, role relay.Role) string {
	return path.Join(s.dir, "links", link, string(role))
}

func (s Store) eventFile(link string, role relay.Role, seq int) string {
	return path.Join(s.sideDir(link, role), "events", fmt.Sprintf("%06d%s", seq, extension))
}

// Log implements relay.Links.
func (s Store) Log(link string) (relay.Log, error) {
	log := relay.Log{Link: link, Events: map[relay.Role][]relay.Event{}, Boxes: map[relay.Role][]relay.Box{}}
	if err := checkName(link); err != nil {
		return log, err
	}
	for _, role := range []relay.Role{relay.Planner, relay.Builder} {
		var err error
		if log.Events[role], err = s.events(link, role); err != nil {
			return log, err
		}
	}
	// Boxes are read last: what an event says was sent lies there by now, unless
	// its sender died or is about to put it down.
	for _, role := range []relay.Role{relay.Planner, relay.Builder} {
		var err error
		if log.Boxes[role], err = s.boxes(link, role); err != nil {
			return log, err
		}
	}
	if len(log.Events[relay.Planner])+len(log.Events[relay.Builder]) == 0 {
		return log, relay.ErrNoLink
	}
	return log, nil
}

// events reads a side's log, which has no gaps.
func (s Store) events(link string, role relay.Role) ([]relay.Event, error) {
	side := s.sideDir(link, role)
	names, err := s.list(path.Join(side, "events"))
	if err != nil {
		return nil, err
	}
	events := s.known.begin(side, len(names))
	for i := len(events); i < len(names); i++ {
		object, err := s.read(s.eventFile(link, role, i+1), relay.ErrNoLink)
		if errors.Is(err, relay.ErrNoLink) {
			return nil, fmt.Errorf("the %s's log of link %s has no event %d", role, link, i+1)
		}
		if err != nil {
			return nil, err
		}
		events = append(events, decodeEvent(i+1, object))
	}
	s.known.keep(side, events)
	return events, nil
}

// Append implements relay.Links.
func (s Store) Append(link string, role relay.Role, e relay.Event) error {
	if err := checkName(link); err != nil {
		return err
	}
	return s.create(s.eventFile(link, role, e.Seq), encodeEvent(e))
}

// The places of a delivery with its receiver.
const (
	placeIn    = "in"
	placeTaken = "taken"
)

// boxName is the name of a box: who sent it, its number, which copy it is; where it
// is taken, for which process; and when that was given it, in milliseconds.
func boxName(b relay.Box) string {
	name := fmt.Sprintf("%06d-%s-%d", b.Seq, b.From, b.Copy)
	if b.Taken {
		name += fmt.Sprintf("-%d-%s", b.PID, b.Start)
	}
	if b.Taken && !b.HandedAt.IsZero() {
		name += fmt.Sprintf("-%d", b.HandedAt.UnixMilli())
	}
	return name + extension
}

func parseBox(name string, taken bool) (relay.Box, bool) {
	stem, ok := strings.CutSuffix(name, extension)
	parts := strings.Split(stem, "-")
	if !ok || len(parts) < 3 || taken && len(parts) != 5 && len(parts) != 6 {
		return relay.Box{}, false
	}
	seq, err1 := strconv.Atoi(parts[0])
	copied, err2 := strconv.Atoi(parts[2])
	b := relay.Box{From: relay.Role(parts[1]), Seq: seq, Copy: copied, Taken: taken}
	if taken {
		pid, err := strconv.Atoi(parts[3])
		if err != nil {
			return b, false
		}
		b.PID, b.Start = pid, parts[4]
	}
	if len(parts) == 6 {
		at, err := strconv.ParseInt(parts[5], 10, 64)
		if err != nil {
			return b, false
		}
		b.HandedAt = time.UnixMilli(at).UTC()
	}
	return b, err1 == nil && err2 == nil && boxName(b) == name
}

// boxes reads what lies with a receiver. Two who put the same delivery down may
// do so before and after it was claimed: then it is there twice. What waits is read
// first, so that none is missed in moving.
func (s Store) boxes(link string, role relay.Role) ([]relay.Box, error) {
	var found []relay.Box
	for _, place := range []string{placeIn, placeTaken} {
		names, err := s.list(path.Join(s.sideDir(link, role), place))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if b, ok := parseBox(name, place == placeTaken); ok {
				found = append(found, b)
			}
		}
	}
	return found, nil
}
