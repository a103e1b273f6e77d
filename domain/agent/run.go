package agent

import (
	"io"
	"sync"
	"time"

	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/text"
)

// Setup is what a run is followed with.
type Setup struct {
	Protocol Protocol

	// Root is the directory under which paths are shown relative.
	Root string

	// Phrases are what a wall may be told by.
	Phrases phrase.List

	// OnSuccess says which hits of a generic agent count though it ends well.
	OnSuccess phrase.OnSuccess

	// Silence is how long the agent may say nothing; 0 is for ever.
	Silence time.Duration

	Cutter text.Cutter
	Zones  wall.Zones
	Now    func() time.Time

	// Tell is lent each event, or line of a plain stream, as it comes. It
	// returns the number that the first of its lines has in the log, 0 where
	// it has none. It is called by one goroutine at a time, and may not call
	// the run.
	Tell func(*Event) int

	// Hit is given what a generic agent says of a wall, each phrase once. It
	// may be nil.
	Hit func(phrase.Sighting)
}

// Run follows one run of an agent: what it writes becomes events for the log and
// the screen, and at the end an outcome. Its two writers may be used at once.
type Run struct {
	setup   Setup
	dialect dialect

	mu             sync.Mutex
	stdout, stderr lines
	silence        *Silence
	judge          judge
	generic        *phrase.Run
	ended          bool
}

// NewRun begins to follow a run that starts now.
func NewRun(s Setup) *Run {
	r := &Run{
		setup: s, dialect: dialectOf(s.Protocol, s.Root, s.Cutter), silence: NewSilence(s.Silence, s.Now()),
		judge: newJudge(s), generic: s.Phrases.Follow(),
	}
	if s.Protocol.JSON() {
		r.stdout = r.dialect.lines(r.hear)
	} else {
		r.stdout = r.plain(Stdout)
	}
	r.stderr = r.plain(Stderr)
	return r
}

// plain reads a stream that holds lines and nothing else.
func (r *Run) plain(s Stream) lines {
	e := r.dialect.line(s, "")
	return lines{
		limit: pieceLimit,
		take: func(line []byte) {
			e.parts[0].text = valid(line)
			r.hear(e)
		},
		pieces: pieces{r.setup.Cutter},
	}
}

// Stdout returns the writer for what the agent writes there.
func (r *Run) Stdout() io.Writer { return runStream{r, Stdout} }

// Stderr returns the writer for what the agent writes there.
func (r *Run) Stderr() io.Writer { return runStream{r, Stderr} }

type runStream struct {
	run    *Run
	stream Stream
}

// Write implements io.Writer.
func (s runStream) Write(p []byte) (int, error) {
	r := s.run
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.setup.Protocol.JSON() && len(p) > 0 {
		r.silence.Sign(r.setup.Now()) // a line may be long in coming
	}
	if s.stream == Stdout {
		return r.stdout.Write(p)
	}
	return r.stderr.Write(p)
}

// hear hands an event on, then judges by it.
func (r *Run) hear(e *Event) {
	first := r.setup.Tell(e)
	now := r.setup.Now()
	if e.stream == Stdout {
		r.silence.Heard(e, now)
	}
	if r.setup.Protocol != Generic {
		r.judge.take(e, first, now)
		return
	}
	r.generic.At(now)
	for _, p := range e.parts {
		stream := phrase.Stdout
		if e.stream == Stderr {
			stream = phrase.Stderr
		}
		if seen, fresh := r.generic.Line(stream, p.text, first); fresh && r.setup.Hit != nil {
			r.setup.Hit(seen)
		}
	}
	r.judge.at = now
}

// Deadline returns when the agent has been silent for too long if it says
// nothing else; ok is false where that is not measured at the moment.
func (r *Run) Deadline() (at time.Time, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.silence.Deadline()
}

// Close takes in the lines without an end, when both streams are at theirs.
func (r *Run) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	r.ended = true
	r.stdout.end()
	r.stderr.end()
}

// Outcome closes the run and judges it.
func (r *Run) Outcome(e port.Ending, why Force) Outcome {
	r.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.setup.Protocol == Generic && why == ByItself {
		return r.ofGeneric(e)
	}
	return r.judge.outcome(e, why)
}
