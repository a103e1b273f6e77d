package text

import (
	"strings"
	"unicode/utf8"
)

// WithoutSequences takes terminal escape sequences out: those of ECMA-48 with
// their parameters, control strings with their text.
func WithoutSequences(s string) string {
	const escape, control, strs = '\x1b', '\u009b', "\u0090\u0098\u009d\u009e\u009f"
	if !strings.ContainsAny(s, string(escape)+string(control)+strs) {
		return s
	}
	var out strings.Builder
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		rest := s[size:]
		switch {
		case r == control:
			rest = afterControl(rest)
		case r == escape && strings.HasPrefix(rest, "["):
			rest = afterControl(rest[1:])
		case strings.ContainsRune(strs, r), r == escape && rest != "" && strings.ContainsRune("]PX^_", rune(rest[0])):
			rest = afterString(rest)
		case r == escape:
			rest = afterShort(rest)
		default:
			out.WriteString(s[:size])
		}
		s = rest
	}
	return out.String()
}

// afterControl passes over parameters, intermediates and the final byte. What
// is no such sequence stays.
func afterControl(rest string) string {
	i := 0
	for i < len(rest) && rest[i] >= 0x20 && rest[i] <= 0x3f {
		i++
	}
	if i < len(rest) && rest[i] >= 0x40 && rest[i] <= 0x7e {
		return rest[i+1:]
	}
	return rest[i:]
}

// afterString passes over a control string up to its terminator, within its
// line.
func afterString(rest string) string {
	for i, r := range rest {
		switch r {
		case '\a', '\u009c':
			return rest[i+utf8.RuneLen(r):]
		case '\x1b':
			return strings.TrimPrefix(rest[i:], "\x1b\\")
		case '\n':
			return rest[i:]
		}
	}
	return ""
}

// afterShort passes over a two-character sequence and its intermediates.
func afterShort(rest string) string {
	i := 0
	for i < len(rest) && rest[i] >= 0x20 && rest[i] <= 0x2f {
		i++
	}
	if i < len(rest) && rest[i] >= 0x30 && rest[i] <= 0x7e {
		return rest[i+1:]
	}
	return rest[i:]
}
