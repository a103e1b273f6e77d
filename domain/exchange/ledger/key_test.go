package ledger_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/exchange/ledger"
)

func TestFold_Label(t *testing.T) {
	tests := []struct{ in, want string }{
		{"  Dock  &\tFerry ", "dock&ferry"},
		{"a / b+ c", "a/b+c"},
		{"a / / b", "a//b"},
		{"North\n Quay", "north quay"},
		{"Straße", "strasse"},
		{"/ a", "/a"},
		{" \t", ""},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			is := is.New(t)
			is.Equal(ledger.Fold(fold).Label(tt.in), tt.want)
		})
	}
}

func TestKey_Recipients(t *testing.T) {
	is := is.New(t)
	is.Equal(entry(t, "**[A → c + B]** x").Key(fold).Route, "a>b+c")
	is.Equal(entry(t, "**[c + B]** x").Key(fold).Route, ">b+c")
	is.Equal(ledger.Fold(fold).Groups("C+ b +"), "b+c")
}

func TestKey_HeadlineIsCutAt64CodePoints(t *testing.T) {
	is := is.New(t)
	is.Equal(entry(t, "**[a]** "+strings.Repeat("É", 70)).Key(fold).Headline, strings.Repeat("é", 64))
	is.Equal(entry(t, "**[a]** "+strings.Repeat("x", 63)+" y z").Key(fold).Headline, strings.Repeat("x", 63))
	is.Equal(entry(t, "**[a]** "+strings.Repeat("ß", 40)).Key(fold).Headline, strings.Repeat("s", 64))
}

// The bytes of section 11.2, by hand.
func TestKey_Preimage(t *testing.T) {
	tests := []struct{ in, want string }{
		{"a/<b>&c", `a/<b>&c`},
		{"q\"b\\", `q\"b\\`},
		{"\b\f\n\r\t\x01\x7f", `\b\f\n\r\t\u0001\u007f`},
		{"ß€", `\u00df\u20ac`},
		{"\U0001F389", `\ud83c\udf89`},
		{"\uffff", `\uffff`},
		{"\ufffd", `\ufffd`},
		{"\U00010000", `\ud800\udc00`},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			is := is.New(t)
			is.Equal(ledger.Key{Route: "r", Headline: tt.in}.Preimage(), `{"headline": "`+tt.want+`", "route": "r"}`)
		})
	}
}

func TestKey_IDOfTheSpecification(t *testing.T) {
	is := is.New(t)
	key := ledger.Key{Route: "dock&ferry>crane+lighthouse", Headline: "tide table is off by one hour in march", Date: "2026-03-03"}
	is.Equal(key.ID(), "20260303T000000Z-095ab7e52d5f")
}

func TestKey_Properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := ledger.Key{Route: rapid.String().Draw(t, "route"), Headline: rapid.String().Draw(t, "headline")}
		if rapid.Bool().Draw(t, "dated") {
			key.Date = "2026-03-03"
		}
		once := key.Renewed(fold)
		if twice := once.Renewed(fold); twice != once {
			t.Fatalf("%+v becomes %+v, then %+v", key, once, twice)
		}
		var object map[string]string
		if err := json.Unmarshal([]byte(key.Preimage()), &object); err != nil {
			t.Fatalf("%s: %v", key.Preimage(), err)
		}
		if object["route"] != key.Route || object["headline"] != key.Headline || object["date"] != key.Date {
			t.Fatalf("%s is not %+v", key.Preimage(), key)
		}
		sum := sha256.Sum256([]byte(key.Preimage()))
		if !strings.HasSuffix(key.ID(), "-"+hex.EncodeToString(sum[:6])) {
			t.Fatal(key.ID())
		}
	})
}

// labels are what people write between brackets.
var labels = rapid.StringMatching(`[A-Za-zÄß]{1,5}( ?[&/] ?[A-Za-z]{1,5})?`)

// An entry keeps its key while it is acknowledged, reordered, respelt, closed.
func TestEntry_KeepsItsKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sender, one, two := labels.Draw(t, "sender"), labels.Draw(t, "one"), labels.Draw(t, "two")
		what := rapid.StringMatching(`[A-Za-z][A-Za-z ,é]{0,80}[a-z]`).Filter(plain).Draw(t, "headline")
		before := entry(t, "**["+sender+" → "+one+" + "+two+"]** 2026-03-03 — **"+what+".** **Status:** OPEN\n\nbody")
		after := entry(t, "**["+strings.ToUpper(two)+"+"+one+" <-  "+sender+"]** 2026-03-03 9:30 — **Seen. Was: "+what+".** **Status:** DONE")
		if before.Key(fold) != after.Key(fold) {
			t.Fatalf("%+v and %+v", before.Key(fold), after.Key(fold))
		}
		if before.Key(fold) != before.Key(fold).Renewed(fold) {
			t.Fatalf("%+v is stored as %+v", before.Key(fold), before.Key(fold).Renewed(fold))
		}
		if before.Closed || !after.Closed {
			t.Fatal("the status is not read")
		}
	})
}

// plain keeps headlines out that hold a label or a closing word.
func plain(s string) bool {
	low := strings.ToLower(s)
	for _, word := range []string{"was", "status", "done", "closed", "resolved", "withdrawn", "superseded", "merged"} {
		if strings.Contains(low, word) {
			return false
		}
	}
	return true
}

// lineEnds are all that ends a line of a ledger; the last line may lack it.
var lineEnds = regexp.MustCompile(`\r*(\n|$)`)

func FuzzParse(f *testing.F) {
	for _, name := range []string{"ledger-shapes.md", "ledger-ambiguous.md", "ledger-second-run.md", "ledger-pruned.md", "ledger-prose-only.md"} {
		f.Add(fixture(f, name), section)
	}
	f.Fuzz(func(t *testing.T, document, name string) {
		entries, err := ledger.Parse(document, name, fold)
		if err != nil {
			if len(entries) > 0 {
				t.Fatalf("%d entries and %v", len(entries), err)
			}
			return
		}
		for _, e := range entries {
			if e.Headline != strings.Join(strings.Fields(e.Headline), " ") || !utf8.ValidString(e.Headline+e.Original+e.Status) {
				t.Fatalf("%q is no headline", e.Headline)
			}
			if !strings.Contains(lineEnds.ReplaceAllString(document, "\n"), e.Block+"\n") {
				t.Fatalf("%q is not in the ledger", e.Block)
			}
			key := e.Key(fold)
			if utf8.RuneCountInString(key.Headline) > 64 {
				t.Fatalf("%q is too long", key.Headline)
			}
			again, err := ledger.Parse("# x\n"+e.Block, "x", fold)
			if err != nil || len(again) != 1 {
				t.Fatalf("%q is not one entry by itself: %d, %v", e.Block, len(again), err)
			}
			if again[0].Key(fold) != key || again[0].Closed != e.Closed || again[0].Block != e.Block {
				t.Fatalf("%q is read as %+v, then as %+v", e.Block, e, again[0])
			}
		}
	})
}
