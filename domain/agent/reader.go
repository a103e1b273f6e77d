package agent

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/text"
)

const (
	// eventLimit bounds one event of a client, in bytes.
	eventLimit = 64 << 20

	// lineLimit bounds a line for the person, in code points.
	lineLimit = 500
)

// Report is what one event of a client says.
type Report struct {
	// Conversation is the client's id of the conversation; empty where the
	// event does not tell it.
	Conversation string
	// Began: the client has taken the prompt.
	Began bool
	// Compacted: the model's context was cut down to a summary.
	Compacted bool
	// Lines are for the person.
	Lines []string

	verdict *Verdict
}

// Verdict is how a turn ended, as far as the client told.
type Verdict struct {
	// Answered: the turn ended by an answer, which is Message.
	Answered bool
	Message  string
	// Failure says why it did not; empty where the client was cut off.
	Failure string
}

// Reader reads what a client writes in its JSON mode. It is an io.Writer, for
// one goroutine.
type Reader struct {
	client  Client
	tell    func(Report)
	verdict Verdict
	pending bytes.Buffer
	skipped int
}

// Reader returns a reader that tells what each event says.
func (c Client) Reader(tell func(Report)) *Reader { return &Reader{client: c, tell: tell} }

// Write implements io.Writer.
func (r *Reader) Write(p []byte) (int, error) {
	n := len(p)
	for {
		line, rest, whole := bytes.Cut(p, []byte("\n"))
		r.take(line)
		if !whole {
			return n, nil
		}
		r.line()
		p = rest
	}
}

// take keeps a part of a line; what is too long for an event is counted alone.
func (r *Reader) take(part []byte) {
	if r.skipped > 0 || r.pending.Len()+len(part) > eventLimit {
		r.skipped += r.pending.Len() + len(part)
		r.pending.Reset()
		return
	}
	r.pending.Write(part)
}

// line reads the line that is complete now.
func (r *Reader) line() {
	line := strings.TrimSpace(r.pending.String())
	r.pending.Reset()
	report := Report{verdict: &r.verdict}
	switch {
	case r.skipped > 0:
		report.say("", fmt.Sprintf("event of %d bytes skipped", r.skipped), "note: ")
		r.skipped = 0
	case line == "":
		return
	default:
		value, err := jsondoc.Decode([]byte(strings.ToValidUTF8(line, "\uFFFD")))
		object, isObject := value.(map[string]any)
		if err != nil || !isObject {
			report.say("", line, "")
			break
		}
		r.client.read(&report, object)
	}
	r.tell(report)
}

// End reads what is left without a line end, and returns how the turn ended.
func (r *Reader) End() Verdict {
	if r.pending.Len() > 0 || r.skipped > 0 {
		r.line()
	}
	return r.verdict
}

// say adds lines for the person: each line of what was said, marked. indent
// stands before the mark.
func (r *Report) say(indent, said, mark string) {
	said = strings.TrimSuffix(said, "\n")
	if strings.TrimSpace(said) == "" {
		return
	}
	for line := range strings.SplitSeq(said, "\n") {
		line = text.Printable(strings.TrimSuffix(line, "\r"))
		if points := []rune(line); len(points) > lineLimit {
			line = string(points[:lineLimit-1]) + "…"
		}
		r.Lines = append(r.Lines, indent+mark+line)
	}
}

func number(object map[string]any, key string) string {
	n, _ := object[key].(jsondoc.Number)
	if n == "" {
		return "0"
	}
	return string(n)
}

func child(object map[string]any, key string) map[string]any {
	c, _ := object[key].(map[string]any)
	return c
}

// objects returns the objects of a list.
func objects(object map[string]any, key string) []map[string]any {
	list, _ := object[key].([]any)
	var all []map[string]any
	for _, item := range list {
		if o, ok := item.(map[string]any); ok {
			all = append(all, o)
		}
	}
	return all
}
