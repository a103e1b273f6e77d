package phrase

import "bytes"

// strength returns how much a hit is worth, from the folded line and where the
// phrase stands in it.
func strength(line []byte, found match) Strength {
	start := body(line)
	if (quoted(line, found) || codeLead(line)) && !leadingError(line[start:]) {
		return Weak
	}
	switch {
	case verdict(line), statusCode(line), retryAdvice(line):
		return Strong
	case opens(line, start, found.from):
		return Strong
	case resetFollows(line[found.to:]):
		return Strong
	}
	return Weak
}

// quoted reports that the phrase lies between two equal quote characters.
func quoted(line []byte, found match) bool {
	for _, quote := range [...]byte{'"', '\'', '`'} {
		if bytes.IndexByte(line[:found.from], quote) >= 0 && bytes.IndexByte(line[found.to:], quote) >= 0 {
			return true
		}
	}
	return false
}

// codeLead reports that a line begins like a comment, a list, a quotation or a line
// of a diff.
func codeLead(line []byte) bool {
	line = bytes.TrimLeft(line, " ")
	for _, lead := range [...]string{"//", "/*", "*", "#", "--", ">", "+", "-"} {
		if bytes.HasPrefix(line, []byte(lead)) {
			return true
		}
	}
	digits := countDigits(line)
	return digits > 0 && digits < len(line) && (line[digits] == '.' || line[digits] == ')')
}

// leadingError reports that a text begins with the word error or fatal.
func leadingError(s []byte) bool {
	for _, word := range [...]string{"error", "fatal"} {
		if bytes.HasPrefix(s, []byte(word)) && wordEnds(s, len(word)) {
			return true
		}
	}
	return false
}

// verdict reports one of the words error, fatal and exception with a colon or a
// bracket behind it.
func verdict(line []byte) bool {
	for _, word := range [...]string{"error", "fatal", "exception"} {
		if someWord(line, word, func(rest []byte) bool { return len(rest) > 0 && (rest[0] == ':' || rest[0] == ']') }) {
			return true
		}
	}
	return false
}

// statusCode reports the number 429 or 503 as a word.
func statusCode(line []byte) bool {
	always := func([]byte) bool { return true }
	return someWord(line, "429", always) || someWord(line, "503", always)
}

// retryAdvice reports the advice to try again at another time.
func retryAdvice(line []byte) bool {
	when := func(rest []byte) bool {
		for _, word := range [...]string{" later", " after", " in"} {
			if bytes.HasPrefix(rest, []byte(word)) && wordEnds(rest, len(word)) {
				return true
			}
		}
		return false
	}
	return someWord(line, "try again", when) || someWord(line, "retry", when)
}

// resetFollows reports a bar and digits.
func resetFollows(rest []byte) bool { return len(rest) > 1 && rest[0] == '|' && isDigit(rest[1]) }

// labelWords is how many words a label has at most.
const labelWords = 3

// opens reports that the phrase at from is what the line begins with, behind tags,
// timestamps and perhaps a label. start is where the body of the line is.
func opens(line []byte, start, from int) bool {
	if from == start {
		return true
	}
	if from < start {
		return false
	}
	label, ok := bytes.CutSuffix(line[start:from], []byte(": "))
	return ok && len(label) > 0 && bytes.IndexByte(label, ':') < 0 && len(bytes.Fields(label)) <= labelWords
}

// body returns where a folded line goes on behind its tags and timestamps.
func body(line []byte) int {
	at := 0
	for {
		for at < len(line) && line[at] == ' ' {
			at++
		}
		size := tagSize(line[at:])
		if size == 0 {
			size = timestampSize(line[at:])
		}
		if size == 0 {
			return at
		}
		at += size
	}
}

// tagSize returns the length of the [tag] that a text begins with, 0 for none.
func tagSize(s []byte) int {
	if len(s) == 0 || s[0] != '[' {
		return 0
	}
	return bytes.IndexByte(s, ']') + 1
}

// timestampSize returns the length of the timestamp that a text begins with, 0 for
// none: a date, a time of day, or both, and perhaps a zone.
func timestampSize(s []byte) int {
	date := shape(s, "0000-00-00")
	if date == 0 {
		date = shape(s, "0000/00/00")
	}
	clock := date
	if date > 0 && date < len(s) && (s[date] == 't' || s[date] == ' ') {
		clock++
	}
	hours := shape(s[clock:], "00:00:00")
	switch {
	case hours > 0:
		end := clock + hours
		return end + zoneSize(s[end:])
	case date > 0 && wordEnds(s, date):
		return date
	}
	return 0
}

// zoneSize returns the length of a fraction of a second and a zone.
func zoneSize(s []byte) int {
	size := 0
	if len(s) > 1 && (s[0] == '.' || s[0] == ',') {
		size = 1 + countDigits(s[1:])
	}
	rest := s[size:]
	switch {
	case len(rest) > 0 && rest[0] == 'z':
		return size + 1
	case shape(rest, "+00:00") > 0, shape(rest, "-00:00") > 0:
		return size + len("+00:00")
	case shape(rest, "+0000") > 0, shape(rest, "-0000") > 0:
		return size + len("+0000")
	}
	return size
}

// shape returns the length of a form that a text begins with, 0 where it does not:
// a 0 stands for any digit.
func shape(s []byte, form string) int {
	if len(s) < len(form) {
		return 0
	}
	for i := range len(form) {
		if form[i] == '0' && !isDigit(s[i]) || form[i] != '0' && form[i] != s[i] {
			return 0
		}
	}
	return len(form)
}

func countDigits(s []byte) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

// someWord reports that a word stands somewhere by itself with a rest behind it
// that will do.
func someWord(line []byte, word string, will func(rest []byte) bool) bool {
	for from := 0; ; {
		at := bytes.Index(line[from:], []byte(word))
		if at < 0 {
			return false
		}
		at += from
		from = at + len(word)
		if (at == 0 || !inWord(line, at-1)) && wordEnds(line, from) && will(line[from:]) {
			return true
		}
	}
}

// wordEnds reports that a word which goes up to at does not go on there.
func wordEnds(line []byte, at int) bool { return at >= len(line) || !inWord(line, at) }
