package fsstore_test

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/domain/exchange"
)

// closedOne is a place with one handoff that was accepted and closed.
func closedOne(t *testing.T, h porttest.FSHarness) (place, exchange.Filed) {
	t.Helper()
	p := newPlace(t, h)
	return p, post(t, p.store(t), "h1", exchange.Accepted, exchange.Closed)
}

// meet lets one run take place whole before the nth call that another one makes
// to the file system, for every n until the other one has ended.
func meet(t *testing.T, prepare func(t *testing.T, h porttest.FSHarness) place, outer, inner func(s exchange.Store) error, check func(t *testing.T, p place, outer, inner error)) {
	t.Helper()
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		for n, met := 0, true; met; n++ {
			met = false
			t.Run(fmt.Sprintf("before call %d", n), func(t *testing.T) {
				sub := h
				sub.Dir = fmt.Sprintf("%s/%d", h.Dir, n)
				h.Mkdir(t, sub.Dir)
				p := prepare(t, sub)
				var innerErr error
				left, armed := n, false
				store := p.storeOn(t, porttest.Tap(p.FS, func(porttest.Call) error {
					if left--; armed && left == -1 {
						met = true
						innerErr = inner(p.store(t))
					}
					return nil
				}))
				left, armed = n, true
				outerErr := outer(store)
				if !met {
					innerErr = inner(p.store(t))
				}
				check(t, p, outerErr, innerErr)
			})
		}
	})
}

func accepts(s exchange.Store) error {
	return s.AddMove("h1", aMove(2, exchange.Accepted), "00000b")
}

// movedOrArchived is what must come of one run that moves and one that archives
// at once: the move stands and is seen, or it was refused and has left nothing.
func movedOrArchived(t *testing.T, p place, moved, archived error) {
	t.Helper()
	is := is.New(t)
	s := p.store(t)
	is.Equal(len(s.Inspect().Orphans)+len(s.Inspect().Leftovers), 0)
	is.Equal(len(s.Handoffs().Problems())+len(s.Archived().Problems()), 0)
	if moved == nil {
		is.Equal(ids(s.Handoffs()), []string{"h1 accepted"})
		is.Equal(ids(s.Pending()), []string{"h1 accepted"})
		is.Equal(ids(s.Archived()), []string{})
		is.True(archived == nil || errors.Is(archived, exchange.ErrMoved))
		return
	}
	is.True(errors.Is(moved, exchange.ErrArchived))
	is.NoErr(archived)
	is.Equal(ids(s.Handoffs()), []string{})
	is.Equal(ids(s.Archived()), []string{"h1 closed"})
	is.Equal(p.Names(t, p.in("handoffs")), []string{})
}

func TestStore_AMoveMeetsArchiving(t *testing.T) {
	var filed exchange.Filed
	prepare := func(t *testing.T, h porttest.FSHarness) (p place) {
		p, filed = closedOne(t, h)
		return p
	}
	archives := func(s exchange.Store) error { return s.Archive(filed) }
	t.Run("while it moves", func(t *testing.T) {
		meet(t, prepare, accepts, archives, movedOrArchived)
	})
	t.Run("while it archives", func(t *testing.T) {
		meet(t, prepare, archives, accepts, func(t *testing.T, p place, archived, moved error) {
			movedOrArchived(t, p, moved, archived)
		})
	})
}

// whole fails unless the handoff is in one place with both of its moves.
func whole(t *testing.T, p place) {
	t.Helper()
	is := is.New(t)
	s := p.store(t)
	is.Equal(append(ids(s.Handoffs()), ids(s.Archived())...), []string{"h1 closed"})
	is.Equal(len(s.Inspect().Orphans), 0)
	for _, shelf := range []exchange.Shelf{s.Handoffs(), s.Archived()} {
		is.Equal(len(shelf.Problems()), 0)
		for _, item := range shelf.Items {
			is.Equal(len(item.Moves), 2)
		}
	}
}

// What finishes an archiving that was cut off knows the id alone.
func finishes(s exchange.Store) error {
	return s.Archive(exchange.Filed{File: "h1.json", Handoff: exchange.Handoff{ID: "h1"}})
}

