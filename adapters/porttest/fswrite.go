package porttest

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/port"
)

// racers is how many do one thing at once.
const racers = 24

// race runs racers goroutines at once and returns how many of their errors
// were nil; the others must be the wanted one.
func race(t *testing.T, want error, do func(i int) error) (winners []int) {
	t.Helper()
	var group sync.WaitGroup
	start := make(chan struct{})
	errs := make([]error, racers)
	for i := range racers {
		group.Go(func() {
			<-start
			errs[i] = do(i)
		})
	}
	close(start)
	group.Wait()
	for i, err := range errs {
		switch {
		case err == nil:
			winners = append(winners, i)
		case !errors.Is(err, want):
			t.Errorf("got error %v, want %v", err, want)
		}
	}
	return winners
}

func fsCreate(t *testing.T, h FSHarness) {
	is := is.New(t)
	is.NoErr(h.FS.Create(h.at("a"), []byte("synced"), 0o600, port.Synced))
	is.NoErr(h.FS.Create(h.at("b"), []byte("not synced"), 0o600, port.Unsynced))
	is.NoErr(h.FS.Create(h.at("c"), nil, 0o600, port.Synced))
	is.Equal(h.Content(t, h.at("a")), "synced")
	is.Equal(h.Content(t, h.at("b")), "not synced")
	is.Equal(h.Content(t, h.at("c")), "")
	h.holds(t, "a", "b", "c")
}

func fsCreateTaken(t *testing.T, h FSHarness) {
	is := is.New(t)
	h.Put(t, h.at("file"), "old")
	h.Chmod(t, h.at("file"), 0o640)
	h.Mkdir(t, h.at("dir"))
	h.Fifo(t, h.at("fifo"))
	h.Symlink(t, h.at("file"), h.at("link"))
	h.Symlink(t, h.at("gone"), h.at("dangling"))
	for _, name := range []string{"file", "dir", "fifo", "link", "dangling"} {
		before := h.lmode(t, h.at(name))
		for _, sync := range []port.Sync{port.Synced, port.Unsynced} {
			named(t, h.FS.Create(h.at(name), []byte("new"), 0o600, sync), fs.ErrExist, h.at(name))
		}
		is.Equal(h.lmode(t, h.at(name)), before) // name stays as it was
	}
	is.Equal(h.Content(t, h.at("file")), "old")
	h.holds(t, "dangling", "dir", "fifo", "file", "link") // and nothing was made through a link
}

func fsCreateNowhere(t *testing.T, h FSHarness) {
	is := is.New(t)
	h.Put(t, h.at("file"), "")
	for _, name := range []string{h.at("gone", "new"), h.at("file", "new")} {
		is.True(errors.Is(h.FS.Create(name, nil, 0o600, port.Synced), fs.ErrNotExist))
		is.True(errors.Is(h.FS.Replace(name, nil, 0o600, port.Synced), fs.ErrNotExist))
	}
	h.holds(t, "file")
}

func fsCreateRace(t *testing.T, h FSHarness) {
	is := is.New(t)
	winners := race(t, fs.ErrExist, func(i int) error {
		return h.FS.Create(h.at("name"), fmt.Append(nil, i), 0o600, port.Unsynced)
	})
	is.Equal(len(winners), 1) // exactly one wins
	is.Equal(h.Content(t, h.at("name")), fmt.Sprint(winners[0]))
	h.holds(t, "name")
}

func fsReplace(t *testing.T, h FSHarness) {
	is := is.New(t)
	for _, sync := range []port.Sync{port.Synced, port.Unsynced} {
		is.NoErr(h.FS.Replace(h.at("new"), []byte("first, and longer"), 0o600, sync))
		is.Equal(h.Content(t, h.at("new")), "first, and longer")
		is.NoErr(h.FS.Replace(h.at("new"), []byte("second"), 0o644, sync))
		is.Equal(h.Content(t, h.at("new")), "second")
		is.Equal(h.lmode(t, h.at("new")), fs.FileMode(0o644)) // the mode is the new one's
		h.holds(t, "new")
	}
}

