package relay

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// quoteMark goes before a line that would read as a header.
const quoteMark = "› "

// reservedTags are tags that the client gives a meaning of its own. A name that
// ends in a hyphen stands for all that begin so.
var reservedTags = []string{
	"system-reminder", "task-notification", "cross-session-message", "command-", "local-command-", "bash-",
}

// Clean makes a text fit to enter another model, once, by its sender, so that
// both transports show the same. A second pass changes nothing.
func Clean(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = withoutTags(withoutControls(withoutSequences(text)))
	return quoted(strings.TrimFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == byteOrderMark }))
}

// byteOrderMark is what some programs write before a text.
const byteOrderMark = '\ufeff'

// quoted puts the quote mark before every line that a header begins on.
func quoted(text string) string {
	var out strings.Builder
	for text != "" {
		if headerAt(text, false) {
			out.WriteString(quoteMark)
		}
		end := len(text)
		if i := strings.IndexFunc(text, isLineEnd); i >= 0 {
			_, size := utf8.DecodeRuneInString(text[i:])
			end = i + size
		}
		out.WriteString(text[:end])
		text = text[end:]
	}
	return out.String()
}

// withoutSequences takes terminal escape sequences out: those of ECMA-48 with
// their parameters, control strings with their text.
func withoutSequences(text string) string {
	const escape, control, strs = '\x1b', '\u009b', "\u0090\u0098\u009d\u009e\u009f"
	if !strings.ContainsAny(text, string(escape)+string(control)+strs) {
		return text
	}
	var out strings.Builder
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		rest := text[size:]
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
			out.WriteString(text[:size])
		}
		text = rest
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

func withoutControls(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' && r != '\n' {
			return -1
		}
		return r
	}, text)
}

// withoutTags turns the < of a reserved tag into ‹.
func withoutTags(text string) string {
	var out strings.Builder
	for {
		i := strings.IndexByte(text, '<')
		if i < 0 {
			out.WriteString(text)
			return out.String()
		}
		out.WriteString(text[:i])
		text = text[i+1:]
		if isReservedTag(text) {
			out.WriteString("‹")
		} else {
			out.WriteByte('<')
		}
	}
}

// isReservedTag looks at what follows a <.
func isReservedTag(rest string) bool {
	rest = strings.TrimLeft(rest, " \t\n/")
	for _, name := range reservedTags {
		if len(rest) < len(name) || !strings.EqualFold(rest[:len(name)], name) {
			continue
		}
		if strings.HasSuffix(name, "-") || len(rest) == len(name) || !isNameByte(rest[len(name)]) {
			return true
		}
	}
	return false
}

func isNameByte(c byte) bool {
	return c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
