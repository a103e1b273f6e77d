package logs

import (
	"bytes"
	"strings"
)

// filter finds in a block of text the lines that hold one of its words. It looks
// at three bytes at a time and leaves out as many between as the shortest word
// allows: a word of five letters holds three bytes from one of three places in a
// row, wherever counting began.
type filter struct {
	// stride is the distance between the places looked at. 0: every line may hold
	// a word.
	stride int
	// table holds for each hash of three bytes the number of a list of words,
	// counted from 1.
	table [1 << tableBits]uint8
	lists [][]stop
}

// stop is a place in a word at which it may be found: so many bytes behind its
// beginning.
type stop struct {
	back int
	word []byte
}

const (
	gram = 3
	// longestStride bounds the strides, for which a place is looked at in vain the
	// more often the more of them a word has.
	longestStride = 6
	tableBits     = 14
	mostLists     = 255
)

// newFilter returns a filter for these words, which are in lower case.
func newFilter(words []string) *filter {
	f := &filter{stride: longestStride}
	for _, word := range words {
		f.stride = min(f.stride, len(word)-gram+1)
	}
	if f.stride < 1 {
		f.stride = 0
		return f
	}
	for _, word := range words {
		f.add([]byte(word))
	}
	return f
}

// add notes the stops of a word, at its part that is least like other text.
func (f *filter) add(word []byte) {
	size := f.stride + gram - 1
	best, at := -1, 0
	for i := 0; i+size <= len(word); i++ {
		if rarity := rare(word[i : i+size]); rarity > best {
			best, at = rarity, i
		}
	}
	for back := at; back < at+f.stride; back++ {
		f.note(hash(word[back], word[back+1], word[back+2]), stop{back: back, word: word})
	}
}

func (f *filter) note(at uint32, s stop) {
	switch {
	case f.table[at] > 0:
	case len(f.lists) < mostLists:
		f.lists = append(f.lists, nil)
		f.table[at] = uint8(len(f.lists))
	default:
		f.table[at] = mostLists // more words than lists: some share one
	}
	list := &f.lists[f.table[at]-1]
	*list = append(*list, s)
}

// rare says how unlike other text a part of a word is, by how rare its letters are.
func rare(part []byte) int {
	const common = "etaoinsrhldcumfpgwybvkxjqz"
	sum := 0
	for _, b := range part {
		at := strings.IndexByte(common, b)
		if at < 0 {
			at = len(common) / 2
		}
		sum += at
	}
	return sum
}

// hash returns the place in the table of three bytes, in any case.
func hash(a, b, c byte) uint32 {
	three := uint32(a) | uint32(b)<<8 | uint32(c)<<16 | 0x202020
	return three * 2654435761 >> (32 - tableBits)
}

// find appends a place in each line of the block that holds a word, in order.
func (f *filter) find(block []byte, places []int) []int {
	stride := f.stride
	for i := 0; i+gram <= len(block); {
		three := block[i : i+gram : i+gram]
		list := f.table[hash(three[0], three[1], three[2])]
		if list == 0 || !f.confirm(block, i, list) {
			i += stride
			continue
		}
		places = append(places, i)
		end := bytes.IndexByte(block[i:], '\n')
		if end < 0 {
			break
		}
		i += end + 1
	}
	return places
}

// in reports that a line holds a word.
func (f *filter) in(line []byte) bool {
	if f.stride == 0 {
		return true
	}
	for i := 0; i+gram <= len(line); i += f.stride {
		if list := f.table[hash(line[i], line[i+1], line[i+2])]; list > 0 && f.confirm(line, i, list) {
			return true
		}
	}
	return false
}

// confirm reports that one of a list's words stands around a place.
func (f *filter) confirm(block []byte, place int, list uint8) bool {
	for _, s := range f.lists[list-1] {
		from := place - s.back
		if from < 0 || from+len(s.word) > len(block) {
			continue
		}
		if sameLetters(block[from:from+len(s.word)], s.word) {
			return true
		}
	}
	return false
}

// sameLetters reports that a text is a word, but for the case of its letters.
func sameLetters(text, word []byte) bool {
	for i, b := range word {
		if lower(text[i]) != b {
			return false
		}
	}
	return true
}
