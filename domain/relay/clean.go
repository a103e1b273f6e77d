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
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if LooksLikeHeader(line) {
			lines[i] = quoteMark + line
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// withoutSequences takes terminal escape sequences out: those of ECMA-48 with
// their parameters, operating-system commands with their text.
func withoutSequences(text string) string {
	const escape, c1CSI, c1OSC = '\x1b', '\u009b', '\u009d'
	if !strings.ContainsFunc(text, func(r rune) bool { return r == escape || r == c1CSI || r == c1OSC }) {
		return text
	}
	var out strings.Builder
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		rest := text[size:]
		switch {
		case r == c1CSI, r == escape && strings.HasPrefix(rest, "["):
			rest = afterControl(strings.TrimPrefix(rest, "["))
		case r == c1OSC, r == escape && rest != "" && strings.ContainsRune("]PX^_", rune(rest[0])):
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
			return strings.TrimPrefix(rest[i+1:], "\\")
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
