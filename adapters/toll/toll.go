// Package toll counts what faults cost: how often each was tried on each verb of each
// tool, and what was lost of it. Tests fill it; rows of several of them make one table.
package toll

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Variable names the directory in which tests leave their rows for a table of all.
const Variable = "TORTURE_ROWS"

// Key is what a row is about.
type Key struct {
	Tool  string `json:"tool"`
	Verb  string `json:"verb"`
	Fault string `json:"fault"`
}

// Counts are what is counted.
type Counts struct {
	// Tries are runs, Hit those that the fault met.
	Tries int `json:"tries"`
	Hit   int `json:"hit"`
	// Lost are texts that are gone, Twice those that were shown or written twice.
	Lost  int `json:"lost"`
	Twice int `json:"twice"`
	// Stuck are runs after which nothing went on by itself or by the next command.
	Stuck int `json:"stuck"`
	// Unreadable are runs after which a file was half-written.
	Unreadable int `json:"unreadable"`
}

// Clean says whether nothing was lost.
func (c Counts) Clean() bool { return c.Lost+c.Twice+c.Stuck+c.Unreadable == 0 }

func (c *Counts) add(more Counts) {
	c.Tries += more.Tries
	c.Hit += more.Hit
	c.Lost += more.Lost
	c.Twice += more.Twice
	c.Stuck += more.Stuck
	c.Unreadable += more.Unreadable
}

// Table counts by key. It may be used by several goroutines.
type Table struct {
	mu   sync.Mutex
	rows map[Key]*Counts
}

// row is a row as a file holds it.
type row struct {
	Key
	Counts
}

// Add adds to what was counted.
func (t *Table) Add(k Key, c Counts) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rows == nil {
		t.rows = map[Key]*Counts{}
	}
	if t.rows[k] == nil {
		t.rows[k] = &Counts{}
	}
	t.rows[k].add(c)
}

// Of returns what was counted for a key.
func (t *Table) Of(k Key) Counts {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c := t.rows[k]; c != nil {
		return *c
	}
	return Counts{}
}

// Sum returns what was counted in all.
func (t *Table) Sum() Counts {
	var sum Counts
	for _, r := range t.sorted() {
		sum.add(r.Counts)
	}
	return sum
}

func (t *Table) sorted() []row {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := make([]row, 0, len(t.rows))
	for k, c := range t.rows {
		all = append(all, row{k, *c})
	}
	slices.SortFunc(all, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.Verb, b.Verb), cmp.Compare(a.Fault, b.Fault))
	})
	return all
}

// String shows the table to a person.
func (t *Table) String() string {
	var b strings.Builder
	line := func(tool, verb, fault string, counts ...any) {
		fmt.Fprintf(&b, "%-10s%-34s%-26s"+strings.Repeat("%11v", len(counts))+"\n", append([]any{tool, verb, fault}, counts...)...)
	}
	numbers := func(c Counts) []any { return []any{c.Tries, c.Hit, c.Lost, c.Twice, c.Stuck, c.Unreadable} }
	line("tool", "verb", "fault", "tries", "hit", "lost", "twice", "stuck", "unreadable")
	for _, r := range t.sorted() {
		line(r.Tool, r.Verb, r.Fault, numbers(r.Counts)...)
	}
	line("all", "", "", numbers(t.Sum())...)
	return b.String()
}

// Leave writes the rows under a name where the environment says that they are
// gathered; nowhere where it does not.
func (t *Table) Leave(name string) error {
	dir := os.Getenv(Variable)
	if dir == "" {
		return nil
	}
	data, err := json.Marshal(t.sorted())
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name+".json"), data, 0o600)
}

// Gather adds all rows that were left in a directory.
func (t *Table) Gather(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return err
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var rows []row
		if err := json.Unmarshal(data, &rows); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, r := range rows {
			t.Add(r.Key, r.Counts)
		}
	}
	return nil
}
