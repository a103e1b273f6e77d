package agent

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/text"
)

const (
	// pieceLimit bounds what is handled at once of a line, in bytes.
	pieceLimit = 1 << 20

	// eventLimit bounds one event of a client, in bytes.
	eventLimit = 64 << 20

	// margin is how far from the end of a piece its cut is looked for, in
	// bytes: more than the longest cluster that is kept whole.
	margin = 1 << 10
)

// lines cuts a stream into lines, however its bytes come. It is an io.Writer,
// for one goroutine.
type lines struct {
	// limit bounds a line, in bytes.
	limit int
	// take is given each line without its end. The bytes are lent.
	take func(line []byte)
	// skip is given the length of a line that is longer; where it is nil,
	// longer ones are taken in pieces.
	skip   func(n int)
	pieces pieces

	pending []byte
	skipped int
	// cr: the last byte of what was skipped may belong to the line end.
	cr bool
}

// Write implements io.Writer.
func (l *lines) Write(p []byte) (int, error) {
	n := len(p)
	for {
		part, rest, whole := bytes.Cut(p, []byte("\n"))
		if whole && len(l.pending) == 0 && l.skipped == 0 && len(part) <= l.limit {
			l.take(bytes.TrimSuffix(part, []byte("\r")))
			p = rest
			continue
		}
		l.keep(part)
		if !whole {
			return n, nil
		}
		l.line()
		p = rest
	}
}

// keep takes a part of a line.
func (l *lines) keep(part []byte) {
	if l.skip != nil {
		if l.skipped > 0 || len(l.pending)+len(part) > l.limit+1 {
			l.drop(part)
			return
		}
		l.pending = append(l.pending, part...)
		return
	}
	for len(part) > 0 {
		n := min(len(part), l.limit+margin-len(l.pending))
		l.pending = append(l.pending, part[:n]...)
		part = part[n:]
		if len(l.pending) == l.limit+margin {
			l.cut(l.pieces.end(string(l.pending)))
		}
	}
}

// drop counts what is too long.
func (l *lines) drop(part []byte) {
	l.skipped += len(l.pending) + len(part)
	if len(part) > 0 {
		l.cr = part[len(part)-1] == '\r'
	}
	l.pending = nil
}

// cut takes the first n pending bytes as a line.
func (l *lines) cut(n int) {
	l.take(l.pending[:n])
	l.pending = l.pending[:copy(l.pending, l.pending[n:])]
}

// line takes the line that is complete now.
func (l *lines) line() {
	if l.skipped == 0 && l.skip != nil && len(bytes.TrimSuffix(l.pending, []byte("\r"))) > l.limit {
		l.drop(nil)
	}
	if l.skipped > 0 {
		n := l.skipped
		if l.cr {
			n--
		}
		l.skipped, l.cr = 0, false
		l.skip(n)
		return
	}
	l.pending = bytes.TrimSuffix(l.pending, []byte("\r"))
	for len(l.pending) > l.limit {
		l.cut(l.pieces.end(string(l.pending)))
	}
	l.take(l.pending)
	l.pending = l.pending[:0]
	if cap(l.pending) > pieceLimit+margin {
		l.pending = nil
	}
}

// end takes what is left without a line end.
func (l *lines) end() {
	if len(l.pending) > 0 || l.skipped > 0 {
		l.line()
	}
}

// valid makes text of bytes.
func valid(line []byte) string { return strings.ToValidUTF8(string(line), "\uFFFD") }

// pieces cuts a line that is too long.
type pieces struct{ cutter text.Cutter }

// of hands on a line whole or in pieces.
func (p pieces) of(line string, yield func(string) bool) bool {
	for len(line) > pieceLimit {
		n := p.end(line)
		if !yield(line[:n]) {
			return false
		}
		line = line[n:]
	}
	return yield(line)
}

// end returns where the first piece of a longer line ends.
func (p pieces) end(line string) int { return clusterEnd(p.cutter, line, pieceLimit) }

// clusterEnd returns the last place in s, at most limit bytes on, where two
// clusters meet. s is longer than that.
func clusterEnd(c text.Cutter, s string, limit int) int {
	window := s[:min(len(s), limit+margin)]
	from := apart(window, limit)
	return from + len(c.Head(window[from:], utf8.RuneCountInString(window[from:whole(window, limit)])))
}

// whole returns where the last whole code point ends that lies before at.
func whole(s string, at int) int {
	for i := at; i > at-utf8.UTFMax; i-- {
		if utf8.RuneStart(s[i]) {
			return i
		}
	}
	return at
}

// apart returns a place before at where two clusters certainly meet: one near it,
// so that few have to be told apart, or else the beginning.
func apart(s string, at int) int {
	for i := whole(s, at); i > at-margin; {
		before, size := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[i:])
		if alone(before) && alone(after) && (before != '\r' || after != '\n') {
			return i
		}
		i -= size
	}
	return 0
}

// alone reports a code point that is never in one cluster with another such one.
func alone(r rune) bool {
	return r < 0x300 || 0x4e00 <= r && r <= 0x9fff || 0x3041 <= r && r <= 0x3096 || 0x30a1 <= r && r <= 0x30fa
}
