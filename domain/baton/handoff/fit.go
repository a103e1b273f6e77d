package handoff

import (
	"strings"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/markdown"
	"github.com/changeover/changeover/domain/text"
)

// floor is the length below which no body is halved.
const floor = 120

// fit cuts bodies until the document is within the limit. What is worth least
// goes first; a heading never goes.
func (d document) fit(limit int) {
	fits := func() bool { return d.chars() <= limit }
	// What baton says itself is short and needed, so it is halved last.
	for _, pass := range []func(*section) bool{
		func(s *section) bool { return s.priority == low },
		func(s *section) bool { return s.priority == medium },
		func(s *section) bool { return s.priority == high && !s.fixed },
		func(s *section) bool { return s.fixed },
	} {
		for again := true; again; {
			again = false
			for _, s := range d.sections {
				if fits() {
					return
				}
				if pass(s) && s.halve(d.cutter) {
					again = true
				}
			}
		}
	}
	d.strip(fits)
}

// strip drops whole bodies: low ones, medium ones, and for a budget that is too
// small for any handoff the high ones, at last with their markers.
func (d document) strip(fits func() bool) {
	var order []*section
	for _, p := range []priority{low, medium} {
		for _, s := range d.sections {
			if s.priority == p {
				order = append(order, s)
			}
		}
	}
	for _, title := range []string{Instructions, Diet, Changed, KnownErrors, Reason, Previous, Next, NextSteps, Goal} {
		order = append(order, d.find(title))
	}
	for _, marked := range []bool{true, false} {
		for _, s := range order {
			if fits() {
				return
			}
			if !marked || s.size() > len(compact.Marker) {
				s.drop(marked)
			}
		}
	}
}

// halve cuts the body to its half and marks it. It reports whether that made
// the body shorter.
func (s *section) halve(cutter text.Cutter) bool {
	if s.chars <= floor {
		return false
	}
	target := max(floor, s.chars/2)
	if !s.marked && target+len(gap)+len(compact.Marker) >= s.chars {
		return false
	}
	s.marked = true
	if s.newest {
		s.set(ending(cutter, s.text, target))
	} else {
		s.set(beginning(cutter, s.text, target))
	}
	return true
}

// beginning returns as much of the beginning of a text as fits, with the fenced
// block closed in which it ends. It does not end with a heading: that would
// head nothing, and one that is cut off could be of another level.
func beginning(cutter text.Cutter, body string, limit int) string {
	for room := limit; room > 0; {
		head := cutter.Head(body, room)
		var fences markdown.Fences
		at, end := 0, 0
		for line := range strings.SplitAfterSeq(head, "\n") {
			at += len(line)
			level, _ := markdown.Heading(strings.TrimSuffix(line, "\n"))
			if fences.Next(strings.TrimSuffix(line, "\n")) || level == 0 && strings.TrimSpace(line) != "" {
				end = at
			}
		}
		kept := strings.TrimRight(head[:end], " \t\n")
		if !fences.Open() {
			return kept
		}
		whole := kept + "\n" + fences.Closing()
		excess := compact.Chars(whole) - limit
		if excess <= 0 {
			return whole
		}
		room -= excess
	}
	return ""
}

// ending returns as many of the last lines of a text as fit; of the last one
// its beginning where not even that fits.
func ending(cutter text.Cutter, body string, limit int) string {
	at, room := len(body), limit+1
	for at > 0 {
		begin := strings.LastIndexByte(body[:at-1], '\n') + 1
		n := compact.Chars(body[begin:at])
		if at == len(body) {
			n++ // as if it ended like the others
		}
		if n > room {
			break
		}
		room -= n
		at = begin
	}
	if at < len(body) {
		return body[at:]
	}
	last := body[strings.LastIndexByte(body, '\n')+1:]
	return cutter.Clip(last, limit)
}
