package relay

import (
	"fmt"
	"strings"
	"unicode"
)

// Header returns the line that begins a delivery of a round, as the catalogue
// of the receiver's language writes it.
func (c Catalogue) Header(round int, from Role) string { return fmt.Sprintf(c.header, round, from) }

// headerWords are the words of a header in any language of the catalogues: what
// stands in for relay, then what stands in for round.
var headerWords = [][2]string{{"relay", "round"}, {"relevo", "ronda"}}

// markup is what may stand around a header without hiding it from a reader.
const markup = "*_~`>#-+|\"'“”„‘’«»"

// LooksLikeHeader reports a line that a model would take for a relay header:
// in any language, with any spacing, width, case, and markup around it.
func LooksLikeHeader(line string) bool {
	rest := strings.TrimLeft(plain(line), " "+markup)
	rest, ok := strings.CutPrefix(rest, "[")
	if !ok {
		return false
	}
	for _, words := range headerWords {
		if after, ok := word(rest, words[0]); ok {
			if _, ok := word(after, words[1]); ok {
				return true
			}
		}
	}
	return false
}

// word passes over spaces and markup, then over a word.
func word(s, w string) (rest string, ok bool) {
	return strings.CutPrefix(strings.TrimLeft(s, " "+markup), w)
}

// plain folds a line to what it reads as: full-width forms to ASCII, every kind
// of space to one, lower case, and nothing that does not show.
func plain(line string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0xff01 && r <= 0xff5e:
			return unicode.ToLower(r - 0xff01 + '!')
		case unicode.IsSpace(r), unicode.Is(unicode.Zs, r):
			return ' '
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Mn):
			return -1
		}
		return unicode.ToLower(r)
	}, line)
}

// LooksLikeDelivery reports a prompt that begins like a delivery, by itself or
// inside an envelope of the client.
func LooksLikeDelivery(prompt string) bool {
	for _, line := range strings.FieldsFunc(unwrapped(prompt), isLineEnd) {
		if strings.TrimSpace(plain(line)) == "" {
			continue
		}
		return LooksLikeHeader(line)
	}
	return false
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

// unwrapped takes the envelope of a peer's message or of a wake away. The fixed
// words that precede a wake's text go too.
func unwrapped(prompt string) string {
	trimmed := strings.TrimSpace(prompt)
	switch {
	case strings.HasPrefix(trimmed, peerEnvelope):
		_, body, _ := strings.Cut(trimmed, ">")
		return body
	case strings.HasPrefix(trimmed, wakeEnvelope):
		return wakeText(trimmed)
	}
	return prompt
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

// WakePrefix is what the client puts before the text of a wake. It is fixed in
// the plugin's hooks.json, and neutral, since the exchange shares it.
const WakePrefix = "Delivery from changeover:\n"
