package linkstore

import (
	"slices"
	"sync"

	"github.com/changeover/changeover/domain/relay"
)

// memory holds the events that were read before. An event is written once and
// never again, and a hook looks at its link several times: it reads each file once.
type memory struct {
	mu     sync.Mutex
	events map[string][]relay.Event
}

func newMemory() *memory { return &memory{events: map[string][]relay.Event{}} }

// begin returns the first events of a side's log, as many as are known. A log that
// has fewer files by now is another one.
func (m *memory) begin(side string, files int) []relay.Event {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := m.events[side]
	if len(known) > files {
		known = nil
	}
	return slices.Clone(known)
}

func (m *memory) keep(side string, events []relay.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.events[side] = slices.Clone(events)
}
