package markdown

import "strings"

// Bullet reads a line as a list item: "-", "*", "+", "1." or "1)" and a space
// after it. lead is the mark with the space around it; indent counts the spaces
// before it, a tab as four.
func Bullet(line string) (lead, rest string, indent int, ok bool) {
	trimmed := strings.TrimLeft(line, " \t")
	for _, r := range line[:len(line)-len(trimmed)] {
		indent++
		if r == '\t' {
			indent += 3
		}
	}
	width := markWidth(trimmed)
	if width == 0 {
		return "", line, indent, false
	}
	rest = strings.TrimLeft(trimmed[width:], " \t")
	if rest != "" && len(rest) == len(trimmed)-width {
		return "", line, indent, false
	}
	return line[:len(line)-len(rest)], rest, indent, true
}

// markWidth returns how many bytes the mark of a list item takes; 0 for none.
func markWidth(s string) int {
	if s == "" {
		return 0
	}
	if strings.IndexByte("-*+", s[0]) >= 0 {
		return 1
	}
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits == 0 || digits > 9 || digits == len(s) || s[digits] != '.' && s[digits] != ')' {
		return 0
	}
	return digits + 1
}

// Checkbox cuts a checkbox off the text of a list item.
func Checkbox(rest string) (text string, checked, ok bool) {
	if len(rest) < 3 || rest[0] != '[' || rest[2] != ']' || len(rest) > 3 && rest[3] != ' ' {
		return rest, false, false
	}
	switch rest[1] {
	case ' ':
	case 'x', 'X':
		checked = true
	default:
		return rest, false, false
	}
	return strings.TrimLeft(rest[3:], " "), checked, true
}

// Payload returns a line without bullet or number and without checkbox, and
// without surrounding space.
func Payload(line string) string {
	_, rest, _, _ := Bullet(line)
	text, _, _ := Checkbox(strings.TrimSpace(rest))
	return strings.TrimSpace(text)
}
