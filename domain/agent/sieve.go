package agent

import (
	"iter"
	"strings"

	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/text"
)

// block is how many bytes are looked at in one step of the sieve.
const block = 2

// sieve finds the lines in which a phrase may stand, without looking at most of
// the bytes of a long text: a line without any phrase's stem has no phrase.
//
// It steps over the text by the length of the shortest stem, less what the last
// two bytes of the window leave open (after Wu and Manber).
type sieve struct {
	stems []string
	// window is the length of the shortest stem.
	window int
	// step is how far the window may move, by its last two bytes in lower case.
	step []uint8
	// whole: some phrase has no stem that would help, each line may hold it.
	whole bool
	none  bool
}

func newSieve(l phrase.List) sieve {
	s := sieve{stems: l.Stems()}
	s.none = len(s.stems) == 0
	for _, stem := range s.stems {
		if len(stem) < block {
			s.whole = true
			return s
		}
		if s.window == 0 || len(stem) < s.window {
			s.window = len(stem)
		}
	}
	if s.none {
		return s
	}
	s.step = make([]uint8, 1<<16)
	longest := uint8(min(s.window-block+1, 255))
	for i := range s.step {
		s.step[i] = longest
	}
	for _, stem := range s.stems {
		for end := block; end <= s.window; end++ {
			at := pair(stem[end-2], stem[end-1])
			s.step[at] = min(s.step[at], uint8(min(s.window-end, 255)))
		}
	}
	return s
}

// pair is the place of two bytes in a table, in lower case.
func pair(a, b byte) int { return int(lower(a))<<8 | int(lower(b)) }

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// in returns the lines of a text in which a phrase may stand.
func (s sieve) in(said string) iter.Seq[string] {
	return func(yield func(string) bool) { s.lines(said, yield) }
}

func (s sieve) lines(said string, yield func(line string) bool) {
	if phrase.Escapes([]byte(said)) {
		said = text.WithoutSequences(said)
	}
	for from := 0; from < len(said); {
		at := s.next(said, from)
		if at < 0 {
			return
		}
		begin := strings.LastIndexAny(said[from:at], "\r\n") + 1 + from
		end := len(said)
		if n := strings.IndexAny(said[at:], "\r\n"); n >= 0 {
			end = at + n
		}
		if !yield(said[begin:end]) {
			return
		}
		from = end + 1
	}
}

// next returns a place in the first line from a line's beginning on in which a
// phrase may stand, or -1.
func (s sieve) next(said string, from int) int {
	switch {
	case s.none:
		return -1
	case s.whole:
		return from
	}
	for end := from + s.window; end <= len(said); {
		step := int(s.step[pair(said[end-2], said[end-1])])
		if step > 0 {
			end += step
			continue
		}
		if s.stands(said, end-s.window) {
			return end - s.window
		}
		end++
	}
	return -1
}

// stands reports that a stem stands at a place.
func (s sieve) stands(said string, at int) bool {
	for _, stem := range s.stems {
		if len(said)-at >= len(stem) && same(said[at:at+len(stem)], stem) {
			return true
		}
	}
	return false
}

// same compares a text with a stem, but for the case of ASCII letters.
func same(said, stem string) bool {
	for i := range len(stem) {
		if lower(said[i]) != stem[i] {
			return false
		}
	}
	return true
}
