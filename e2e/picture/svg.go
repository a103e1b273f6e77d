package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/hinshun/vt10x"
	"golang.org/x/text/width"
)

// The measures of a picture, in its own units.
const (
	cellWidth  = 8.4
	cellHeight = 18
	fontSize   = 14
	margin     = 16
	titleRoom  = 30
	// baseline is how far below the top of a cell its letters stand.
	baseline = 14
)

// The colours of what has none of its own.
const (
	paper = "#15171c"
	ink   = "#d6d9df"
	edge  = "#2b2f38"
	faded = "#8a90a0"
)

// What the emulator keeps of a cell's looks, beside its colours. It turns the
// colours of a reversed cell round itself.
const (
	modeUnderline = 1 << 1
	modeBold      = 1 << 2
	modeItalic    = 1 << 4
	modeBlink     = 1 << 5
)

func cellOf(g vt10x.Glyph) cell {
	c := cell{char: g.Char, style: style{
		bold: g.Mode&modeBold != 0, faint: g.Mode&modeBlink != 0, italic: g.Mode&modeItalic != 0, underline: g.Mode&modeUnderline != 0,
	}}
	switch c.char {
	case 0:
		c.char = ' '
	case '⎿': // which many fonts lack
		c.char = '└'
	}
	switch g.FG {
	case vt10x.DefaultFG:
	case vt10x.DefaultBG: // reversed
		c.style.fore = paper
	default:
		c.style.fore = colour(g.FG)
	}
	switch g.BG {
	case vt10x.DefaultBG:
	case vt10x.DefaultFG: // reversed
		c.style.back = ink
	default:
		c.style.back = colour(g.BG)
	}
	return c
}

// colour is one of the terminal's own, of the 256 that all terminals have, or
// any.
func colour(c vt10x.Color) string {
	own := []string{
		"#3b4048", "#f2777a", "#99cc99", "#ffcc66", "#6699cc", "#cc99cc", "#66cccc", "#d3d0c8",
		"#747c8c", "#f99157", "#b5e0b5", "#ffe0a0", "#90bbe6", "#e0b6e0", "#99e6e6", "#ffffff",
	}
	switch n := int(c); {
	case n < len(own):
		return own[n]
	case n < 232:
		level := func(i int) int { return []int{0, 95, 135, 175, 215, 255}[i] }
		n -= 16
		return fmt.Sprintf("#%02x%02x%02x", level(n/36), level(n/6%6), level(n%6))
	case n < 256:
		grey := 8 + 10*(n-232)
		return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey)
	default:
		return fmt.Sprintf("#%06x", n)
	}
}

