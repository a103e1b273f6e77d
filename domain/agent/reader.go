package agent

import (
	"cmp"
	"time"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/text"
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
	// Retry is what the client says where it only says that it tries again.
	Retry string
	// Busy: a tool call of the agent's is under way, which may take its time.
	Busy bool
	// Lines are for the person.
	Lines []string
}

// Verdict is how a turn ended, as far as the client told.
type Verdict struct {
	// Answered: the turn ended by an answer, which is Message.
	Answered bool
	Message  string
	// Failure says why it did not; empty where the client was cut off.
	Failure string
}

// Reader reads what a client writes in its JSON mode, for one that only wants
// its answer. It is an io.Writer, for one goroutine.
type Reader struct {
	dialect dialect
	lines   lines
	tell    func(Report)
	verdict Verdict
	// silence tells whether it is to be measured; how long it lasts is another's.
	silence *Silence
}

// Reader returns a reader that tells what each event says.
func (c Client) Reader(tell func(Report)) *Reader {
	r := &Reader{
		tell: tell, dialect: dialectOf(c.protocol, "", text.NewCutter(codePoint)), silence: NewSilence(time.Second, time.Time{}),
	}
	r.lines = r.dialect.lines(r.event)
	return r
}

// Under makes the reader show the paths under a directory relative to it.
func (r *Reader) Under(dir string) *Reader {
	r.dialect.root = dir
	return r
}

// codePoint cuts between code points, where nobody knows grapheme clusters.
func codePoint(s string) int {
	_, size := utf8.DecodeRuneInString(s)
	return size
}

// Write implements io.Writer.
func (r *Reader) Write(p []byte) (int, error) { return r.lines.Write(p) }

// End reads what is left without a line end, and returns how the turn ended.
func (r *Reader) End() Verdict {
	r.lines.end()
	return r.verdict
}

func (r *Reader) event(e *Event) {
	if e.blank() {
		return
	}
	report := Report{Conversation: e.conversation, Began: e.began, Compacted: e.compacted}
	for line := range e.Screen {
		report.Lines = append(report.Lines, line.Text)
	}
	if e.retry != nil {
		report.Retry = e.firstOf(TagRetry)
	}
	r.silence.Heard(e, time.Time{})
	_, measured := r.silence.Deadline()
	report.Busy = !measured
	r.judge(e)
	r.tell(report)
}

// judge follows what the turn comes to.
func (r *Reader) judge(e *Event) {
	if e.message != "" {
		r.verdict.Message = e.message
	}
	switch end := e.end; {
	case end == nil && e.began:
		r.verdict = Verdict{}
	case end == nil:
	case !end.good || !end.told:
		r.verdict = Verdict{Failure: cmp.Or(end.text, "no reason given")}
	case end.turns == "0":
		// What a hook blocked ends well too, without a turn.
		r.verdict = Verdict{Failure: "the prompt was kept from the model"}
	default:
		r.verdict = Verdict{Answered: true, Message: cmp.Or(end.text, r.verdict.Message)}
	}
}
