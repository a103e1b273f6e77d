package linkstore_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/linkstore"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/relay"
)

// poor is a file system without hard links; renames tells whether it can rename
// without replacing.
type poor struct {
	port.FS
	renames bool
}

func (p poor) Create(path string, _ []byte, _ fs.FileMode, _ port.Sync) error {
	if _, err := p.Stat(path); err == nil {
		return &fs.PathError{Op: "publish", Path: path, Err: fs.ErrExist}
	}
	return &fs.PathError{Op: "publish", Path: path, Err: port.ErrNoHardLinks}
}

func (p poor) RenameNew(from, to string) error {
	if !p.renames {
		return &fs.PathError{Op: "rename", Path: from, Err: syscall.EINVAL}
	}
	return p.FS.RenameNew(from, to)
}

func TestStore_ClaimsNamesWithoutHardLinks(t *testing.T) {
	is := is.New(t)
	dir := filepath.Join(t.TempDir(), "relay")
	const writers, events = 8, 20
	var group sync.WaitGroup
	won := make([]int, writers)
	for w := range writers {
		group.Go(func() {
			store := linkstore.New(poor{osfs.New(), true}, dir)
			for seq := 1; seq <= events; {
				err := store.Append(link, relay.Planner, relay.Event{Seq: seq, Kind: relay.Asked, Detail: fmt.Sprint(w)})
				switch {
				case err == nil:
					won[w]++
				case !errors.Is(err, relay.ErrTaken):
					t.Error(err)
					return
				}
				seq++
			}
		})
	}
	group.Wait()
	log, err := linkstore.New(osfs.New(), dir).Log(link)
	is.NoErr(err)
	is.Equal(len(log.Events[relay.Planner]), events) // each number once
	had := make([]int, writers)
	for _, e := range log.Events[relay.Planner] {
		w := int(e.Detail[0] - '0')
		had[w]++
	}
	is.Equal(had, won) // whoever was told that it won has its event there
	left, err := filepath.Glob(filepath.Join(dir, "links", link, "planner", "events", ".*"))
	is.NoErr(err)
	is.Equal(len(left), 0) // nothing unfinished stays
}

func TestStore_SaysWhatAFileSystemLacks(t *testing.T) {
	is := is.New(t)
	dir := filepath.Join(t.TempDir(), "relay")
	store := linkstore.New(poor{osfs.New(), false}, dir)
	err := store.Append(link, relay.Planner, relay.Event{Seq: 1, Kind: relay.Asked})
	is.True(err != nil && strings.Contains(err.Error(), "the file system of "+dir+" cannot claim a name"))
	is.True(strings.Contains(err.Error(), "set RELAY_STATE_DIR"))
	is.True(!errors.Is(err, relay.ErrTaken))
}

func TestStore_ReplacesALinkOnce(t *testing.T) {
	is := is.New(t)
	store, dir := open(t)
	is.NoErr(store.AddMember(relay.Member{Session: "s1", Link: "l0", Role: relay.Planner}))
	const writers = 12
	var group sync.WaitGroup
	errs := make([]error, writers)
	for w := range writers {
		group.Go(func() {
			errs[w] = linkstore.New(osfs.New(), dir).ReplaceMember(relay.Member{Session: "s1", Link: fmt.Sprintf("l%d", w+1), Role: relay.Builder}, "l0")
		})
	}
	group.Wait()
	m, err := store.Member("s1")
	is.NoErr(err)
	won := 0
	for w, err := range errs {
		if err == nil {
			won++
			is.Equal(m.Link, fmt.Sprintf("l%d", w+1)) // the winner's
			continue
		}
		is.True(errors.Is(err, relay.ErrTaken))
	}
	is.Equal(won, 1)
	is.True(errors.Is(store.ReplaceMember(relay.Member{Session: "s1", Link: "lx"}, "l0"), relay.ErrTaken)) // it has that one no longer
	is.True(errors.Is(store.ReplaceMember(relay.Member{Session: "s2", Link: "lx"}, "l0"), relay.ErrTaken)) // it never had
	is.True(store.ReplaceMember(relay.Member{Session: "s1", Link: "lx"}, "../l0") != nil)
	members, problems := store.Members()
	is.Equal(len(members), 1)
	is.Equal(len(problems), 0)
}

func TestStore_WritesNothingThatItCouldNotRead(t *testing.T) {
	is := is.New(t)
	store, _ := open(t)
	err := store.Append(link, relay.Planner, relay.Event{Seq: 1, Kind: relay.Asked, Text: strings.Repeat("x", 5<<20)})
	is.True(errors.Is(err, relay.ErrUnusable))
	_, err = store.Log(link)
	is.True(errors.Is(err, relay.ErrNoLink))
}

func TestStore_TakesAnyWritingOfItsDirectory(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	env := port.Environment{Lookup: func(name string) string {
		return map[string]string{"RELAY_STATE_DIR": dir + "//state//./"}[name]
	}}
	store := linkstore.Open(osfs.New(), env)
	is.NoErr(store.Append(link, relay.Planner, relay.Event{Seq: 1, Kind: relay.Asked}))
	_, err := os.Stat(filepath.Join(dir, "state", "links", link))
	is.NoErr(err)
}
