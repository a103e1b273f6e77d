// Package board shows dashboards in a terminal: frames of panels that are read
// anew from time to time, and keys. What a dashboard shows is given as values
// (Frame, Panel, Line); drawing them is pure. Text comes from anywhere: whatever
// a dashboard hands over is cleaned and cut here, by the width that it has in a
// terminal.
package board

// Style says what a text means; how that looks is the painter's.
type Style int

// The styles.
const (
	Plain Style = iota
	Dim
	Good
	Warn
	Bad
	Accent
	// Highlight is what is selected, or going on right now. It is colour alone:
	// a dashboard marks it with a character too.
	Highlight
)

// Span is a piece of a line in one style.
type Span struct {
	Text  string
	Style Style
}

// Line is one line. Whatever its texts hold, it is shown as one: ends of lines
// and tabs become spaces, everything else that no terminal should be sent goes.
type Line []Span

// Text is a line in no style.
func Text(s string) Line { return Line{{Text: s}} }

// Styled is a line in one style.
func Styled(style Style, s string) Line { return Line{{Text: s, Style: style}} }

// Fact is a value behind a dim label.
func Fact(label, value string) Line { return FactIn(Plain, label, value) }

// FactIn is a styled value behind a dim label.
func FactIn(style Style, label, value string) Line {
	return Line{{Text: label + "  ", Style: Dim}, {Text: value, Style: style}}
}

// Texts are lines in no style.
func Texts(lines []string) []Line {
	out := make([]Line, len(lines))
	for i, line := range lines {
		out[i] = Text(line)
	}
	return out
}

// Panel is a titled list of lines.
type Panel struct {
	Title string
	// Style is that of the title: Highlight while something is going on in it.
	Style Style
	Lines []Line
	// Empty is what the panel says where it has no lines; "none" without one.
	Empty string
	// Wrap breaks long lines instead of cutting them.
	Wrap bool
	// Flex lets the panel be shown in part where room is scarce: the lines around
	// Focus, else the first ones.
	Flex bool
	// Tail is Flex for what grows at its end: the last lines are kept.
	Tail bool
	// Focus is the number of the line that is to be seen, from 1; 0 is none.
	Focus int
	// Right puts the panel into the second column where there are two.
	Right bool
}

// Frame is all that a dashboard shows at one moment.
type Frame struct {
	Title string
	// State stands behind the title, in its line.
	State Line
	// Sidebar stands left of the rest where the screen is wide, below it where it
	// is not.
	Sidebar []Panel
	Panels  []Panel
}

// Size is that of a screen, in cells.
type Size struct{ Width, Height int }

// Bar draws value of total in so many cells; past the mark it warns, past the
// total it is bad. A mark of 0 is none.
func Bar(cells, value, total, mark int) Line {
	if cells < 1 || total < 1 {
		return nil
	}
	at := func(n int) int { return int(min(int64(cells), max(0, int64(cells)*int64(n)/int64(total)))) }
	filled := max(at(value), min(cells, min(1, max(0, value))))
	style := Good
	switch {
	case value > total:
		style = Bad
	case mark > 0 && value >= mark:
		style = Warn
	}
	var line Line
	for i := range cells {
		switch {
		case mark > 0 && i == min(at(mark), cells-1):
			line = append(line, Span{Text: "┃", Style: Accent})
		case i < filled:
			line = append(line, Span{Text: "▰", Style: style})
		default:
			line = append(line, Span{Text: "▱", Style: Dim})
		}
	}
	return line
}
