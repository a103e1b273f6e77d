package porttest

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/adapters/osfs/memfs"
)

// OnDisk is the real file system in a temporary directory that strangers may
// look into. Its umask is 022.
func OnDisk(t *testing.T) FSHarness {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	must(t, os.Chmod(filepath.Dir(dir), 0o755)) //nolint:gosec // a stranger is part of the test
	must(t, os.Chmod(dir, 0o777))               //nolint:gosec // a stranger is part of the test
	umask := func(t *testing.T, mask fs.FileMode) {
		old := syscall.Umask(int(mask))
		t.Cleanup(func() { syscall.Umask(old) })
	}
	umask(t, 0o022)
	return FSHarness{
		FS:         osfs.New(),
		Dir:        dir,
		Device:     os.DevNull,
		Symlink:    func(t *testing.T, target, path string) { must(t, os.Symlink(target, path)) },
		Fifo:       func(t *testing.T, path string) { must(t, syscall.Mkfifo(path, 0o600)) },
		Chmod:      func(t *testing.T, path string, perm fs.FileMode) { must(t, os.Chmod(path, perm)) },
		Umask:      umask,
		AsStranger: AsStranger,
	}
}

// InMemory is the fake file system. Its umask is 022.
func InMemory(t *testing.T) FSHarness {
	t.Helper()
	files := memfs.New()
	must(t, files.MakeDirs("/tree", 0o777))
	must(t, files.Chmod("/tree", 0o777))
	must(t, files.MakeDirs("/dev", 0o755))
	must(t, files.Device("/dev/null"))
	return FSHarness{
		FS:      files,
		Dir:     "/tree",
		Device:  "/dev/null",
		Symlink: func(t *testing.T, target, path string) { must(t, files.Symlink(target, path)) },
		Fifo:    func(t *testing.T, path string) { must(t, files.Fifo(path)) },
		Chmod:   func(t *testing.T, path string, perm fs.FileMode) { must(t, files.Chmod(path, perm)) },
		Umask: func(t *testing.T, mask fs.FileMode) {
			old := files.SetUmask(mask)
			t.Cleanup(func() { files.SetUmask(old) })
		},
		AsStranger: func(_ *testing.T, do func()) { files.AsStranger(do) },
	}
}

// OnBoth runs a test on the real file system and on the fake.
func OnBoth(t *testing.T, test func(t *testing.T, h FSHarness)) {
	t.Helper()
	t.Run("on disk", func(t *testing.T) { test(t, OnDisk(t)) })
	t.Run("in memory", func(t *testing.T) { test(t, InMemory(t)) })
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
