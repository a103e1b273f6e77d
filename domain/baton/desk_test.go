package baton_test

import (
	"fmt"
	"io/fs"
	"path"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/port"
)

// shelf is a directory that files are only added to.
type shelf struct {
	baton.Files
	// linkless: names cannot be claimed there.
	linkless bool

	files map[string]string
	modes map[string]fs.FileMode
}

func (s *shelf) Lstat(name string) (port.Info, error) {
	if _, ok := s.files[path.Base(name)]; !ok {
		return port.Info{}, fs.ErrNotExist
	}
	return port.Info{}, nil
}

func (s *shelf) Create(name string, data []byte, mode fs.FileMode, _ port.Sync) error {
	if s.linkless {
		return &fs.PathError{Op: "publish", Path: name, Err: port.ErrNoHardLinks}
	}
	name = path.Base(name)
	if _, ok := s.files[name]; ok {
		return fs.ErrExist
	}
	s.files[name], s.modes[name] = string(data), mode
	return nil
}

func (s *shelf) Replace(name string, data []byte, mode fs.FileMode, _ port.Sync) error {
	name = path.Base(name)
	s.files[name], s.modes[name] = string(data), mode
	return nil
}

// Where a name is taken, -2, -3 and so on stands behind the instant.
func TestDesk_TellsFilesOfOneInstantApart(t *testing.T) {
	for _, linkless := range []bool{false, true} {
		t.Run(fmt.Sprintf("without links %t", linkless), func(t *testing.T) { tellsApart(t, linkless) })
	}
}

func tellsApart(t *testing.T, linkless bool) {
	t.Helper()
	is := is.New(t)
	s := &shelf{linkless: linkless, files: map[string]string{}, modes: map[string]fs.FileMode{}}
	d := baton.NewDesk(s, "/repo")
	for _, content := range []string{"first", "second", "third"} {
		name, err := d.AddStamped("handoff.", "2026-05-28T09-00-00-000Z", ".md", content)
		is.NoErr(err)
		is.Equal(s.files[name], content)
		is.Equal(s.modes[name], fs.FileMode(0o600))
	}
	is.Equal(cmp.Diff(s.files, map[string]string{
		"handoff.2026-05-28T09-00-00-000Z.md":   "first",
		"handoff.2026-05-28T09-00-00-000Z-2.md": "second",
		"handoff.2026-05-28T09-00-00-000Z-3.md": "third",
	}), "")
}
