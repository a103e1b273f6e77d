package fsstore_test

import (
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/changeover/changeover/adapters/fsstore"
	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/port"
)

// noon is when everything in these tests happens.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// place is a marked root on some file system.
type place struct {
	porttest.FSHarness
	root string
}

func newPlace(t *testing.T, h porttest.FSHarness) place {
	t.Helper()
	p := place{h, path.Join(h.Dir, "root")}
	p.mark(t, p.root)
	return p
}

// mark makes a directory a root.
func (p place) mark(t *testing.T, root string) {
	t.Helper()
	p.Mkdir(t, root)
	p.Mkdir(t, path.Join(root, ".claude"))
	p.Put(t, exchange.MarkerPath(root), `{"name": "harbour"}`)
}

// in joins names below the root's .claude/exchange.
func (p place) in(names ...string) string { return below(p.root, names...) }

func below(root string, names ...string) string {
	return path.Join(append([]string{root, ".claude", "exchange"}, names...)...)
}

// dirs makes a directory below .claude/exchange and all above it.
func (p place) dirs(t *testing.T, root string, names ...string) string {
	t.Helper()
	dir := below(root)
	p.Mkdir(t, dir)
	for _, name := range names {
		dir = path.Join(dir, name)
		p.Mkdir(t, dir)
	}
	return dir
}

// write puts a file below .claude/exchange.
func (p place) write(t *testing.T, content string, names ...string) {
	t.Helper()
	p.dirs(t, p.root, names[:len(names)-1]...)
	p.Put(t, p.in(names...), content)
}

func (p place) store(t *testing.T) exchange.Store {
	t.Helper()
	return p.storeOn(t, p.FS)
}

func (p place) storeOn(t *testing.T, files port.FS) exchange.Store {
	t.Helper()
	s, err := fsstore.NewOpener(files)(p.root)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// tree returns the content of every regular file below a directory, by its path
// from there; directories end in a slash and links in an @.
func (p place) tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	var walk func(dir, shown string)
	walk = func(dir, shown string) {
		entries, err := p.FS.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			name, show := path.Join(dir, e.Name), shown+e.Name
			switch {
			case e.Mode.IsDir():
				found[show+"/"] = ""
				walk(name, show+"/")
			case e.Mode.IsRegular():
				found[show] = p.Content(t, name)
			default:
				found[show+"@"] = ""
			}
		}
	}
	walk(dir, "")
	return found
}

// same fails where two trees differ.
func same(t *testing.T, want, got map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func aClaim(id string) exchange.Claim {
	return exchange.Claim{SessionID: id, Cwd: "/tree/dock", UpdatedAt: noon}
}

func aHandoff(id string) exchange.Handoff {
	return exchange.Handoff{
		ID:      id,
		From:    exchange.Sender{Cwd: "/tree/crane"},
		To:      exchange.Address{Repo: "dock"},
		Created: noon,
		Body:    "look at the winch",
	}
}

func aMove(after int, status exchange.Status) exchange.Move {
	return exchange.Move{At: noon.Add(time.Duration(after) * time.Minute), Status: status, After: after, By: "dock"}
}

// post puts a handoff with moves into the store.
func post(t *testing.T, s exchange.Store, id string, statuses ...exchange.Status) exchange.Filed {
	t.Helper()
	ok(t, s.Post(aHandoff(id)))
	for i, status := range statuses {
		ok(t, s.AddMove(id, aMove(i, status), "00000a"))
	}
	filed, err := s.Handoff(id)
	ok(t, err)
	return filed
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ids returns what a shelf holds, each with its status.
func ids(shelf exchange.Shelf) []string {
	found := []string{}
	for _, item := range shelf.Items {
		found = append(found, item.ID+" "+string(item.Status()))
	}
	return found
}

// one fails unless exactly one problem says all of this.
func one(t *testing.T, problems []string, says ...string) {
	t.Helper()
	found := slices.DeleteFunc(slices.Clone(problems), func(problem string) bool { return !saysAll(problem, says) })
	if len(found) != 1 {
		t.Errorf("%d problems say %q, want one of %q", len(found), says, problems)
	}
}

func saysAll(problem string, says []string) bool {
	return !slices.ContainsFunc(says, func(s string) bool { return !strings.Contains(problem, s) })
}
