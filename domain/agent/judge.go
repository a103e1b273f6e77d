package agent

import (
	"fmt"
	"time"

	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/text"
)

// evidenceLimit bounds an event, and a text, that is kept as evidence, in bytes.
const evidenceLimit = 16 << 10

// judge keeps what the outcome of a structured client's run is read from.
type judge struct {
	protocol Protocol
	phrases  phrase.List
	zones    wall.Zones
	cutter   text.Cutter
	sieve    sieve

	// at is when something was heard last.
	at time.Time

	session string
	events  int
	began   bool

	// end is the last terminal event, fault the API error that the run has
	// not got over, retry the last retry notice, rejected the last limit that
	// turned claude away.
	end      *seen[terminal]
	fault    *fault
	retry    *seen[retry]
	rejected *seen[limitNotice]
	warning  string

	ignored wall.Ignored
	denied  []string

	errors tail
	said   head
}

// seen is what an event told, with the event as evidence.
type seen[T any] struct {
	what     T
	evidence wall.Evidence
	at       time.Time
}

func newJudge(s Setup) judge {
	return judge{
		protocol: s.Protocol, phrases: s.Phrases, zones: s.Zones, cutter: s.Cutter, sieve: newSieve(s.Phrases), at: s.Now(),
		errors: tail{phrases: s.Phrases},
	}
}

// take keeps what matters of an event. first is the number of its first line in
// the log.
func (j *judge) take(e *Event, first int, at time.Time) {
	j.at = at
	switch {
	case e.stream == Stderr:
		j.errors.take(e.parts[0].text, first, j.protocol.JSON() && j.events == 0)
		return
	case !j.protocol.JSON():
		j.said.take(e.parts[0].text, first)
		return
	case !e.event:
		return
	}
	j.events++
	j.began = j.began || e.began
	if e.conversation != "" {
		j.session = e.conversation
	}
	if e.denied != "" {
		j.denied = append(j.denied, e.denied)
	}
	if e.fault != nil || e.proceeds {
		j.fault = e.fault
	}
	if e.retry != nil {
		j.retry = &seen[retry]{*e.retry, j.evidence(e, first, wall.RetryNotice, TagRetry), at}
	}
	if e.end != nil {
		j.end = &seen[terminal]{*e.end, j.evidence(e, first, wall.TerminalEvent, TagError, TagResult), at}
		j.end.what.text = j.clip(e.end.text)
	}
	if e.limit != nil && e.limit.status == "rejected" {
		j.rejected = &seen[limitNotice]{*e.limit, j.evidence(e, first, wall.Stdout, TagNote), at}
	}
	if e.limit != nil && e.limit.status == "allowed_warning" {
		j.warning = e.limit.text
	}
	j.count(e)
}

// evidence makes evidence of an event: it points to the first line of the first
// tag that the event has.
func (j *judge) evidence(e *Event, first int, source wall.Source, tags ...Tag) wall.Evidence {
	found := wall.Evidence{Source: source, Event: j.clip(valid(e.raw[:min(len(e.raw), evidenceLimit+margin)]))}
	for _, tag := range tags {
		n := 0
		for line := range e.Log {
			if line.Tag == tag {
				found.Text = j.clip(line.Text)
				if first > 0 {
					found.Line = first + n
				}
				return found
			}
			n++
		}
	}
	return found
}

// clip cuts a text to what is kept as evidence.
func (j *judge) clip(s string) string {
	if len(s) <= evidenceLimit {
		return s
	}
	return s[:clusterEnd(j.cutter, s, evidenceLimit)]
}

// count counts the lines that talk of walls and prove none: what the agent says,
// and what its tools print.
func (j *judge) count(e *Event) {
	for i := range e.parts {
		p := &e.parts[i]
		if p.tag != TagAgent && p.tag != TagThink && p.tag != TagOut {
			continue
		}
		for line := range j.sieve.in(p.text) {
			if _, ok := j.phrases.Find(line); !ok {
				continue
			}
			if j.ignored.Count == 0 {
				j.ignored.FirstLine = j.cutter.Clip(Line{p.tag, line}.String(), shownLimit)
			}
			j.ignored.Count++
		}
	}
}

// byExit is the evidence of how a process ended.
func byExit(e port.Ending) wall.Evidence {
	if e.Signal != 0 {
		return wall.Evidence{Source: wall.ExitCode, Text: fmt.Sprintf("died of signal %d", e.Signal)}
	}
	return wall.Evidence{Source: wall.ExitCode, Text: fmt.Sprintf("exit code %d", e.Code)}
}

// bySignal reports a process that a signal ended, by itself or by its own hand.
func bySignal(e port.Ending) bool {
	return e.Signal != 0 || e.Code == 129 || e.Code == 137 || e.Code == 143
}
