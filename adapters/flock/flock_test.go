package flock_test

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/flock"
	"github.com/changeover/changeover/domain/port"
)

// holdVariable names the file that a second process of this test locks.
const holdVariable = "FLOCK_TEST_HOLD"

func TestMain(m *testing.M) {
	path := os.Getenv(holdVariable)
	if path == "" {
		os.Exit(m.Run())
	}
	_, err := flock.Locker{}.TryLock(path, 0o600)
	fmt.Println(err)
	_, _ = bufio.NewReader(os.Stdin).ReadByte() // until the parent has seen enough
}

func TestLocker_KeepsAnotherProcessOut(t *testing.T) {
	is := is.New(t)
	path := filepath.Join(t.TempDir(), ".lock")
	is.NoErr(os.WriteFile(path, []byte("holder"), 0o600))
	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), holdVariable+"="+path)
	_, err := other.StdinPipe() // open as long as this process is
	is.NoErr(err)
	out, err := other.StdoutPipe()
	is.NoErr(err)
	is.NoErr(other.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	is.NoErr(err)
	is.Equal(line, "<nil>\n")

	_, err = flock.Locker{}.TryLock(path, 0o600)
	is.True(errors.Is(err, port.ErrLocked))

	is.NoErr(other.Process.Kill()) // the lock ends with its holder
	_ = other.Wait()
	held, err := flock.Locker{}.TryLock(path, 0o600)
	is.NoErr(err)
	data, err := os.ReadFile(path)
	is.NoErr(err)
	is.Equal(string(data), "holder")
	is.NoErr(held.Note([]byte("me")))
	data, err = os.ReadFile(path)
	is.NoErr(err)
	is.Equal(string(data), "me")
	_, err = flock.Locker{}.TryLock(path, 0o600)
	is.True(errors.Is(err, port.ErrLocked)) // the note left the lock alone
	is.NoErr(held.Release())
}

func TestLocker_HoldsTheSameProcessOutToo(t *testing.T) {
	is := is.New(t)
	path := filepath.Join(t.TempDir(), ".lock")
	held, err := flock.Locker{}.TryLock(path, 0o600)
	is.NoErr(err)
	_, err = flock.Locker{}.TryLock(path, 0o600)
	is.True(errors.Is(err, port.ErrLocked))
	is.NoErr(held.Release())
	again, err := flock.Locker{}.TryLock(path, 0o600)
	is.NoErr(err)
	is.NoErr(again.Release())
}

func TestLocker_RefusesWhatIsNoFile(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	is.NoErr(os.Symlink("target", filepath.Join(dir, "link")))
	for _, path := range []string{dir, filepath.Join(dir, "link")} {
		_, err := flock.Locker{}.TryLock(path, 0o600)
		is.True(errors.Is(err, port.ErrNotRegular))
	}
	_, err := flock.Locker{}.TryLock(filepath.Join(dir, "none", "lock"), 0o600)
	is.True(errors.Is(err, fs.ErrNotExist))
	_, err = os.Stat(filepath.Join(dir, "target"))
	is.True(errors.Is(err, fs.ErrNotExist))
}

// Nothing of a longer note stays behind a shorter one.
func TestLocker_NoteStandsAlone(t *testing.T) {
	is := is.New(t)
	path := filepath.Join(t.TempDir(), ".lock")
	held, err := flock.Locker{}.TryLock(path, 0o600)
	is.NoErr(err)
	for _, note := range []string{"a short one", strings.Repeat("long ", 100), "short again", ""} {
		is.NoErr(held.Note([]byte(note)))
		data, err := os.ReadFile(path)
		is.NoErr(err)
		is.Equal(string(data), note)
	}
	is.NoErr(held.Release())
}

// A lock file that was replaced is somebody else's, or nobody's: it is neither
// written nor waited for.
func TestLocker_NotesInItsOwnFileAlone(t *testing.T) {
	replacements := map[string]func(path string) error{
		"a file": func(path string) error { return os.WriteFile(path, []byte("another's"), 0o600) },
		"a FIFO": func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a link": func(path string) error { return os.Symlink("elsewhere", path) },
	}
	for name, replace := range replacements {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			path := filepath.Join(t.TempDir(), ".lock")
			held, err := flock.Locker{}.TryLock(path, 0o600)
			is.NoErr(err)
			is.NoErr(os.Remove(path))
			is.NoErr(replace(path))
			is.True(held.Note([]byte("mine")) != nil)
			info, err := os.Lstat(path)
			is.NoErr(err)
			if info.Mode().IsRegular() {
				data, err := os.ReadFile(path)
				is.NoErr(err)
				is.Equal(string(data), "another's")
			}
			is.NoErr(held.Release())
		})
	}
}
