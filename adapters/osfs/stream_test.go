package osfs_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/domain/port"
)

func TestOpen_ReadsAnywhereAndKeepsTheFileThatItOpened(t *testing.T) {
	is := is.New(t)
	path := filepath.Join(t.TempDir(), "log")
	is.NoErr(os.WriteFile(path, []byte("0123456789"), 0o600))
	source, err := osfs.New().Open(path)
	is.NoErr(err)
	is.NoErr(osfs.New().Replace(path, []byte("other"), 0o600, port.Unsynced))
	is.Equal(source.Info().Size, int64(10))
	part := make([]byte, 3)
	_, err = source.ReadAt(part, 4)
	is.NoErr(err)
	is.Equal(string(part), "456")
	is.NoErr(source.Close())
}

func TestOpenAndAppend_RefuseWhatIsNoFile(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	is.NoErr(os.Symlink("target", filepath.Join(dir, "link")))
	is.NoErr(syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o600))
	for _, path := range []string{dir, filepath.Join(dir, "link"), filepath.Join(dir, "fifo")} {
		_, err := osfs.New().Open(path)
		is.True(errors.Is(err, port.ErrNotRegular))
		_, err = osfs.New().Append(path, 0o600)
		is.True(errors.Is(err, port.ErrNotRegular))
	}
	_, err := osfs.New().Open(filepath.Join(dir, "none"))
	is.True(errors.Is(err, fs.ErrNotExist))
	_, err = osfs.New().Append(filepath.Join(dir, "none", "log"), 0o600)
	is.True(errors.Is(err, fs.ErrNotExist))
}

func TestAppend_MakesTheFileAndGoesOnAtItsEnd(t *testing.T) {
	is := is.New(t)
	path := filepath.Join(t.TempDir(), "log")
	for range 2 {
		log, err := osfs.New().Append(path, 0o600)
		is.NoErr(err)
		_, err = io.WriteString(log, "line\n")
		is.NoErr(err)
		is.NoErr(log.Close())
	}
	data, err := os.ReadFile(path)
	is.NoErr(err)
	is.Equal(string(data), "line\nline\n")
	info, err := os.Stat(path)
	is.NoErr(err)
	is.Equal(info.Mode().Perm(), fs.FileMode(0o600))
}

func TestDraft_IsSeenWholeOrNotAtAll(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "log")
	is.NoErr(os.WriteFile(path, []byte("old"), 0o600))
	draft, err := osfs.New().Draft(path, 0o600, port.Synced)
	is.NoErr(err)
	_, err = io.WriteString(draft, strings.Repeat("new\n", 1000))
	is.NoErr(err)
	data, err := os.ReadFile(path)
	is.NoErr(err)
	is.Equal(string(data), "old")
	is.NoErr(draft.Publish())
	is.NoErr(draft.Discard()) // nothing is left to take away
	data, err = os.ReadFile(path)
	is.NoErr(err)
	is.Equal(len(data), 4000)

	draft, err = osfs.New().Draft(path, 0o600, port.Synced)
	is.NoErr(err)
	is.NoErr(draft.Discard())
	entries, err := os.ReadDir(dir)
	is.NoErr(err)
	is.Equal(len(entries), 1)
}

func TestDraft_LeavesTheOldContentAfterAnyFault(t *testing.T) {
	for _, call := range []string{"create", "write", "fsync", "close", "rename"} {
		t.Run(call, func(t *testing.T) {
			is := is.New(t)
			dir := t.TempDir()
			path := filepath.Join(dir, "log")
			is.NoErr(os.WriteFile(path, []byte("old"), 0o600))
			err := func() error {
				draft, err := osfs.NewOn(newFaulty(always(call, syscall.ENOSPC))).Draft(path, 0o600, port.Synced)
				if err != nil {
					return err
				}
				defer func() { _ = draft.Discard() }()
				if _, err := io.WriteString(draft, "new"); err != nil {
					return err
				}
				return draft.Publish()
			}()
			is.True(errors.Is(err, syscall.ENOSPC))
			data, err := os.ReadFile(path)
			is.NoErr(err)
			is.Equal(string(data), "old")
			entries, err := os.ReadDir(dir)
			is.NoErr(err)
			is.Equal(len(entries), 1)
		})
	}
}

func TestLink_NeverReplaces(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	from, to := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	is.NoErr(os.WriteFile(from, []byte("a"), 0o600))
	is.NoErr(osfs.New().Link(from, to))
	is.True(errors.Is(osfs.New().Link(from, to), fs.ErrExist))
	is.True(errors.Is(osfs.New().Link(filepath.Join(dir, "none"), filepath.Join(dir, "c")), fs.ErrNotExist))
}