func fsReplaceLink(t *testing.T, h FSHarness) {
	is := is.New(t)
	h.Put(t, h.at("target"), "untouched")
	h.Symlink(t, h.at("target"), h.at("link"))
	is.NoErr(h.FS.Replace(h.at("link"), []byte("new"), 0o600, port.Unsynced))
	is.Equal(h.Content(t, h.at("link")), "new") // no link any more
	is.Equal(h.Content(t, h.at("target")), "untouched")
	h.holds(t, "link", "target")
}

func fsReplaceDir(t *testing.T, h FSHarness) {
	is := is.New(t)
	h.Mkdir(t, h.at("dir"))
	h.Put(t, h.at("dir", "inside"), "x")
	err := h.FS.Replace(h.at("dir"), []byte("new"), 0o600, port.Unsynced)
	is.True(err != nil)
	is.True(strings.Contains(err.Error(), h.at("dir"))) // names the path
	is.Equal(h.Names(t, h.at("dir")), []string{"inside"})
	h.holds(t, "dir")
}

func fsReplaceRace(t *testing.T, h FSHarness) {
	is := is.New(t)
	const size = 1 << 16
	h.Put(t, h.at("name"), strings.Repeat("a", size))
	var torn atomic.Int64
	winners := race(t, nil, func(i int) error {
		if i%2 == 0 {
			return h.FS.Replace(h.at("name"), []byte(strings.Repeat(string(rune('a'+i)), size)), 0o600, port.Unsynced)
		}
		data, err := h.FS.ReadFile(h.at("name"), size)
		if err == nil && string(data) != strings.Repeat(string(data[:1]), size) {
			torn.Add(1)
		}
		return err
	})
	is.Equal(len(winners), racers)
	is.Equal(torn.Load(), int64(0)) // nobody saw a part of a file
	h.holds(t, "name")
}

func fsModes(t *testing.T, h FSHarness) {
	tests := []struct {
		umask, perm, want fs.FileMode
	}{
		{0, 0o600, 0o600},
		{0, 0o666, 0o666},
		{0o022, 0o600, 0o600},
		{0o022, 0o666, 0o644},
		{0o077, 0o666, 0o600},
	}
	for i, tt := range tests {
		t.Run(fmt.Sprintf("%o under %o", tt.perm, tt.umask), func(t *testing.T) {
			is := is.New(t)
			h.Umask(t, tt.umask)
			name := h.at(fmt.Sprint(i))
			is.NoErr(h.FS.Create(name+"c", nil, tt.perm, port.Unsynced))
			is.NoErr(h.FS.Replace(name+"r", nil, tt.perm, port.Unsynced))
			is.NoErr(h.FS.MakeDir(name+"d", tt.perm|0o100))
			is.Equal(h.lmode(t, name+"c"), tt.want)
			is.Equal(h.lmode(t, name+"r"), tt.want)
			is.Equal(h.lmode(t, name+"d"), tt.want|0o100|fs.ModeDir)
		})
	}
}

func fsMakeDir(t *testing.T, h FSHarness) {
	is := is.New(t)
	is.NoErr(h.FS.MakeDir(h.at("dir"), 0o700))
	is.Equal(h.lmode(t, h.at("dir")), fs.ModeDir|0o700)
	h.Put(t, h.at("dir", "inside"), "x")
	h.Chmod(t, h.at("dir"), 0o751)
	is.NoErr(h.FS.MakeDir(h.at("dir"), 0o700))
	is.Equal(h.lmode(t, h.at("dir")), fs.ModeDir|0o751) // an existing one keeps its mode
	is.Equal(h.Names(t, h.at("dir")), []string{"inside"})
	h.Symlink(t, h.at("dir"), h.at("link"))
	is.NoErr(h.FS.MakeDir(h.at("link"), 0o700)) // a link to one is one
	named(t, h.FS.MakeDir(h.at("gone", "deeper"), 0o700), fs.ErrNotExist, h.at("gone", "deeper"))
}

