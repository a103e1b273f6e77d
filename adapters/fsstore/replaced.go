package fsstore

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
)

// note remembers where a directory of the store really lies.
func (s *Store) note(dir string, v view) {
	parent, known := s.places[path.Dir(dir)]
	switch {
	case v.dead() || !known:
	case v.isLink():
		s.places[dir] = v.real
	default:
		s.places[dir] = path.Join(parent, path.Base(dir))
	}
}

// replaced says that a directory of the store is not any more the one that was there when
// the store was opened: somebody has put another one, or another root, in its place. Whoever
// reads asks afterwards and drops what was read; whoever writes asks before.
func (s *Store) replaced(dir string) error {
	for ; ; dir = path.Dir(dir) {
		want, known := s.places[dir]
		if !known {
			continue // the root, at the latest, is
		}
		real, err := s.fs.RealPath(dir)
		switch {
		case err == nil && real == want:
			return nil
		case err == nil:
			return fmt.Errorf("%s really is %s now: it was replaced while this ran; nothing of it was used, run it again", dir, real)
		case !errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("follow %s: %w", dir, cause(err))
		case dir == s.root:
			return nil // nothing is found there, and nothing made
		}
	}
}
