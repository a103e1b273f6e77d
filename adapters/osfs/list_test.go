package osfs

import (
	"cmp"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	diff "github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/port"
)

// What macOS lists by is run here too, and says the same as this system's own way.
func TestList_SaysTheSameOnEverySystem(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	is.NoErr(os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	is.NoErr(os.Mkdir(filepath.Join(dir, "directory"), 0o700))
	is.NoErr(os.Symlink("nowhere", filepath.Join(dir, "link")))
	is.NoErr(syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o600))
	socket, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "socket"), Net: "unix"})
	is.NoErr(err)
	defer socket.Close()
	want := []port.Entry{
		{Name: "directory", Mode: fs.ModeDir},
		{Name: "fifo", Mode: fs.ModeNamedPipe},
		{Name: "file"},
		{Name: "link", Mode: fs.ModeSymlink},
		{Name: "socket", Mode: fs.ModeSocket},
	}
	for name, way := range map[string]func(string) ([]port.Entry, error){"plainly": listPlainly, "own": list} {
		got, err := way(dir)
		is.NoErr(err)
		slices.SortFunc(got, func(a, b port.Entry) int { return cmp.Compare(a.Name, b.Name) })
		if d := diff.Diff(want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		_, err = way(filepath.Join(dir, "none"))
		is.True(err != nil)
	}
}
