package exchange_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/exchange"
)

var ten = time.Date(2026, 3, 1, 10, 15, 0, 0, time.UTC)

func TestClaimEncode_OrderOfSection3(t *testing.T) {
	is := is.New(t)
	data, err := exchange.Claim{
		SessionID: "s-1", Name: "crane", Cwd: "/tmp/First Last", GitBranch: "main", Focus: "winch <&> Bär",
		Repos: []string{"cranes"}, Paths: []string{"a", "b"}, Tickets: []string{"T-1"}, Was: []string{"s-0"},
		Process: &exchange.Process{PID: 42, Start: "777"}, UpdatedAt: ten,
	}.Encode("s-1.json")
	is.NoErr(err)
	is.Equal(string(data), `{
  "session_id": "s-1",
  "name": "crane",
  "cwd": "/tmp/First Last",
  "git_branch": "main",
  "focus": "winch <&> Bär",
  "repos": [
    "cranes"
  ],
  "paths": [
    "a",
    "b"
  ],
  "tickets": [
    "T-1"
  ],
  "was": [
    "s-0"
  ],
  "process": {
    "pid": 42,
    "start": "777"
  },
  "updated_at": "2026-03-01T10:15:00Z"
}
`)
}

func TestClaimEncode_LeavesOutWhatIsNotThere(t *testing.T) {
	is := is.New(t)
	data, err := exchange.Claim{SessionID: "s", Cwd: "/", UpdatedAt: ten}.Encode("s.json")
	is.NoErr(err)
	is.Equal(string(data), "{\n  \"session_id\": \"s\",\n  \"cwd\": \"/\",\n  \"updated_at\": \"2026-03-01T10:15:00Z\"\n}\n")
}

func TestHandoffEncode_OrderOfSection3(t *testing.T) {
	is := is.New(t)
	data, err := exchange.Handoff{
		ID: "20260301T101500Z-0a1b2c", From: exchange.Sender{SessionID: "s", Name: "crane", Cwd: "/c"},
		To: exchange.Address{Repo: "dock", Paths: []string{"winch"}}, Created: ten, Body: "one\n\ntwo",
		Imported: &exchange.Imported{Route: "a>b", Headline: "h", Date: "2026-03-01"},
	}.Encode("x.json")
	is.NoErr(err)
	is.Equal(string(data), `{
  "id": "20260301T101500Z-0a1b2c",
  "from": {
    "session_id": "s",
    "name": "crane",
    "cwd": "/c"
  },
  "to": {
    "repo": "dock",
    "paths": [
      "winch"
    ]
  },
  "created": "2026-03-01T10:15:00Z",
  "body": "one\n\ntwo",
  "imported": {
    "route": "a>b",
    "headline": "h",
    "date": "2026-03-01"
  }
}
`)
}

func TestHandoffEncode_ToASession(t *testing.T) {
	is := is.New(t)
	data, err := exchange.Handoff{
		ID: "i", From: exchange.Sender{Cwd: "/c"}, To: exchange.Address{SessionID: "s"}, Created: ten, Body: "b",
	}.Encode("i.json")
	is.NoErr(err)
	is.Equal(string(data), `{
  "id": "i",
  "from": {
    "cwd": "/c"
  },
  "to": {
    "session_id": "s"
  },
  "created": "2026-03-01T10:15:00Z",
  "body": "b"
}
`)
}

func TestMoveEncode_OrderOfSection3(t *testing.T) {
	is := is.New(t)
	data, err := exchange.Move{At: ten, Status: exchange.Accepted, After: 0, By: "dock", Note: "soon"}.Encode("0000-x.json")
	is.NoErr(err)
	is.Equal(string(data), `{
  "at": "2026-03-01T10:15:00Z",
  "status": "accepted",
  "after": 0,
  "by": "dock",
  "note": "soon"
}
`)
}

