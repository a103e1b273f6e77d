package ledger

import (
	"strings"
	"unicode"
)

// The arrows of a header.
const (
	toRight = "→"
	toLeft  = "←"
	emDash  = "—"
)

// Shape is how the header of an entry is written.
type Shape string

// The two shapes: **[sender → recipient]** and **→ recipient, from sender.
const (
	Bracketed Shape = "A"
	Arrowed   Shape = "B"
)

// Entry is one entry of a ledger.
type Entry struct {
	Shape Shape
	// Sender is empty where the header names none.
	Sender string
	// Recipients are empty where the header has no route.
	Recipients []string
	// Date is YYYY-MM-DD as it was written; empty where there is none.
	Date string
	// Headline is what the entry is called now, Original what it was called
	// first.
	Headline, Original string
	// Status is what stands behind the first Status label. It decides nothing.
	Status string
	Closed bool
	// Block is the whole text.
	Block string
}

// HasRoute reports that the header says whom the entry is for.
func (e Entry) HasRoute() bool { return len(e.Recipients) > 0 }

// Doubtful reports an entry that counts as closed although its status does not
// sound like it.
func (e Entry) Doubtful() bool {
	return e.Closed && (hasPrefixFold(e.Status, "open") || hasPrefixFold(e.Status, "accepted"))
}

func parseEntry(block string) Entry {
	e := Entry{Shape: Arrowed, Block: block, Closed: isClosed(block)}
	header := paragraph(block)
	var source string
	if strings.HasPrefix(header, "**[") {
		e.Shape = Bracketed
		source = e.bracketed(header)
	} else {
		source = e.arrowed(header)
	}
	e.Headline = headline(source)
	e.Original = original(block, e.Headline)
	if _, end := findLabel(block, "status"); end >= 0 {
		e.Status = statusText(block[end:])
	}
	return e
}

// paragraph returns a block up to its first blank line.
func paragraph(block string) string {
	if end := blankLine(block); end >= 0 {
		return block[:end]
	}
	return block
}

// bracketed reads a header of the first shape and returns where its headline is
// to be found.
func (e *Entry) bracketed(header string) string {
	route, rest, closed := strings.Cut(header[len("**["):], "]")
	if !closed {
		rest = header
	} else {
		e.route(route)
	}
	if begin, date, end := findDate(rest); begin >= 0 {
		e.Date = date
		return rest[end:]
	}
	return rest
}

// route reads what stands between the brackets.
func (e *Entry) route(route string) {
	sender, recipients := "", route
	for _, arrow := range []struct {
		glyph   string
		swapped bool
	}{{toRight, false}, {"->", false}, {toLeft, true}, {"<-", true}} {
		left, right, found := strings.Cut(route, arrow.glyph)
		if !found {
			continue
		}
		sender, recipients = left, right
		if arrow.swapped {
			sender, recipients = right, left
		}
		break
	}
	e.Sender = collapse(sender)
	e.Recipients = parts(recipients)
}

// parts splits a group of recipients. Empty ones are dropped.
func parts(group string) []string {
	var labels []string
	for part := range strings.SplitSeq(group, "+") {
		if label := collapse(part); label != "" {
			labels = append(labels, label)
		}
	}
	return labels
}

// arrowed reads a header of the second shape, in which the recipient always
// stands first, and returns where its headline is to be found.
func (e *Entry) arrowed(header string) string {
	header = strings.TrimLeftFunc(header, func(r rune) bool { return r == '*' || unicode.IsSpace(r) })
	left, right, found := cutFrom(header)
	if !found {
		return header
	}
	begin, date, end := findDate(right)
	if begin < 0 {
		begin = sentenceEnd(right)
		end = begin
	}
	recipients := strings.TrimLeft(clean(left), toRight+toLeft+" ")
	if sender := clean(right[:begin]); sender != "" {
		e.Sender, e.Recipients = sender, parts(recipients)
	}
	e.Date = date
	return right[end:]
}

// cutFrom splits at the first comma that is followed by the word from.
func cutFrom(header string) (left, right string, found bool) {
	for at := 0; ; at++ {
		next := strings.IndexByte(header[at:], ',')
		if next < 0 {
			return header, "", false
		}
		at += next
		rest := strings.TrimLeftFunc(header[at+1:], unicode.IsSpace)
		if !hasPrefixFold(rest, "from") {
			continue
		}
		rest = rest[len("from"):]
		if right := strings.TrimLeftFunc(rest, unicode.IsSpace); len(right) < len(rest) {
			return header[:at], right, true
		}
	}
}

// sentenceEnd returns where an undated sender ends: at a full stop that ends
// something, or where bold text begins or ends.
func sentenceEnd(s string) int {
	for i := range len(s) {
		if strings.HasPrefix(s[i:], "**") {
			return i
		}
		if s[i] != '.' {
			continue
		}
		if next := firstRune(s[i+1:]); next < 0 || next == '*' || unicode.IsSpace(next) {
			return i
		}
	}
	return len(s)
}

// headline returns what an entry is called, of the text behind its date.
func headline(source string) string {
	status, behind := findLabel(source, "status")
	was, _ := findLabel(source, "was")
	first := was
	if status >= 0 && (was < 0 || status < was) {
		first = status
	}
	if first >= 0 {
		if before := clean(source[:first]); before != "" {
			return before
		}
	}
	if status < 0 {
		return clean(source)
	}
	rest := source[behind:]
	if _, after, found := strings.Cut(rest, emDash); found {
		rest = after
	}
	return clean(rest)
}

// original returns what an entry was called before it was acknowledged in
// place; its headline where it was not.
func original(block, headline string) string {
	_, begin := findLabel(block, "was")
	if begin < 0 {
		return headline
	}
	rest := block[begin:]
	if bold, _, found := strings.Cut(rest, "**"); found {
		rest = bold
	} else if end := blankLine(rest); end >= 0 {
		rest = rest[:end]
	}
	if was := clean(rest); was != "" {
		return was
	}
	return headline
}

// clean takes off what only makes a text look like a headline.
func clean(s string) string {
	return strings.Trim(collapse(adornments.Replace(s)), " .:")
}

// collapse turns each run of white space into one space, and trims.
func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }
