package relay

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// typedHere are the commands that a session answers itself, without the terminal.
var typedHere = []string{
	"status", "sessions", "planner", "builder", "accept", "decline", "goal", "pause", "resume", "unlink",
}

// InSession words lines for a person who reads them in a session: a command is named
// as it is typed there. Without its slash it would go to the model.
func (o Operator) InSession(session string, lines []string) []string {
	slash := ""
	typed := make([]string, 0, len(lines))
	for _, line := range lines {
		if slash == "" && strings.Contains(line, "relay ") {
			slash = o.slash(session)
		}
		typed = append(typed, asTyped(line, slash))
	}
	return typed
}

// asTyped puts the slash command in place of the program's name, where one of the
// commands follows that a session answers. What names a session is for a terminal.
func asTyped(line, slash string) string {
	const program = "relay "
	var b strings.Builder
	for rest := line; ; {
		before, after, found := strings.Cut(rest, program)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if isCommand(b.String(), after) {
			b.WriteString(slash + " ")
		} else {
			b.WriteString(program)
		}
		rest = after
	}
}

func isCommand(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	if before != "" && (unicode.IsLetter(last) || unicode.IsDigit(last) || strings.ContainsRune("/:-_.[", last)) {
		return false
	}
	for _, verb := range typedHere {
		rest, ok := strings.CutPrefix(after, verb)
		next, _ := utf8.DecodeRuneInString(rest)
		if ok && !unicode.IsLetter(next) && !strings.HasPrefix(rest, " --session") {
			return true
		}
	}
	return false
}