func restores(s exchange.Store) error {
	if err := s.Restore("h1"); !errors.Is(err, exchange.ErrNoHandoff) {
		return err
	}
	return nil // it stands where it should
}

func TestStore_ArchivingMeetsRestoring(t *testing.T) {
	var filed exchange.Filed
	inStore := func(t *testing.T, h porttest.FSHarness) (p place) {
		p, filed = closedOne(t, h)
		return p
	}
	inArchive := func(t *testing.T, h porttest.FSHarness) (p place) {
		p, filed = closedOne(t, h)
		ok(t, p.store(t).Archive(filed))
		return p
	}
	half := func(t *testing.T, h porttest.FSHarness) (p place) {
		p, filed = closedOne(t, h)
		if p.storeOn(t, porttest.Tap(p.FS, crashing(1))).Archive(filed) == nil {
			t.Fatal("it was not cut off")
		}
		return p
	}
	archives := func(s exchange.Store) error { return s.Archive(filed) }
	runs := map[string]func(exchange.Store) error{"archives": archives, "restores": restores, "finishes": finishes}
	for name, prepare := range map[string]func(*testing.T, porttest.FSHarness) place{
		"in the store": inStore, "in the archive": inArchive, "half": half,
	} {
		for outer, outerRun := range runs {
			for inner, innerRun := range runs {
				if name == "half" && outer == "archives" && inner == "archives" {
					continue // neither may finish what the other has begun
				}
				t.Run(fmt.Sprintf("%s, one %s and one %s", name, outer, inner), func(t *testing.T) {
					meet(t, prepare, outerRun, innerRun, func(t *testing.T, p place, outer, inner error) {
						ok(t, errors.Join(outer, inner))
						whole(t, p)
					})
				})
			}
		}
	}
}

func TestStore_ArchivesOnlyWhatWasDecidedOn(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p, filed := closedOne(t, h)
		is.NoErr(accepts(p.store(t)))
		before := p.tree(t, p.in("handoffs"))
		is.True(errors.Is(p.store(t).Archive(filed), exchange.ErrMoved))
		same(t, before, p.tree(t, p.in("handoffs")))
		is.Equal(p.Names(t, p.in("archive", "2026")), []string{})

		p.write(t, "{", "handoffs", "h1.d", "0003-ffffff.json") // nor with one that nobody can read
		is.True(errors.Is(p.store(t).Archive(filed), exchange.ErrMoved))
		is.Equal(ids(p.store(t).Handoffs()), []string{"h1 accepted"})
	})
}

// torn is an archived handoff of whose moves some lie where it was.
func torn(t *testing.T, h porttest.FSHarness, status exchange.Status) place {
	t.Helper()
	p, filed := closedOne(t, h)
	ok(t, p.store(t).Archive(filed))
	data, err := aMove(2, status).Encode("x")
	ok(t, err)
	p.write(t, string(data), "handoffs", "h1.d", "0002-00000b.json")
	return p
}

func TestStore_MovesInBothPlaces(t *testing.T) {
	want := []string{"0000-00000a.json", "0001-00000a.json", "0002-00000b.json"}
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		for name, run := range map[string]struct {
			do func(exchange.Store) error
			at []string
		}{"finished": {finishes, []string{"archive", "2026"}}, "restored": {restores, []string{"handoffs"}}} {
			is := is.New(t)
			sub := h
			sub.Dir = h.Dir + "/" + name
			h.Mkdir(t, sub.Dir)
			p := torn(t, sub, exchange.Closed)
			s := p.store(t)
			filed, err := s.ArchivedHandoff("h1")
			is.NoErr(err)
			is.Equal(len(filed.Moves), 3) // shown together
			is.Equal(s.Archived().Items[0], filed)
			is.Equal(s.HalfArchived(), []string{"h1"})
			is.NoErr(run.do(s))
			is.Equal(p.Names(t, p.in(append(slices.Clone(run.at), "h1.d")...)), want)
			is.Equal(len(s.HalfArchived())+len(s.Inspect().Orphans), 0)
		}
	})
}

