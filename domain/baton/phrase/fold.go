package phrase

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/text"
)

// fold brings a letter to the case in which phrases are compared. Nothing outside
// ASCII becomes an ASCII letter, so that one byte of a phrase is always one byte
// of a line.
func fold(r rune) rune {
	lower := unicode.ToLower(r)
	if r >= utf8.RuneSelf && lower < utf8.RuneSelf {
		return r
	}
	return lower
}

// appendFolded appends a text in lower case, with each run of white space as one
// space. Bytes that are no UTF-8 stay.
func appendFolded(dst, src []byte) []byte {
	space := false
	for i := 0; i < len(src); {
		b := src[i]
		if b < utf8.RuneSelf {
			i++
			if b == ' ' || b >= '\t' && b <= '\r' {
				if !space {
					dst = append(dst, ' ')
				}
				space = true
				continue
			}
			space = false
			if 'A' <= b && b <= 'Z' {
				b += 'a' - 'A'
			}
			dst = append(dst, b)
			continue
		}
		r, size := utf8.DecodeRune(src[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(dst, b)
			space = false
		case unicode.IsSpace(r):
			if !space {
				dst = append(dst, ' ')
			}
			space = true
		default:
			dst = utf8.AppendRune(dst, fold(r))
			space = false
		}
		i += size
	}
	return dst
}

// appendPlain appends a text without control sequences, folded.
func appendPlain(dst, src []byte) []byte { return appendFolded(dst, Shown(src, nil)) }

// Shown returns a text without the control sequences of terminals: itself where it
// holds none. scratch may be kept from call to call, to save room; nil will do.
func Shown(src []byte, scratch *[]byte) []byte {
	if !Escapes(src) {
		return src
	}
	var own []byte
	if scratch == nil {
		scratch = &own
	}
	shown, ok := appendUncoloured((*scratch)[:0], src)
	if !ok {
		shown = append(shown[:0], text.WithoutSequences(string(src))...)
	}
	*scratch = shown
	return shown
}

// appendUncoloured appends a text without the sequences that set colours and the
// like, of which most lines have no other; ok is false where there is another.
func appendUncoloured(dst, src []byte) (result []byte, ok bool) {
	for {
		at := bytes.IndexByte(src, 0x1b)
		if at < 0 {
			return append(dst, src...), !Escapes(src)
		}
		dst = append(dst, src[:at]...)
		end := at + len("\x1b[")
		for end < len(src) && src[end] >= '0' && src[end] <= ';' {
			end++
		}
		if end >= len(src) || src[at+1] != '[' || src[end] < '@' || src[end] > '~' || Escapes(src[:at]) {
			return dst, false
		}
		src = src[end+1:]
	}
}

// Escapes reports that a text may hold control sequences of terminals. What it
// denies holds none.
func Escapes(src []byte) bool {
	if bytes.IndexByte(src, 0x1b) >= 0 {
		return true
	}
	for {
		at := bytes.IndexByte(src, 0xc2) // the first byte of U+0080 to U+00BF
		if at < 0 || at+1 == len(src) {
			return false
		}
		if src[at+1] >= 0x90 && src[at+1] <= 0x9f {
			return true
		}
		src = src[at+1:]
	}
}

// Stems returns for each phrase its longest part that a line with the phrase
// always holds byte for byte, but for the case of ASCII letters: in lower case, and
// empty for a phrase that has no such part. It lets a reader of a long log pass
// over the lines which cannot matter.
func (l List) Stems() []string {
	stems := make([]string, len(l.folded))
	for i, folded := range l.folded {
		stems[i] = stem(folded)
	}
	return stems
}

// stem returns the longest part without white space and letters that have a case
// outside ASCII.
func stem(folded []byte) string {
	longest, from := "", 0
	for i := 0; i <= len(folded); {
		r, size := rune(' '), 1
		if i < len(folded) {
			r, size = utf8.DecodeRune(folded[i:])
		}
		if r == ' ' || r >= utf8.RuneSelf && cased(r) {
			if i-from > len(longest) {
				longest = string(folded[from:i])
			}
			from = i + size
		}
		i += size
	}
	return longest
}

// cased reports that another letter folds to r, or that r is no letter that can be
// told at all.
func cased(r rune) bool {
	return r == utf8.RuneError || unicode.SimpleFold(r) != r || unicode.ToUpper(r) != r || unicode.ToTitle(r) != r
}
