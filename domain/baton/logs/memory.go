package logs

// mostKnown is how many lines of interest are remembered, so that a second reading
// need not look for them.
const mostKnown = 1 << 16

// memory holds what the lines of interest of a log are.
type memory struct {
	lines []known
	// full: there were more of them, so that none can be recalled.
	full bool
	next int
}

type known struct {
	number, stands int
	kind           kind
}

// note remembers a line of interest.
func (m *memory) note(l *line) {
	switch {
	case m.full:
	case len(m.lines) == mostKnown:
		m.lines, m.full = nil, true
	default:
		m.lines = append(m.lines, known{number: l.number, stands: l.stands, kind: l.kind})
	}
}

// recall returns what a line is. Lines are asked for in order.
func (m *memory) recall(number int) (k kind, stands int) {
	if m.next == len(m.lines) || m.lines[m.next].number != number {
		return 0, 1
	}
	line := m.lines[m.next]
	m.next++
	return line.kind, line.stands
}
