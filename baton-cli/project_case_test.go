package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/clock"
	"github.com/changeover/changeover/adapters/flock"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/project"
	"github.com/changeover/changeover/domain/port"
)

// anyCase is a file system on which the case of a name makes no difference: it
// keeps everything in lower case, and takes paths as they are spelled.
type anyCase struct{ osfs.FS }

func (f anyCase) RealPath(path string) (string, error) {
	_, err := f.FS.RealPath(strings.ToLower(path))
	return path, err
}

func (f anyCase) ReadDir(path string) ([]port.Entry, error) {
	return f.FS.ReadDir(strings.ToLower(path))
}

// topmost takes every directory for the top of a repository.
type topmost struct{ port.Git }

func (topmost) Top(_ context.Context, dir string) (string, error) { return dir, nil }

func TestProject_TheCaseOfAPathCountsWhereItDoesOnDisk(t *testing.T) {
	tests := []struct {
		name  string
		files baton.Files
		dirs  []string
		want  int
	}{
		{"where it makes no difference", anyCase{osfs.New()}, []string{"work/repo"}, 1},
		{"where it does", osfs.New(), []string{"work/repo", "Work/Repo"}, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			ground, err := os.MkdirTemp("", "case") // a path in lower case
			is.NoErr(err)
			t.Cleanup(func() { _ = os.RemoveAll(ground) })
			ground, err = filepath.EvalSymlinks(ground)
			is.NoErr(err)
			for _, dir := range tt.dirs {
				is.NoErr(os.MkdirAll(filepath.Join(ground, dir), 0o755))
			}
			if names, err := os.ReadDir(ground); err != nil || len(names) != len(tt.dirs) {
				t.Skip("the disk makes no difference either", err)
			}
			w := baton.World{
				Clock: clock.New(), Alarms: clock.Alarm, Files: tt.files, Locks: flock.Locker{}, Git: topmost{}, Dir: ground,
				Env: port.Environment{Lookup: func(string) string { return "" }, Home: ground},
			}
			for _, dir := range []string{"work/repo", "Work/Repo"} {
				_, err := w.AddProject(t.Context(), project.Wanted{Path: dir})
				is.NoErr(err)
			}
			r, err := w.Registered()
			is.NoErr(err)
			is.Equal(len(r.Projects), tt.want)
		})
	}
}
