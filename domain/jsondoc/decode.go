// Package jsondoc reads and writes the JSON documents that the project keeps:
// strict about what a whole document is, exact about the bytes it writes. It
// reads by itself, since hooks read many small documents and start often.
package jsondoc

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

var (
	// ErrNotOneValue reports text that is not exactly one JSON value.
	ErrNotOneValue = errors.New("not exactly one JSON value")

	// ErrSyntax reports text that is not JSON.
	ErrSyntax = errors.New("not JSON")
)

// byteOrderMark is what some editors put before a text.
const byteOrderMark = "\ufeff"

// maxDepth is how deep values may nest.
const maxDepth = 10000

// Number is a number as it was spelt.
type Number string

// Int64 returns the number where it is written as an integer that fits.
func (n Number) Int64() (int64, error) { return strconv.ParseInt(string(n), 10, 64) }

// Text returns a string of a decoded object; empty where the key is absent or
// holds something else.
func Text(object map[string]any, key string) string {
	s, _ := object[key].(string)
	return s
}

// Decode reads exactly one JSON value: nil, bool, Number, string, []any or
// map[string]any. Of a repeated key the last counts; a lone surrogate escape
// reads as U+FFFD. A byte order mark, invalid UTF-8, no value and a second
// value are errors.
func Decode(data []byte) (any, error) { return decode(data, false) }

// DecodeRelaxed reads what people edit: like Decode, but a byte order mark,
// comments and commas before a closing bracket are passed over.
func DecodeRelaxed(data []byte) (any, error) {
	return decode(bytes.TrimPrefix(data, []byte(byteOrderMark)), true)
}

func decode(data []byte, relaxed bool) (any, error) {
	return parser{text: string(data), relaxed: relaxed}.decode()
}

func (p parser) decode() (any, error) {
	text := p.text
	if strings.HasPrefix(text, byteOrderMark) {
		return nil, errors.New("begins with a byte order mark")
	}
	if !utf8.ValidString(text) {
		return nil, fmt.Errorf("not valid UTF-8 at byte %d", invalidAt(text))
	}
	p.space()
	if p.err == nil && p.at == len(text) {
		return nil, fmt.Errorf("empty: %w", ErrNotOneValue)
	}
	value := p.value(0)
	p.space()
	if p.err == nil && p.at < len(text) {
		return nil, fmt.Errorf("more text after the value, at byte %d: %w", p.at, ErrNotOneValue)
	}
	if p.err != nil {
		return nil, p.err
	}
	return value, nil
}

func invalidAt(text string) int {
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") {
			return i
		}
	}
	return len(text)
}

// parser reads a text from its beginning. After the first fault it stands
// still: err says what it was.
type parser struct {
	text    string
	at      int
	relaxed bool
	ordered bool
	err     error
}

// fail notes the first fault: the text ends too early, or what stands there
// cannot.
func (p *parser) fail(expected string) {
	if p.err != nil {
		return
	}
	if p.at >= len(p.text) {
		p.err = fmt.Errorf("cut off inside the value, where %s should be: %w", expected, ErrNotOneValue)
		return
	}
	found, _ := utf8.DecodeRuneInString(p.text[p.at:])
	p.err = fmt.Errorf("%w at byte %d: %q where %s should be", ErrSyntax, p.at, found, expected)
}

