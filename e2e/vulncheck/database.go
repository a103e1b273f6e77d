package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// entry is what the index needs of an OSV entry.
type entry struct {
	ID       string   `json:"id"`
	Modified string   `json:"modified"`
	Aliases  []string `json:"aliases"`
	Affected []struct {
		Package struct {
			Name string `json:"name"`
		} `json:"package"`
	} `json:"affected"`
}

// moduleEntry and vulnEntry are rows of the two indices. Rows that do not say in
// which version a vulnerability was fixed make the reader look at the entry itself.
type (
	moduleEntry struct {
		Path  string      `json:"path"`
		Vulns []vulnEntry `json:"vulns"`
	}
	vulnEntry struct {
		ID       string   `json:"id"`
		Modified string   `json:"modified"`
		Aliases  []string `json:"aliases,omitempty"`
	}
)

// layOut makes a database, as govulncheck reads one, of a directory of OSV entries.
// It stands whole or not at all.
func layOut(entries, dir string) error {
	names, err := filepath.Glob(filepath.Join(entries, "*.json"))
	if err != nil || len(names) == 0 {
		return fmt.Errorf("%s holds no entries: %w", entries, cmp.Or(err, os.ErrNotExist))
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	unfinished, err := os.MkdirTemp(filepath.Dir(dir), "unfinished-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(unfinished) }() // where it was not renamed
	for _, name := range []string{"ID", "index"} {
		if err := os.Mkdir(filepath.Join(unfinished, name), 0o755); err != nil {
			return err
		}
	}
	byModule := map[string][]vulnEntry{}
	all := make([]vulnEntry, 0, len(names))
	latest := ""
	for _, name := range names {
		e, err := copyEntry(name, filepath.Join(unfinished, "ID", filepath.Base(name)))
		if err != nil {
			return err
		}
		latest = max(latest, e.Modified)
		all = append(all, vulnEntry{e.ID, e.Modified, e.Aliases})
		for _, module := range e.modules() {
			byModule[module] = append(byModule[module], vulnEntry{ID: e.ID, Modified: e.Modified})
		}
	}
	var modules []moduleEntry
	for _, path := range slices.Sorted(maps.Keys(byModule)) {
		modules = append(modules, moduleEntry{path, byModule[path]})
	}
	for name, content := range map[string]any{"db": map[string]string{"modified": latest}, "modules": modules, "vulns": all} {
		data, err := json.Marshal(content)
		if err == nil {
			err = os.WriteFile(filepath.Join(unfinished, "index", name+".json"), data, 0o644)
		}
		if err != nil {
			return err
		}
	}
	if err := os.Chmod(unfinished, 0o755); err != nil {
		return err
	}
	return os.Rename(unfinished, dir)
}

// copyEntry copies an OSV entry and reads it.
func copyEntry(from, to string) (e entry, err error) {
	data, err := os.ReadFile(from)
	if err != nil {
		return e, err
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return e, fmt.Errorf("%s: %w", from, err)
	}
	if e.ID != strings.TrimSuffix(filepath.Base(from), ".json") {
		return e, fmt.Errorf("%s is the entry %q", from, e.ID)
	}
	return e, os.WriteFile(to, data, 0o644)
}

// modules are the modules that an entry is about, each once.
func (e entry) modules() []string {
	var names []string
	for _, a := range e.Affected {
		if !slices.Contains(names, a.Package.Name) {
			names = append(names, a.Package.Name)
		}
	}
	return names
}