func fsMakeDirTaken(t *testing.T, h FSHarness) {
	is := is.New(t)
	h.Put(t, h.at("file"), "x")
	h.Symlink(t, h.at("gone"), h.at("dangling"))
	is.True(h.FS.MakeDir(h.at("file"), 0o700) != nil)
	is.True(h.FS.MakeDir(h.at("dangling"), 0o700) != nil)
	is.Equal(h.Content(t, h.at("file")), "x")
	h.holds(t, "dangling", "file")
}

func fsRemove(t *testing.T, h FSHarness) {
	is := is.New(t)
	h.Put(t, h.at("file"), "x")
	h.Put(t, h.at("target"), "x")
	h.Symlink(t, h.at("target"), h.at("link"))
	h.Symlink(t, h.at("gone"), h.at("dangling"))
	for _, name := range []string{"file", "link", "dangling"} {
		is.NoErr(h.FS.Remove(h.at(name)))
		named(t, h.FS.Remove(h.at(name)), fs.ErrNotExist, h.at(name)) // twice
	}
	h.holds(t, "target") // the link went, not what it led to
}

func fsRemoveOdd(t *testing.T, h FSHarness) {
	is := is.New(t)
	h.Mkdir(t, h.at("dir"))
	err := h.FS.Remove(h.at("dir"))
	is.True(err != nil)
	is.True(!errors.Is(err, fs.ErrNotExist))
	h.holds(t, "dir")
}

func fsRemoveDir(t *testing.T, h FSHarness) {
	is := is.New(t)
	h.Mkdir(t, h.at("dir"))
	h.Put(t, h.at("dir", "inside"), "x")
	named(t, h.FS.RemoveDir(h.at("dir")), fs.ErrExist, h.at("dir")) // not empty
	is.Equal(h.Content(t, h.at("dir", "inside")), "x")
	is.NoErr(h.FS.Remove(h.at("dir", "inside")))
	is.NoErr(h.FS.RemoveDir(h.at("dir")))
	named(t, h.FS.RemoveDir(h.at("dir")), fs.ErrNotExist, h.at("dir")) // twice
	h.holds(t)
}

func fsRemoveDirOdd(t *testing.T, h FSHarness) {
	is := is.New(t)
	h.Put(t, h.at("file"), "x")
	h.Mkdir(t, h.at("target"))
	h.Symlink(t, h.at("target"), h.at("link"))
	for _, name := range []string{"file", "link"} {
		err := h.FS.RemoveDir(h.at(name))
		is.True(err != nil)
		is.True(!errors.Is(err, fs.ErrNotExist)) // it is there
		is.True(!errors.Is(err, fs.ErrExist))    // and not for being full
	}
	named(t, h.FS.RemoveDir(h.at("file", "below")), fs.ErrNotExist, h.at("file", "below"))
	h.holds(t, "file", "link", "target")
}

func fsTouch(t *testing.T, h FSHarness) {
	is := is.New(t)
	h.Mkdir(t, h.at("dir"))
	before, err := h.FS.Stat(h.at("dir"))
	is.NoErr(err)
	for range 10_000 { // a coarse clock does not move at each call
		is.NoErr(h.FS.Touch(h.at("dir")))
		after, err := h.FS.Stat(h.at("dir"))
		is.NoErr(err)
		is.True(!after.ModTime.Before(before.ModTime))
		if after.ModTime.After(before.ModTime) {
			named(t, h.FS.Touch(h.at("none")), fs.ErrNotExist, h.at("none"))
			h.holds(t, "dir") // and nothing beside it
			return
		}
	}
	t.Error("its time stays")
}

