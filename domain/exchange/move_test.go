package exchange_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/session"
)

const letter = "20260310T080000Z-0a1b2c"

// shelved is a scene with one handoff that has been moved.
func shelved(t *testing.T, moves ...exchange.Move) *scene {
	t.Helper()
	s := newScene(t)
	s.handoff(letter, 0, toDock, moves...)
	return s
}

func move(s *scene, status exchange.Status, note string) (exchange.MoveReport, error) {
	return exchange.Mail{World: s.world()}.Move(exchange.MoveRequest{Cwd: root, ID: letter, Status: status, Note: note})
}

func resolveTie(s *scene, status exchange.Status) (exchange.MoveReport, error) {
	return exchange.Mail{World: s.world()}.Resolve(exchange.MoveRequest{Cwd: root, ID: letter, Status: status, Note: "asked both"})
}

func TestMove_AddsOneMove(t *testing.T) {
	is := is.New(t)
	s := shelved(t)
	s.suffixes = []string{"c0ffee"}
	before := s.store.shelf[letter+".json"].Handoff
	report, err := move(s, exchange.Accepted, "on it")
	is.NoErr(err)
	is.Equal(report.Lines(), []string{letter + " is now accepted"})
	is.Equal(s.store.log, []string{"move " + letter + ".d/0000-c0ffee.json"})
	want := []exchange.Move{{At: noon, Status: exchange.Accepted, After: 0, By: "me", Note: "on it"}}
	if diff := cmp.Diff(want, s.store.shelf[letter+".json"].Moves); diff != "" {
		t.Error(diff)
	}
	is.Equal(s.store.shelf[letter+".json"].Handoff, before) // the record is unchanged
}

func TestMove_Positions(t *testing.T) {
	tests := []struct {
		name   string
		moves  []exchange.Move
		status exchange.Status
		after  int
	}{
		{"the first", nil, exchange.Closed, 0},
		{"after one", []exchange.Move{at(0, exchange.Accepted)}, exchange.Closed, 1},
		{"two equal moves at 0: 1, not a count", []exchange.Move{at(0, exchange.Accepted), at(0, exchange.Accepted)}, exchange.Closed, 1},
		{"after a gap", []exchange.Move{at(8, exchange.Accepted)}, exchange.Closed, 9},
		{"accept reopens what is closed", []exchange.Move{at(0, exchange.Closed)}, exchange.Accepted, 1},
		{"an earlier tie stands in nobody's way", []exchange.Move{at(0, exchange.Accepted), at(0, exchange.Closed), at(1, exchange.Closed)}, exchange.Accepted, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := shelved(t, tt.moves...)
			report, err := move(s, tt.status, "")
			is.NoErr(err)
			is.Equal(report.Position, tt.after)
			filed := s.store.shelf[letter+".json"]
			is.Equal(filed.Status(), tt.status)
			is.Equal(filed.Moves[len(filed.Moves)-1].After, tt.after)
		})
	}
}

// D7: a mover without a name is known by its id.
func TestMove_By(t *testing.T) {
	tests := []struct {
		name string
		rows []session.Row
		want string
	}{
		{"name", []session.Row{{SessionID: "s", Name: "n", PID: myPID}}, "n"},
		{"id", []session.Row{{SessionID: "s", PID: myPID}}, "s"},
		{"unknown", nil, ""},
		{"below a job: the session", []session.Row{{SessionID: "j", PID: selfID, Kind: "bg"}, {SessionID: "s", PID: myPID}}, "s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := shelved(t)
			s.rows = tt.rows
			_, err := move(s, exchange.Closed, "")
			is.NoErr(err)
			is.Equal(s.store.shelf[letter+".json"].Moves[0].By, tt.want)
		})
	}
}

