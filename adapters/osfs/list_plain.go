package osfs

import (
	"os"

	"github.com/changeover/changeover/domain/port"
)

// listPlainly reads a directory as Go does on every system.
func listPlainly(path string) ([]port.Entry, error) {
	found, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	entries := make([]port.Entry, len(found))
	for i, e := range found {
		entries[i] = port.Entry{Name: e.Name(), Mode: e.Type()}
	}
	return entries, nil
}
