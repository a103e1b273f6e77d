package osfs_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/osfs"
)

// modes notes the permission bits of the unfinished file before each write.
type modes struct {
	*faulty
	t    *testing.T
	seen []fs.FileMode
}

func (m *modes) Write(fd int, p []byte) (int, error) {
	info, err := os.Stat(m.temps[len(m.temps)-1])
	if err != nil {
		m.t.Fatal(err)
	}
	m.seen = append(m.seen, info.Mode())
	return m.faulty.Write(fd, p)
}

func exacts() map[string]func(f osfs.FS, path string, perm fs.FileMode) error {
	return map[string]func(f osfs.FS, path string, perm fs.FileMode) error{
		"create":  func(f osfs.FS, path string, perm fs.FileMode) error { return f.CreateExact(path, []byte("new"), perm) },
		"replace": func(f osfs.FS, path string, perm fs.FileMode) error { return f.ReplaceExact(path, []byte("new"), perm) },
	}
}

func TestFS_ExactModesWhateverTheUmask(t *testing.T) {
	for name, publish := range exacts() {
		for _, umask := range []int{0o000, 0o022, 0o077} {
			for _, perm := range []fs.FileMode{0o600, 0o644, 0o664, 0o666, 0o400, 0o755} {
				t.Run(fmt.Sprintf("%s %o %o", name, umask, perm), func(t *testing.T) {
					is := is.New(t)
					old := syscall.Umask(umask)
					t.Cleanup(func() { syscall.Umask(old) })
					path := filepath.Join(t.TempDir(), "target.json")
					if name == "replace" {
						is.NoErr(os.WriteFile(path, []byte("old"), 0o600))
					}
					sys := &modes{faulty: newFaulty(never), t: t}
					is.NoErr(publish(osfs.NewOn(sys), path, perm))
					is.Equal(sys.seen, []fs.FileMode{perm}) // before the first byte
					info, err := os.Stat(path)
					is.NoErr(err)
					is.Equal(info.Mode(), perm)
					is.Equal(content(t, path), "new")
				})
			}
		}
	}
}

func TestFS_ExactModeThatCannotBeSetWritesNothing(t *testing.T) {
	for name, publish := range exacts() {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			dir := t.TempDir()
			sys := newFaulty(always("chmod", syscall.EPERM))
			err := publish(osfs.NewOn(sys), filepath.Join(dir, "target.json"), 0o600)
			is.True(errors.Is(err, fs.ErrPermission))
			is.True(!slices.Contains(sys.calls, "write"))
			is.Equal(len(names(t, dir)), 0)
			sys.closedAll(t)
		})
	}
}

func TestFS_CreateExactNeverReplaces(t *testing.T) {
	is := is.New(t)
	path := filepath.Join(t.TempDir(), "target.json")
	is.NoErr(os.WriteFile(path, []byte("old"), 0o600))
	is.True(errors.Is(osfs.New().CreateExact(path, []byte("new"), 0o644), fs.ErrExist))
	is.Equal(content(t, path), "old")
}

func TestFS_MakeNewDirIsExclusive(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	files := osfs.New()
	is.NoErr(files.MakeNewDir(dir+"/new", 0o700))
	info, err := os.Stat(dir + "/new")
	is.NoErr(err)
	is.Equal(info.Mode(), fs.ModeDir|0o700)
	is.NoErr(os.Symlink(dir+"/gone", dir+"/link"))
	is.NoErr(os.WriteFile(dir+"/file", nil, 0o600))
	for _, taken := range []string{"new", "link", "file"} {
		is.True(errors.Is(files.MakeNewDir(dir+"/"+taken, 0o700), fs.ErrExist))
	}
	is.True(errors.Is(files.MakeNewDir(dir+"/no/where", 0o700), fs.ErrNotExist))
	is.True(errors.Is(osfs.NewOn(newFaulty(always("mkdir", syscall.ENOSPC))).MakeNewDir(dir+"/other", 0o700), syscall.ENOSPC))
}
