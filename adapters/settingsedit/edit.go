// Package settingsedit takes values out of settings files that people edit. It
// cuts pieces out of the text and rewrites nothing, so that comments, order,
// spacing, line ends and commas stay as they were.
//
// A value that goes takes with it its comma and the comments that are its own:
//
//   - those inside it;
//   - those behind it on its last line, before and after its comma, unless
//     another value follows on that line;
//   - those before it on its first line, behind the comma of the value before;
//   - whole lines of comment right above it, up to an empty line or to the line
//     on which the value before ends. What stands above the first value of a
//     list or object stays: it may speak of all of them.
//
// Every other comment stays, and so do empty lines.
package settingsedit

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/google/wire"
	"github.com/tailscale/hujson"

	"github.com/changeover/changeover/domain/exchange"
)

// Editor implements exchange.SettingsEditor.
type Editor struct{}

var _ exchange.SettingsEditor = Editor{}

// Set provides the editor.
var Set = wire.NewSet(wire.Struct(new(Editor)), wire.Bind(new(exchange.SettingsEditor), new(Editor)))

var (
	// errSyntax stands for what the parser says, which quotes the document.
	errSyntax = errors.New("its syntax is not understood")

	errWhole = errors.New("the whole document cannot be taken out")
)

var byteOrderMark = []byte("\ufeff")

// Without implements exchange.SettingsEditor.
func (Editor) Without(document []byte, places []exchange.Place) ([]byte, error) {
	original := bytes.TrimPrefix(document, byteOrderMark)
	mark := document[:len(document)-len(original)]
	text := withLineFeeds(original)
	// The parser wants a line end after a last comment.
	root, err := hujson.Parse(append(slices.Clone(text), '\n'))
	if err != nil {
		return nil, errSyntax
	}
	way := &branch{}
	for _, place := range places {
		if err := way.add(place); err != nil {
			return nil, err
		}
	}
	e := edit{text: text}
	if err := e.value(root.Value, way); err != nil {
		return nil, err
	}
	return e.apply(mark, original), nil
}

// branch is the part of a document that places lead into.
type branch struct {
	gone bool
	down map[string]*branch
}

func (b *branch) add(place exchange.Place) error {
	if len(place) == 0 {
		return errWhole
	}
	for _, step := range place {
		next := b.down[step]
		if next == nil {
			next = &branch{}
			if b.down == nil {
				b.down = map[string]*branch{}
			}
			b.down[step] = next
		}
		b = next
	}
	b.gone = true
	return nil
}

// span is a piece of the text, up to before end.
type span struct{ start, end int }

// edit collects what is cut out of a text, whose lines end in line feeds.
type edit struct {
	text []byte
	cuts []span
}

// value cuts out of a value what a branch says.
func (e *edit) value(value hujson.ValueTrimmed, way *branch) error {
	items, values := itemsOf(value)
	found := map[string]int{}
	for i := range items {
		next := way.down[items[i].key]
		if next == nil {
			continue
		}
		found[items[i].key]++
		items[i].gone = next.gone
		if next.gone {
			continue
		}
		if err := e.value(values[i], next); err != nil {
			return err
		}
	}
	for key := range way.down {
		if n := found[key]; n != 1 {
			return fmt.Errorf("a key or number on the way to a hook stands there %d times", n)
		}
	}
	e.list(items)
	return nil
}

// apply returns the original without what was cut of it, behind what stood before
// it.
func (e *edit) apply(before, original []byte) []byte {
	slices.SortFunc(e.cuts, func(a, b span) int { return a.start - b.start })
	out := slices.Clone(before)
	at := 0
	for _, cut := range e.cuts {
		out = append(out, original[at:max(at, cut.start)]...)
		at = max(at, cut.end)
	}
	return append(out, original[at:]...)
}

// item is a value of a list, or a member of an object, and where it stands.
type item struct {
	key string
	span
	// from is where the space before it begins, behind a comma or bracket.
	from int
	// comma is where its comma stands, -1 where it has none. to is where the
	// space behind it, and behind its comma, ends.
	comma, to int
	gone      bool
}

// itemsOf returns the items of a list or object with their values; none of
// anything else.
func itemsOf(value hujson.ValueTrimmed) ([]item, []hujson.ValueTrimmed) {
	var items []item
	var values []hujson.ValueTrimmed
	add := func(key string, first, last hujson.Value, isLast bool, after hujson.Extra) {
		it := item{key: key, span: span{first.StartOffset, last.EndOffset}, comma: -1}
		it.from = it.start - len(first.BeforeExtra)
		it.to = it.end + len(after)
		if !isLast || last.AfterExtra != nil { // of the last one it says that there is a trailing comma
			it.comma = it.end + len(last.AfterExtra)
			it.to = it.comma + 1 + len(after)
		}
		items, values = append(items, it), append(values, last.Value)
	}
	switch v := value.(type) {
	case *hujson.Object:
		for i, m := range v.Members {
			after, isLast := v.AfterExtra, i == len(v.Members)-1
			if !isLast {
				after = v.Members[i+1].Name.BeforeExtra
			}
			name, _ := m.Name.Value.(hujson.Literal)
			add(name.String(), m.Name, m.Value, isLast, after)
		}
	case *hujson.Array:
		for i, element := range v.Elements {
			after, isLast := v.AfterExtra, i == len(v.Elements)-1
			if !isLast {
				after = v.Elements[i+1].BeforeExtra
			}
			add(strconv.Itoa(i), element, element, isLast, after)
		}
	}
	return items, values
}
