package relay

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/text"
)

// Header returns the line that begins a delivery of a round, as the catalogue
// of the receiver's language writes it.
func (c Catalogue) Header(round int, from Role) string { return fmt.Sprintf(c.header, round, from) }

// headerWords are the words of a header in any language of the catalogues: what
// stands in for relay, then what stands in for round.
var headerWords = [][2]string{{"relay", "round"}, {"relevo", "ronda"}}

// longestTag bounds a tag of markup, in bytes.
const longestTag = 256

// LooksLikeHeader reports a line that a model would take for a relay header:
// in any language, with any spacing, width, case, letters that look alike, and
// markup around it.
func LooksLikeHeader(line string) bool { return headerAt(text.WithoutSequences(line), false) }

// headerAt looks for a header at the beginning of a text. With acrossLines,
// empty lines and lines of markup before it are passed over.
func headerAt(text string, acrossLines bool) bool {
	before := reading(text)
	if acrossLines {
		before = before.skipFences()
	}
	inside, ok := before.skip(acrossLines, isAround).bracket()
	for more := ok; more; {
		inside = inside.skip(false, isWithin)
		var next reading
		if next, more = inside.bracket(); more {
			inside = next
		}
	}
	return ok && slices.ContainsFunc(headerWords, func(words [2]string) bool {
		rest, ok := inside.skip(true, isWithin).word(words[0])
		if !ok {
			return false
		}
		rest, ok = rest.skip(true, isWithin).word(words[1])
		return ok && !unicode.IsLetter(rest.first())
	})
}

// reading is a text as a reader sees it: without what does not show, and
// whatever the width and case of its letters.
type reading string

// hidden stands for a character that does not show.
const hidden = -1

// blankPattern is a letter of Braille without a dot.
const blankPattern = '\u2800'

// fold turns a character into what it reads as.
func fold(r rune) rune {
	switch {
	case r >= 0xff01 && r <= 0xff5e:
		return unicode.ToLower(r - 0xff01 + '!')
	case unicode.IsSpace(r), r == blankPattern:
		return ' '
	case !unicode.IsPrint(r), unicode.In(r, unicode.Mn, unicode.Me, unicode.Other_Default_Ignorable_Code_Point):
		return hidden
	}
	return unicode.ToLower(r)
}

// markup is what may stand within a header without hiding it from a reader.
const markup = "*_~`>#-+|\\\"'“”„‘’«»"

func isWithin(folded rune) bool { return strings.ContainsRune(markup, folded) }

// isAround reports what may stand before a header without hiding it from a reader.
// The quote mark does: it says that the line is none.
func isAround(folded rune) bool {
	return (unicode.IsPunct(folded) || unicode.IsSymbol(folded)) && !strings.ContainsRune(quoteMark, folded)
}

// skip passes over spaces, markup and what does not show; over line ends only
// where told so.
func (t reading) skip(acrossLines bool, isMarkup func(folded rune) bool) reading {
	for t != "" {
		r, size := utf8.DecodeRuneInString(string(t))
		folded := fold(r)
		switch {
		case isLineEnd(r) && !acrossLines:
			return t
		case folded == '<':
			if size = tagLength(string(t)); size == 0 {
				return t
			}
		case isOpening(r), r == '&' && entity(string(t)) > 0:
			return t
		case folded != hidden && folded != ' ' && !isMarkup(folded):
			return t
		}
		t = t[size:]
	}
	return t
}

// skipFences passes over lines that begin code, whatever language they name.
func (t reading) skipFences() reading {
	for {
		line, rest, more := strings.Cut(strings.TrimLeft(string(t), " \t\r\n"), "\n")
		if f, ok := fenceOf(strings.TrimRight(line, "\r")); !ok || !more || !f.opens() || LooksLikeHeader(f.info) {
			return t
		}
		t = reading(rest)
	}
}

