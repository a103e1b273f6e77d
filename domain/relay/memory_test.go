package relay_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/relay"
)

// shelf is where the deliveries of one side of a link lie: each under its box,
// the taken ones under their holder too.
type shelf map[relay.Box]relay.Delivery

type sideKey struct {
	link string
	role relay.Role
}

// memory is a store without a disk: each call is one atomic step, as a rename
// or an exclusive link is, but a log is read in several.
type memory struct {
	members     map[string]relay.Member
	processes   map[string]relay.Attachment
	attachments map[string]relay.Attachment
	events      map[sideKey][]relay.Event
	shelves     map[sideKey]shelf
	asks        map[string][]string
	rings       []string
	reminders   int
}

func newMemory() *memory {
	return &memory{
		members: map[string]relay.Member{}, processes: map[string]relay.Attachment{}, attachments: map[string]relay.Attachment{}, events: map[sideKey][]relay.Event{},
		shelves: map[sideKey]shelf{}, asks: map[string][]string{},
	}
}

// process is the store as one process uses it. before runs ahead of every step
// and may end the process there; wrote is told of each event.
type process struct {
	*memory
	before func()
	wrote  func(relay.Role, relay.Event)
}

var _ relay.Store = process{}

func (p process) step() {
	if p.before != nil {
		p.before()
	}
}

func (p process) Member(session string) (relay.Member, error) {
	p.step()
	m, linked := p.members[session]
	at, known := p.processes[session]
	switch {
	case !linked && !known:
		return m, relay.ErrNoSession
	case known:
		m.Session, m.PID, m.Start = session, at.PID, at.Start
	}
	return m, nil
}

func (p process) AddMember(m relay.Member) error {
	p.step()
	if _, known := p.members[m.Session]; known {
		return relay.ErrTaken
	}
	p.members[m.Session] = m
	return nil
}

func (p process) ReplaceMember(m relay.Member, old string) error {
	p.step()
	if known, ok := p.members[m.Session]; !ok || known.Link != old {
		return relay.ErrTaken
	}
	delete(p.members, m.Session)
	return p.AddMember(m)
}

func (p process) DropMember(session string) error {
	p.step()
	delete(p.members, session)
	p.step()
	delete(p.processes, session)
	return nil
}

func (p process) PutProcess(session string, a relay.Attachment) error {
	p.step()
	p.processes[session] = a
	return nil
}

func (p process) DropProcess(session string) error {
	p.step()
	delete(p.processes, session)
	return nil
}

func (p process) Members() ([]relay.Member, []string) {
	p.step()
	ids := slices.AppendSeq(slices.Collect(maps.Keys(p.members)), maps.Keys(p.processes))
	slices.Sort(ids)
	var all []relay.Member
	for _, id := range slices.Compact(ids) {
		m, _ := p.Member(id)
		all = append(all, m)
	}
	return all, nil
}

func (p process) AllLinks() ([]string, error) {
	p.step()
	var links []string
	for key := range p.events {
		links = append(links, key.link)
	}
	slices.Sort(links)
	return slices.Compact(links), nil
}

func (p process) Attachment(session string) (relay.Attachment, error) {
	p.step()
	a, ok := p.attachments[session]
	if !ok {
		return a, relay.ErrNoSession
	}
	return a, nil
}

func (p process) PutAttachment(session string, a relay.Attachment) error {
	p.step()
	p.attachments[session] = a
	return nil
}

func (p process) DropAttachment(session string) error {
	p.step()
	delete(p.attachments, session)
	return nil
}

// Log reads part after part. The boxes come newest first: whoever relies on
// their order is wrong.
func (p process) Log(link string) (relay.Log, error) {
	log := relay.Log{Link: link, Events: map[relay.Role][]relay.Event{}, Boxes: map[relay.Role][]relay.Box{}}
	for _, role := range []relay.Role{relay.Planner, relay.Builder} {
		key := sideKey{link, role}
		p.step()
		log.Events[role] = slices.Clone(p.events[key])
		for _, taken := range []bool{false, true} {
			p.step()
			for box := range p.shelves[key] {
				if box.Taken == taken {
					log.Boxes[role] = append(log.Boxes[role], box)
				}
			}
		}
		slices.SortFunc(log.Boxes[role], func(a, b relay.Box) int { return strings.Compare(fmt.Sprint(b), fmt.Sprint(a)) })
	}
	if len(log.Events[relay.Planner])+len(log.Events[relay.Builder]) == 0 {
		return log, relay.ErrNoLink
	}
	return log, nil
}

