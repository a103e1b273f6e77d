package osfs_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/osfs"
)

func TestWritable(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	is.NoErr(osfs.Writable(dir))
	left, err := os.ReadDir(dir)
	is.NoErr(err)
	is.Equal(len(left), 0)                                       // nothing was written
	is.True(osfs.Writable(filepath.Join(dir, "missing")) != nil) // a missing one
	is.NoErr(os.Chmod(filepath.Dir(dir), 0o755))                 // whoever asks gets as far as here
	is.NoErr(os.Chmod(dir, 0o777))
	asNobody(t, func() { is.NoErr(osfs.Writable(dir)) })
	is.NoErr(os.Chmod(dir, 0o555))
	asNobody(t, func() { is.True(osfs.Writable(dir) != nil) })
}

func TestTempDir_IsGoneAfterwards(t *testing.T) {
	is := is.New(t)
	ground := t.TempDir()
	is.NoErr(os.Symlink(ground, filepath.Join(ground, "link")))
	t.Setenv("TMPDIR", filepath.Join(ground, "link"))
	dir, remove, err := osfs.TempDir()
	is.NoErr(err)
	real, err := filepath.EvalSymlinks(dir)
	is.NoErr(err)
	is.Equal(dir, real) // a real path
	is.NoErr(os.MkdirAll(filepath.Join(dir, "deep", "er"), 0o755))
	is.NoErr(remove())
	_, err = os.Stat(dir)
	is.True(os.IsNotExist(err))

	t.Setenv("TMPDIR", filepath.Join(ground, "missing"))
	_, _, err = osfs.TempDir()
	is.True(err != nil)
}
