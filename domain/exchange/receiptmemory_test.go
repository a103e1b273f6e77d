package exchange_test

import (
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/changeover/changeover/domain/exchange"
)

// lookedAt is what a session's last look left.
type lookedAt struct {
	data    []byte
	written time.Time
}

func (m *memory) Seen(sessionID string) (map[string]bool, error) {
	if m.seenFault != nil {
		return nil, m.seenFault
	}
	return names(m.seen[sessionID]), exchange.CheckDirID(sessionID)
}

func names[T any](held map[string]T) map[string]bool {
	found := map[string]bool{}
	for name := range held {
		found[name] = true
	}
	return found
}

func (m *memory) AddReceipt(sessionID, handoffID string, r exchange.Receipt) error {
	if _, err := r.Encode(handoffID + ".json"); err != nil {
		return err
	}
	if err := exchange.CheckDirID(sessionID); err != nil {
		return err
	}
	return add(m, m.seen, sessionID, handoffID, r)
}

func add[T any](m *memory, held map[string]map[string]T, sessionID, name string, value T) error {
	if m.noteFault != nil {
		return m.noteFault
	}
	if _, taken := held[sessionID][name]; taken {
		return fs.ErrExist
	}
	if held[sessionID] == nil {
		held[sessionID] = map[string]T{}
	}
	held[sessionID][name] = value
	return nil
}

func (m *memory) DropReceipt(sessionID, handoffID string) error {
	delete(m.seen[sessionID], handoffID)
	delete(m.looks, sessionID)
	return nil
}

func (m *memory) Receipts(handoffID string) exchange.Receipts {
	var items []exchange.StoredReceipt
	for id, held := range m.seen {
		if r, ok := held[handoffID]; ok {
			items = append(items, exchange.StoredReceipt{SessionID: id, Receipt: r})
		}
	}
	return exchange.NewReceipts(items, nil)
}

func (m *memory) Remembered(sessionID string, kind exchange.Memory) (map[string]bool, error) {
	return names(m.remembered[sessionID+"/"+string(kind)]), exchange.CheckDirID(sessionID)
}

func (m *memory) Remember(sessionID string, kind exchange.Memory, name string, at time.Time) error {
	if err := exchange.CheckDirID(sessionID); err != nil {
		return err
	}
	return add(m, m.remembered, sessionID+"/"+string(kind), name, at)
}

func (m *memory) Unremember(sessionID string, kind exchange.Memory, name string) error {
	delete(m.remembered[sessionID+"/"+string(kind)], name)
	delete(m.looks, sessionID)
	return nil
}

func (m *memory) Sight() (exchange.Sight, error) { return m.sight, nil }

func (m *memory) LastLook(sessionID string) ([]byte, time.Time, error) {
	l := m.looks[sessionID]
	return l.data, l.written, nil
}

func (m *memory) PutLook(sessionID string, data []byte) error {
	if m.noteFault != nil {
		return m.noteFault
	}
	m.looks[sessionID] = lookedAt{slices.Clone(data), m.clock()}
	return nil
}

func (m *memory) WakePath(sessionID string) (string, error) {
	return root + "/.claude/exchange/wake/" + sessionID, exchange.CheckDirID(sessionID)
}

func (m *memory) PrepareWake() error { return m.noteFault }

func (m *memory) PutWake(sessionID string) error {
	if m.noteFault != nil {
		return m.noteFault
	}
	m.woken[sessionID] = true
	return exchange.CheckDirID(sessionID)
}

func (m *memory) TakeWake(sessionID, _ string) error {
	if !m.woken[sessionID] {
		return exchange.ErrNoWake
	}
	delete(m.woken, sessionID)
	return nil
}

func (m *memory) Traces() (traces []exchange.Trace, problems []string) {
	for _, id := range slices.Sorted(maps.Keys(m.seen)) {
		t := exchange.Trace{SessionID: id, Touched: m.looks[id].written}
		t.Handoffs = slices.Sorted(maps.Keys(m.seen[id]))
		traces = append(traces, t)
	}
	return traces, nil
}

func (m *memory) Forget(sessionID string) error {
	delete(m.seen, sessionID)
	m.did("forget %s", sessionID)
	return nil
}