func TestMove_Refusals(t *testing.T) {
	tie := []exchange.Move{at(0, exchange.Accepted), at(0, exchange.Closed)}
	tests := []struct {
		name    string
		prepare func(*scene)
		id      string
		status  exchange.Status
		pieces  []string
	}{
		{"invalid id", func(*scene) {}, "a/b", exchange.Closed, []string{"not a valid id"}},
		{"no such handoff", func(*scene) {}, "nobody", exchange.Closed, []string{"no handoff with id nobody"}},
		{"already in that status", func(s *scene) { s.handoff(letter, 0, toDock, closed) }, letter, exchange.Closed, []string{letter + " is already closed"}},
		{"never moved, so open already", func(*scene) {}, letter, exchange.Open, []string{letter + " is already open"}},
		{
			"tie at the last position", func(s *scene) { s.handoff(letter, 0, toDock, tie...) }, letter, exchange.Open,
			[]string{"position 0", "cannot be worked out", "exchange handoff resolve " + letter},
		},
		{"an unreadable move", func(s *scene) {
			s.store.shelf[letter+".json"] = exchange.NewFiled(letter+".json", exchange.Handoff{ID: letter}, tie[:1], []string{letter + ": 0001-x.json could not be read: y"})
		}, letter, exchange.Closed, []string{letter + ": 0001-x.json could not be read: y"}},
		{"both", func(s *scene) {
			s.store.shelf[letter+".json"] = exchange.NewFiled(letter+".json", exchange.Handoff{ID: letter}, tie, []string{letter + ": 0001-x.json could not be read: y"})
		}, letter, exchange.Open, []string{"could not be read: y; ", "cannot be worked out"}},
		{"archived", func(s *scene) {
			s.store.archive["old.json"] = exchange.NewFiled("old.json", exchange.Handoff{ID: "old"}, nil, nil)
		}, "old", exchange.Closed, []string{"exchange handoff restore old --apply"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := shelved(t)
			tt.prepare(s)
			_, err := exchange.Mail{World: s.world()}.Move(exchange.MoveRequest{Cwd: root, ID: tt.id, Status: tt.status})
			is.True(err != nil) // refused
			is.True(has([]string{err.Error()}, tt.pieces...))
			is.Equal(len(s.store.log), 0) // nothing written
		})
	}
}

func TestResolve_SettlesATie(t *testing.T) {
	is := is.New(t)
	s := shelved(t, at(0, exchange.Accepted), at(0, exchange.Closed))
	report, err := resolveTie(s, exchange.Accepted)
	is.NoErr(err)
	is.Equal(report.Lines()[0], letter+" is now accepted, resolved at position 1")
	is.True(has(report.Lines(), "still on disk"))
	filed := s.store.shelf[letter+".json"]
	is.True(filed.Settled())
	is.Equal(filed.Moves[2], exchange.Move{At: noon, Status: exchange.Accepted, After: 1, By: "me", Note: "asked both"})
	is.Equal(len(filed.Problems()), 1) // the old tie is still reported
	_, err = resolveTie(s, exchange.Closed)
	is.True(err != nil) // again: refused
	_, err = move(s, exchange.Closed, "")
	is.NoErr(err) // everyday verbs work again
}

func TestResolve_Refusals(t *testing.T) {
	tests := []struct {
		name   string
		filed  exchange.Filed
		pieces []string
	}{
		{"settled", exchange.NewFiled(letter+".json", exchange.Handoff{ID: letter}, []exchange.Move{at(0, exchange.Closed)}, nil), []string{"nothing to resolve"}},
		{"never moved", exchange.NewFiled(letter+".json", exchange.Handoff{ID: letter}, nil, nil), []string{"nothing to resolve"}},
		{
			"an unreadable move",
			exchange.NewFiled(letter+".json", exchange.Handoff{ID: letter}, []exchange.Move{at(0, exchange.Closed), at(0, exchange.Open)}, []string{"x could not be read"}),
			[]string{"x could not be read"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.store.shelf[letter+".json"] = tt.filed
			_, err := resolveTie(s, exchange.Closed)
			is.True(err != nil)
			is.True(has([]string{err.Error()}, tt.pieces...))
			is.Equal(len(s.store.log), 0)
		})
	}
}

func TestMove_AFailedWriteIsSaid(t *testing.T) {
	is := is.New(t)
	s := shelved(t)
	s.store.putFault = errDisk
	_, err := move(s, exchange.Closed, "")
	is.True(err != nil)
	s = shelved(t)
	_, err = move(s, exchange.Closed, "a\xff") // D20
	is.True(err != nil)
	is.Equal(len(s.store.log), 0)
}