// columnsOf is how many columns a character takes: two where it is wide, none
// where it stands on the one before it.
func columnsOf(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// run is what stands beside each other on a line and looks the same.
type run struct {
	style  style
	column int
	chars  []rune
}

// columns is how many columns a run takes.
func (r run) columns() int {
	n := 0
	for _, c := range r.chars {
		n += columnsOf(c)
	}
	return n
}

// runs cuts a line where what counts of its looks changes. A wide character moves
// what stands behind it on: the emulator gives each one cell.
func runs(line []cell, counts func(style) style) []run {
	var all []run
	column := 0
	for _, c := range line {
		if n := len(all); n == 0 || all[n-1].style != counts(c.style) {
			all = append(all, run{style: counts(c.style), column: column})
		}
		last := &all[len(all)-1]
		last.chars = append(last.chars, c.char)
		column += columnsOf(c.char)
	}
	return all
}

// render draws a screen without the empty lines above and below it.
func render(title string, screen [][]cell) []byte {
	screen = condensed(screen)
	wide := 0
	for _, line := range screen {
		wide = max(wide, len(line))
	}
	w, h := float64(wide)*cellWidth+2*margin, float64(len(screen)*cellHeight+titleRoom+margin)
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%[1]s" height="%[2]s"`+
		` font-family="ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="%d">`+"\n", short(w), short(h), fontSize)
	fmt.Fprintf(&b, `<title>%s</title>`+"\n", escaped(title))
	fmt.Fprintf(&b, `<rect x=".5" y=".5" width="%s" height="%s" rx="8" fill="%s" stroke="%s"/>`+"\n", short(w-1), short(h-1), paper, edge)
	fmt.Fprintf(&b, `<text x="%d" y="20" font-size="12" fill="%s">%s</text>`+"\n", margin, faded, escaped(title))
	for y, line := range screen {
		top := titleRoom + y*cellHeight
		for _, r := range runs(line, func(s style) style { return style{back: s.back} }) {
			if r.style.back != "" {
				fmt.Fprintf(&b, `<rect x="%s" y="%d" width="%s" height="%d" fill="%s" shape-rendering="crispEdges"/>`+"\n",
					at(r.column), top, short(float64(r.columns())*cellWidth), cellHeight, r.style.back)
			}
		}
		if text := spans(runs(line, func(s style) style { return s })); text != "" {
			fmt.Fprintf(&b, `<text y="%d" fill="%s">%s</text>`+"\n", top+baseline, ink, text)
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// spans writes the runs of a line, each where it belongs, whatever font shows
// them.
func spans(all []run) string {
	var b strings.Builder
	for _, r := range all {
		for _, p := range pieces(r) {
			for _, w := range p.words() {
				fmt.Fprintf(&b, `<tspan x="%s"%s%s>%s</tspan>`, places(w), stretched(w), looks(r.style), escaped(string(w.chars)))
			}
		}
	}
	return b.String()
}

// words cuts a piece at its gaps, and takes the blanks at its ends away: viewers
// do not agree on what a blank too many is.
func (p piece) words() []piece {
	var all []piece
	for i, c := range p.chars {
		if c == ' ' {
			continue
		}
		last := len(all) - 1
		if last >= 0 && i-(all[last].column-p.column) <= len(all[last].chars)+1 {
			all[last].chars = p.chars[all[last].column-p.column : i+1]
			continue
		}
		all = append(all, piece{run{style: p.style, column: p.column + i, chars: p.chars[i : i+1]}, p.kind})
	}
	return all
}

// kind tells how the place of a character is kept.
type kind int

const (
	ordinary kind = iota // every font has it: the run is stretched
	placed               // a font may lack it: each stands at a place of its own
	alone                // wide, or more than one sign: a piece of its own
)

// piece is a part of a run whose characters are of one kind.
type piece struct {
	run
	kind kind
}

// pieces cuts a run into what is placed in one way.
func pieces(r run) []piece {
	var all []piece
	column := r.column
	for _, c := range r.chars {
		n := columnsOf(c)
		last := len(all) - 1
		switch k := kindOf(c); {
		case n == 0 && last >= 0:
			all = joined(all, c)
		case last >= 0 && all[last].kind == k && k != alone:
			all[last].chars = append(all[last].chars, c)
		default:
			all = append(all, piece{run{style: r.style, column: column, chars: []rune{c}}, k})
		}
		column += n
	}
	return all
}

// joined puts a sign onto the last character, which is a piece of its own then.
func joined(all []piece, sign rune) []piece {
	last := &all[len(all)-1]
	if last.kind == alone {
		last.chars = append(last.chars, sign)
		return all
	}
	end := len(last.chars) - 1
	carrier := piece{run{style: last.style, column: last.column + end, chars: []rune{last.chars[end], sign}}, alone}
	last.chars = last.chars[:end]
	if end == 0 {
		all = all[:len(all)-1]
	}
	return append(all, carrier)
}

func kindOf(c rune) kind {
	switch {
	case ' ' <= c && c <= '~':
		return ordinary
	case c < 0x10000 && columnsOf(c) == 1:
		return placed
	}
	return alone
}

// places is where a piece begins or, where a font may not have all of it, where
// each of its characters stands.
func places(p piece) string {
	if p.kind != placed {
		return at(p.column)
	}
	var all []string
	for i := range p.chars {
		all = append(all, at(p.column+i))
	}
	return strings.Join(all, " ")
}

// stretched has ordinary letters fill their columns.
func stretched(p piece) string {
	if p.kind != ordinary || len(p.chars) < 2 {
		return ""
	}
	return ` textLength="` + short(float64(len(p.chars))*cellWidth) + `"`
}

func looks(s style) string {
	var b strings.Builder
	for _, look := range []struct {
		on   bool
		text string
	}{
		{s.fore != "", ` fill="` + s.fore + `"`},
		{s.bold, ` font-weight="bold"`},
		{s.faint, ` fill-opacity=".65"`},
		{s.italic, ` font-style="italic"`},
		{s.underline, ` text-decoration="underline"`},
	} {
		if look.on {
			b.WriteString(look.text)
		}
	}
	return b.String()
}

// at is where a column begins.
func at(column int) string { return short(margin + float64(column)*cellWidth) }

// short writes a number without zeros at its end.
func short(f float64) string { return strconv.FormatFloat(f, 'f', -1, 32) }

// escaped is a text as it may stand in a document.
func escaped(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, text)
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}
