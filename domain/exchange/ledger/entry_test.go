package ledger_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange/ledger"
)

// failing is a test or a property.
type failing interface {
	Helper()
	Fatalf(format string, args ...any)
}

// entry parses a ledger of one entry.
func entry(t failing, block string) ledger.Entry {
	t.Helper()
	entries, err := ledger.Parse("# Handoffs\n"+block, "Handoffs", fold)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%d entries: %v", len(entries), err)
	}
	return entries[0]
}

func TestEntry_Routes(t *testing.T) {
	tests := []struct {
		header     string
		sender     string
		recipients []string
	}{
		{"**[a → b]**", "a", []string{"b"}},
		{"**[a -> b]**", "a", []string{"b"}},
		{"**[a ← b]**", "b", []string{"a"}},
		{"**[a <- b]**", "b", []string{"a"}},
		{"**[a → b ← c]**", "a", []string{"b ← c"}},
		{"**[a -> b → c]**", "a -> b", []string{"c"}},
		{"**[a\n  → b]**", "a", []string{"b"}},
		{"**[a → b + c+ +d]**", "a", []string{"b", "c", "d"}},
		{"**[b + c]**", "", []string{"b", "c"}},
		{"**[→ b]**", "", []string{"b"}},
		{"**[a → b** 2026-01-01", "", nil},
		{"**[a → b\n\n]**", "", nil}, // the header ends at the blank line
		{"**[a →]**", "a", nil},
		{"**[]**", "", nil},
		{"**→ b, from a 2026-01-01 x**", "a", []string{"b"}},
		{"**← b, from a 2026-01-01 x**", "a", []string{"b"}},
		{"**  →  b + c ,from a. x**", "a", []string{"b", "c"}},
		{"**→ b,\nFROM\na — big** x", "a — big", []string{"b"}},
		{"**→ b, from a.b. x**", "a.b", []string{"b"}},
		{"**→ b, from a.*x", "a", []string{"b"}},
		{"**→ b, from a** x", "a", []string{"b"}},
		{"**→ b, from a", "a", []string{"b"}},
		{"**→ b, c, from a. x**", "a", []string{"b, c"}},
		{"**→ b, fromage, from a. x**", "a", []string{"b, fromage"}},
		{"**→ b, from . x**", "", nil},
		{"**→ b from a. x**", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.header, func(t *testing.T) {
			is := is.New(t)
			e := entry(t, tt.header)
			wantSender := strings.ReplaceAll(tt.sender, " — ", " ")
			is.Equal(e.Sender, wantSender)
			if diff := cmp.Diff(tt.recipients, e.Recipients, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
			is.Equal(e.HasRoute(), len(tt.recipients) > 0)
		})
	}
}

func TestEntry_Dates(t *testing.T) {
	tests := []struct{ rest, date, headline string }{
		{"2026-03-02 — **x**", "2026-03-02", "x"},
		{"2026-03-02 14:3x — **x**", "2026-03-02", "x"},
		{"2026-03-02\n9:05 **x**", "2026-03-02", "x"},
		{"2026-03-02 123:05 **x**", "2026-03-02", "123:05 x"},
		{"2026-03-02 14: **x**", "2026-03-02", "14: x"},
		{"2026-03-02 x 2026-03-03", "2026-03-02", "x 2026-03-03"},
		{"(2026-03-02) **x**", "2026-03-02", ") x"},
		{"x2026-03-02 2026-03-03 **x**", "2026-03-03", "x"},
		{"é2026-03-02 _2026-03-02 2026-03-021 **x**", "", "é2026-03-02 _2026-03-02 2026-03-021 x"},
		{"202026-03-02 **x**", "", "202026-03-02 x"},
		{"1999-03-02 **x**", "", "1999-03-02 x"},
		{"٢٠26-03-02 **x**", "", "٢٠26-03-02 x"},
		{"2026-99-99 **x**", "2026-99-99", "x"}, // whether it is a day is not the grammar's business
		{"**x**\n\n2026-03-02", "", "x"},
	}
	for _, tt := range tests {
		t.Run(tt.rest, func(t *testing.T) {
			is := is.New(t)
			e := entry(t, "**[a → b]** "+tt.rest)
			is.Equal(e.Date, tt.date)
			is.Equal(e.Headline, tt.headline)
		})
	}
}

func TestEntry_Headlines(t *testing.T) {
	tests := []struct{ rest, headline, original string }{
		{"— **x *and* y.** **Status:** OPEN", "x *and* y", "x *and* y"},
		{"— **x. Was: y.** Status: OPEN", "x", "y"},
		{"— **x. was : y\nz.**", "x", "y z"},
		{"— **Was: y.** Status: OPEN", "OPEN", "y"},
		{"Status: OPEN — y — z", "y z", "y z"},
		{"Status: OPEN y", "OPEN y", "OPEN y"},
		{"— **Was: .** more", "Was: .  more", "Was: .  more"},
		{"— **x**\n\nText. Was: y and\nz\n\nend", "x", "y and z"},
		{"— **x**\n\nText. Was: y", "x", "y"},
		{"", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.rest, func(t *testing.T) {
			is := is.New(t)
			e := entry(t, "**[a → b]** "+tt.rest)
			is.Equal(e.Headline, strings.ReplaceAll(tt.headline, "  ", " "))
			is.Equal(e.Original, strings.ReplaceAll(tt.original, "  ", " "))
		})
	}
}

func TestEntry_Closed(t *testing.T) {
	tests := []struct {
		rest   string
		closed bool
	}{
		{"**x** Status: done", true},
		{"**x** Status: Closed", true},
		{"**x** Status : well, RESOLVED.", true},
		{"**x** status:withdrawn", true},
		{"**x** **Status:** superseded", true},
		{"**x** Status: OPEN\nmerged", true},
		{"**x** Status: open\n\n**Status:** done", true},
		{"**x** Status: accepted", false},
		{"**x** Status: undone", false},
		{"**x** Status: done_", false},
		{"**x** Status: donné", false},
		{"**x** Status: " + strings.Repeat("é", 75) + " done", false}, // the word ends at the 81st
		{"**x** Status:" + strings.Repeat("é", 75) + " done", true},
		{"**x** no harm done", false},
		{"**x** DONE", true},
		{"**x** (DONE)", true},
		{"**x** DONE-ish", true},
		{"**x** DONE.", false},
		{"**x** .DONE", false},
		{"**x** `DONE`", false},
		{"**x** CLOSED.search(x)", false},
		{"**x** Done", false},
		{"**x** DONE_ IT", false},
		{"**x** ÄDONE", false},
		{"**x** ACCEPTED", false},
		{"**x**\n\nlater: MERGED", true},
	}
	for _, tt := range tests {
		t.Run(tt.rest, func(t *testing.T) {
			is := is.New(t)
			is.Equal(entry(t, "**[a → b]** "+tt.rest).Closed, tt.closed)
		})
	}
}

func TestEntry_StatusText(t *testing.T) {
	tests := []struct {
		rest, status string
		doubtful     bool
	}{
		{"**x** Status: OPEN", "OPEN", false},
		{"**x** **Status:** open, since nothing was done", "open", true},
		{"**x** Status: Accepted (nearly done)", "Accepted", true},
		{"**x** Status: waiting. Not done", "waiting", false},
		{"**x** Status:\n  half\ndone", "half", false},
		{"**x** Status: a.b — c** d", "a.b c", false},
		{"**x**", "", false},
		{"**x** DONE Status:", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.rest, func(t *testing.T) {
			is := is.New(t)
			e := entry(t, "**[a → b]** "+tt.rest)
			is.Equal(e.Status, tt.status)
			is.Equal(e.Doubtful(), tt.doubtful)
		})
	}
}
