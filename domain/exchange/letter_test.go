package exchange_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
)

func TestShowHandoff_Lines(t *testing.T) {
	s := newScene(t)
	s.mark(`{"name":"x","max_focus_chars":10}`)
	s.store.file(exchange.Handoff{
		ID: "h", From: exchange.Sender{SessionID: "crane-1", Name: "crane", Cwd: "/c"}, To: toDock, Created: noon,
		Body: "first\r\n\n  " + strings.Repeat("long ", 10) + "\x1b[2K",
	}, exchange.Move{At: noon, Status: exchange.Accepted, After: 0, By: "dock", Note: "on it"}, exchange.Move{At: noon, Status: exchange.Closed, After: 1})
	report, err := exchange.Reader{World: s.world()}.Show(root, "h")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"h  closed",
		"  to dock",
		"  from crane crane-1, 2026-03-10T12:00:00Z",
		"  moves 2",
		"    0  2026-03-10T12:00:00Z  accepted  by dock: on it",
		"    1  2026-03-10T12:00:00Z  closed",
		"  receipts 0",
		"  body",
		"    first",
		"    ",
		"      " + strings.Repeat("long ", 10) + "[2K", // uncapped
	}
	if diff := cmp.Diff(want, report.Lines()); diff != "" {
		t.Error(diff)
	}
	is := is.New(t)
	is.Equal(len(report.Problems()), 0)
}

func TestShowHandoff_Problems(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.handoff("h", 0, toDock, at(0, exchange.Accepted), at(0, exchange.Closed))
	reader := exchange.Reader{World: s.world()}
	report, err := reader.Show(root, "h")
	is.NoErr(err)
	is.Equal(len(report.Problems()), 1) // exit 1
	is.True(has(report.Lines(), "problem   h: ", "position 0"))
	for _, id := range []string{"nobody", "a/b", "", ".tmp-1"} {
		_, err = reader.Show(root, id)
		is.True(err != nil)
	}
}

func TestShowHandoff_Archived(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.store.archive["h.json"] = exchange.NewFiled("h.json", exchange.Handoff{ID: "h", To: toDock, Created: noon, Body: "b"}, nil, nil)
	report, err := exchange.Reader{World: s.world()}.Show(root, "h")
	is.NoErr(err)
	is.True(has(report.Lines(), "exchange handoff restore h --apply"))
}
