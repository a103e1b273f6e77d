package board_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/adapters/board"
	"github.com/changeover/changeover/adapters/board/boardtest"
)

var sizes = []board.Size{{Width: 80, Height: 24}, {Width: 160, Height: 48}}

func TestScreen_Golden(t *testing.T) {
	tests := []struct {
		name   string
		source *harbour
	}{
		{"ships", ships("Anna", "Berta", "Carla")},
		{"none", ships([]string{}...)},
		{"hostile", ships(hostile...)},
		{"unread", &harbour{read: func() ([]string, error) { return nil, errFog }}},
	}
	for _, tt := range tests {
		for _, size := range sizes {
			for _, colour := range []bool{false, true} {
				name := fmt.Sprintf("%s_%dx%d", tt.name, size.Width, size.Height)
				if colour {
					name += "_colour"
				}
				t.Run(name, func(t *testing.T) {
					s := boardtest.Open(t, tt.source, size.Width, size.Height, colour)
					boardtest.Fills(t, s.Raw(), size)
					boardtest.Golden(t, name, s.Text())
				})
			}
		}
	}
}

func TestScreen_IsPlainWithoutColour(t *testing.T) {
	is := is.New(t)
	s := boardtest.Open(t, ships(hostile...), 80, 24, false)
	is.True(!strings.Contains(s.Raw(), "\x1b"))
}

func TestScreen_FillsEverySize(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		size := board.Size{Width: rapid.IntRange(1, 220).Draw(r, "width"), Height: rapid.IntRange(1, 70).Draw(r, "height")}
		names := rapid.SliceOfN(rapid.OneOf(rapid.String(), rapid.SampledFrom(hostile)), 1, 30).Draw(r, "names")
		s := boardtest.Open(t, ships(names...), size.Width, size.Height, rapid.Bool().Draw(r, "colour"))
		boardtest.Fills(r, s.Raw(), size)
		s.Press("enter")
		boardtest.Fills(r, s.Raw(), size)
		s.Press("?", "down", "end")
		boardtest.Fills(r, s.Raw(), size)
	})
}

func TestOnce_PrintsOneFrameWhole(t *testing.T) {
	is := is.New(t)
	var out bytes.Buffer
	is.NoErr(board.Once(t.Context(), &out, ships("Anna", "Berta"), board.Options{}))
	boardtest.Golden(t, "once", out.String())
}

func TestOnce_SaysWhatItCouldNotRead(t *testing.T) {
	is := is.New(t)
	var out bytes.Buffer
	err := board.Once(t.Context(), &out, &harbour{read: func() ([]string, error) { return nil, errFog }}, board.Options{})
	is.Equal(err, errFog)
	is.Equal(out.String(), "")
}

func TestBar_MarksTheThreshold(t *testing.T) {
	tests := []struct {
		value, total, mark int
		want               string
	}{
		{0, 10, 0, "▱▱▱▱▱▱▱▱▱▱"},
		{1, 1000, 0, "▰▱▱▱▱▱▱▱▱▱"},
		{5, 10, 0, "▰▰▰▰▰▱▱▱▱▱"},
		{5, 10, 8, "▰▰▰▰▰▱▱▱┃▱"},
		{12, 10, 10, "▰▰▰▰▰▰▰▰▰┃"},
		{-3, 10, 0, "▱▱▱▱▱▱▱▱▱▱"},
	}
	for _, tt := range tests {
		is := is.New(t)
		var got strings.Builder
		for _, span := range board.Bar(10, tt.value, tt.total, tt.mark) {
			got.WriteString(span.Text)
		}
		is.Equal(got.String(), tt.want)
	}
	is := is.New(t)
	is.Equal(len(board.Bar(10, 1, 0, 0)), 0)
}
