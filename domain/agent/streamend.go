package agent

import (
	"strings"
	"time"

	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/baton/wall"
)

// tail keeps the end of an error stream, and what in it may say why a client did
// not begin.
type tail struct {
	phrases phrase.List

	// last are the last lines with anything in them but codex's own log, the
	// newest at the end.
	last []wall.Evidence
	// hit is the last line with a phrase.
	hit    wall.Evidence
	phrase string
	// unknown is an option of ours that the client did not know.
	unknown string
	session string
	count   int
}

// kept is how many lines of an error stream are kept: a verdict, which may go on
// in a second line, and the count of tokens behind it.
const kept = 4

// take takes the next line. search: what it says may be all there is to go by.
func (t *tail) take(line string, number int, search bool) {
	t.count++
	trimmed := strings.TrimSpace(line)
	if id, ok := strings.CutPrefix(trimmed, "session id: "); ok && t.session == "" && t.count <= headerLines {
		t.session = id
	}
	if trimmed == "" || trimmed == waitsForInput || isCodexLog(trimmed) {
		return
	}
	found := wall.Evidence{Source: wall.Stderr, Text: line, Line: number}
	if len(t.last) == kept {
		t.last = t.last[:copy(t.last, t.last[1:])]
	}
	t.last = append(t.last, found)
	if !search {
		return
	}
	if text, ok := t.phrases.Find(line); ok {
		t.hit, t.phrase = found, text
	}
	if option := unknownOption(trimmed); option != "" {
		t.unknown = option
	}
}

// headerLines is how far codex tells about its session.
const headerLines = 20

// isCodexLog reports a line of codex's own log: a time, a level and a module.
func isCodexLog(line string) bool {
	at, rest, ok := strings.Cut(line, " ")
	if !ok || len(at) < len("2006-01-02T") || at[4] != '-' || at[10] != 'T' || !strings.HasSuffix(at, "Z") {
		return false
	}
	return strings.HasPrefix(strings.TrimSpace(rest), "ERROR codex_")
}

// unknownOption returns the option of ours that a line calls unknown.
func unknownOption(line string) string {
	lower := strings.ToLower(line)
	for _, option := range []string{"--json", "--output-format"} {
		if !strings.Contains(lower, option) {
			continue
		}
		for _, word := range []string{"unexpected", "unknown", "unrecognized", "not recognized"} {
			if strings.Contains(lower, word) {
				return option
			}
		}
	}
	return ""
}

// final returns the last line of the stream.
func (t *tail) final() wall.Evidence {
	if len(t.last) == 0 {
		return wall.Evidence{}
	}
	return t.last[len(t.last)-1]
}

// verdict returns the last line of codex's plain output, without the count of
// tokens that may follow it. A limit whose reset stands in a further line is one
// with that.
func (t *tail) verdict(zones wall.Zones, at time.Time) wall.Evidence {
	lines := t.last
	if n := len(lines); n >= 2 && strings.TrimSpace(lines[n-2].Text) == "tokens used" && isCount(lines[n-1].Text) {
		lines = lines[:n-2]
	}
	if len(lines) == 0 {
		return wall.Evidence{}
	}
	last := lines[len(lines)-1]
	if len(lines) < 2 {
		return last
	}
	whole := lines[len(lines)-2]
	begins, ok := strings.CutPrefix(whole.Text, codexError)
	whole.Text += " " + strings.TrimSpace(last.Text)
	reset := func(text string) bool { return !wall.ReadLimit(text, at, zones).ResetAt.IsZero() }
	if ok && wall.IsLimitText(begins) && !reset(begins) && !strings.HasPrefix(last.Text, codexError) && reset(whole.Text) {
		return whole
	}
	return last
}

// codexError begins a line in which codex says why it failed.
const codexError = "ERROR: "

// isCount reports a number with its digits in groups.
func isCount(s string) bool {
	s = strings.TrimSpace(s)
	return s != "" && strings.Trim(s, "0123456789,._ ") == ""
}

// head keeps the beginning of claude's plain output, which it writes at its end.
type head struct {
	text string
	// line is the number of the first line with anything in it.
	line int
	any  bool
	// more: there is more than is kept.
	more bool
}

func (h *head) take(line string, number int) {
	if !h.any && strings.TrimSpace(line) == "" {
		return
	}
	if !h.any {
		h.any, h.line = true, number
	} else {
		line = "\n" + line
	}
	if len(h.text)+len(line) > evidenceLimit {
		h.more = h.more || strings.TrimSpace(line) != ""
		line = line[:max(0, evidenceLimit-len(h.text))]
	}
	h.text += line
}
