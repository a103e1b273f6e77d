package linkstore

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
)

// Inspection is what a look at the state's files shows.
type Inspection struct {
	Dir string
	// Exists: something has been kept there.
	Exists bool
	Mode   fs.FileMode
	// Problems name what others may look into, and what could not be looked at.
	Problems []string
}

// Inspect looks at where the state lies and at the modes of everything in it.
func (s Store) Inspect() Inspection {
	found := Inspection{Dir: s.dir}
	if s.fault != nil {
		found.Problems = []string{s.fault.Error()}
		return found
	}
	info, err := s.fs.Stat(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return found
	}
	if err != nil {
		found.Problems = []string{err.Error()}
		return found
	}
	found.Exists, found.Mode = true, info.Mode.Perm()
	found.Problems = s.wide(s.dir, nil)
	return found
}

// wide adds what others may look into, in a directory and below it.
func (s Store) wide(name string, problems []string) []string {
	info, err := s.fs.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) { // moved meanwhile
		return problems
	}
	if err != nil {
		return append(problems, err.Error())
	}
	if info.Mode&fs.ModeSymlink == 0 && info.Mode.Perm()&tooWide != 0 {
		problems = append(problems, fmt.Sprintf("%s may be looked into by others (mode %04o)", name, info.Mode.Perm()))
	}
	if !info.Mode.IsDir() {
		return problems
	}
	entries, err := s.fs.ReadDir(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return append(problems, err.Error())
	}
	for _, e := range entries {
		problems = s.wide(path.Join(name, e.Name), problems)
	}
	return problems
}
