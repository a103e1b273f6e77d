package fsstore_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/adapters/fsstore"
	"github.com/changeover/changeover/adapters/osfs/memfs"
	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/port"
)

func TestStore_PendingLeavesOutWhatIsClosed(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		s := p.store(t)
		post(t, s, "closed", exchange.Closed)
		post(t, s, "closed-late", exchange.Accepted, exchange.Open, exchange.Closed)
		post(t, s, "accepted", exchange.Accepted)
		post(t, s, "open")
		post(t, s, "reopened", exchange.Closed, exchange.Accepted)
		post(t, s, "tied", exchange.Accepted)
		is.NoErr(s.AddMove("tied", aMove(0, exchange.Closed), "00000f"))
		post(t, s, "broken", exchange.Accepted)
		p.write(t, "{", "handoffs", "broken.d", "0001-00000a.json")
		is.Equal(ids(s.Pending()), []string{"accepted accepted", "broken accepted", "open open", "reopened accepted", "tied closed"})
	})
}

func TestStore_PendingReadsOneFileOfAClosedHandoff(t *testing.T) {
	for _, n := range []int{1, 10, 150} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			is := is.New(t)
			p := newPlace(t, porttest.InMemory(t))
			for i := range n {
				post(t, p.store(t), fmt.Sprintf("h%03d", i), exchange.Accepted, exchange.Open, exchange.Closed)
			}
			reads := map[string]int{}
			s := p.storeOn(t, porttest.Tap(p.FS, func(c porttest.Call) error {
				if strings.HasPrefix(c.Op, "Read") {
					reads[c.Op+" "+path.Base(c.Path)]++
				}
				return nil
			}))
			is.Equal(len(s.Pending().Items), 0)
			is.Equal(reads["ReadFile 0002-00000a.json"], n) // the last move, once each
			delete(reads, "ReadFile 0002-00000a.json")
			for read, times := range reads {
				is.True(strings.HasPrefix(read, "ReadDir ")) // no record, no earlier move
				is.Equal(times, 1)
			}

			clear(reads)
			is.True(s.AnyClosedBefore(noon.AddDate(0, 0, 9)))
			files := 0
			for read, times := range reads {
				if strings.HasPrefix(read, "ReadFile ") {
					files += times
				}
			}
			is.True(files >= 1 && files <= n) // at one read a handoff
		})
	}
}

func TestStore_PendingSeesWhatOtherToolsName(t *testing.T) {
	p := newPlace(t, porttest.InMemory(t))
	s := p.store(t)
	move := func(after int, status exchange.Status) string {
		data, err := aMove(after, status).Encode("x")
		ok(t, err)
		return string(data)
	}
	tests := []struct {
		id    string
		moves map[string]string
	}{
		{"gap", map[string]string{"0000-aaaaaa.json": move(0, exchange.Closed), "0002-aaaaaa.json": move(2, exchange.Accepted)}},
		{"foreign-last", map[string]string{"0000-aaaaaa.json": move(1, exchange.Accepted), "zzz.json": move(0, exchange.Closed)}},
		{"foreign-first", map[string]string{"0.json": move(7, exchange.Open), "0000-aaaaaa.json": move(0, exchange.Closed)}},
		{"swapped", map[string]string{"0000-aaaaaa.json": move(1, exchange.Accepted), "0001-aaaaaa.json": move(0, exchange.Closed)}},
		{"tied", map[string]string{"0000-aaaaaa.json": move(0, exchange.Accepted), "0000-bbbbbb.json": move(0, exchange.Closed)}},
		{"gap-and-tie", map[string]string{
			"0000-aaaaaa.json": move(0, exchange.Open), "0002-aaaaaa.json": move(2, exchange.Accepted), "0002-bbbbbb.json": move(2, exchange.Closed),
		}},
		{"past-9999", map[string]string{"9999-aaaaaa.json": move(9999, exchange.Closed), "10000-aaaaaa.json": move(10000, exchange.Accepted)}},
		{"broken-last", map[string]string{"0000-aaaaaa.json": move(0, exchange.Closed), "0001-aaaaaa.json": "{"}},
		{"odd-case", map[string]string{"0000-aaaaaa.json": move(0, exchange.Closed), "0001-AAAAAA.JSON": move(1, exchange.Accepted)}},
	}
	for _, tt := range tests {
		t.Run(tt.id, func(t *testing.T) {
			ok(t, s.Post(aHandoff(tt.id)))
			for name, content := range tt.moves {
				p.write(t, content, "handoffs", tt.id+".d", name)
			}
			covers(t, s, tt.id)
		})
	}
}

// fataler is what both a test and a property can fail through.
type fataler interface {
	Helper()
	Errorf(format string, args ...any)
}

