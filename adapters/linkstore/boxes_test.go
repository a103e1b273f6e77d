package linkstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/linkstore"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/relay"
)

var (
	waiting = relay.Box{From: relay.Planner, Seq: 7}
	hook    = relay.Attachment{PID: 9, Start: "55"}
	client  = relay.Attachment{PID: 8, Start: "44.000001"}
)

// laid is a store in which one delivery waits.
func laid(t *testing.T, files port.FS) (linkstore.Store, string) {
	t.Helper()
	is := is.New(t)
	dir := filepath.Join(t.TempDir(), "relay")
	store := linkstore.New(files, dir)
	is.NoErr(store.Append(link, relay.Planner, relay.Event{Seq: 1, Kind: relay.Asked}))
	is.NoErr(store.Put(relay.Delivery{Link: link, From: relay.Planner, To: relay.Builder, Seq: 7, Text: "t"}))
	return store, filepath.Join(dir, "links", link, "builder")
}

func lying(t *testing.T, store linkstore.Store) []relay.Box {
	t.Helper()
	log, err := store.Log(link)
	if err != nil {
		t.Fatal(err)
	}
	return log.Boxes[relay.Builder]
}

func TestBoxes_AreHandedOverOnce(t *testing.T) {
	is := is.New(t)
	store, _ := laid(t, osfs.New())
	_, err := store.Claim(link, relay.Builder, waiting, hook)
	is.NoErr(err)
	claimed := relay.Box{From: relay.Planner, Seq: 7, Taken: true, PID: 9, Start: "55"}
	is.Equal(lying(t, store), []relay.Box{claimed})
	at := time.UnixMilli(1796031472165).UTC()
	is.NoErr(store.HandOver(link, relay.Builder, claimed, client, at))
	given := relay.Box{From: relay.Planner, Seq: 7, Taken: true, PID: 8, Start: "44.000001", HandedAt: at}
	is.Equal(lying(t, store), []relay.Box{given}) // to whom, and when
	is.True(errors.Is(store.HandOver(link, relay.Builder, claimed, client, at), relay.ErrTaken))
	is.NoErr(store.Release(link, relay.Builder, given))
	is.Equal(lying(t, store), []relay.Box{waiting})
}

func TestRelease_OfWhatWasLaidDownAgainLeavesOne(t *testing.T) {
	is := is.New(t)
	store, _ := laid(t, osfs.New())
	_, err := store.Claim(link, relay.Builder, waiting, hook)
	is.NoErr(err)
	is.NoErr(store.Put(relay.Delivery{Link: link, From: relay.Planner, To: relay.Builder, Seq: 7, Text: "t"}))
	is.Equal(len(lying(t, store)), 2) // both are seen
	is.NoErr(store.Release(link, relay.Builder, relay.Box{From: relay.Planner, Seq: 7, Taken: true, PID: 9, Start: "55"}))
	is.Equal(lying(t, store), []relay.Box{waiting})
}

// unreadable is a disk that cannot read what lies in a directory.
type unreadable struct {
	port.FS
	dir string
}

func (u unreadable) ReadFile(path string, limit int64) ([]byte, error) {
	if filepath.Base(filepath.Dir(path)) == u.dir {
		return nil, &os.PathError{Op: "read", Path: path, Err: syscall.EIO}
	}
	return u.FS.ReadFile(path, limit)
}

func TestClaim_PutsBackWhatTheDiskDoesNotGive(t *testing.T) {
	is := is.New(t)
	store, _ := laid(t, unreadable{osfs.New(), "taken"})
	_, err := store.Claim(link, relay.Builder, waiting, hook)
	is.True(errors.Is(err, syscall.EIO))
	is.True(!errors.Is(err, relay.ErrUnusable) && !errors.Is(err, relay.ErrTaken))
	is.Equal(lying(t, store), []relay.Box{waiting})
}

func TestClaim_OfWhatIsNoDeliverySaysSo(t *testing.T) {
	for name, content := range map[string]string{"cut off": `{"link":`, "a list": `[]`, "too large": strings.Repeat(" ", 5<<20)} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			store, dir := laid(t, osfs.New())
			is.NoErr(os.WriteFile(filepath.Join(dir, "in", "000007-planner-0.json"), []byte(content), 0o600))
			_, err := store.Claim(link, relay.Builder, waiting, hook)
			is.True(errors.Is(err, relay.ErrUnusable))
			is.True(lying(t, store)[0].Taken) // nobody else tries
		})
	}
}

func TestMember_IsALinkAndAProcessThatAreKeptApart(t *testing.T) {
	is := is.New(t)
	store, _ := open(t)
	is.NoErr(store.PutProcess("s1", hook))
	m, err := store.Member("s1")
	is.NoErr(err)
	is.Equal(m, relay.Member{Session: "s1", PID: 9, Start: "55"}) // hooks run there
	is.NoErr(store.AddMember(relay.Member{Session: "s1", Link: link, Role: relay.Builder, PID: 9, Start: "55"}))
	is.NoErr(store.PutProcess("s1", client))
	m, err = store.Member("s1")
	is.NoErr(err)
	is.Equal(m, relay.Member{Session: "s1", Link: link, Role: relay.Builder, PID: 8, Start: "44.000001"}) // where it runs now
	is.NoErr(store.AddMember(relay.Member{Session: "s2", Link: link, Role: relay.Planner, PID: 5, Start: "50"}))
	all, problems := store.Members()
	is.Equal(len(problems), 0)
	is.Equal(all, []relay.Member{m, {Session: "s2", Link: link, Role: relay.Planner, PID: 5, Start: "50"}}) // each once
	is.NoErr(store.DropProcess("s1"))
	m, err = store.Member("s1")
	is.NoErr(err)
	is.Equal(m.Link, link) // the link stays
	is.NoErr(store.PutProcess("s1", client))
	is.NoErr(store.DropMember("s1"))
	_, err = store.Member("s1")
	is.True(errors.Is(err, relay.ErrNoSession)) // nothing is left
}
