package logs

import (
	"bytes"

	"github.com/changeover/changeover/domain/baton/phrase"
)

// kind says what a line is to those who read the log; one line may be several
// things. 0 is a line like most.
type kind uint8

const (
	exitLine kind = 1 << iota
	startLine
	failureLine // tells of a command, a build or a test that failed
	hitLine
	errorLine  // of a client's verdict; a hit as well
	markerLine // stands for lines that an earlier cycle elided
	noticeLine // tells of an earlier cycle
)

// verdict begins a line that is a hit without any phrase, be it behind a control
// sequence.
const verdict = "[error] "

// classifier tells lines apart.
type classifier struct {
	phrases phrase.List
	// words finds what may be a hit or tells of a failure, failed the latter alone.
	words, failed *filter
	shown, folded []byte
}

func newClassifier(phrases phrase.List) classifier {
	failures := []string{"command not found", "build failed", "test failed"}
	return classifier{
		phrases: phrases,
		words:   newFilter(append(phrases.Stems(), failures...)),
		failed:  newFilter(failures),
	}
}

// kind returns what a line is, whatever its length, and for how many lines it
// stands.
func (c *classifier) kind(line []byte) (k kind, stands int) {
	if len(line) > phrase.LongestLine {
		line = phrase.Ends(line[:phrase.LineEnds], line[len(line)-phrase.LineEnds:])
	}
	if structural(line) {
		if n, ok := IsElided(string(line)); ok {
			return markerLine, n
		}
		if bytes.HasPrefix(line, []byte(notice)) {
			return noticeLine, 0
		}
		if _, ok := IsExit(string(line)); ok {
			k |= exitLine
		}
		if _, ok := IsStart(string(line)); ok {
			k |= startLine
		}
		if bytes.HasPrefix(line, []byte(verdict)) {
			k |= errorLine | hitLine
		}
	}
	shown := phrase.Shown(line, &c.shown)
	if !c.words.in(shown) && !bytes.HasPrefix(shown, []byte(verdict)) {
		return k, 1
	}
	if c.failed.in(shown) {
		k |= failureLine
	}
	if c.phrases.Is(shown, &c.folded) {
		k |= hitLine
	}
	return k, 1
}

// structural reports that a line may be more than text by what it begins with.
func structural(line []byte) bool {
	if len(line) < len("[error] ") {
		return false
	}
	switch line[0] {
	case '-':
		return line[3] == ' '
	case '[':
		return line[1] == 'e' || line[1] == 'r' || line[1] >= '1' && line[1] <= '9'
	}
	return false
}

func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}