func TestTimestamp_IsUTCInWholeSeconds(t *testing.T) {
	is := is.New(t)
	berlin := time.FixedZone("CET", 3600)
	is.Equal(exchange.Timestamp(time.Date(2026, 1, 1, 0, 30, 15, 999_999_999, berlin)), "2025-12-31T23:30:15Z")
}

// What its schema refuses never gets bytes.
func TestEncode_RefusesWhatItsSchemaRefuses(t *testing.T) {
	claim := exchange.Claim{SessionID: "s", Cwd: "/", UpdatedAt: ten}
	handoff := exchange.Handoff{ID: "i", From: exchange.Sender{Cwd: "/"}, To: exchange.Address{Repo: "r"}, Created: ten, Body: "b"}
	move := exchange.Move{At: ten, Status: exchange.Open}
	changedClaim := func(change func(*exchange.Claim)) func() ([]byte, error) {
		c := claim
		change(&c)
		return func() ([]byte, error) { return c.Encode("f.json") }
	}
	changedHandoff := func(change func(*exchange.Handoff)) func() ([]byte, error) {
		h := handoff
		change(&h)
		return func() ([]byte, error) { return h.Encode("f.json") }
	}
	changedMove := func(change func(*exchange.Move)) func() ([]byte, error) {
		m := move
		change(&m)
		return func() ([]byte, error) { return m.Encode("f.json") }
	}
	tests := map[string]func() ([]byte, error){
		"claim without id":      changedClaim(func(c *exchange.Claim) { c.SessionID = "" }),
		"claim with bad id":     changedClaim(func(c *exchange.Claim) { c.SessionID = "a\n" }),
		"claim without cwd":     changedClaim(func(c *exchange.Claim) { c.Cwd = "" }),
		"claim without time":    changedClaim(func(c *exchange.Claim) { c.UpdatedAt = time.Time{} }),
		"claim of year 2100":    changedClaim(func(c *exchange.Claim) { c.UpdatedAt = ten.AddDate(74, 0, 0) }),
		"claim, empty path":     changedClaim(func(c *exchange.Claim) { c.Paths = []string{"a", ""} }),
		"claim, bad was":        changedClaim(func(c *exchange.Claim) { c.Was = []string{"a b"} }),
		"claim, pid 0":          changedClaim(func(c *exchange.Claim) { c.Process = &exchange.Process{Start: "1"} }),
		"claim, no start":       changedClaim(func(c *exchange.Claim) { c.Process = &exchange.Process{PID: 1} }),
		"claim, not UTF-8":      changedClaim(func(c *exchange.Claim) { c.Focus = "a\xff" }),
		"handoff to nobody":     changedHandoff(func(h *exchange.Handoff) { h.To = exchange.Address{} }),
		"handoff says nothing":  changedHandoff(func(h *exchange.Handoff) { h.Body = "" }),
		"handoff without id":    changedHandoff(func(h *exchange.Handoff) { h.ID = "" }),
		"handoff, temporary id": changedHandoff(func(h *exchange.Handoff) { h.ID = ".tmp-1" }),
		"handoff from nowhere":  changedHandoff(func(h *exchange.Handoff) { h.From = exchange.Sender{Name: "x"} }),
		"handoff, not UTF-8":    changedHandoff(func(h *exchange.Handoff) { h.Body = "\xed\xa0\xbd" }),
		"handoff, bad date": changedHandoff(func(h *exchange.Handoff) {
			h.Imported = &exchange.Imported{Route: "r", Headline: "h", Date: "tomorrow"}
		}),
		"move, no status":  changedMove(func(m *exchange.Move) { m.Status = "" }),
		"move, odd status": changedMove(func(m *exchange.Move) { m.Status = "done" }),
		"move, position":   changedMove(func(m *exchange.Move) { m.After = -1 }),
		"move, not UTF-8":  changedMove(func(m *exchange.Move) { m.Note = "\x80" }),
	}
	for name, encode := range tests {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			data, err := encode()
			var fault *exchange.FileError
			is.True(errors.As(err, &fault))
			is.Equal(len(data), 0)
		})
	}
}

