package linkstore_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/adapters/linkstore"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/relay"
)

const link = "00aa11bb22cc33dd"

func open(t *testing.T) (linkstore.Store, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "state", "relay")
	return linkstore.New(osfs.New(), dir), dir
}

func TestDir_FollowsTheEnvironment(t *testing.T) {
	tests := []struct {
		name string
		vars map[string]string
		want string
	}{
		{"nothing set", nil, "/home/dev/.local/state/relay"},
		{"state home", map[string]string{"XDG_STATE_HOME": "/s"}, "/s/relay"},
		{"a relative state home does not count", map[string]string{"XDG_STATE_HOME": "s"}, "/home/dev/.local/state/relay"},
		{"the override wins", map[string]string{"XDG_STATE_HOME": "/s", "RELAY_STATE_DIR": "/r"}, "/r"},
		{"an override with more slashes and dots", map[string]string{"RELAY_STATE_DIR": "//r//./s/../t/"}, "/r/t"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			env := port.Environment{Home: "/home/dev", Lookup: func(name string) string { return tt.vars[name] }}
			dir, err := linkstore.Dir(env)
			is.NoErr(err)
			is.Equal(dir, tt.want)
		})
	}
}

// A state below the working directory would be another one for each session, and
// might lie in a repository.
func TestDir_IsNeverBelowTheWorkingDirectory(t *testing.T) {
	tests := []struct {
		name string
		vars map[string]string
		says string
	}{
		{"no home", nil, "home directory not known"},
		{"no home and a relative state home", map[string]string{"XDG_STATE_HOME": "s"}, "set HOME, XDG_STATE_HOME or RELAY_STATE_DIR"},
		{"a relative override", map[string]string{"RELAY_STATE_DIR": "r", "HOME": "/home/dev"}, `RELAY_STATE_DIR is "r": give it an absolute path`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			t.Chdir(t.TempDir())
			env := port.Environment{Home: tt.vars["HOME"], Lookup: func(name string) string { return tt.vars[name] }}
			dir, err := linkstore.Dir(env)
			is.Equal(dir, "")
			is.True(err != nil && strings.Contains(err.Error(), tt.says))
			store := linkstore.Open(osfs.New(), env)
			_, bellErr := store.Hang("s1")
			_, memberErr := store.Member("s1")
			_, logErr := store.Log(link)
			_, unread := store.Members()
			box := relay.Box{From: relay.Planner, Seq: 1}
			_, claimErr := store.Claim(link, relay.Builder, box, relay.Attachment{PID: 1})
			for _, said := range []error{
				bellErr, memberErr, logErr, claimErr, store.Ring("s1"), store.AddMember(relay.Member{Session: "s1"}), store.DropMember("s1"),
				store.Put(relay.Delivery{Link: link}), store.Release(link, relay.Builder, box), store.Withdraw(link, relay.Builder, box),
			} {
				is.True(said != nil && strings.Contains(said.Error(), tt.says)) // each says why
			}
			is.True(len(unread) > 0)
			is.Equal(len(store.Inspect().Problems), 1)
			entries, err := os.ReadDir(".")
			is.NoErr(err)
			is.Equal(len(entries), 0) // nothing was written here
		})
	}
}

// A client hears a bell only when it is still again: one that is rung at every look
// is never heard.
func TestStore_RemindLeavesABellAloneThatRangLately(t *testing.T) {
	is := is.New(t)
	store, _ := open(t)
	now := time.Now()
	is.NoErr(store.Remind("s1", now, time.Minute)) // it has never rung
	first, err := os.Stat(store.BellPath("s1"))
	is.NoErr(err)
	is.NoErr(store.Remind("s1", first.ModTime().Add(59*time.Second), time.Minute))
	same, err := os.Stat(store.BellPath("s1"))
	is.NoErr(err)
	is.True(os.SameFile(first, same))
	is.NoErr(store.Remind("s1", first.ModTime().Add(time.Minute), time.Minute))
	again, err := os.Stat(store.BellPath("s1"))
	is.NoErr(err)
	is.True(!os.SameFile(first, again))
}

func TestStore_IsPrivate(t *testing.T) {
	is := is.New(t)
	store, dir := open(t)
	is.NoErr(store.Append(link, relay.Planner, relay.Event{Seq: 1, Kind: relay.Asked, Nonce: "secret"}))
	is.NoErr(store.AddMember(relay.Member{Session: "s1", Link: link, Role: relay.Planner}))
	is.NoErr(store.Ring("s1"))
	is.NoErr(filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		want := os.FileMode(0o600)
		if e.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %04o", path, info.Mode().Perm())
		}
		return nil
	}))
}

