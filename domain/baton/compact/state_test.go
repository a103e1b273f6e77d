package compact_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
)

func TestStateCompactor_KnowsHeadings(t *testing.T) {
	tests := []struct{ heading, section string }{
		{"## goal", "Goal"},
		{"## GOAL:", "Goal"},
		{"## Done ##", "Done"},
		{"## Completed", "Done"},
		{"## In-Progress", "In Progress"},
		{"## in  progress", "In Progress"},
		{"## WIP", "In Progress"},
		{"## Doing", "In Progress"},
		{"## Todo", "Remaining"},
		{"## To do:", "Remaining"},
		{"## Next Steps", "Next Step"},
		{"## Environment", "Notes"},
		{"## Notes", "Notes"},
		{"##", "Notes"},
	}
	for _, tt := range tests {
		t.Run(tt.heading, func(t *testing.T) {
			is := is.New(t)
			is.Equal(section(t, restate(tt.heading+"\n- x\n", 6000), tt.section), []string{"- x"})
		})
	}
}

func TestStateCompactor_ReadsItems(t *testing.T) {
	tests := []struct {
		name, body string
		want       []string
	}{
		{"every bullet", "- a\n* b\n+ c\n1. d\n2) e", []string{"- a", "* b", "+ c", "1. d", "2) e"}},
		{"one leading space", " - a\n - b\n - a", []string{" - b", " - a"}},
		{"indented lines belong to the bullet", "- a\n  - x\n\n  more\n- a\n", []string{"- a", "  - x", "  more", "- a"}},
		{"a line that goes on belongs to it", "- a\nand b\n- a\nand b", []string{"- a", "and b"}},
		{"a paragraph is an item", "one\ntwo\n\nthree\n\none\ntwo", []string{"three", "", "one", "two"}},
		{"a bullet ends a paragraph", "one\n- two\n\none", []string{"- two", "", "one"}},
		{"a deeper heading is a paragraph", "- a\n### b\n- a", []string{"### b", "- a"}},
		{"a fence belongs to what it follows", "- a\n\n```\n\nx\n```\n- b", []string{"- a", "```", "", "x", "```", "- b"}},
		{"a fence of its own", "```\nx\n```\n- b", []string{"```", "x", "```", "- b"}},
		{"a heading in a fence", "- a\n```\n# x\n## Goal\n- b\n```", []string{"- a", "```", "# x", "## Goal", "- b", "```"}},
		{"a title is dropped", "- a\n# T\n- b", []string{"- a", "- b"}},
		{"a title ends what it stands in", "- a\n# T\nb", []string{"- a", "", "b"}},
		{"an indented line behind a title", "- a\n# T\n  sub\n- b\n- a", []string{"- a", "  sub", "- b", "- a"}},
		{"a line behind an indented one", "- a\n\n  x\ny", []string{"- a", "  x", "y"}},
		{"an open fence is closed", "- a\n```\n\nx\n", []string{"- a", "```", "", "x", "```"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(cmp.Diff(tt.want, section(t, restate("## Risks\n"+tt.body, 6000), "Risks")), "")
		})
	}
}