// tagLength returns the length of the tag or comment that a text begins with, 0
// where it is none of one line.
func tagLength(text string) int {
	line := text[:min(len(text), longestTag)]
	if end := strings.IndexFunc(line, isLineEnd); end >= 0 {
		line = line[:end]
	}
	if strings.HasPrefix(line, "<!--") {
		if end := strings.Index(line, "-->"); end >= 0 {
			return end + len("-->")
		}
		return 0
	}
	tag := openingTag(line)
	if name := strings.TrimPrefix(strings.TrimPrefix(tag, "<"), "/"); !strings.HasSuffix(tag, ">") || name == "" || !unicode.IsLetter(rune(name[0])) {
		return 0
	}
	return len(tag)
}

// bracket passes over what opens a header.
func (t reading) bracket() (rest reading, ok bool) {
	for rest = t; rest != ""; {
		if n := entity(string(rest)); n > 0 {
			return rest[n:], true
		}
		r, size := utf8.DecodeRuneInString(string(rest))
		rest = rest[size:]
		switch {
		case isOpening(r):
			return rest, true
		case fold(r) != hidden:
			return t, false
		}
	}
	return t, false
}

// word passes over a word, whatever that does not show stands in it.
func (t reading) word(w string) (rest reading, ok bool) {
	rest = t
	for _, letter := range w {
		found := false
		for !found {
			if rest == "" {
				return t, false
			}
			r, size := utf8.DecodeRuneInString(string(rest))
			rest = rest[size:]
			folded := fold(r)
			found = folded == letter || isDisguised(r, letter)
			if !found && folded != hidden {
				return t, false
			}
		}
	}
	return rest, true
}

// first returns the character that shows first; a space at the end.
func (t reading) first() rune {
	for _, r := range t {
		if folded := fold(r); folded != hidden {
			return folded
		}
	}
	return ' '
}

// LooksLikeDelivery reports a prompt that begins like a delivery, by itself or
// inside an envelope of the client.
func LooksLikeDelivery(prompt string) bool {
	trimmed := strings.TrimSpace(text.WithoutSequences(prompt))
	if !strings.HasPrefix(trimmed, wakeEnvelope) {
		return headerAt(unwrapped(trimmed), true)
	}
	return slices.ContainsFunc(strings.FieldsFunc(wakeText(trimmed), isLineEnd), func(line string) bool {
		// Whoever wakes a session puts words of its own before its text.
		_, said, _ := strings.Cut(line, ": ")
		return LooksLikeHeader(line) || LooksLikeHeader(said)
	})
}

func isLineEnd(r rune) bool {
	switch r {
	case '\n', '\r', '\v', '\f', 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

// The envelopes that the client puts around what did not come from a keyboard.
const (
	peerEnvelope = "<cross-session-message"
	wakeEnvelope = "<task-notification>"
	wakeBody     = "<system-reminder>"
	wakeEnd      = "</system-reminder>"
)

// unwrapped takes the envelope of a peer's message away.
func unwrapped(prompt string) string {
	if !strings.HasPrefix(prompt, peerEnvelope) {
		return prompt
	}
	return prompt[len(openingTag(prompt)):]
}

// openingTag returns the tag that a text begins with: a > between quotes does
// not end it.
func openingTag(text string) string {
	quoted := false
	for i, r := range text {
		switch {
		case r == '"':
			quoted = !quoted
		case r == '>' && !quoted:
			return text[:i+1]
		}
	}
	tag, _, _ := strings.Cut(text, ">")
	return text[:min(len(tag)+1, len(text))]
}

// wakeText returns the text of a wake, without its envelope and prefix.
func wakeText(prompt string) string {
	_, body, ok := strings.Cut(prompt, wakeBody)
	if !ok {
		return prompt
	}
	if end := strings.LastIndex(body, wakeEnd); end >= 0 {
		body = body[:end]
	}
	body = strings.TrimSpace(body)
	if rest, ok := strings.CutPrefix(body, strings.TrimSpace(WakePrefix)); ok {
		return strings.TrimSpace(rest)
	}
	return body
}

// isWake reports a prompt that the client made of what a hook woke it with.
func isWake(prompt string) bool { return strings.HasPrefix(strings.TrimSpace(prompt), wakeEnvelope) }

// WakePrefix is what the client puts before the text of a wake. It is fixed in
// the plugin's hooks.json, and neutral, since the exchange shares it.
const WakePrefix = "Delivery from changeover:\n"
