package ledger

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// adornments turns bold marks and em dashes into spaces.
var adornments = strings.NewReplacer("**", " ", emDash, " ")

// findLabel finds the first of a word, white space if any, and a colon, in any
// case: where it begins and where it ends. -1 where there is none.
func findLabel(s, word string) (begin, end int) {
	for at := 0; at+len(word) < len(s); at++ {
		if lower(s[at]) != word[0] || !hasPrefixFold(s[at:], word) {
			continue
		}
		rest := strings.TrimLeftFunc(s[at+len(word):], unicode.IsSpace)
		if strings.HasPrefix(rest, ":") {
			return at, len(s) - len(rest) + 1
		}
	}
	return -1, -1
}

// hasPrefixFold reports that s begins with a word of small ASCII letters, in
// any case.
func hasPrefixFold(s, word string) bool {
	if len(s) < len(word) {
		return false
	}
	for i := range len(word) {
		if lower(s[i]) != word[i] {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

const dateLength = len("20dd-dd-dd")

// findDate finds the first date. A time of day behind it belongs to it. begin
// is -1 where there is none.
func findDate(s string) (begin int, date string, end int) {
	for at := 0; ; at++ {
		next := strings.Index(s[at:], "20")
		if next < 0 {
			return -1, "", -1
		}
		at += next
		if looksLikeDate(s[at:]) && !isWord(lastRune(s[:at])) && !isWord(firstRune(s[at+dateLength:])) {
			end = at + dateLength
			return at, s[at:end], end + timeOfDay(s[end:])
		}
	}
}

func looksLikeDate(s string) bool {
	if len(s) < dateLength {
		return false
	}
	for i := range dateLength {
		if i == 4 || i == 7 {
			if s[i] != '-' {
				return false
			}
		} else if !isDigit(s[i]) {
			return false
		}
	}
	return true
}

// timeOfDay returns the length of white space, one or two digits, a colon and
// what follows without a blank; 0 where s does not begin so.
func timeOfDay(s string) int {
	rest := strings.TrimLeftFunc(s, unicode.IsSpace)
	if len(rest) == len(s) {
		return 0
	}
	digits := 0
	for digits < len(rest) && digits < 2 && isDigit(rest[digits]) {
		digits++
	}
	if digits == 0 || !strings.HasPrefix(rest[digits:], ":") {
		return 0
	}
	rest = rest[digits+1:]
	behind := strings.TrimLeftFunc(rest, func(r rune) bool { return !unicode.IsSpace(r) })
	if len(behind) == len(rest) {
		return 0
	}
	return len(s) - len(behind)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// blankLine returns where the line end before the first blank line is; -1 where
// no line is blank.
func blankLine(s string) int {
	for at := 0; ; {
		next := strings.IndexByte(s[at:], '\n')
		if next < 0 {
			return -1
		}
		at += next
		line, _, _ := strings.Cut(s[at+1:], "\n")
		if isBlank(line) {
			return at
		}
		at++
	}
}

// isWord reports a character that words are made of.
func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// firstRune returns the first character of s, -1 where there is none.
func firstRune(s string) rune {
	if s == "" {
		return -1
	}
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func lastRune(s string) rune {
	if s == "" {
		return -1
	}
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}
