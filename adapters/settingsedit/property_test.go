package settingsedit_test

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/changeover/changeover/adapters/settingsedit"
	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/jsondoc"
)

// author writes a document with comments whose owners it knows, as somebody
// edits one: each value on its own line or all of a list on one, values by turns
// to be taken out.
type author struct {
	t   *rapid.T
	out strings.Builder
	// newline is how its lines end.
	newline string
	// stays are the comments that must survive, goes the others.
	stays, goes []string
	places      []exchange.Place
	comments    int
	// strict: no comments and no trailing commas.
	strict bool
}

func (a *author) flip(what string) bool { return rapid.Bool().Draw(a.t, what) }

func (a *author) write(text string) { a.out.WriteString(text) }

func (a *author) spaces() {
	a.write(rapid.SampledFrom([]string{"", " ", "\t", "   "}).Draw(a.t, "spaces"))
}

func (a *author) indent(depth int) { a.write(strings.Repeat(" ", 2*depth)) }

// comment writes one, or none: gone says whether it goes with its owner. line
// ends it with a line end instead of allowing more after it.
func (a *author) comment(gone, line bool) bool {
	if a.strict || rapid.IntRange(0, 2).Draw(a.t, "comment") > 0 {
		return false
	}
	a.comments++
	name := fmt.Sprintf("<%d>", a.comments)
	if gone {
		a.goes = append(a.goes, name)
	} else {
		a.stays = append(a.stays, name)
	}
	switch {
	case line && a.flip("line comment"):
		a.write("// \" " + name + " , ]")
	case line && a.flip("many lines"):
		a.write("/* \" " + name + a.newline + a.newline + "] , // */")
	default:
		a.write("/*\" " + name + " ,*/")
	}
	return true
}

// value writes a value and returns what stays of it. gone: it goes whole.
func (a *author) value(depth int, at exchange.Place, gone bool) any {
	kind := rapid.IntRange(0, 3).Draw(a.t, "kind")
	if depth == 0 {
		kind = 2
	} else if depth > 3 {
		kind = min(kind, 1)
	}
	switch kind {
	case 0:
		text := rapid.StringMatching(`[a-z/*",\\]{0,6}`).Draw(a.t, "text")
		a.write(strconv.Quote(text))
		return text
	case 1:
		number := strconv.Itoa(rapid.IntRange(-9, 99).Draw(a.t, "number"))
		a.write(number)
		return jsondoc.Number(number)
	case 2:
		object := map[string]any{}
		a.items(depth, "{", "}", gone, func(i int, gone bool) {
			key := string(rune('a' + i))
			a.write(strconv.Quote(key))
			a.spaces()
			a.write(":")
			a.spaces()
			if value := a.value(depth+1, place(at, key), gone); !gone {
				object[key] = value
			}
		}, func(i int) exchange.Place { return place(at, string(rune('a'+i))) })
		return object
	}
	list := []any{}
	a.items(depth, "[", "]", gone, func(i int, gone bool) {
		if value := a.value(depth+1, place(at, strconv.Itoa(i)), gone); !gone {
			list = append(list, value)
		}
	}, func(i int) exchange.Place { return place(at, strconv.Itoa(i)) })
	return list
}

func place(at exchange.Place, step string) exchange.Place { return append(slices.Clone(at), step) }

// items writes what stands between brackets.
func (a *author) items(depth int, open, end string, gone bool, item func(i int, gone bool), at func(i int) exchange.Place) {
	n := rapid.IntRange(0, 4).Draw(a.t, "items")
	trailing := n > 0 && !a.strict && a.flip("trailing comma")
	lines := a.flip("lines")
	a.write(open)
	if lines {
		a.comment(gone, true) // behind the bracket
		a.write(a.newline)
	}
	for i := range n {
		goes := gone || rapid.IntRange(0, 2).Draw(a.t, "goes") == 0
		if goes && !gone {
			a.places = append(a.places, at(i))
		}
		if lines {
			a.above(depth, i == 0, gone, goes)
		} else {
			a.spaces()
			if a.comment(gone || goes && i > 0, false) {
				a.spaces()
			}
		}
		item(i, goes)
		a.spaces()
		a.comment(goes, false)
		if i < n-1 || trailing {
			a.write(",")
		}
		if lines {
			a.spaces()
			a.comment(goes, true)
			a.write(a.newline)
		}
	}
	if lines {
		a.comment(gone, true) // below the last
		a.write(a.newline)
		a.indent(depth)
	} else {
		a.spaces()
	}
	a.write(end)
}

// above writes what may stand above a value and before it on its line.
func (a *author) above(depth int, first, gone, goes bool) {
	if a.flip("apart") {
		a.comment(gone, true)
		a.write(a.newline + a.newline)
	}
	for range 2 {
		if a.comment(gone || goes && !first, true) {
			a.write(a.newline)
		}
		a.indent(depth + 1)
	}
	a.comment(goes, false)
}

func TestEditor_KeepsEverythingElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := &author{t: t, newline: rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "newline")}
		a.strict = a.flip("strict")
		a.comment(false, true)
		a.write(a.newline)
		want := a.value(0, nil, false)
		a.comment(false, true)
		before := a.out.String()

		got, err := settingsedit.Editor{}.Without([]byte(before), a.places)
		if err != nil {
			t.Fatalf("%v in\n%s", err, before)
		}
		value, err := jsondoc.DecodeRelaxed(got)
		if err != nil {
			t.Fatalf("%v: %q came of\n%s\nwithout %q", err, got, before, a.places)
		}
		if !jsondoc.Equal(value, want) {
			t.Fatalf("%v, want %v\n%s\nof\n%s", value, want, got, before)
		}
		for _, comment := range a.stays {
			if !bytes.Contains(got, []byte(comment)) {
				t.Errorf("%s is lost in\n%s\nof\n%s\nwithout %q", comment, got, before, a.places)
			}
		}
		for _, comment := range a.goes {
			if bytes.Contains(got, []byte(comment)) {
				t.Errorf("%s stays in\n%s\nof\n%s\nwithout %q", comment, got, before, a.places)
			}
		}
		if !isCut(before, string(got)) {
			t.Errorf("something in it is new:\n%s\nof\n%s", got, before)
		}
		if a.newline == "\r\n" && strings.Count(string(got), "\n") != strings.Count(string(got), "\r\n") {
			t.Errorf("line ends are mixed: %q", got)
		}
		if _, err := jsondoc.Decode(got); a.strict && err != nil {
			t.Errorf("no plain JSON any more: %s\nof\n%s", got, before)
		}
		if len(a.places) == 0 && string(got) != before {
			t.Errorf("changed without a reason: %q", got)
		}
	})
}

// isCut reports that a text is another one with pieces cut out.
func isCut(whole, cut string) bool {
	for i := range len(whole) {
		if cut != "" && whole[i] == cut[0] {
			cut = cut[1:]
		}
	}
	return cut == ""
}
