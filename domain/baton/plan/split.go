package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/changeover/changeover/domain/baton/markdown"
)

const receiptsHeading = "Execution receipts"

// Split returns the plan itself and what stands from the end of its last line
// on: the heading of the receipts and the receipts. The two together are the whole
// text, byte for byte. Without receipts the plan is all of it.
//
// The receipts stand under the last level-2 heading, or under several on end
// that all name them. One line end before the heading is not the plan's, so
// that its length is the same before and after the first receipt.
func Split(raw string) (part, receipts string) {
	at := receiptsAt(raw)
	if at < 0 {
		return raw, ""
	}
	part = raw[:at]
	for _, end := range []string{"\r\n", "\n", "\r"} {
		if cut, ok := strings.CutSuffix(part, end); ok {
			part = cut
			break
		}
	}
	return part, raw[len(part):]
}

// Hash returns a digest of the plan without its receipts and without white
// space at its end.
func Hash(raw string) string {
	part, _ := Split(raw)
	sum := sha256.Sum256([]byte(strings.TrimRight(part, " \t\r\n")))
	return hex.EncodeToString(sum[:])
}

// receiptsBegin reports the heading of the receipts.
func receiptsBegin(line string) bool {
	level, heading := markdown.Heading(line)
	return level == 2 && markdown.Name(heading) == markdown.Name(receiptsHeading)
}

// rawLine is a line of a text that keeps its form.
type rawLine struct {
	at   int
	text string
}

// receiptsAt returns where the heading of the receipts begins; -1 for none.
func receiptsAt(raw string) int {
	lines := rawLines(raw)
	var fences markdown.Fences
	at, opened := -1, 0
	for i, line := range lines {
		was := fences.Open()
		if fences.Next(line.text) {
			if !was {
				opened = i
			}
			continue
		}
		at = receiptsFrom(at, line)
	}
	if !fences.Open() {
		return at
	}
	// A block that the plan never closes must not hide the receipts behind it.
	for _, line := range lines[opened:] {
		at = receiptsFrom(at, line)
	}
	return at
}

// receiptsFrom returns where the receipts begin, as far as the lines up to this
// one tell.
func receiptsFrom(at int, line rawLine) int {
	level, _ := markdown.Heading(line.text)
	switch {
	case level != 2:
		return at
	case !receiptsBegin(line.text):
		return -1
	case at < 0:
		return line.at
	}
	return at
}

// rawLines splits a text at its line ends, whatever they are. A byte-order mark
// is no part of the first line.
func rawLines(raw string) []rawLine {
	var lines []rawLine
	at := len(raw) - len(strings.TrimPrefix(raw, "\uFEFF"))
	for at < len(raw) {
		end := strings.IndexAny(raw[at:], "\r\n")
		if end < 0 {
			return append(lines, rawLine{at: at, text: raw[at:]})
		}
		lines = append(lines, rawLine{at: at, text: raw[at : at+end]})
		if strings.HasPrefix(raw[at+end:], "\r\n") {
			end++
		}
		at += end + 1
	}
	return lines
}
