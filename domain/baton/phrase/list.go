// Package phrase reads walls out of plain text: which lines of an agent without a
// JSON mode, and of commands.log, tell of a limit, how much they are worth, and
// what they mean for a run of such an agent. One predicate serves the stream and
// every later reading of the log.
package phrase

import (
	"bytes"
	"slices"
)

// List is the phrases that tell of a wall. The zero value holds none, and knows
// the errors of structured clients alone.
type List struct {
	texts []string
	// folded holds the texts as they are searched for.
	folded [][]byte
}

// Defaults returns the phrases of a configuration that names none.
func Defaults() List {
	return NewList([]string{
		"usage limit reached", "rate limit exceeded", "context length exceeded", "context limit exceeded",
		"token limit exceeded", "quota exceeded", "quota limit", "insufficient quota", "maximum context length",
		"too many requests",
		"hit your usage limit", "5-hour limit reached", "weekly limit reached", "prompt is too long",
		"exceeds the context window", "credit balance is too low",
	})
}

// NewList returns a list of these phrases. Space around them goes, blank ones do
// too; of phrases that differ in case or white space alone the first stays, in its
// place.
func NewList(texts []string) List { return List{}.Overlay(texts) }

// Overlay returns the list with more phrases at its end.
func (l List) Overlay(more []string) List {
	all := List{texts: slices.Clone(l.texts), folded: slices.Clone(l.folded)}
	for _, text := range more {
		folded := bytes.TrimSpace(appendFolded(nil, []byte(text)))
		if len(folded) == 0 || slices.ContainsFunc(all.folded, func(known []byte) bool { return bytes.Equal(known, folded) }) {
			continue
		}
		all.texts = append(all.texts, string(bytes.TrimSpace([]byte(text))))
		all.folded = append(all.folded, folded)
	}
	return all
}

// Texts returns the phrases as they were first spelled.
func (l List) Texts() []string { return slices.Clone(l.texts) }

// Find returns the longest phrase that a text holds, whatever else it says. Case
// and the kind and amount of white space make no difference.
func (l List) Find(text string) (phrase string, ok bool) {
	found, ok := l.longest(appendPlain(nil, []byte(text)), nil)
	if !ok {
		return "", false
	}
	return l.texts[found.phrase], true
}

// match is where a phrase stands in a folded text.
type match struct{ phrase, from, to int }

// longest returns the longest phrase of the list that a folded text holds, the
// first of several as long. Those that skip names are passed over; nil names none.
func (l List) longest(folded []byte, skip []bool) (match, bool) {
	found, best := match{}, 0
	for i, phrase := range l.folded {
		if len(phrase) <= best || len(skip) > 0 && skip[i] {
			continue
		}
		if at := bytes.Index(folded, phrase); at >= 0 {
			found, best = match{phrase: i, from: at, to: at + len(phrase)}, len(phrase)
		}
	}
	return found, best > 0
}
