package main

import (
	"testing"

	"github.com/matryer/is"
)

func TestRenamed_LeavesTheRestWhereItStands(t *testing.T) {
	const from, to = "/tmp/picture1", "/home/dev"
	tests := []struct{ name, line, want string }{
		{"in a box", "│ in /tmp/picture1/src   │", "│ in /home/dev/src       │"},
		{"without room", "in /tmp/picture1/src.", "in /home/dev/src.    "},
		{"twice", "/tmp/picture1 /tmp/picture1  |", "/home/dev /home/dev          |"},
		{"not there", "│ nothing │", "│ nothing │"},
		{"wide before it", "世 /tmp/picture1  x", "世 /home/dev      x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(string(textOf(renamed(line(tt.line, style{}), from, to))), tt.want) // line
		})
	}
}

func TestScrubbed_EndsWithThePrompt(t *testing.T) {
	is := is.New(t)
	s := &stage{dir: "/tmp/picture1"}
	got := s.scrubbed([][]cell{line("in /tmp/picture1", style{}), line("───", style{}), line("❯", style{}), line("───", style{}), line("a hint", style{})})
	is.Equal(len(got), 4)
	is.Equal(string(textOf(got[0])), "in /home/dev    ")
}

func TestCondensed_KeepsFewEmptyLines(t *testing.T) {
	is := is.New(t)
	empty := line("  ", style{})
	x := line("x", style{})
	is.Equal(condensed([][]cell{empty, x, empty, x, empty, empty, empty, empty, x, empty, empty}),
		[][]cell{x, empty, x, empty, empty, empty, x})
	is.Equal(len(condensed([][]cell{empty, empty})), 0)
	is.Equal(len(condensed([][]cell{line("  ", style{back: "#333333"})})), 1) // not empty
}