func (p process) Append(link string, role relay.Role, e relay.Event) error {
	p.step()
	key := sideKey{link, role}
	if e.Seq <= len(p.events[key]) {
		return relay.ErrTaken
	}
	if e.Seq != len(p.events[key])+1 {
		panic("an event after a gap")
	}
	p.events[key] = append(p.events[key], e)
	if p.wrote != nil {
		p.wrote(role, e)
	}
	return nil
}

func (p process) shelf(link string, to relay.Role) shelf {
	key := sideKey{link, to}
	if p.shelves[key] == nil {
		p.shelves[key] = shelf{}
	}
	return p.shelves[key]
}

func (p process) Put(d relay.Delivery) error {
	p.step()
	s, box := p.shelf(d.Link, d.To), relay.Box{From: d.From, Seq: d.Seq, Copy: d.Copy}
	if _, lies := s[box]; !lies {
		s[box] = d
	}
	return nil
}

func (p process) Claim(link string, to relay.Role, box relay.Box, holder relay.Attachment) (relay.Delivery, error) {
	p.step()
	taken := box
	taken.Taken, taken.PID, taken.Start = true, holder.PID, holder.Start
	return p.move(link, to, box, taken)
}

func (p process) HandOver(link string, to relay.Role, box relay.Box, holder relay.Attachment, at time.Time) error {
	p.step()
	given := box
	given.PID, given.Start, given.HandedAt = holder.PID, holder.Start, at
	_, err := p.move(link, to, box, given)
	return err
}

func (p process) Release(link string, to relay.Role, box relay.Box) error {
	back := relay.Box{From: box.From, Seq: box.Seq, Copy: box.Copy}
	p.step()
	if _, twice := p.shelf(link, to)[back]; twice {
		return p.Withdraw(link, to, box)
	}
	p.step()
	_, err := p.move(link, to, box, back)
	return err
}

// move renames, and replaces nothing.
func (p process) move(link string, to relay.Role, from, into relay.Box) (relay.Delivery, error) {
	s := p.shelf(link, to)
	d, lies := s[from]
	if _, there := s[into]; !lies || there {
		return relay.Delivery{}, relay.ErrTaken
	}
	delete(s, from)
	s[into] = d
	return d, nil
}

func (p process) Withdraw(link string, to relay.Role, box relay.Box) error {
	p.step()
	s := p.shelf(link, to)
	if _, lies := s[box]; !lies {
		return relay.ErrTaken
	}
	delete(s, box)
	return nil
}

func (p process) BellPath(session string) string { return "/state/bells/" + session }

func (p process) Hang(session string) (string, error) {
	p.step()
	return p.BellPath(session), nil
}

func (p process) Ring(session string) error {
	p.step()
	p.rings = append(p.rings, session)
	return nil
}

// Remind counts, and always rings: every look comes after a while.
func (p process) Remind(session string, _ time.Time, _ time.Duration) error {
	p.reminders++
	return p.Ring(session)
}

func (p process) Asks(session string) ([]string, error) {
	p.step()
	return slices.Clone(p.asks[session]), nil
}

func (p process) PutAsk(session, link string) error {
	p.step()
	if !slices.Contains(p.asks[session], link) {
		p.asks[session] = append(p.asks[session], link)
		slices.Sort(p.asks[session])
	}
	return nil
}

func (p process) DropAsk(session, link string) error {
	p.step()
	p.asks[session] = slices.DeleteFunc(p.asks[session], func(l string) bool { return l == link })
	return nil
}

// takeRings returns whose bells rang, and forgets it.
func (m *memory) takeRings() []string {
	rings := m.rings
	m.rings = nil
	return rings
}