func TestStore_RefusesAStateThatOthersMayRead(t *testing.T) {
	is := is.New(t)
	dir := filepath.Join(t.TempDir(), "relay")
	is.NoErr(os.Mkdir(dir, 0o755))
	is.NoErr(os.Chmod(dir, 0o755))
	store := linkstore.New(osfs.New(), dir)
	err := store.Append(link, relay.Planner, relay.Event{Seq: 1, Kind: relay.Asked})
	is.True(err != nil)
	is.True(strings.Contains(err.Error(), "chmod 700"))
	entries, _ := os.ReadDir(dir)
	is.Equal(len(entries), 0) // nothing was written
}

func TestAppend_OneWriterHasTheNumber(t *testing.T) {
	is := is.New(t)
	store, _ := open(t)
	const writers = 16
	var group sync.WaitGroup
	errs := make([]error, writers)
	for i := range writers {
		group.Go(func() {
			errs[i] = store.Append(link, relay.Builder, relay.Event{Seq: 1, Kind: relay.Recorded, Text: fmt.Sprint(i)})
		})
	}
	group.Wait()
	won := -1
	for i, err := range errs {
		if err == nil {
			is.Equal(won, -1) // one alone
			won = i
			continue
		}
		is.True(errors.Is(err, relay.ErrTaken))
	}
	log, err := store.Log(link)
	is.NoErr(err)
	is.Equal(log.Events[relay.Builder][0].Text, fmt.Sprint(won))
}

func TestLog_AGapIsNoLog(t *testing.T) {
	is := is.New(t)
	store, dir := open(t)
	for seq := 1; seq <= 3; seq++ {
		is.NoErr(store.Append(link, relay.Planner, relay.Event{Seq: seq, Kind: relay.TurnLost}))
	}
	is.NoErr(os.Remove(filepath.Join(dir, "links", link, "planner", "events", "000002.json")))
	_, err := store.Log(link)
	is.True(err != nil)
	is.True(!errors.Is(err, relay.ErrNoLink)) // broken, not missing
}

func TestLog_IgnoresWhatAKilledWriterLeft(t *testing.T) {
	is := is.New(t)
	store, dir := open(t)
	is.NoErr(store.Append(link, relay.Planner, relay.Event{Seq: 1, Kind: relay.Asked}))
	is.NoErr(os.WriteFile(filepath.Join(dir, "links", link, "planner", "events", ".tmp-1-ff-000002.json"), []byte("{"), 0o600))
	log, err := store.Log(link)
	is.NoErr(err)
	is.Equal(len(log.Events[relay.Planner]), 1)
	_, err = store.Log("ffffffffffffffff")
	is.True(errors.Is(err, relay.ErrNoLink))
}

func TestStore_RefusesIdsThatArePaths(t *testing.T) {
	store, _ := open(t)
	for _, id := range []string{"", ".", "..", "../x", "a/b", "a\x00b", ".tmp-1"} {
		is := is.New(t)
		_, err := store.Member(id)
		is.True(err != nil && !errors.Is(err, relay.ErrNoSession)) // an id
		is.True(store.AddMember(relay.Member{Session: id}) != nil)
		is.True(store.Ring(id) != nil)
		is.True(store.PutAsk(id, link) != nil)
		_, err = store.Log(id)
		is.True(err != nil && !errors.Is(err, relay.ErrNoLink))
		is.True(store.Append(id, relay.Planner, relay.Event{Seq: 1}) != nil)
	}
}

func TestBoxes_AreClaimedOnce(t *testing.T) {
	is := is.New(t)
	store, _ := open(t)
	d := relay.Delivery{
		Link: link, Nonce: "n", From: relay.Planner, To: relay.Builder, Seq: 7, Round: 2, Text: "step <two> & more", Digest: "d",
	}
	is.NoErr(store.Put(d))
	is.NoErr(store.Put(d)) // lying there already is no error
	box := relay.Box{From: relay.Planner, Seq: 7}
	const claimers = 16
	var group sync.WaitGroup
	got := make([]relay.Delivery, claimers)
	errs := make([]error, claimers)
	for i := range claimers {
		group.Go(func() {
			got[i], errs[i] = store.Claim(link, relay.Builder, box, relay.Attachment{PID: 100 + i, Start: "5"})
		})
	}
	group.Wait()
	won := 0
	for i, err := range errs {
		if err == nil {
			won++
			is.Equal(cmp.Diff(got[i], d), "")
			continue
		}
		is.True(errors.Is(err, relay.ErrTaken))
	}
	is.Equal(won, 1)
	is.True(errors.Is(store.Withdraw(link, relay.Builder, box), relay.ErrTaken)) // too late
}

