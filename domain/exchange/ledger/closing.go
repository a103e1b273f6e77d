package ledger

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// closingReach is how far behind a Status label a closing word may end, in
// characters.
const closingReach = 80

var closingWords = [...]string{"done", "closed", "resolved", "withdrawn", "superseded", "merged"}

// isClosed reports an entry that is over: some Status label is soon followed by
// a closing word, or such a word stands in full capitals.
func isClosed(block string) bool {
	label, next := -1, labelEnd(block, 0)
	for begin, end := range words(block) {
		for next >= 0 && next <= begin {
			label, next = next, labelEnd(block, next)
		}
		if !isClosing(block[begin:end]) {
			continue
		}
		if label >= 0 && utf8.RuneCountInString(block[label:end]) <= closingReach {
			return true
		}
		if isCapital(block[begin:end]) && !isCode(lastRune(block[:begin])) && !isCode(firstRune(block[end:])) {
			return true
		}
	}
	return false
}

// labelEnd returns where the first Status label behind from ends; -1 where
// there is none.
func labelEnd(block string, from int) int {
	if _, end := findLabel(block[from:], "status"); end >= 0 {
		return from + end
	}
	return -1
}

// words yields where each word begins and ends.
func words(s string) func(yield func(begin, end int) bool) {
	return func(yield func(begin, end int) bool) {
		begin := -1
		for i, r := range s {
			switch {
			case isWord(r) && begin < 0:
				begin = i
			case !isWord(r) && begin >= 0:
				if !yield(begin, i) {
					return
				}
				begin = -1
			}
		}
		if begin >= 0 {
			yield(begin, len(s))
		}
	}
}

func isClosing(word string) bool {
	for _, closing := range closingWords {
		if len(word) == len(closing) && hasPrefixFold(word, closing) {
			return true
		}
	}
	return false
}

func isCapital(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return r < 'A' || 'Z' < r })
}

// isCode reports what shows a word in capitals to be part of a sentence or of
// code.
func isCode(r rune) bool { return r == '.' || r == '`' }

// statusEnds are what ends the text of a status.
var statusEnds = [...]string{"\n", "**", " (", ". ", ","}

// statusText returns the status that stands behind a label.
func statusText(behind string) string {
	status := strings.TrimLeftFunc(strings.TrimPrefix(behind, "**"), unicode.IsSpace)
	for _, end := range statusEnds {
		status, _, _ = strings.Cut(status, end)
	}
	return clean(status)
}
