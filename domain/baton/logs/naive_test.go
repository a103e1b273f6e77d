package logs_test

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/logs"
	"github.com/changeover/changeover/domain/text"
)

// entry is a line of a log that is held in memory.
type entry struct {
	text   string
	at     int // in lines of the log as it once was
	stands int
	marker bool
	keep   bool
}

// flags says what a line is.
type flags struct{ exit, start, failure, hit bool }

func flagsOf(line string) (f flags) {
	_, f.exit = logs.IsExit(line)
	_, f.start = logs.IsStart(line)
	_, f.hit = compressor.Phrases.Hit(line)
	short := line
	if len(short) > 64<<10 {
		short = short[:32<<10] + "\x00" + short[len(short)-32<<10:]
	}
	for _, word := range []string{"command not found", "build failed", "test failed"} {
		f.failure = f.failure || strings.Contains(strings.ToLower(text.WithoutSequences(short)), word)
	}
	return f
}

// naive writes the short form of a log by the rules one by one, in memory.
func naive(log string, tail int) string {
	body, ended := strings.CutSuffix(log, "\n")
	if body == "" && !ended {
		return ""
	}
	var entries []*entry
	at := 0
	for _, line := range strings.Split(body, "\n") {
		if strings.HasPrefix(line, "[relay-baton] context compressed: ") {
			continue
		}
		e := &entry{text: line, at: at, stands: 1}
		if n, ok := logs.IsElided(line); ok {
			e.stands, e.marker = n, true
		}
		at += e.stands
		entries = append(entries, e)
	}
	is := make([]flags, len(entries))
	var hits []int
	last := -1
	for i, e := range entries {
		line := e.text
		if i == 0 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		if !e.marker {
			is[i] = flagsOf(line)
		}
		if is[i].hit {
			hits, last = append(hits, i), i
		}
	}
	for n, i := range hits {
		if len(hits) <= 200 || n < 20 || n >= len(hits)-50 {
			near(entries, i)
		}
	}
	for i, e := range entries {
		if is[i].exit || is[i].failure {
			near(entries, i)
		}
		e.keep = e.keep || is[i].start || i >= len(entries)-tail
	}
	var out []string
	for i := 0; i < len(entries); {
		if entries[i].keep {
			out = append(out, shorten(entries[i].text, is[i], i == last, i == 0))
			i++
			continue
		}
		from, stands := i, 0
		for i < len(entries) && !entries[i].keep {
			stands += entries[i].stands
			i++
		}
		marker := fmt.Sprintf("[%d lines elided]", stands)
		if i-from == 1 && utf8.RuneCountInString(entries[from].text) <= len(marker) {
			marker = entries[from].text
		}
		out = append(out, marker)
	}
	short := strings.Join(out, "\n")
	if ended && len(out) > 0 {
		short += "\n"
	}
	return short
}

// near keeps the lines around one.
func near(entries []*entry, i int) {
	for j := max(0, i-2); j < min(len(entries), i+3); j++ {
		if d := entries[j].at - entries[i].at; !entries[j].marker && d >= -2 && d <= 2 {
			entries[j].keep = true
		}
	}
}

// shorten cuts a long line, where it stays what it is.
func shorten(line string, was flags, last, first bool) string {
	chars := utf8.RuneCountInString(line)
	if chars <= 2000 || last {
		return line
	}
	head, tail := cutter.Head(line, 1500), cutter.Tail(line, 300)
	lost := chars - utf8.RuneCountInString(head) - utf8.RuneCountInString(tail)
	short := fmt.Sprintf("%s [… %d chars elided …] %s", head, lost, tail)
	read := short
	if first {
		read = strings.TrimPrefix(read, "\ufeff")
	}
	if flagsOf(read) != was {
		return line
	}
	return short
}

// rebuild puts a log together again from its short form, what the report says and,
// for what went, the raw copy.
func rebuild(t fataler, raw, short string, loss compact.LogLoss) string {
	t.Helper()
	before, after := strings.Split(raw, "\n"), strings.Split(short, "\n")
	gone := map[int]compact.Elision{}
	for _, run := range loss.Elided {
		gone[run.From] = run
	}
	notices, shortened := map[int]bool{}, map[int]bool{}
	for _, line := range loss.Notices {
		notices[line] = true
	}
	for _, line := range loss.Shortened {
		shortened[line.Line] = true
	}
	var lines []string
	next := func() string {
		if len(after) == 0 {
			t.Fatal("the short form ends early")
		}
		line := after[0]
		after = after[1:]
		return line
	}
	for number := 1; number <= loss.LinesBefore; number++ {
		run, elided := gone[number]
		switch {
		case elided:
			if marker := next(); marker != fmt.Sprintf("[%d lines elided]", run.Count) {
				t.Fatal("no marker but " + marker)
			}
			lines = append(lines, before[run.From-1:run.To]...)
			number = run.To
		case notices[number]:
			lines = append(lines, before[number-1])
		case shortened[number]:
			next()
			lines = append(lines, before[number-1])
		default:
			lines = append(lines, next())
		}
	}
	if strings.HasSuffix(raw, "\n") {
		lines = append(lines, "")
	}
	return strings.Join(lines, "\n")
}