func TestStore_MovesInBothPlacesNeverReplaceEachOther(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := torn(t, h, exchange.Closed)
		p.write(t, "other", "handoffs", "h1.d", "0001-00000a.json")
		before := p.tree(t, p.in())
		is.True(errors.Is(finishes(p.store(t)), fs.ErrExist))
		is.True(errors.Is(restores(p.store(t)), fs.ErrExist))
		names := 0
		for name, content := range p.tree(t, p.in()) {
			if strings.HasSuffix(name, "0001-00000a.json") {
				names++
				is.True(content == before["handoffs/h1.d/0001-00000a.json"] || content == before["archive/2026/h1.d/0001-00000a.json"])
			}
		}
		is.Equal(names, 2)
		filed, err := p.store(t).ArchivedHandoff("h1")
		is.NoErr(err)
		is.Equal(len(filed.Moves), 3) // of two with one name, the one that can be read
	})
}

// A restore brings the moves first, perhaps after the directory was listed.
func TestStore_MovesThatComeWhileTheRecordIsRead(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		for _, read := range []func(exchange.Store) exchange.Shelf{exchange.Store.Handoffs, exchange.Store.Pending} {
			is := is.New(t)
			sub := h
			sub.Dir = fmt.Sprintf("%s/%p", h.Dir, read)
			h.Mkdir(t, sub.Dir)
			p, _ := closedOne(t, sub)
			is.NoErr(p.FS.Rename(p.in("handoffs", "h1.d"), p.in("h1.d")))
			came := false
			s := p.storeOn(t, porttest.Tap(p.FS, func(c porttest.Call) error {
				if came || c.Op != "ReadFile" || c.Path != p.in("handoffs", "h1.json") {
					return nil
				}
				came = true
				return p.FS.Rename(p.in("h1.d"), p.in("handoffs", "h1.d"))
			}))
			is.Equal(ids(read(s)), []string{"h1 closed"})
		}
	})
}

func TestStore_AFailedMoveLeavesNoDirectory(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		post(t, p.store(t), "h1")
		full := porttest.Tap(p.FS, func(c porttest.Call) error {
			if c.Op == "Create" {
				return errCrash
			}
			return nil
		})
		is.True(errors.Is(p.storeOn(t, full).AddMove("h1", aMove(0, exchange.Closed), "00000a"), errCrash))
		is.Equal(p.Names(t, p.in("handoffs")), []string{"h1.json"})
	})
}

// moving is the real system, but for what happens before a file gets its name.
type moving struct {
	osfs.System
	before func()
}

func (m moving) Link(from, to string) error {
	m.before()
	return m.System.Link(from, to)
}

// The directory is archived while the move is written into it.
func TestStore_AMoveTakenAlongUnfinishedLeavesNothing(t *testing.T) {
	is := is.New(t)
	p, filed := closedOne(t, porttest.OnDisk(t))
	archived := false
	s := p.storeOn(t, osfs.NewOn(moving{osfs.Kernel(), func() {
		if !archived {
			archived = true
			is.NoErr(p.store(t).Archive(filed))
		}
	}}))
	moved := accepts(s)
	movedOrArchived(t, p, moved, nil)
	is.True(errors.Is(moved, exchange.ErrArchived))
	if diff := cmp.Diff([]string{"0000-00000a.json", "0001-00000a.json"}, p.Names(t, p.in("archive", "2026", "h1.d"))); diff != "" {
		t.Error(diff)
	}
}

// A record that lies under another name than its id is found by nobody who
// archives.
func TestStore_AMoveOfARecordUnderAnotherName(t *testing.T) {
	is := is.New(t)
	p := newPlace(t, porttest.InMemory(t))
	s := p.store(t)
	post(t, s, "h1")
	is.NoErr(p.FS.Rename(p.in("handoffs", "h1.json"), p.in("handoffs", "other.json")))
	is.NoErr(s.AddMove("h1", aMove(0, exchange.Accepted), "00000a"))
	is.Equal(ids(s.Handoffs()), []string{"h1 accepted"})
}
