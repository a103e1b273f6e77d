package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

// line makes cells of a text, one for each character, as the emulator does.
func line(text string, looks style) []cell {
	var cells []cell
	for _, r := range text {
		cells = append(cells, cell{char: r, style: looks})
	}
	return cells
}

func TestSpans_PlaceEachPieceWhateverTheFont(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"letters", "go test", `<tspan x="16" textLength="58.8">go test</tspan>`},
		{"one letter", "x", `<tspan x="16">x</tspan>`},
		{"blanks around", "  x  ", `<tspan x="32.8">x</tspan>`},
		{"nothing", "   ", ``},
		{"a gap", "go  test .", `<tspan x="16" textLength="16.8">go</tspan><tspan x="49.6" textLength="50.4">test .</tspan>`},
		{"a bar", "▰▱ 1 of", `<tspan x="16 24.4">▰▱</tspan><tspan x="41.2" textLength="33.6">1 of</tspan>`},
		{"wide", "a世b", `<tspan x="16">a</tspan><tspan x="24.4">世</tspan><tspan x="41.2">b</tspan>`},
		{"two wide", "世界x", `<tspan x="16">世</tspan><tspan x="32.8">界</tspan><tspan x="49.6">x</tspan>`},
		{"emoji", "🎉x", `<tspan x="16">🎉</tspan><tspan x="32.8">x</tspan>`},
		{"combining mark", "xe\u0301y", `<tspan x="16">x</tspan><tspan x="24.4">e` + "\u0301" + `</tspan><tspan x="32.8">y</tspan>`},
		{"marks on the only letter", "e\u0301\u0302", `<tspan x="16">e` + "\u0301\u0302" + `</tspan>`},
		{"markup", "<a & b>", `<tspan x="16" textLength="58.8">&lt;a &amp; b&gt;</tspan>`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(spans(runs(line(tt.text, style{}), func(s style) style { return s })), tt.want) // spans
		})
	}
}

func TestRender_IsOneDocumentOfTheScreensText(t *testing.T) {
	is := is.New(t)
	screen := [][]cell{
		line("    ", style{}),
		append(line("\x01<band> ", style{fore: "#00ffff", bold: true}), append(line("世", style{back: "#333333", faint: true}), line("!", style{back: "#333333"})...)...),
		line("", style{}),
		line("end", style{italic: true, underline: true}),
		line("    ", style{}),
	}
	picture := string(render(`claude & "co"`, screen))
	var text strings.Builder
	decoder := xml.NewDecoder(strings.NewReader(picture))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		is.NoErr(err)
		if data, ok := token.(xml.CharData); ok {
			text.Write(data)
		}
	}
	is.True(strings.HasPrefix(picture, `<svg `))
	is.True(strings.Contains(text.String(), "<band>世!"))                                                // one line
	is.True(strings.Contains(picture, `<text y="44" fill="#d6d9df">`))                                  // the empty line above is gone
	is.True(strings.Contains(picture, ` fill="#00ffff" font-weight="bold"`))                            // looks
	is.True(strings.Contains(picture, `<rect x="83.2" y="30" width="25.2" height="18" fill="#333333"`)) // three columns behind it
	is.True(strings.Contains(picture, ` font-style="italic" text-decoration="underline"`))              // looks
}

func TestNames_FindsWhatAPictureMayNotShow(t *testing.T) {
	is := is.New(t)
	picture := render("x", [][]cell{line("in /tmp/picture1/src", style{})})
	is.True(names(picture, []string{"", "/tmp/picture1"}) != nil)
	is.NoErr(names(picture, []string{"", "harbour-host"}))
}

func TestTerminal_KeepsColoursHoweverTheOutputIsCut(t *testing.T) {
	is := is.New(t)
	term, err := startTerminal(exec.Command("/bin/sh", "-c", `
		printf 'a\033[38;2;10;200;30mb\033[0m\033[2mc\033[22md\033[7me\033[0m'
		printf '\033[38;5;208mf\033[0m\033[?'; printf 'ug \342'; printf '\226\260'; printf '\033[36'; printf 'mh'; read -r line`), sessionRows)
	is.NoErr(err)
	defer term.end()
	c := client{name: "shell", terminal: term}
	is.NoErr(c.until(t.Context(), "its text", func(screen string) bool { return strings.Contains(screen, "abcdefg ▰h") }))
	row := term.cells()[0]
	is.Equal(row[0], cell{char: 'a'})
	is.Equal(row[1], cell{char: 'b', style: style{fore: "#0ac81e"}})
	is.Equal(row[2], cell{char: 'c', style: style{faint: true}})
	is.Equal(row[3], cell{char: 'd'})
	is.Equal(row[4], cell{char: 'e', style: style{fore: paper, back: ink}})
	is.Equal(row[5], cell{char: 'f', style: style{fore: "#ff8700"}})
	is.Equal(row[9], cell{char: 'h', style: style{fore: "#66cccc"}})
	is.NoErr(term.send("\r"))
	select {
	case <-term.exited:
	case <-time.After(patience):
		t.Fatal("the shell did not end")
	}
}
