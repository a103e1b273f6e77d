package relay

import "strings"

// Answer is what a turn's final message says to relay.
type Answer struct {
	// Handoff is the last complete block; empty where there is none.
	Handoff string
	// Left counts the complete blocks before it.
	Left int
	// Unclosed: a handoff was begun and not ended, so nothing goes.
	Unclosed bool
	// Done is the summary of the last complete done block; HasDone: there is
	// one.
	Done    string
	HasDone bool
	// DoneUnclosed: a done was begun and not ended.
	DoneUnclosed bool
}

// ReadAnswer finds the blocks of a message that stand outside fenced and inline
// code.
func ReadAnswer(message string) Answer {
	masked := withoutCode(message)
	handoff := blocks(message, masked, "handoff")
	done := blocks(message, masked, "done")
	a := Answer{Unclosed: handoff.unclosed, DoneUnclosed: done.unclosed}
	if n := len(handoff.found); n > 0 && !handoff.unclosed {
		a.Handoff, a.Left = handoff.found[n-1], n-1
	}
	if n := len(done.found); n > 0 && !done.unclosed {
		a.Done, a.HasDone = done.found[n-1], true
	}
	return a
}

type scan struct {
	found    []string
	unclosed bool
}

// blocks returns the complete, non-empty blocks of a tag. masked is the message
// with everything that is code blanked out, of the same length.
func blocks(message, masked, tag string) scan {
	var s scan
	begin := -1
	for at := 0; at < len(masked); {
		i := strings.IndexByte(masked[at:], '<')
		if i < 0 {
			break
		}
		at += i
		end, closing, ok := tagAt(masked[at:], tag)
		switch {
		case !ok:
			at++
			continue
		case !closing:
			begin = at + end
		case begin >= 0:
			// What cleaning leaves nothing of is as good as empty.
			if text := strings.TrimSpace(message[begin:at]); Clean(text) != "" {
				s.found = append(s.found, text)
			}
			begin = -1
		}
		at += end
	}
	s.unclosed = begin >= 0
	return s
}

// tagAt reads a tag, whose case does not matter and whose attributes are passed
// over, at the beginning of s. A tag that closes itself is none.
func tagAt(s, tag string) (end int, closing, ok bool) {
	i := 1
	if i < len(s) && s[i] == '/' {
		closing = true
		i++
	}
	if len(s) < i+len(tag) || !strings.EqualFold(s[i:i+len(tag)], tag) {
		return 0, false, false
	}
	i += len(tag)
	if i < len(s) && s[i] != '>' && s[i] != '/' && !isBlank(s[i]) {
		return 0, false, false
	}
	if i = tagEnd(s, i); i < 0 {
		return 0, false, false
	}
	return i + 1, closing, s[i-1] != '/'
}

// longestOpening bounds a tag with its attributes, in bytes.
const longestOpening = 4096

// tagEnd finds the > that ends a tag from some place in it: one in a quoted
// value does not, unless the quotes are no pair.
func tagEnd(s string, from int) int {
	s = s[:min(len(s), longestOpening)]
	plain := from + strings.IndexAny(s[from:], "<>")
	if plain < from {
		return -1
	}
	var quote, before byte
	for i := from; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && before == '=':
			quote = c
		case c == '>':
			return i
		case c == '<':
			i = len(s)
		}
		if i < len(s) && !isBlank(s[i]) {
			before = s[i]
		}
	}
	if s[plain] == '<' {
		return -1
	}
	return plain
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// withoutCode blanks out fenced and inline code, byte for byte.
func withoutCode(message string) string {
	out := []byte(message)
	var open fence
	paragraph := 0
	for at := 0; at < len(message); {
		end := len(message)
		if i := strings.IndexByte(message[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		line := strings.TrimRight(message[at:end], "\r\n")
		if open.length > 0 && open.isLeft(line) {
			open, paragraph = fence{}, at
		}
		switch f, ok := fenceOf(line); {
		case open.length > 0:
			blank(out[at:end])
			if ok && f.closes(open) {
				open = fence{}
			}
			paragraph = end
		case ok && f.opens():
			blankSpans(out[paragraph:at])
			open = f
			blank(out[at:end])
			paragraph = end
		case strings.Trim(line, " \t>") == "":
			blankSpans(out[paragraph:at])
			paragraph = end
		}
		at = end
	}
	if open.length == 0 {
		blankSpans(out[paragraph:])
	}
	return string(out)
}

// blankSpans blanks out the inline code of a paragraph: from a run of backticks
// to the next run of the same length.
func blankSpans(paragraph []byte) {
	for at := 0; at < len(paragraph); {
		if paragraph[at] == '\\' { // an escaped backtick begins nothing
			at += 2
			continue
		}
		if paragraph[at] != '`' {
			at++
			continue
		}
		n := run(paragraph[at:])
		end := at + n
		for end < len(paragraph) {
			if paragraph[end] != '`' {
				end++
				continue
			}
			m := run(paragraph[end:])
			end += m
			if m == n {
				blank(paragraph[at:end])
				break
			}
		}
		if paragraph[at] == '`' { // no run of that length follows: literal backticks
			end = at + n
		}
		at = end
	}
}

func run(s []byte) int {
	n := 0
	for n < len(s) && s[n] == '`' {
		n++
	}
	return n
}

func blank(s []byte) {
	for i := range s {
		if s[i] != '\n' {
			s[i] = ' '
		}
	}
}