func fsRename(t *testing.T, h FSHarness) {
	is := is.New(t)
	h.Put(t, h.at("a"), "a")
	h.Put(t, h.at("b"), "b")
	is.NoErr(h.FS.Rename(h.at("a"), h.at("b")))
	is.Equal(h.Content(t, h.at("b")), "a") // replaced
	h.holds(t, "b")

	h.Mkdir(t, h.at("dir"))
	h.Put(t, h.at("dir", "inside"), "x")
	is.NoErr(h.FS.Rename(h.at("dir"), h.at("elsewhere")))
	is.Equal(h.Content(t, h.at("elsewhere", "inside")), "x")
	h.holds(t, "b", "elsewhere")

	named(t, h.FS.Rename(h.at("gone"), h.at("b")), fs.ErrNotExist, h.at("gone"))
	is.Equal(h.Content(t, h.at("b")), "a")
}

func fsRenameOdd(t *testing.T, h FSHarness) {
	is := is.New(t)
	h.Mkdir(t, h.at("dir"))
	h.Put(t, h.at("file"), "x")
	err := h.FS.Rename(h.at("dir"), h.at("file"))
	is.True(err != nil)
	is.True(!errors.Is(err, fs.ErrNotExist)) // the old name is there
	is.True(h.FS.Rename(h.at("file"), h.at("dir")) != nil)
	for _, rename := range []func(from, to string) error{h.FS.Rename, h.FS.RenameNew} {
		for _, to := range []string{h.at("gone", "new"), h.at("file", "new")} {
			err := rename(h.at("dir"), to)
			is.True(err != nil)
			is.True(!errors.Is(err, fs.ErrNotExist)) // only the new name has no place
		}
	}
	h.holds(t, "dir", "file")
}

func fsRenameNew(t *testing.T, h FSHarness) {
	is := is.New(t)
	h.Put(t, h.at("file"), "x")
	h.Chmod(t, h.at("file"), 0o640)
	h.Mkdir(t, h.at("dir"))
	h.Put(t, h.at("dir", "inside"), "y")
	is.NoErr(h.FS.RenameNew(h.at("file"), h.at("dir", "moved")))
	is.NoErr(h.FS.RenameNew(h.at("dir"), h.at("elsewhere")))
	is.Equal(h.Names(t, h.at("elsewhere")), []string{"inside", "moved"})
	is.Equal(h.lmode(t, h.at("elsewhere", "moved")), fs.FileMode(0o640)) // unchanged
	named(t, h.FS.RenameNew(h.at("gone"), h.at("new")), fs.ErrNotExist, h.at("gone"))
	h.holds(t, "elsewhere")
}

func fsRenameNewTaken(t *testing.T, h FSHarness) {
	is := is.New(t)
	h.Put(t, h.at("file"), "x")
	h.Mkdir(t, h.at("dir"))
	h.Put(t, h.at("taken-file"), "untouched")
	h.Mkdir(t, h.at("taken-empty"))
	h.Mkdir(t, h.at("taken-full"))
	h.Put(t, h.at("taken-full", "inside"), "untouched")
	h.Symlink(t, h.at("gone"), h.at("taken-link"))
	for _, from := range []string{"file", "dir"} {
		for _, to := range []string{"taken-file", "taken-empty", "taken-full", "taken-link"} {
			named(t, h.FS.RenameNew(h.at(from), h.at(to)), fs.ErrExist, h.at(from))
		}
	}
	is.Equal(h.Content(t, h.at("taken-file")), "untouched")
	is.Equal(h.Names(t, h.at("taken-full")), []string{"inside"})
	h.holds(t, "dir", "file", "taken-empty", "taken-file", "taken-full", "taken-link")
}

func fsRenameNewRace(t *testing.T, h FSHarness) {
	is := is.New(t)
	for i := range racers {
		h.Put(t, h.at(fmt.Sprintf("from-%02d", i)), fmt.Sprint(i))
	}
	winners := race(t, fs.ErrExist, func(i int) error {
		return h.FS.RenameNew(h.at(fmt.Sprintf("from-%02d", i)), h.at("to"))
	})
	is.Equal(len(winners), 1)
	is.Equal(h.Content(t, h.at("to")), fmt.Sprint(winners[0]))
	is.Equal(len(h.Names(t, h.Dir)), racers) // the losers' files are where they were
}
