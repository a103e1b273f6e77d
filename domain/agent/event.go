package agent

import (
	"bytes"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/text"
)

// Stream is where an agent wrote something.
type Stream int

// The streams.
const (
	Stdout Stream = iota + 1
	Stderr
)

// Event is what one line of an agent's streams says: an event of a JSON
// protocol, or just a line.
type Event struct {
	stream Stream
	parts  []part
	cut    pieces

	// event: it is one of a JSON protocol. raw is its line, which is lent.
	event bool
	raw   []byte

	// conversation is the client's id of its session.
	conversation string
	// began: the client has taken the prompt.
	began bool
	// compacted: the model's context was cut down to a summary.
	compacted bool
	// message is what the agent said, where that may be its answer.
	message string

	// opened and closed are tool calls that began and ended.
	opened, closed []call
	// proceeds: the model has answered on the main line, in the message of
	// that id. What it had asked for before is over.
	proceeds bool
	turn     string

	retry  *retry
	end    *terminal
	fault  *fault
	limit  *limitNotice
	denied string
}

// call is a tool call of a client: its id, who made it, and in which message.
type call struct{ id, parent, turn string }

// retry says that the client tries again.
type retry struct {
	// cause is the text of codex, status and err are the fields of claude.
	cause  string
	status int
	err    string
}

// terminal is how a client says that it has ended.
type terminal struct {
	good bool
	// told: the client said whether it was.
	told bool
	// text is the answer, or the error.
	text string

	// These are claude's.
	reason, apiError, apiErrorType string
	status                         int
	outputTokens                   float64
	turns                          string
	denied                         []string
}

// fault is an API error that claude reports before its end.
type fault struct {
	err, cut, apiErrorType string
	limit                  *limitNotice
}

// limitNotice is what claude tells about a limit of a subscription.
type limitNotice struct {
	status, kind string
	resets       time.Time
	text         string
}

// Stream tells where the line was written.
func (e *Event) Stream() Stream { return e.stream }

// Log hands on the lines that the event is in the log. It is an iterator.
func (e *Event) Log(yield func(Line) bool) {
	for i := range e.parts {
		p := &e.parts[i]
		if !p.lines(e.cut, func(line string) bool { return yield(Line{p.tag, line}) }) {
			return
		}
	}
}

// blank reports a line with nothing in it.
func (e *Event) blank() bool {
	return len(e.parts) == 1 && e.parts[0].raw && strings.TrimSpace(e.parts[0].text) == ""
}

// firstOf returns the first line of a tag.
func (e *Event) firstOf(tag Tag) string {
	for line := range e.Log {
		if line.Tag == tag {
			return Shown(line.Text)
		}
	}
	return ""
}

// say adds a text under a tag.
func (e *Event) say(tag Tag, text string) { e.parts = append(e.parts, part{tag: tag, text: text}) }

// dialect reads the events of a client.
type dialect struct {
	// root is the directory under which paths are shown relative.
	root   string
	cutter text.Cutter
	read   func(d dialect, e *Event, o jsondoc.Object)
}

// dialectOf returns how the events of a JSON protocol are read.
func dialectOf(p Protocol, root string, cutter text.Cutter) dialect {
	d := dialect{root: root, cutter: cutter, read: readCodex}
	if p == ClaudeJSON {
		d.read = readClaude
	}
	return d
}

// lines returns what reads the standard output of a JSON protocol.
func (d *dialect) lines(tell func(*Event)) lines {
	return lines{
		limit: eventLimit,
		take:  func(line []byte) { tell(d.event(line)) },
		skip:  func(n int) { tell(d.skipped(n)) },
	}
}

// event reads one line of a JSON protocol.
func (d dialect) event(line []byte) *Event {
	e := &Event{stream: Stdout, cut: pieces{d.cutter}, event: true, raw: line}
	text := line
	if !utf8.Valid(text) {
		text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	}
	value, err := jsondoc.DecodeOrdered(text)
	if object, ok := value.(jsondoc.Object); ok && err == nil {
		d.read(d, e, object)
		return e
	}
	return d.line(Stdout, string(text))
}

// line is a line of a stream that is no event.
func (d dialect) line(s Stream, said string) *Event {
	tag := TagStdout
	if s == Stderr {
		tag = TagStderr
	}
	return &Event{stream: s, cut: pieces{d.cutter}, parts: []part{{tag: tag, text: said, raw: true}}}
}

// skipped stands for an event that is too long.
func (d dialect) skipped(n int) *Event {
	e := &Event{stream: Stdout, cut: pieces{d.cutter}, event: true}
	e.say(TagNote, fmt.Sprintf("event of %d bytes skipped", n))
	return e
}
