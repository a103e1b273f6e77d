package phrase

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// searchResult reports that a folded line has the shape of a search result: a path,
// a colon or dash, the number of a line, a colon or dash.
func searchResult(line []byte) bool {
	path := line
	if len(path) > 2 && isLetter(path[0]) && path[1] == ':' {
		path = path[2:]
	}
	for i := range path {
		switch path[i] {
		case ' ':
			return false
		case ':', '-':
			if numbered(path[i:]) && isPath(path[:i]) {
				return true
			}
			if path[i] == ':' {
				return false
			}
		}
	}
	return false
}

// numbered reports that a text begins with digits between colons or dashes.
func numbered(s []byte) bool {
	digits := 1
	for digits < len(s) && isDigit(s[digits]) {
		digits++
	}
	return digits > 1 && digits < len(s) && (s[digits] == ':' || s[digits] == '-')
}

// longestExtension is the length of the longest one that a file has, in characters.
const longestExtension = 8

// isPath reports that a word is a path: it ends in an extension, or its last
// segment stands behind a slash, or it is a file known without either.
func isPath(word []byte) bool {
	if string(word) == "makefile" || string(word) == "dockerfile" {
		return true
	}
	last := word[bytes.LastIndexByte(word, '/')+1:]
	if len(last) > 0 && len(last) < len(word) {
		return true
	}
	dot := bytes.LastIndexByte(last, '.')
	if dot < 0 {
		return false
	}
	extension := last[dot+1:]
	size := utf8.RuneCount(extension)
	return size >= 1 && size <= longestExtension && bytes.IndexFunc(extension, partsExtension) < 0
}

// partsExtension reports a character that no extension holds.
func partsExtension(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// listed is how many keywords in a row make a list of them.
const listed = 3

// aboutDetection reports that a folded line talks about finding phrases and not of
// a wall.
func aboutDetection(line []byte) bool {
	if bytes.Contains(line, []byte("감지한다")) {
		return true
	}
	if followed(line, "pattern", func(before []byte) bool {
		return bytes.HasSuffix(before, []byte("fallback")) || bytes.HasSuffix(before, []byte("detection"))
	}) {
		return true
	}
	if followed(line, "패턴", func(before []byte) bool {
		for _, word := range [...]string{"quota", "limit", "usage", "context"} {
			if bytes.HasSuffix(before, []byte(word)) {
				return true
			}
		}
		return false
	}) {
		return true
	}
	return keywordList(line)
}

// followed reports that a word stands behind something, perhaps with a space
// between.
func followed(line []byte, word string, behind func([]byte) bool) bool {
	for from := 0; ; {
		at := bytes.Index(line[from:], []byte(word))
		if at < 0 {
			return false
		}
		at += from
		if behind(bytes.TrimSuffix(line[:at], []byte(" "))) {
			return true
		}
		from = at + len(word)
	}
}

// keywordList reports three keywords in a row, with slashes or commas between.
func keywordList(line []byte) bool {
	row, behind := 0, -1 // how many keywords in a row end before the byte behind
	for i := 0; i < len(line); {
		if !inWord(line, i) {
			i++
			continue
		}
		end := i + 1
		for end < len(line) && inWord(line, end) {
			end++
		}
		switch {
		case !keyword(line[i:end]):
			row = 0
		case row > 0 && separates(line[behind:i]):
			row++
		default:
			row = 1
		}
		if row == listed {
			return true
		}
		i, behind = end, end
	}
	return false
}

func keyword(word []byte) bool {
	switch string(word) {
	case "usage", "rate", "token", "context", "quota", "limit":
		return true
	}
	return false
}

// separates reports one slash or comma, perhaps with spaces around it.
func separates(between []byte) bool {
	mark := bytes.TrimSpace(between)
	return len(mark) == 1 && (mark[0] == '/' || mark[0] == ',')
}

// inWord reports that the byte at i is a part of a word: of ASCII letters, digits
// and underscores, so that a quotation mark of any script ends one.
func inWord(line []byte, i int) bool {
	return isLetter(line[i]) || isDigit(line[i]) || line[i] == '_'
}

func isLetter(b byte) bool { return 'a' <= b && b <= 'z' }

func isDigit(b byte) bool { return '0' <= b && b <= '9' }
