package baton

import (
	"path"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/port"
)

// absolute is a path of the command line; an empty one stays so.
func (w World) absolute(name string) string {
	if name == "" || path.IsAbs(name) {
		return name
	}
	return path.Join(w.Dir, name)
}

// same says whether two paths name one directory, whatever they are called.
func (w World) same(a, b string) bool {
	realA, errA := w.Files.RealPath(a)
	realB, errB := w.Files.RealPath(b)
	if errA != nil || errB != nil {
		return path.Clean(a) == path.Clean(b)
	}
	return realA == realB || w.sameInAnyCase(realA, realB)
}

// sameInAnyCase says whether two real paths that differ in case alone name one
// directory, as they do on some file systems: there a directory lists one of the
// two spellings, for it cannot hold both.
func (w World) sameInAnyCase(a, b string) bool {
	namesA, namesB := strings.Split(a, "/"), strings.Split(b, "/")
	if !strings.EqualFold(a, b) || len(namesA) != len(namesB) {
		return false
	}
	dir := "/"
	for i, name := range namesA {
		if other := namesB[i]; name != other {
			entries, err := w.Files.ReadDir(dir)
			if err != nil || holds(entries, name) && holds(entries, other) {
				return false
			}
		}
		dir = path.Join(dir, name)
	}
	return true
}

func holds(entries []port.Entry, name string) bool {
	return slices.ContainsFunc(entries, func(e port.Entry) bool { return e.Name == name })
}
