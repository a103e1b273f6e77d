package plan

import (
	"slices"
	"strings"
	"unicode"

	"github.com/changeover/changeover/domain/baton/logs"
	"github.com/changeover/changeover/domain/baton/markdown"
)

// Source is a file that a document refers to and must not hold.
type Source struct{ Name, Text string }

// LogName is the source of which only the end counts.
const LogName = "commands.log"

const (
	// window is the length in characters of a stretch that counts as copied.
	window = 200
	// logTail is how many bytes of the log's end count.
	logTail = 1 << 20
	// logLines is how many lines on end look like a log.
	logLines = 20
)

// Inlined returns the names of the sources of which a document holds a stretch.
func Inlined(doc string, sources []Source) []string {
	var names []string
	text := []rune(tidy(doc))
	for _, s := range sources {
		if s.Name == LogName && len(s.Text) > logTail {
			s.Text = s.Text[len(s.Text)-logTail:]
			_, s.Text, _ = strings.Cut(s.Text, "\n") // of a line that is not whole
		}
		if copied(text, []rune(tidy(s.Text))) {
			names = append(names, s.Name)
		}
	}
	return names
}

// tidy makes line ends and the space before them alike.
func tidy(raw string) string {
	body, _ := markdown.Read(raw)
	var out strings.Builder
	for line := range strings.SplitAfterSeq(body, "\n") {
		text, ended := strings.CutSuffix(line, "\n")
		out.WriteString(strings.TrimRight(text, " \t"))
		if ended {
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// copied reports that doc holds the window at some line start of source.
func copied(doc, source []rune) bool {
	if len(source) <= window || len(doc) < window {
		return false
	}
	at := map[uint64]int{}
	ink := 0 // the next character that is no white space
	windows(source, func(begin int, hash uint64) bool {
		if begin > 0 && source[begin-1] != '\n' {
			return false
		}
		for ink = max(ink, begin); ink < len(source) && unicode.IsSpace(source[ink]); ink++ {
			continue
		}
		if _, known := at[hash]; !known && ink < begin+window {
			at[hash] = begin
		}
		return false
	})
	return windows(doc, func(begin int, hash uint64) bool {
		from, ok := at[hash]
		return ok && slices.Equal(doc[begin:begin+window], source[from:from+window])
	})
}

// windows visits each window of a text with its rolling hash, until one is
// found.
func windows(text []rune, found func(begin int, hash uint64) bool) bool {
	const base = 0x9e3779b97f4a7c15
	leaving := uint64(1) // base to the power of the window's length
	for range window {
		leaving *= base
	}
	hash := uint64(0)
	for i, r := range text {
		hash = hash*base + uint64(r) + 1
		if i >= window {
			hash -= leaving * (uint64(text[i-window]) + 1)
		}
		if i+1 >= window && found(i+1-window, hash) {
			return true
		}
	}
	return false
}

// looksLikeLog reports many lines on end that are tagged as those of
// commands.log are.
func looksLikeLog(lines []markdown.Line) bool {
	run := 0
	for _, line := range lines {
		if !tagged(line.Text) {
			run = 0
			continue
		}
		if run++; run >= logLines {
			return true
		}
	}
	return false
}

// tagged reports a line that begins with a tag of an agent's run. The space
// behind the tag may be lost where nothing follows it.
func tagged(line string) bool {
	tag, _ := logs.Cut(line + " ")
	return tag != "" && tag != logs.BatonTag
}