// next returns the next byte, 0 at the end and after a fault.
func (p *parser) next() byte {
	if p.err != nil || p.at >= len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// take passes over c where it comes next.
func (p *parser) take(c byte) bool {
	if p.next() != c {
		return false
	}
	p.at++
	return true
}

// space passes over white space and, relaxed, over comments.
func (p *parser) space() {
	for {
		switch c := p.next(); {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			p.at++
		case c == '/' && p.relaxed:
			p.comment()
		default:
			return
		}
	}
}

func (p *parser) comment() {
	rest := p.text[p.at:]
	switch {
	case strings.HasPrefix(rest, "//"):
		n := strings.IndexAny(rest, "\n\r")
		if n < 0 {
			n = len(rest)
		}
		p.at += n
	case strings.HasPrefix(rest, "/*"):
		n := strings.Index(rest[2:], "*/")
		if n < 0 {
			p.at = len(p.text)
			p.fail("the end of a comment")
			return
		}
		p.at += 2 + n + 2
	default:
		p.fail("a value")
	}
}

func (p *parser) value(depth int) any {
	if depth > maxDepth {
		p.fail("something less deep")
		return nil
	}
	switch c := p.next(); {
	case c == '{' && p.ordered:
		return p.orderedObject(depth)
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.list(depth)
	case c == '"':
		return p.string()
	case c == '-' || '0' <= c && c <= '9':
		return p.number()
	}
	for _, word := range []struct {
		text  string
		value any
	}{{"true", true}, {"false", false}, {"null", nil}} {
		if p.err == nil && strings.HasPrefix(p.text[p.at:], word.text) {
			p.at += len(word.text)
			return word.value
		}
	}
	p.fail("a value")
	return nil
}

func (p *parser) object(depth int) map[string]any {
	object := map[string]any{}
	p.members(depth, func(key string, value any) { object[key] = value })
	return object
}

// members reads an object and hands on its members one by one.
func (p *parser) members(depth int, take func(key string, value any)) {
	p.items('{', '}', func() {
		if p.next() != '"' {
			p.fail("a key")
			return
		}
		key := p.string()
		p.space()
		if !p.take(':') {
			p.fail("a colon")
			return
		}
		p.space()
		take(key, p.value(depth+1))
	})
}

func (p *parser) list(depth int) []any {
	list := []any{}
	p.items('[', ']', func() { list = append(list, p.value(depth+1)) })
	return list
}

// items reads what stands between brackets, separated by commas.
func (p *parser) items(open, end byte, item func()) {
	p.take(open)
	p.space()
	if p.take(end) {
		return
	}
	for p.err == nil {
		item()
		p.space()
		if p.take(end) {
			return
		}
		if !p.take(',') {
			p.fail(fmt.Sprintf("a comma or %q", end))
			return
		}
		p.space()
		if p.relaxed && p.take(end) {
			return
		}
	}
}

// number reads the grammar of RFC 8259, section 6.
func (p *parser) number() Number {
	begin := p.at
	p.take('-')
	if !p.take('0') {
		p.digits()
	}
	if p.take('.') {
		p.digits()
	}
	if p.take('e') || p.take('E') {
		if !p.take('+') {
			p.take('-')
		}
		p.digits()
	}
	return Number(p.text[begin:p.at])
}

func (p *parser) digits() {
	begin := p.at
	for c := p.next(); '0' <= c && c <= '9'; c = p.next() {
		p.at++
	}
	if p.at == begin {
		p.fail("a digit")
	}
}

// string reads a string. One without escapes shares the text's memory.
func (p *parser) string() string {
	p.at++
	begin := p.at
	for p.at < len(p.text) && plain(p.text[p.at]) {
		p.at++
	}
	switch c := p.next(); {
	case p.at == len(p.text):
		p.fail("the end of a string")
	case c == '"':
		p.at++
		return p.text[begin : p.at-1]
	case c == '\\':
		return p.escaped(p.text[begin:p.at])
	default:
		p.fail("no control character")
	}
	return ""
}

// escaped reads the rest of a string from its first escape on.
func (p *parser) escaped(head string) string {
	var out strings.Builder
	// Where the next quotation mark stands, the string mostly ends.
	out.Grow(len(head) + max(0, strings.IndexByte(p.text[p.at:], '"')))
	out.WriteString(head)
	for p.err == nil && p.at < len(p.text) {
		begin := p.at
		for p.at < len(p.text) && plain(p.text[p.at]) {
			p.at++
		}
		out.WriteString(p.text[begin:p.at])
		switch c := p.next(); {
		case p.at == len(p.text):
		case c == '"':
			p.at++
			return out.String()
		case c == '\\':
			p.at++
			p.escape(&out)
		default:
			p.fail("no control character")
		}
	}
	p.fail("the end of a string")
	return ""
}

// plain reports a byte that stands for itself in a string.
func plain(c byte) bool { return c >= ' ' && c != '"' && c != '\\' }

func (p *parser) escape(out *strings.Builder) {
	const names, meant = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	c := p.next()
	if i := strings.IndexByte(names, c); i >= 0 && c != 0 {
		p.at++
		out.WriteByte(meant[i])
		return
	}
	if !p.take('u') {
		p.fail("an escape")
		return
	}
	r := p.hex()
	if utf16.IsSurrogate(r) && strings.HasPrefix(p.text[p.at:], `\u`) {
		before := p.at
		p.at += 2
		if pair := utf16.DecodeRune(r, p.hex()); pair != utf8.RuneError {
			out.WriteRune(pair)
			return
		}
		p.at = before // the second one stands for itself
	}
	out.WriteRune(r)
}

// hex reads four hex digits.
func (p *parser) hex() rune {
	if p.err != nil || len(p.text)-p.at < 4 {
		p.at = min(p.at, len(p.text))
		p.fail("four hex digits")
		return 0
	}
	n, err := strconv.ParseUint(p.text[p.at:p.at+4], 16, 16)
	if err != nil {
		p.fail("four hex digits")
		return 0
	}
	p.at += 4
	return rune(n)
}
