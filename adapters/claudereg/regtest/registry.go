// Package regtest is a session registry that a test fills.
package regtest

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/session"
)

// Registry implements port.SessionRegistry. The zero value is empty. Its
// methods may be called from several goroutines.
type Registry struct {
	mu     sync.Mutex
	rows   map[string]session.Row
	unread map[string]bool
	err    error
}

var _ port.SessionRegistry = (*Registry)(nil)

// New returns a registry with these rows.
func New(rows ...session.Row) *Registry {
	r := &Registry{}
	for _, row := range rows {
		r.Put(row)
	}
	return r
}

// Put adds a row, in place of what has its file name. A row without one gets
// that of its session.
func (r *Registry) Put(row session.Row) {
	if row.File == "" {
		row.File = row.SessionID + ".json"
	}
	r.Drop(row.File)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.rows == nil {
		r.rows = map[string]session.Row{}
	}
	r.rows[row.File] = row
}

// Spoil makes a file hold no row.
func (r *Registry) Spoil(file string) {
	r.Drop(file)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.unread == nil {
		r.unread = map[string]bool{}
	}
	r.unread[file] = true
}

// Drop takes a file away.
func (r *Registry) Drop(file string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.rows, file)
	delete(r.unread, file)
}

// Clear takes everything away.
func (r *Registry) Clear() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rows, r.unread = nil, nil
}

// Block makes every reading fail; nil ends that.
func (r *Registry) Block(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.err = err
}

// Sessions implements port.SessionRegistry.
func (r *Registry) Sessions() (session.Listing, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return session.Listing{}, r.err
	}
	rows := slices.Collect(maps.Values(r.rows))
	slices.SortFunc(rows, func(a, b session.Row) int { return strings.Compare(a.File, b.File) })
	return session.Listing{Rows: rows, Unread: slices.Sorted(maps.Keys(r.unread))}, nil
}
