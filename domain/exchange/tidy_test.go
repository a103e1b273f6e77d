package exchange_test

import (
	"fmt"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
)

// Section 2.4.
func TestTidy_MovesOnlyWhatIsOver(t *testing.T) {
	old := func(after int, status exchange.Status) exchange.Move {
		return exchange.Move{At: noon.AddDate(0, 0, -8), Status: status, After: after}
	}
	tests := []struct {
		name  string
		moves []exchange.Move
		over  bool
	}{
		{"closed and old", []exchange.Move{old(0, exchange.Closed)}, true},
		{"closed twice alike", []exchange.Move{old(0, exchange.Closed), old(0, exchange.Closed)}, true},
		{"open", nil, false},
		{"accepted", []exchange.Move{old(0, exchange.Accepted)}, false},
		{"closed today", []exchange.Move{closed}, false},
		{"exactly as old as the limit", []exchange.Move{{At: noon.AddDate(0, 0, -7), Status: exchange.Closed}}, false},
		{"tie", []exchange.Move{old(0, exchange.Accepted), old(0, exchange.Closed)}, false},
		{"an old tie, settled since", []exchange.Move{old(0, exchange.Accepted), old(0, exchange.Closed), old(1, exchange.Closed)}, false},
		{"closed, reopened", []exchange.Move{old(0, exchange.Closed), old(1, exchange.Accepted)}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.store.file(exchange.Handoff{ID: "h", To: toDock, Created: noon.AddDate(0, 0, -30), Body: "b"}, tt.moves...)
			archivist := exchange.Archivist{World: s.world()}
			dry, err := archivist.Tidy(root, false)
			is.NoErr(err)
			is.Equal(len(dry.IDs) == 1, tt.over)
			is.Equal(len(s.store.log), 0) // a dry run changes nothing
			_, err = archivist.Tidy(root, true)
			is.NoErr(err)
			is.Equal(len(s.store.archive) == 1, tt.over)
		})
	}
}

func TestTidy_StaysWithWhatHasAProblem(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	old := exchange.Move{At: noon.AddDate(0, 0, -30), Status: exchange.Closed}
	s.store.shelf["b.json"] = exchange.NewFiled("b.json", exchange.Handoff{ID: "a"}, []exchange.Move{old}, nil)
	s.store.shelf["c.json"] = exchange.NewFiled("c.json", exchange.Handoff{ID: "c"}, []exchange.Move{old}, []string{"c: unread"})
	report, err := exchange.Archivist{World: s.world()}.Tidy(root, true)
	is.NoErr(err)
	is.Equal(len(report.IDs), 0)
	s.store.half = []string{"half"} // but what a crash left is finished
	report, err = exchange.Archivist{World: s.world()}.Tidy(root, true)
	is.NoErr(err)
	is.Equal(report.IDs, []string{"half"})
}

func TestSweep_MovesAtMost200OnTheWay(t *testing.T) {
	is := is.New(t)
	s := shelved(t)
	for i := range 250 {
		s.store.file(exchange.Handoff{ID: fmt.Sprintf("old-%03d", i), To: toDock, Body: "b"}, exchange.Move{At: noon.AddDate(0, 0, -30), Status: exchange.Closed})
	}
	_, err := move(s, exchange.Accepted, "")
	is.NoErr(err)
	is.Equal(len(s.store.archive), 0) // accept moves none
	report, err := move(s, exchange.Closed, "")
	is.NoErr(err)
	is.Equal(len(s.store.archive), 200)
	is.Equal(len(report.Lines()), 1) // without a word
	_, err = post(s, exchange.PostRequest{Repo: "dock", Body: "x"})
	is.NoErr(err)
	is.Equal(len(s.store.archive), 250)
}

func TestSweep_AFailureIsSaidAfterTheWork(t *testing.T) {
	is := is.New(t)
	s := shelved(t)
	s.store.file(exchange.Handoff{ID: "old", To: toDock, Body: "b"}, exchange.Move{At: noon.AddDate(0, 0, -30), Status: exchange.Closed})
	s.store.archiveFault = errDisk
	report, err := move(s, exchange.Closed, "")
	is.NoErr(err)
	is.Equal(s.store.shelf[letter+".json"].Status(), exchange.Closed)
	is.True(has(report.Lines(), "note      ", "old", "no space left")) // what was asked for is done: exit 0
	posted, err := post(s, exchange.PostRequest{Repo: "dock", Body: "x"})
	is.NoErr(err)
	is.True(has(posted.Lines(), "note      ", "old", "no space left"))
	is.Equal(len(posted.Problems), 0)
}

func TestRestore(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.store.archive["h.json"] = exchange.NewFiled("h.json", exchange.Handoff{ID: "h"}, nil, nil)
	archivist := exchange.Archivist{World: s.world()}
	_, err := archivist.Restore(root, "h", false)
	is.NoErr(err)
	is.Equal(len(s.store.log), 0)
	_, err = archivist.Restore(root, "h", true)
	is.NoErr(err)
	is.Equal(s.store.log, []string{"restore h"})
	for _, id := range []string{"h", "nobody", "a/b"} {
		_, err = archivist.Restore(root, id, true)
		is.True(err != nil)
	}
}
