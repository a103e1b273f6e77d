package compact

import (
	"strings"
	"time"

	"github.com/changeover/changeover/domain/baton/markdown"
	"github.com/changeover/changeover/domain/text"
)

// longTitle is how much of an entry's title a report holds.
const longTitle = 200

// EntryTrimmer drops the entries of decisions.md and errors.md that an agent
// which took over has already been given.
type EntryTrimmer struct {
	cutter text.Cutter
	before time.Time
}

// NewEntryTrimmer returns a trimmer for a session whose last handoff was at
// lastHandoff and whose current execution began at executeStart; the zero time
// stands for none. Without a handoff nothing is ever dropped, and what the
// current execution wrote never is.
func NewEntryTrimmer(cutter text.Cutter, lastHandoff, executeStart time.Time) EntryTrimmer {
	before := lastHandoff
	if !executeStart.IsZero() && executeStart.Before(before) {
		before = executeStart
	}
	return EntryTrimmer{cutter: cutter, before: before}
}

// Trim returns what a cycle writes over such a file, in the form that the file
// has, and what was dropped. A file that nothing is dropped from, or that would
// not get smaller, is to be left alone: changed is false, and result is the file.
func (t EntryTrimmer) Trim(raw string) (result string, loss *EntriesLoss, changed bool) {
	if t.before.IsZero() {
		return raw, nil, false
	}
	body, form := markdown.Read(raw)
	lines := markdown.Lines(body)
	loss = &EntriesLoss{}
	var kept strings.Builder
	next := 0 // the first line that is not written yet
	for _, e := range entries(lines) {
		date, ok := firstDate(lines[e.from].Text)
		if !ok || !date.Before(t.before) {
			continue
		}
		writeLines(&kept, lines[next:e.from])
		next = e.to
		dropped := Dropped{
			Title: t.cutter.Clip(valid(e.title), longTitle),
			Span:  Span{From: e.from + 1, To: e.to},
			Date:  date,
		}
		loss.Dropped, loss.More = add(loss.Dropped, loss.More, dropped)
	}
	if next == 0 {
		return raw, nil, false
	}
	writeLines(&kept, lines[next:])
	short := kept.String()
	if !strings.HasSuffix(body, "\n") && next < len(lines) {
		short = strings.TrimSuffix(short, "\n")
	}
	result = form.Write(valid(short))
	loss.CharsBefore, loss.CharsAfter = Chars(raw), Chars(result)
	if loss.CharsAfter >= loss.CharsBefore {
		return raw, nil, false
	}
	return result, loss, true
}

func writeLines(out *strings.Builder, lines []markdown.Line) {
	for _, line := range lines {
		out.WriteString(line.Text)
		out.WriteByte('\n')
	}
}

// entry is a range of lines, the first one in it and the last one not.
type entry struct {
	from, to int
	title    string
}

// entries returns what of a file is an entry: a level-2 heading with its body
// or, where the file has none, a bullet with the lines that belong to it. Blank
// lines behind an entry go with it. One with a fence that is never closed is
// left out, for nobody knows where it ends.
func entries(lines []markdown.Line) []entry {
	outline := markdown.ReadOutline(lines)
	var found []entry
	for _, s := range outline.Sections {
		found = append(found, entry{from: s.At, to: s.At + 1 + len(s.Body), title: s.Heading})
	}
	if found == nil {
		found = bullets(lines)
	}
	var fences markdown.Fences
	for _, line := range lines {
		fences.Next(line.Text)
	}
	if last := len(found) - 1; last >= 0 && fences.Open() && found[last].to == len(lines) {
		return found[:last]
	}
	return found
}

// bullets returns the top-level bullets of a file.
func bullets(lines []markdown.Line) []entry {
	var found []entry
	var open, gap bool
	for n, line := range lines {
		_, _, indent, bullet := markdown.Bullet(line.Text)
		level, _ := markdown.Heading(line.Text)
		blank := strings.TrimSpace(line.Text) == ""
		switch {
		case !line.Fenced && bullet && indent < 2:
			found = append(found, entry{from: n, to: n + 1, title: markdown.Payload(line.Text)})
			open, gap = true, false
			continue
		case line.Fenced, blank, indent > 1:
		case level > 0, gap:
			open = false
		}
		if open {
			found[len(found)-1].to = n + 1
			gap = blank && !line.Fenced
		}
	}
	return found
}
