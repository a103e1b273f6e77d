package relay

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/text"
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
func Clean(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.ReplaceAll(s, "\r\n", "\n")
	s = withoutTags(withoutControls(text.WithoutSequences(s)))
	return quoted(strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == byteOrderMark }))
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
