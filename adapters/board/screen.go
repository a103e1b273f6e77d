package board

import "fmt"

// screen is everything on the screen at one moment.
type screen struct {
	frame Frame
	// clock stands at the end of the first line.
	clock string
	// note stands below the title: that what is shown is old, and why.
	note Line
	foot Line
	// scroll is how many rows of the body lie above the screen; follow moves it so
	// that the focus is seen.
	scroll int
	follow bool
}

// draw fills the screen exactly. It returns where the body was scrolled to, and how
// many rows of it there are to scroll over.
func (s screen) draw(size Size) (rows []row, scroll, most int) {
	if size.Width < 1 || size.Height < 1 {
		return nil, 0, 0
	}
	notes := s.notes(size.Width)
	room := max(0, size.Height-2-len(notes))
	parts := s.frame.parts(Size{Width: size.Width, Height: room})
	height, focus := extent(parts)
	most = max(0, height-room)
	scroll = max(0, min(s.scroll, most))
	if s.follow && focus >= 0 && room > 0 {
		scroll = max(0, min(most, min(max(scroll, focus-room+1), focus)))
	}
	clock := s.clock
	if most > 0 {
		clock = fmt.Sprintf("↑%d ↓%d  %s", scroll, most-scroll, clock)
	}
	rows = append(rows, top(s.frame, clock, size.Width))
	rows = append(rows, notes...)
	rows = append(rows, beside(parts, scroll, scroll+room)...)
	rows = append(rows, fit(s.foot, size.Width))
	if len(rows) > size.Height {
		rows = rows[:size.Height]
	}
	return rows, scroll, most
}

// notes are the rows of the note: a long one is cut after a few.
func (s screen) notes(width int) []row {
	if len(s.note) == 0 {
		return nil
	}
	lines := wrap(s.note, width)
	const most = 3
	if len(lines) > most {
		lines = append(lines[:most-1], append(lines[most-1], lines[most]...))
	}
	var rows []row
	for _, line := range lines {
		rows = append(rows, fit(line, width))
	}
	return rows
}

// top is the first line: the title, the state, and the clock at its end.
func top(f Frame, clock string, cells int) row {
	line := append(Line{{Text: f.Title, Style: Accent}, {Text: "  "}}, f.State...)
	room := cells - Width(clock) - 2
	if clock == "" || room < cells/2 {
		return fit(line, cells)
	}
	return append(fit(line, room), Span{Text: "  "}, Span{Text: clean(clock), Style: Dim})
}
