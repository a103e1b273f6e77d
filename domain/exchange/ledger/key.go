package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
)

// headlineLength is how much of a headline counts, in code points.
const headlineLength = 64

// Fold is full Unicode case folding.
type Fold func(string) string

// Label returns a label in the spelling in which labels are compared.
func (f Fold) Label(s string) string {
	s = collapse(s)
	for _, joint := range []string{"/", "&", "+"} {
		s = strings.ReplaceAll(strings.ReplaceAll(s, " "+joint, joint), joint+" ", joint)
	}
	return f(s)
}

// Group returns the labels of some recipients in the spelling in which groups
// are compared, whatever their order.
func (f Fold) Group(recipients []string) string {
	labels := make([]string, len(recipients))
	for i, recipient := range recipients {
		labels[i] = f.Label(recipient)
	}
	slices.Sort(labels)
	return strings.Join(labels, "+")
}

// Groups returns what Group does for recipients that are written as one text.
func (f Fold) Groups(recipients string) string { return f.Group(parts(recipients)) }

// Key is what an entry is known by.
type Key struct {
	Route    string
	Headline string
	// Date is empty where the entry has none.
	Date string
}

// Key returns what the entry is known by, however it is acknowledged, closed
// and reworded later.
func (e Entry) Key(fold Fold) Key {
	return Key{
		Route:    fold.Label(e.Sender) + ">" + fold.Group(e.Recipients),
		Headline: fold.headline(e.Original),
		Date:     e.Date,
	}
}

// Renewed returns a key that was stored in the spelling in which keys are
// compared now.
func (k Key) Renewed(fold Fold) Key {
	sender, recipients, found := strings.Cut(k.Route, ">")
	if !found {
		sender, recipients = "", k.Route
	}
	k.Route = fold.Label(sender) + ">" + fold.Groups(recipients)
	k.Headline = fold.headline(k.Headline)
	return k
}

func (f Fold) headline(s string) string {
	s = f(collapse(s))
	n := 0
	for i := range s {
		if n == headlineLength {
			s = s[:i]
			break
		}
		n++
	}
	return strings.TrimSpace(s)
}

// ID returns the id of the handoff that an entry becomes, whoever imports it.
func (k Key) ID() string {
	sum := sha256.Sum256([]byte(k.Preimage()))
	day := "undated"
	if k.Date != "" {
		day = strings.ReplaceAll(k.Date, "-", "") + "T000000Z"
	}
	return day + "-" + hex.EncodeToString(sum[:])[:12]
}

// Preimage returns the bytes that an id is the hash of: JSON in ASCII.
func (k Key) Preimage() string {
	var members []string
	if k.Date != "" {
		members = append(members, `"date": `+ascii(k.Date))
	}
	members = append(members, `"headline": `+ascii(k.Headline), `"route": `+ascii(k.Route))
	return "{" + strings.Join(members, ", ") + "}"
}

// ascii writes a JSON string in printable ASCII.
func ascii(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case ' ' <= r && r <= '~':
			b.WriteRune(r)
		default:
			b.WriteString(escaped(r))
		}
	}
	b.WriteByte('"')
	return b.String()
}

func escaped(r rune) string {
	switch r {
	case '\b':
		return `\b`
	case '\f':
		return `\f`
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	if high, low := utf16.EncodeRune(r); high != unicodeReplacement {
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// unicodeReplacement is what utf16 gives for a character that needs no pair.
const unicodeReplacement = '\uFFFD'