func TestBoxes_AreReleasedForTheNextProcess(t *testing.T) {
	is := is.New(t)
	store, _ := open(t)
	is.NoErr(store.Append(link, relay.Planner, relay.Event{Seq: 1, Kind: relay.Asked}))
	d := relay.Delivery{Link: link, From: relay.Planner, To: relay.Builder, Seq: 7, Copy: 1, Text: "t"}
	is.NoErr(store.Put(d))
	_, err := store.Claim(link, relay.Builder, relay.Box{From: relay.Planner, Seq: 7, Copy: 1}, relay.Attachment{PID: 9, Start: "55"})
	is.NoErr(err)
	log, err := store.Log(link)
	is.NoErr(err)
	taken := relay.Box{From: relay.Planner, Seq: 7, Copy: 1, Taken: true, PID: 9, Start: "55"}
	is.Equal(log.Boxes[relay.Builder], []relay.Box{taken}) // the holder is known
	is.NoErr(store.Release(link, relay.Builder, taken))
	is.True(errors.Is(store.Release(link, relay.Builder, taken), relay.ErrTaken))
	is.NoErr(store.Withdraw(link, relay.Builder, relay.Box{From: relay.Planner, Seq: 7, Copy: 1}))
}

func TestEvents_ComeBackAsTheyWere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.StringMatching(`[a-zé ›<>&"\\\n\t]{0,20}`)
		e := relay.Event{
			Seq: 1, Kind: relay.Kind(rapid.SampledFrom([]string{"sent", "recorded", "paused"}).Draw(t, "kind")),
			At:     time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "at"), 0).UTC(),
			Party:  relay.Party{Session: words.Draw(t, "session"), Name: words.Draw(t, "name"), PID: rapid.IntRange(0, 1<<31-1).Draw(t, "pid")},
			Text:   words.Draw(t, "text"),
			Digest: words.Draw(t, "digest"), Round: rapid.IntRange(0, 1000).Draw(t, "round"), Answers: rapid.IntRange(0, 1000).Draw(t, "answers"),
			Corrects: rapid.Bool().Draw(t, "corrects"), Waiting: rapid.Bool().Draw(t, "waiting"), HasDone: rapid.Bool().Draw(t, "done"),
			From: relay.Planner, Delivery: rapid.IntRange(0, 1000).Draw(t, "delivery"), Copy: rapid.IntRange(0, 9).Draw(t, "copy"),
			Reason: relay.AtLimit, Detail: words.Draw(t, "detail"),
			Answered: []relay.Ref{{Role: relay.Builder, Seq: rapid.IntRange(1, 99).Draw(t, "ref")}},
		}
		dir, err := os.MkdirTemp("", "linkstore-")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = os.RemoveAll(dir) }()
		store := linkstore.New(osfs.New(), filepath.Join(dir, "s"))
		if err := store.Append(link, relay.Planner, e); err != nil {
			t.Fatal(err)
		}
		log, err := store.Log(link)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(e, log.Events[relay.Planner][0]); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Offsets can lead an instant out of the years that are written in four digits.
func TestEvents_OfNoYearThatCanBeWritten(t *testing.T) {
	for _, at := range []string{"0000-01-01T00:00:00+23:00", "9999-12-31T23:59:59-23:00"} {
		t.Run(at, func(t *testing.T) {
			is := is.New(t)
			log, ok := stored(t, []byte(`{"kind":"sent","at":"`+at+`"}`), "000001-planner-0.json")
			is.True(ok)
			is.Equal(log.Events[relay.Planner][0], relay.Event{Seq: 1, Kind: relay.Sent})
		})
	}
}

// An event is never written again: what was read once is not read a second time, by
// which alone a hook that looks three times at a long link stays fast.
func TestLog_ReadsAnEventOnce(t *testing.T) {
	is := is.New(t)
	store, dir := open(t)
	is.NoErr(store.Append(link, relay.Planner, relay.Event{Seq: 1, Kind: relay.GoalSet, Text: "first"}))
	before, err := store.Log(link)
	is.NoErr(err)
	file := filepath.Join(dir, "links", link, "planner", "events", "000001.json")
	is.NoErr(os.WriteFile(file, []byte("{"), 0o600))
	is.NoErr(store.Append(link, relay.Planner, relay.Event{Seq: 2, Kind: relay.GoalSet, Text: "second"}))
	before.Events[relay.Planner][0].Text = "changed by its reader"
	after, err := store.Log(link)
	is.NoErr(err)
	is.Equal(after.Events[relay.Planner][0].Text, "first")
	is.Equal(after.Events[relay.Planner][1].Text, "second")
	_, err = linkstore.New(osfs.New(), dir).Log(link)
	is.True(errors.Is(err, relay.ErrUnusable)) // whoever has not read it sees the fault
}

func TestLog_OfALinkThatWasMadeAnewIsReadAnew(t *testing.T) {
	is := is.New(t)
	store, dir := open(t)
	for seq := 1; seq <= 2; seq++ {
		is.NoErr(store.Append(link, relay.Planner, relay.Event{Seq: seq, Kind: relay.GoalSet, Text: "old"}))
	}
	_, err := store.Log(link)
	is.NoErr(err)
	is.NoErr(os.RemoveAll(filepath.Join(dir, "links", link)))
	is.NoErr(store.Append(link, relay.Planner, relay.Event{Seq: 1, Kind: relay.GoalSet, Text: "new"}))
	log, err := store.Log(link)
	is.NoErr(err)
	is.Equal(log.Events[relay.Planner][0].Text, "new")
}
