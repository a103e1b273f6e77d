package relay

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Header returns the line that begins a delivery of a round, as the catalogue
// of the receiver's language writes it.
func (c Catalogue) Header(round int, from Role) string { return fmt.Sprintf(c.header, round, from) }

// headerWords are the words of a header in any language of the catalogues: what
// stands in for relay, then what stands in for round.
var headerWords = [][2]string{{"relay", "round"}, {"relevo", "ronda"}}

// markup is what may stand around a header without hiding it from a reader.
const markup = "*_~`>#-+|\\\"'“”„‘’«»"

// longestTag bounds a tag of markup, in bytes.
const longestTag = 256

// LooksLikeHeader reports a line that a model would take for a relay header:
// in any language, with any spacing, width, case, and markup around it.
func LooksLikeHeader(line string) bool { return headerAt(line, false) }

// headerAt looks for a header at the beginning of a text. With acrossLines,
// empty lines and lines of markup before it are passed over.
func headerAt(text string, acrossLines bool) bool {
	before := reading(text).skip(acrossLines)
	inside, ok := before.word("[")
	for more := ok; more; {
		inside = inside.skip(false)
		var next reading
		if next, more = inside.word("["); more {
			inside = next
		}
	}
	return ok && slices.ContainsFunc(headerWords, func(words [2]string) bool {
		rest, ok := inside.skip(true).word(words[0])
		if !ok {
			return false
		}
		rest, ok = rest.skip(true).word(words[1])
		return ok && !unicode.IsLetter(rest.first())
	})
}

// reading is a text as a reader sees it: without what does not show, and
// whatever the width and case of its letters.
type reading string

// hidden stands for a character that does not show.
const hidden = -1

// fold turns a character into what it reads as.
func fold(r rune) rune {
	switch {
	case r >= 0xff01 && r <= 0xff5e:
		return unicode.ToLower(r - 0xff01 + '!')
	case unicode.IsSpace(r):
		return ' '
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Mn, unicode.Me, unicode.Other_Default_Ignorable_Code_Point):
		return hidden
	}
	return unicode.ToLower(r)
}

// skip passes over spaces, markup and what does not show; over line ends only
// where told so.
func (t reading) skip(acrossLines bool) reading {
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
		case folded != hidden && folded != ' ' && !strings.ContainsRune(markup, folded):
			return t
		}
		t = t[size:]
	}
	return t
}

// tagLength returns the length of the tag that a text begins with, 0 where it is
// none of one line.
func tagLength(text string) int {
	end := strings.IndexAny(text[:min(len(text), longestTag)], ">\n\u2028\u2029")
	if end < 2 || text[end] != '>' {
		return 0
	}
	if name := strings.TrimPrefix(text[1:end], "/"); name == "" || !unicode.IsLetter(rune(name[0])) {
		return 0
	}
	return end + 1
}

// word passes over a word, whatever that does not show stands in it.
func (t reading) word(w string) (rest reading, ok bool) {
	rest = t
	for _, letter := range w {
		folded := rune(hidden)
		for folded == hidden && rest != "" {
			r, size := utf8.DecodeRuneInString(string(rest))
			folded, rest = fold(r), rest[size:]
		}
		if folded != letter {
			return t, false
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
	trimmed := strings.TrimSpace(prompt)
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
