package compact_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton/compact"
)

// all is a state.md with every section.
const all = "# Current State\n\n## Goal\ng\n\n## Done\n\n## In Progress\n\n## Remaining\n\n## Decisions\n\n## Risks\n\n## Next Step\n- n\n"

func TestCheckState(t *testing.T) {
	const empty = "## Goal\n## Done\n## In Progress\n## Remaining\n## Decisions\n## Risks\n## Next Step\n"
	tests := []struct {
		name, before, after string
		want                []string
	}{
		{"good", all, all, nil},
		{"nothing before", " \n", "", nil},
		{"headings of other spelling", all, "## goal:\ng\n## Completed\n## WIP\n## Todo\n## decisions ##\n## Risks\n## Next Steps\n- n\n", nil},
		{"text without headings", "x", "x", []string{
			"state.md has no section Goal", "state.md has no section Done", "state.md has no section In Progress",
			"state.md has no section Remaining", "state.md has no section Decisions", "state.md has no section Risks",
			"state.md has no section Next Step",
		}},
		{"a section twice", all, all + "## Next Steps\n", []string{"state.md has the section Next Step more than once"}},
		{"a section in a fence", all, all + "```\n## Goal\n```\n", nil},
		{"goal and next step lost", all, empty, []string{"state.md lost its Goal", "state.md lost its Next Step"}},
		{"only counted", all, "## Goal\n- (1 earlier items elided)\n## Done\n## In Progress\n## Remaining\n## Decisions\n## Risks\n## Next Step\nn\n", []string{"state.md lost its Goal"}},
		{"empty before too", empty, empty, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(cmp.Diff(tt.want, compact.CheckState(tt.before, tt.after)), "")
		})
	}
}

func TestReadState_GivesItemsBySection(t *testing.T) {
	is := is.New(t)
	doc := compact.ReadState("\uFEFF## Next Step\r\n- (3 earlier items elided)\r\n1. [ ] first\r\n   more\r\n\r\n- second\r\n## Next Steps\r\nthird\r\n")
	items := doc.Items(compact.NextStep)
	is.Equal(len(items), 3)
	is.Equal(items[0].Text(), "1. [ ] first\n   more")
	is.Equal(items[0].First(), "first")
	is.Equal(items[2].First(), "third")
	is.Equal(doc.Elided(compact.NextStep), 3)
	is.True(doc.Filled(compact.NextStep))
	is.True(!doc.Filled(compact.Goal))
	is.Equal(len(doc.Items(compact.Goal)), 0)
}

func TestSections_AreTheSevenInOrder(t *testing.T) {
	is := is.New(t)
	is.Equal(compact.Sections(), []compact.Section{"Goal", "Done", "In Progress", "Remaining", "Decisions", "Risks", "Next Step"})
}
