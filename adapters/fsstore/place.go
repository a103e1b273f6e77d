package fsstore

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/changeover/changeover/domain/exchange"
)

const leadsNowhere = "is a symbolic link that leads nowhere"

// view is what stands at a path.
type view struct {
	there bool
	mode  fs.FileMode
	// real is where a symbolic link leads; empty for anything else, and where it
	// leads nowhere.
	real string
}

func (v view) isLink() bool { return v.mode&fs.ModeSymlink != 0 }

// dead reports a symbolic link that leads nowhere: whoever follows it finds
// nothing, and something is there all the same.
func (v view) dead() bool { return v.isLink() && v.real == "" }

func (s *Store) look(name string) (view, error) {
	info, err := s.fs.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return view{}, nil
	}
	if err != nil {
		return view{}, fmt.Errorf("look at %s: %w", name, err)
	}
	v := view{there: true, mode: info.Mode}
	if !v.isLink() {
		return v, nil
	}
	real, err := s.fs.RealPath(name)
	switch {
	case err == nil:
		v.real = real
	case !errors.Is(err, fs.ErrNotExist):
		return v, fmt.Errorf("follow %s: %w", name, err)
	}
	return v, nil
}

// checkForeign refuses a directory that really lies in another root's store.
func (s *Store) checkForeign(dir string) error {
	v, err := s.look(dir)
	if err != nil {
		return err
	}
	return s.foreign(dir, v)
}

// foreign says whether a link leads into another root's store; nothing else can.
func (s *Store) foreign(dir string, v view) error {
	if v.real == "" {
		return nil
	}
	if other := s.ownerOf(v.real); other != "" {
		return fmt.Errorf("%s really is %s, of the root %s: %w; nothing was read or written there",
			dir, v.real, other, exchange.ErrForeignStore)
	}
	return nil
}

// ownerOf returns the other marked root in whose .claude a real path lies;
// empty where it lies in none.
func (s *Store) ownerOf(real string) string {
	for dir := real; dir != "/"; dir = path.Dir(dir) {
		if path.Base(dir) != ".claude" {
			continue
		}
		root := path.Dir(dir)
		if root == s.root {
			continue
		}
		if info, err := s.fs.Stat(exchange.MarkerPath(root)); err == nil && info.Mode.IsRegular() {
			return root
		}
	}
	return ""
}

// leadsToDir reports a directory, through a link too.
func (s *Store) leadsToDir(name string, v view) bool {
	if !v.isLink() {
		return v.mode.IsDir()
	}
	info, err := s.fs.Stat(name)
	return err == nil && info.Mode.IsDir()
}

// faultTexts are the faults of the store's directories.
func (s *Store) faultTexts() []string {
	var texts []string
	for _, f := range s.faults {
		texts = append(texts, f.text)
	}
	return texts
}

// faultAbove returns why nothing is found in a directory; empty where there is
// no fault of it or of a directory above it.
func (s *Store) faultAbove(dir string) string {
	for _, f := range s.faults {
		if f.dir == dir || strings.HasPrefix(dir, f.dir+"/") {
			return f.text
		}
	}
	return ""
}
