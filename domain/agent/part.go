package agent

import "strings"

// Tag says what a line of the log holds.
type Tag string

// The tags. A line tagged TagError is the only one that proves a wall.
const (
	TagStdout  Tag = "stdout"  // a line that is no event
	TagStderr  Tag = "stderr"  // a line of the error stream
	TagSession Tag = "session" // the client's id of its session, and the model
	TagAgent   Tag = "agent"   // what the agent said
	TagThink   Tag = "think"   // its reasoning
	TagTool    Tag = "tool"    // a tool call, and later how it ended
	TagOut     Tag = "out"     // output of a tool
	TagEdit    Tag = "edit"    // a file change
	TagRetry   Tag = "retry"   // a retry notice
	TagNote    Tag = "note"    // anything else that the client reported
	TagAPI     Tag = "api"     // an API error that is not its verdict
	TagError   Tag = "error"   // the error of the terminal event
	TagResult  Tag = "result"  // the terminal event
)

// Tags returns every tag.
func Tags() []Tag {
	return []Tag{
		TagStdout, TagStderr, TagSession, TagAgent, TagThink, TagTool, TagOut, TagEdit, TagRetry, TagNote, TagAPI,
		TagError, TagResult,
	}
}

// Line is one line of the log.
type Line struct {
	Tag  Tag
	Text string
}

// String returns the line as it stands in the log.
func (l Line) String() string { return "[" + string(l.Tag) + "] " + l.Text }

// part is a text under one tag: several lines, or none.
type part struct {
	tag  Tag
	text string
	// from stands before each line: it marks what a sub-agent does.
	from string
	// mark stands before the first line, indent before the further ones.
	mark, indent string
	// ends: the text says how a tool call ended; fine that it ended well.
	ends, fine bool
	// raw: the text is one line of a stream, in which only pieces are told
	// apart.
	raw bool
}

// lines hands on the lines of the part. One trailing line end is dropped, and a
// text without anything in it has no line.
func (p *part) lines(cut pieces, yield func(string) bool) bool {
	before := p.from + p.mark
	emit := func(line string) bool {
		if before == "" && len(line) <= pieceLimit {
			return yield(line)
		}
		return cut.of(line, func(piece string) bool {
			ok := yield(before + piece)
			before = p.from + p.indent
			return ok
		})
	}
	switch {
	case p.raw:
		return emit(p.text)
	case p.text == "" && p.mark == "":
		return true
	}
	next := cutLine
	if strings.IndexByte(p.text, '\r') >= 0 {
		next = cutAnyLine
	}
	line, rest, more := next(p.text)
	if line == "" && rest == "" && p.mark == "" {
		return true
	}
	for {
		if !emit(line) {
			return false
		}
		if !more || rest == "" {
			return true
		}
		line, rest, more = next(rest)
	}
}

// cutLine cuts a text at its first line end, where it holds no CR.
func cutLine(s string) (line, rest string, more bool) { return strings.Cut(s, "\n") }

// cutAnyLine cuts a text at its first line end: LF, CR or the two together. A CR
// must not stay in a line: a reader of the log may take it for an end, and what
// follows it for a line with a tag of its own.
func cutAnyLine(s string) (line, rest string, more bool) {
	i := strings.IndexAny(s, "\r\n")
	if i < 0 {
		return s, "", false
	}
	if strings.HasPrefix(s[i:], "\r\n") {
		return s[:i], s[i+2:], true
	}
	return s[:i], s[i+1:], true
}