// covers fails where a handoff that is not closed, or whose last position has a
// problem, is missing from what is pending.
func covers(t fataler, s exchange.Store, lastBroken ...string) {
	t.Helper()
	all := map[string]exchange.Filed{}
	for _, item := range s.Handoffs().Items {
		all[item.File] = item
	}
	pending := map[string]bool{}
	for _, item := range s.Pending().Items {
		pending[item.File] = true
		if diff := cmp.Diff(all[item.File], item); diff != "" {
			t.Errorf("%s is read in two ways:\n%s", item.File, diff)
		}
	}
	for file, item := range all {
		must := item.Status() != exchange.Closed || !item.Settled() ||
			(len(item.Unread) > 0 && slices.Contains(lastBroken, item.ID))
		if must && !pending[file] {
			t.Errorf("%s is %s, settled %v, with problems %q: not pending", file, item.Status(), item.Settled(), item.Problems())
		}
	}
}

// drawnMove draws one file of a moves directory: its name and its content. Only
// the file that is last by name may stand at another position than a name of
// ours says: nobody but a forger makes another one so.
func drawnMove(t *rapid.T, position int, last bool) (name, content string) {
	suffix := rapid.StringMatching(`[0-9a-f]{6}`).Draw(t, "suffix")
	name = exchange.MoveFile(position, suffix)
	after := position
	switch rapid.IntRange(0, 9).Draw(t, "name") {
	case 0:
		name = rapid.StringMatching(`[0-9a-z]{1,6}(\.json)?`).Draw(t, "foreign name")
		after = rapid.IntRange(0, 4).Draw(t, "after")
	case 1:
		name = ".tmp-1-" + name
	case 2:
		if last {
			after = rapid.IntRange(0, 4).Draw(t, "after")
		}
	}
	status := rapid.SampledFrom([]exchange.Status{exchange.Open, exchange.Accepted, exchange.Closed, exchange.Closed}).Draw(t, "status")
	data, err := aMove(after, status).Encode(name)
	if err != nil {
		t.Fatal(err)
	}
	if rapid.IntRange(0, 9).Draw(t, "broken") == 0 {
		return name, "{"
	}
	return name, string(data)
}

func TestStore_PendingNeverLosesAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		files := memfs.New()
		put := func(name, content string) {
			if err := files.MakeDirs(path.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := files.Replace(name, []byte(content), 0o600, port.Unsynced); err != nil {
				t.Fatal(err)
			}
		}
		put("/root/.claude/exchange.json", "{}")
		s, err := fsstore.NewOpener(files)("/root")
		if err != nil {
			t.Fatal(err)
		}
		var lastBroken []string
		for h := range rapid.IntRange(0, 4).Draw(t, "handoffs") {
			id := fmt.Sprintf("h%d", h)
			if err := s.Post(aHandoff(id)); err != nil {
				t.Fatal(err)
			}
			position, moves := 0, map[string]string{}
			n := rapid.IntRange(0, 5).Draw(t, "moves")
			for i := range n {
				name, content := drawnMove(t, position, i == n-1)
				moves[name] = content
				position += rapid.SampledFrom([]int{1, 1, 1, 1, 0, 2}).Draw(t, "step")
			}
			last := ""
			for name, content := range moves {
				put(below("/root", "handoffs", id+".d", name), content)
				if strings.HasSuffix(name, ".json") && !exchange.IsTemporary(name) {
					last = max(last, name)
				}
			}
			if moves[last] == "{" {
				lastBroken = append(lastBroken, id)
			}
		}
		covers(t, s, lastBroken...)
	})
}

func TestStore_AnyClosedBefore(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		s := p.store(t)
		late := noon.AddDate(1, 0, 0)
		post(t, s, "open")
		post(t, s, "accepted", exchange.Closed, exchange.Accepted)
		post(t, s, "tied", exchange.Accepted)
		is.NoErr(s.AddMove("tied", aMove(0, exchange.Closed), "00000f"))
		post(t, s, "broken", exchange.Accepted)
		p.write(t, "{", "handoffs", "broken.d", "0001-00000a.json")
		p.write(t, `{"at": "2026-03-01T12:00:00Z", "status": "closed", "after": 0}`, "handoffs", "orphan.d", "0000-00000a.json")
		is.True(!s.AnyClosedBefore(late)) // none of these is over
		closed := post(t, s, "closed", exchange.Accepted, exchange.Closed)
		is.True(!s.AnyClosedBefore(closed.LastMoved()))
		is.True(s.AnyClosedBefore(closed.LastMoved().Add(1)))
		is.NoErr(s.Archive(closed))
		is.True(!s.AnyClosedBefore(late)) // the archive does not count
	})
}
