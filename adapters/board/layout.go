package board

import (
	"fmt"
	"strings"
)

// How a screen is divided, in cells.
const (
	sidebarWidth = 32
	sidebarFrom  = 110 // a screen of this width has a sidebar
	columnWidth  = 56  // two columns where each can have this
	gap          = 3   // between columns
	scarce       = 3   // lines that a panel keeps where room is scarce
)

// HasSidebar reports whether there is room for a sidebar beside the rest.
func (s Size) HasSidebar() bool { return s.Width >= sidebarFrom }

// parts lays the panels out in so many columns as there is room for. They may be
// higher than the screen: then they are to be scrolled.
func (f Frame) parts(size Size) []column {
	left, right, side := f.columns(size.Width)
	rest := size.Width
	var parts []column
	if len(side) > 0 {
		parts = append(parts, stack(side, sidebarWidth, size.Height))
		rest -= sidebarWidth + gap
	}
	if len(right) > 0 {
		w := (rest - gap) / 2
		parts = append(parts, stack(left, rest-gap-w, size.Height), stack(right, w, size.Height))
	} else {
		parts = append(parts, stack(left, rest, size.Height))
	}
	return parts
}

// columns says which panels stand where in a screen of that width.
func (f Frame) columns(width int) (left, right, side []Panel) {
	rest := width
	panels := f.Panels
	if (Size{Width: width}).HasSidebar() && len(f.Sidebar) > 0 {
		side, rest = f.Sidebar, width-sidebarWidth-gap
	} else {
		panels = append(append([]Panel{}, f.Panels...), f.Sidebar...)
	}
	if rest < 2*columnWidth+gap {
		return panels, nil, side
	}
	for _, p := range panels {
		if p.Right {
			right = append(right, p)
		} else {
			left = append(left, p)
		}
	}
	if len(left) == 0 {
		left, right = right, nil
	}
	return left, right, side
}

// column is panels one below the other, line by line. focus is the line that is to be
// seen, -1 for none.
type column struct {
	width int
	lines []Line
	focus int
}

// extent is the height of the highest column and the line that is to be seen, -1 for
// none.
func extent(parts []column) (height, focus int) {
	focus = -1
	for _, c := range parts {
		height = max(height, len(c.lines))
		if focus < 0 {
			focus = c.focus
		}
	}
	return height, focus
}

// beside draws some lines of columns next to each other, with nothing where one has
// no more.
func beside(parts []column, from, to int) []row {
	var rows []row
	for i := from; i < to; i++ {
		var r row
		for n, c := range parts {
			if n > 0 {
				r = append(r, Span{Text: " │ ", Style: Dim})
			}
			var line Line
			if i < len(c.lines) {
				line = c.lines[i]
			}
			r = append(r, fit(line, c.width)...)
		}
		rows = append(rows, r)
	}
	return rows
}

// stack puts panels below each other; those that may be shown in part give way,
// the longest first, down to a few lines.
func stack(panels []Panel, width, height int) column {
	laid := make([]Panel, len(panels))
	shown := make([]int, len(panels))
	total := 0
	for i, p := range panels {
		laid[i] = p.laid(width)
		shown[i] = len(laid[i].Lines)
		total += shown[i] + 1
	}
	for total > height {
		longest := -1
		for i, p := range laid {
			if (p.Flex || p.Tail) && shown[i] > scarce && (longest < 0 || shown[i] > shown[longest]) {
				longest = i
			}
		}
		if longest < 0 {
			break
		}
		shown[longest]--
		total--
	}
	c := column{width: width, focus: -1}
	for i, p := range laid {
		lines, focus := p.draw(width, shown[i])
		if focus >= 0 {
			c.focus = len(c.lines) + focus
		}
		c.lines = append(c.lines, lines...)
	}
	return c
}

// laid breaks the lines of a panel for that width, and gives one without lines
// something to say.
func (p Panel) laid(width int) Panel {
	if len(p.Lines) == 0 {
		says := p.Empty
		if says == "" {
			says = "none"
		}
		p.Lines = []Line{Styled(Dim, says)}
		p.Focus = 0
	}
	if !p.Wrap {
		return p
	}
	var lines []Line
	focus := 0
	for i, line := range p.Lines {
		if i+1 == p.Focus {
			focus = len(lines) + 1
		}
		lines = append(lines, wrap(line, width)...)
	}
	p.Lines, p.Focus = lines, focus
	return p
}

// draw returns so many lines of a panel below its title.
func (p Panel) draw(width, shown int) (lines []Line, focus int) {
	first := 0
	hidden := len(p.Lines) - shown
	switch {
	case p.Focus > 0:
		first = max(0, min(hidden, p.Focus-1-shown/2))
	case p.Tail:
		first = hidden
	}
	title := p.Title
	if hidden > 0 {
		title += fmt.Sprintf(" (%d–%d of %d)", first+1, first+shown, len(p.Lines))
	}
	lines = append([]Line{heading(title, p.Style, width)}, p.Lines[first:first+shown]...)
	focus = -1
	if p.Focus > first && p.Focus <= first+shown {
		focus = p.Focus - first
	}
	return lines, focus
}

// heading draws the title of a panel into a rule.
func heading(title string, style Style, cells int) Line {
	line := Line{{Text: "── ", Style: Dim}, {Text: title, Style: style}, {Text: " ", Style: Dim}}
	if style == Plain {
		line[1].Style = Accent
	}
	used := 0
	for _, span := range line {
		used += Width(span.Text)
	}
	if used < cells {
		line = append(line, Span{Text: strings.Repeat("─", cells-used), Style: Dim})
	}
	return line
}