func TestOldShapeKeys(t *testing.T) {
	tests := []struct {
		doc  string
		want []string
	}{
		{`{"status":"open","history":[]}`, []string{"status", "history"}},
		{`{"history":null}`, []string{"history"}},
		{`{"status":1}`, []string{"status"}},
		{`{"Status":1,"id":"x"}`, nil},
		{`["status"]`, nil},
		{`{"status"`, nil},
		{``, nil},
	}
	for _, tt := range tests {
		t.Run(tt.doc, func(t *testing.T) {
			is := is.New(t)
			is.Equal(exchange.OldShapeKeys([]byte(tt.doc)), tt.want)
		})
	}
}

var (
	ids      = rapid.StringMatching(`[A-Za-z0-9_-][A-Za-z0-9._-]{0,20}`)
	texts    = rapid.StringN(1, 20, -1)
	instants = rapid.Map(rapid.Int64Range(946684800, 4102444799), func(s int64) time.Time { return time.Unix(s, 0).UTC() })
	statuses = rapid.SampledFrom([]exchange.Status{exchange.Open, exchange.Accepted, exchange.Closed})
)

func TestClaim_ReadsBackTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := exchange.Claim{
			SessionID: ids.Draw(t, "id"), Name: rapid.String().Draw(t, "name"), Cwd: texts.Draw(t, "cwd"),
			GitBranch: rapid.String().Draw(t, "branch"), Focus: rapid.String().Draw(t, "focus"),
			Repos: rapid.SliceOf(texts).Draw(t, "repos"), Paths: rapid.SliceOf(texts).Draw(t, "paths"),
			Tickets: rapid.SliceOf(texts).Draw(t, "tickets"), Was: rapid.SliceOf(ids).Draw(t, "was"),
			UpdatedAt: instants.Draw(t, "updated"),
		}
		if rapid.Bool().Draw(t, "known") {
			c.Process = &exchange.Process{PID: rapid.IntRange(1, 1<<31-1).Draw(t, "pid"), Start: texts.Draw(t, "start")}
		}
		data, err := c.Encode("f.json")
		readBack(t, c, exchange.ParseClaim, data, err)
	})
}

func TestHandoff_ReadsBackTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := exchange.Handoff{
			ID: ids.Draw(t, "id"), Created: instants.Draw(t, "created"), Body: texts.Draw(t, "body"),
			From: exchange.Sender{Name: rapid.String().Draw(t, "name"), Cwd: texts.Draw(t, "cwd")},
			To:   exchange.Address{Repo: texts.Draw(t, "repo"), Paths: rapid.SliceOf(texts).Draw(t, "paths")},
		}
		if rapid.Bool().Draw(t, "to a session") {
			h.To = exchange.Address{SessionID: ids.Draw(t, "to")}
		}
		if rapid.Bool().Draw(t, "from a session") {
			h.From.SessionID = ids.Draw(t, "from")
		}
		if rapid.Bool().Draw(t, "imported") {
			h.Imported = &exchange.Imported{Route: texts.Draw(t, "route"), Headline: texts.Draw(t, "headline")}
		}
		data, err := h.Encode("f.json")
		readBack(t, h, exchange.ParseHandoff, data, err)
	})
}

func TestMove_ReadsBackTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := exchange.Move{
			At: instants.Draw(t, "at"), Status: statuses.Draw(t, "status"), After: rapid.IntRange(0, 1<<40).Draw(t, "after"),
			By: rapid.String().Draw(t, "by"), Note: rapid.String().Draw(t, "note"),
		}
		data, err := m.Encode("f.json")
		readBack(t, m, exchange.ParseMove, data, err)
	})
}

func readBack[T any](t *rapid.T, want T, parse func(string, []byte) (T, error), data []byte, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	got, err := parse("f.json", data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatal(diff)
	}
}
