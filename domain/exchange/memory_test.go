package exchange_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/changeover/changeover/domain/exchange"
)

// memory is a store in memory. Like the real one it refuses what the schemas
// refuse, and names that are taken.
type memory struct {
	claims, ended map[string]exchange.Claim
	// broken are claims that cannot be read, by id.
	broken, brokenEnded map[string]error
	shelf, archive      map[string]exchange.Filed

	claimProblems, shelfProblems, strays []string
	half                                 []string
	inspection                           exchange.Inspection

	// seen are the receipts and remembered the rest of what is kept of sessions, by
	// their ids, then by name.
	seen       map[string]map[string]exchange.Receipt
	remembered map[string]map[string]time.Time
	looks      map[string]lookedAt
	woken      map[string]bool
	sight      exchange.Sight
	clock      func() time.Time
	// seenFault and noteFault are what reading and writing it gives.
	seenFault, noteFault error

	// putFault, dropFault and endFault are what writing gives.
	putFault, dropFault, endFault, archiveFault error
	// log are the changes made, in order.
	log []string
}

var _ exchange.Store = (*memory)(nil)

func newMemory() *memory {
	return &memory{
		claims: map[string]exchange.Claim{}, ended: map[string]exchange.Claim{},
		broken: map[string]error{}, brokenEnded: map[string]error{},
		shelf: map[string]exchange.Filed{}, archive: map[string]exchange.Filed{},
		seen: map[string]map[string]exchange.Receipt{}, remembered: map[string]map[string]time.Time{},
		looks: map[string]lookedAt{}, woken: map[string]bool{},
	}
}

func (m *memory) did(format string, args ...any) { m.log = append(m.log, fmt.Sprintf(format, args...)) }

func (m *memory) Claims() exchange.Claims {
	c := exchange.Claims{Problems: slices.Clone(m.claimProblems)}
	for _, id := range slices.Sorted(maps.Keys(m.claims)) {
		c.Items = append(c.Items, exchange.StoredClaim{File: id + ".json", Claim: m.claims[id]})
	}
	for _, id := range slices.Sorted(maps.Keys(m.broken)) {
		c.Problems = append(c.Problems, m.broken[id].Error())
	}
	return c
}

func (m *memory) Claim(id string) (exchange.Claim, error) { return found(m.claims, m.broken, id) }

func (m *memory) EndedClaim(id string) (exchange.Claim, error) {
	return found(m.ended, m.brokenEnded, id)
}

func found(claims map[string]exchange.Claim, broken map[string]error, id string) (exchange.Claim, error) {
	if err := broken[id]; err != nil {
		return exchange.Claim{}, err
	}
	c, ok := claims[id]
	if !ok {
		return exchange.Claim{}, exchange.ErrNoClaim
	}
	return c, nil
}

func (m *memory) PutClaim(c exchange.Claim) error {
	if m.putFault != nil {
		return m.putFault
	}
	if _, err := c.Encode(c.SessionID + ".json"); err != nil {
		return err
	}
	m.claims[c.SessionID] = c
	delete(m.broken, c.SessionID)
	m.did("put %s", c.SessionID)
	return nil
}

func (m *memory) DropClaim(id string) error {
	if m.dropFault != nil {
		return m.dropFault
	}
	_, whole := m.claims[id]
	if _, broken := m.broken[id]; !whole && !broken {
		return exchange.ErrNoClaim
	}
	delete(m.claims, id)
	delete(m.broken, id)
	m.did("drop %s", id)
	return nil
}

func (m *memory) EndClaim(id string) error {
	if m.endFault != nil {
		return m.endFault
	}
	c, ok := m.claims[id]
	if !ok {
		return exchange.ErrNoClaim
	}
	delete(m.claims, id)
	m.ended[id] = c
	m.did("end %s", id)
	return nil
}

func (m *memory) DropEnded(id string) error {
	_, whole := m.ended[id]
	if _, broken := m.brokenEnded[id]; !whole && !broken {
		return exchange.ErrNoClaim
	}
	delete(m.ended, id)
	delete(m.brokenEnded, id)
	m.did("drop ended %s", id)
	return nil
}

func (m *memory) Handoffs() exchange.Shelf {
	shelf := filedOf(m.shelf)
	shelf.Unread = slices.Clone(m.shelfProblems)
	return shelf
}

func filedOf(items map[string]exchange.Filed) exchange.Shelf {
	var shelf exchange.Shelf
	for _, file := range slices.Sorted(maps.Keys(items)) {
		shelf.Items = append(shelf.Items, items[file])
	}
	return shelf
}

func (m *memory) PendingMeanwhile() func() exchange.Shelf { return m.Pending }

func (m *memory) Pending() exchange.Shelf {
	shelf := m.Handoffs()
	shelf.Items = slices.DeleteFunc(shelf.Items, exchange.Filed.Over)
	return shelf
}

func (m *memory) Handoff(id string) (exchange.Filed, error) { return filedAt(m.shelf, id) }

func filedAt(items map[string]exchange.Filed, id string) (exchange.Filed, error) {
	f, ok := items[id+".json"]
	if !ok {
		return exchange.Filed{}, exchange.ErrNoHandoff
	}
	return f, nil
}

func (m *memory) Post(h exchange.Handoff) error {
	if m.putFault != nil {
		return m.putFault
	}
	if _, err := h.Encode(h.ID + ".json"); err != nil {
		return err
	}
	if _, taken := m.shelf[h.ID+".json"]; taken {
		return fmt.Errorf("%s.json already exists; nothing was changed", h.ID)
	}
	m.file(h)
	m.did("post %s", h.ID)
	return nil
}

// file puts a handoff on the shelf, under its own name.
func (m *memory) file(h exchange.Handoff, moves ...exchange.Move) {
	m.shelf[h.ID+".json"] = exchange.NewFiled(h.ID+".json", h, moves, nil)
}

func (m *memory) AddMove(id string, move exchange.Move, suffix string) error {
	if m.putFault != nil {
		return m.putFault
	}
	name := exchange.MoveFile(move.After, suffix)
	if _, err := move.Encode(name); err != nil {
		return err
	}
	f := m.shelf[id+".json"]
	m.shelf[id+".json"] = exchange.NewFiled(f.File, f.Handoff, append(slices.Clone(f.Moves), move), f.Unread)
	m.did("move %s.d/%s", id, name)
	return nil
}

func (m *memory) Archived() exchange.Shelf { return filedOf(m.archive) }

func (m *memory) ArchivedHandoff(id string) (exchange.Filed, error) { return filedAt(m.archive, id) }

func (m *memory) Archive(f exchange.Filed) error {
	if m.archiveFault != nil {
		return m.archiveFault
	}
	m.archive[f.File] = f
	delete(m.shelf, f.File)
	m.did("archive %s", f.ID)
	return nil
}

func (m *memory) AnyClosedBefore(t time.Time) bool {
	return slices.ContainsFunc(m.Handoffs().Items, func(f exchange.Filed) bool {
		return f.Status() == exchange.Closed && f.LastMoved().Before(t)
	})
}

func (m *memory) Restore(id string) error {
	f, ok := m.archive[id+".json"]
	if !ok {
		return exchange.ErrNoHandoff
	}
	delete(m.archive, id+".json")
	m.shelf[id+".json"] = f
	m.did("restore %s", id)
	return nil
}

func (m *memory) HalfArchived() []string { return m.half }

func (m *memory) Strays() []string { return m.strays }

func (m *memory) Inspect() exchange.Inspection { return m.inspection }

var errDisk = errors.New("no space left on device")
