package logs

// reason says why a line stays.
type reason uint8

// The reasons, the first of them counts.
const (
	noReason reason = iota
	inTail
	nearHit
	nearExit
	nearFailure
	isStart
)

// settled is a line of which it is known whether something near it keeps it.
type settled struct {
	line
	why reason
	// last: the line is one of those that may be the tail.
	last bool
}

// windows finds the lines that stay for being near a line of interest. Lines that
// earlier markers stand for count as lines between.
type windows struct {
	// hits is how many hits the log holds, seen how many of them came so far.
	hits, seen int
	// from is how many lines come before those that are held back for the tail;
	// notices are not counted. passed is how many came so far.
	from, passed int
	// at is where the next line stands, in lines of the log as it once was.
	at int
	// until is, by reason, the last place near a line of interest.
	until [isStart]int
	// open are the lines that one to come may still keep.
	open []opened
	// settle takes each line in order.
	settle func(*settled) error
}

type opened struct {
	settled
	at int
}

// next takes the next line.
func (w *windows) next(l *line) error {
	if l.kind&noticeLine != 0 {
		return w.settle(&settled{line: *l}) // it is no neighbour of any line
	}
	w.passed++
	current := opened{settled: settled{line: *l, last: w.passed > w.from}, at: w.at}
	if l.kind&markerLine == 0 {
		w.near(&current)
	}
	w.open = append(w.open, current)
	w.at += l.stands
	return w.close(w.at - around)
}

// near settles what a line of interest keeps before it, and what was kept behind
// earlier ones.
func (w *windows) near(current *opened) {
	if current.kind&hitLine != 0 {
		w.seen++
		if w.hits <= mostHits || w.seen <= firstHits || w.seen > w.hits-lastHits {
			w.keep(current, nearHit)
		}
	}
	if current.kind&exitLine != 0 {
		w.keep(current, nearExit)
	}
	if current.kind&failureLine != 0 {
		w.keep(current, nearFailure)
	}
	for why := nearHit; why < isStart; why++ {
		if current.at < w.until[why] {
			current.because(why)
		}
	}
	if current.kind&startLine != 0 {
		current.because(isStart)
	}
}

// keep makes the lines around one of interest stay.
func (w *windows) keep(current *opened, why reason) {
	w.until[why] = current.at + around + 1
	for i := range w.open {
		if before := &w.open[i]; before.kind&markerLine == 0 && before.at >= current.at-around {
			before.because(why)
		}
	}
}

// because notes a reason, unless there is an earlier one.
func (s *settled) because(why reason) {
	if s.why == noReason || why < s.why {
		s.why = why
	}
}

// close settles the lines that stand before a place.
func (w *windows) close(before int) error {
	n := 0
	for n < len(w.open) && w.open[n].at < before {
		if err := w.settle(&w.open[n].settled); err != nil {
			return err
		}
		n++
	}
	w.open = w.open[:copy(w.open, w.open[n:])]
	return nil
}

// flush settles all that is left.
func (w *windows) flush() error { return w.close(w.at + 1) }

// put lets a line stay or go.
func (e *emitter) put(s *settled) error {
	switch {
	case s.kind&noticeLine != 0:
		e.changed = true
		e.loss.AddNotice(s.number)
		return nil
	case s.why == noReason:
		e.drop(&s.line)
		return nil
	}
	kept := &e.loss.Kept
	switch s.why {
	case inTail:
		kept.Tail++
	case nearHit:
		kept.Hits++
	case nearExit:
		kept.Exits++
	case nearFailure:
		kept.Failures++
	case isStart:
		kept.Starts++
	}
	return e.keep(&s.line)
}
