package jsondoc

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Member is one key of an object with its value.
type Member struct {
	Key   string
	Value any
}

// Object is a JSON object that keeps its order of keys.
type Object []Member

// Add appends a member.
func (o *Object) Add(key string, value any) { *o = append(*o, Member{key, value}) }

// AddText appends a string member unless it is empty.
func (o *Object) AddText(key, value string) {
	if value != "" {
		o.Add(key, value)
	}
}

// AddTexts appends a list of strings unless it is empty.
func (o *Object) AddTexts(key string, values []string) {
	if len(values) > 0 {
		o.Add(key, values)
	}
}

// Stored writes a document for the disk: two-space indent, non-ASCII and the
// characters <, > and & literal, one newline at the end. Values may be nil,
// bool, int, int64, string, Number, []string, []Object, []any and Object.
func Stored(value any) []byte {
	w := writer{indent: true}
	w.value(value, 0)
	return append(w.out, '\n')
}

// Line writes a document on one line without a newline.
func Line(value any) []byte {
	var w writer
	w.value(value, 0)
	return w.out
}

// Shown writes a document for a terminal: like Stored, but every code point
// that a terminal does not show stands as \uXXXX.
func Shown(value any) []byte {
	w := writer{indent: true, visible: true}
	w.value(value, 0)
	return append(w.out, '\n')
}

type writer struct {
	out     []byte
	indent  bool
	visible bool
}

func (w *writer) value(value any, depth int) {
	switch v := value.(type) {
	case nil:
		w.out = append(w.out, "null"...)
	case bool:
		w.out = strconv.AppendBool(w.out, v)
	case int:
		w.out = strconv.AppendInt(w.out, int64(v), 10)
	case int64:
		w.out = strconv.AppendInt(w.out, v, 10)
	case Number:
		w.out = append(w.out, v...)
	case string:
		w.text(v)
	case Object:
		w.block('{', '}', len(v), depth, func(i int) {
			w.text(v[i].Key)
			w.out = append(w.out, ':')
			if w.indent {
				w.out = append(w.out, ' ')
			}
			w.value(v[i].Value, depth+1)
		})
	case []Object:
		w.block('[', ']', len(v), depth, func(i int) { w.value(v[i], depth+1) })
	case []string:
		w.block('[', ']', len(v), depth, func(i int) { w.text(v[i]) })
	case []any:
		w.block('[', ']', len(v), depth, func(i int) { w.value(v[i], depth+1) })
	default:
		panic(fmt.Sprintf("jsondoc: no JSON form for %T", value))
	}
}

func (w *writer) block(open, end byte, n, depth int, item func(int)) {
	w.out = append(w.out, open)
	for i := range n {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.line(depth + 1)
		item(i)
	}
	if n > 0 {
		w.line(depth)
	}
	w.out = append(w.out, end)
}

func (w *writer) line(depth int) {
	if !w.indent {
		return
	}
	w.out = append(w.out, '\n')
	for range depth {
		w.out = append(w.out, "  "...)
	}
}

var shortEscapes = map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\b': `\b`, '\f': `\f`}

func (w *writer) text(s string) {
	w.out = append(w.out, '"')
	for i, r := range s {
		if r == utf8.RuneError && !w.visible && !strings.HasPrefix(s[i:], "\uFFFD") {
			// A broken byte stays one, for the reader's check to find.
			w.out = append(w.out, s[i])
			continue
		}
		short, ok := shortEscapes[r]
		switch {
		case ok && (!w.visible || r == '"' || r == '\\'):
			w.out = append(w.out, short...)
		case r < 0x20, w.visible && !unicode.IsPrint(r):
			w.escape(r)
		default:
			w.out = utf8.AppendRune(w.out, r)
		}
	}
	w.out = append(w.out, '"')
}

func (w *writer) escape(r rune) {
	if r > 0xffff {
		high, low := utf16.EncodeRune(r)
		w.escape(high)
		w.escape(low)
		return
	}
	w.out = fmt.Appendf(w.out, `\u%04x`, r)
}
