package compact_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
)

func TestStateCompactor_NoticesWhatIsEqual(t *testing.T) {
	tests := []struct {
		name, first, second string
		equal               bool
	}{
		{"the same", "- a b", "- a b", true},
		{"other bullet", "- a b", "2. a b", true},
		{"checkbox", "- [ ] a b", "- [x] a b", true},
		{"white space", "- a   b ", "-  a b", true},
		{"case", "- Straße ÄÖ", "- straße äö", true},
		{"sentence end", "- a b", "- a b.;!", true},
		{"other text", "- a b", "- a c", false},
		{"other lines below", "- a\n  b", "- a\n  c", false},
		{"question mark", "- a b", "- a b?", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			want := strings.Split(tt.second, "\n")
			if !tt.equal {
				want = append(strings.Split(tt.first, "\n"), want...)
			}
			got := section(t, restate("## Risks\n"+tt.first+"\n"+tt.second, 6000), "Risks")
			is.Equal(cmp.Diff(want, got), "")
		})
	}
}

func TestStateCompactor_KeepsTheLastOfEqualItemsAtItsPlace(t *testing.T) {
	is := is.New(t)
	got := restate("## Done\n- a\n- b\n- c\n- A.\n- d\n\n## Done\n- b\n- e", 6000)
	is.Equal(section(t, got, "Done"), []string{"- c", "- A.", "- d", "- b", "- e"})
}

func TestStateCompactor_MovesLabelledBullets(t *testing.T) {
	is := is.New(t)
	got := restate("## Remaining\n- Done: a\n- [ ] in progress: b\n  more\n- Done:\n- Done: In Progress: c\n- c: Done: d\n\nDone: prose\n", 6000)
	is.Equal(section(t, got, "Done"), []string{"- a", "- Done:", "- c"})
	is.Equal(section(t, got, "In Progress"), []string{"- [ ] b", "  more"})
	is.Equal(section(t, got, "Remaining"), []string{"- c: Done: d", "", "Done: prose"})
}

func TestStateCompactor_MovesOnceWhatIsLabelledTwice(t *testing.T) {
	for in, want := range map[string]string{
		"- Done: [x] In Progress: a":     "- [x] a",
		"- [ ] Done: [x] In Progress: a": "- [ ] [x] In Progress: a",
		"- Done: done: DONE: a":          "- a",
	} {
		t.Run(in, func(t *testing.T) {
			is := is.New(t)
			is.Equal(section(t, restate("## Risks\n"+in, 6000), "Done"), []string{want})
		})
	}
}

func TestStateCompactor_RemovesWhatGotFurther(t *testing.T) {
	is := is.New(t)
	got := restate(`
## Done
- a
  - how

## In Progress
- A.
- b
- c

## Remaining
- a
- [ ] b
  - with more
- d
`, 6000)
	is.Equal(section(t, got, "Done"), []string{"- a", "  - how"})
	is.Equal(section(t, got, "In Progress"), []string{"- b", "- c"})
	is.Equal(section(t, got, "Remaining"), []string{"- d"})
}

func TestStateCompactor_DoesNotTakeBulletsWithoutTextForEqual(t *testing.T) {
	is := is.New(t)
	got := restate("## Done\n-\n  a\n\n## Remaining\n- [ ]\n  b\n", 6000)
	is.Equal(section(t, got, "Remaining"), []string{"- [ ]", "  b"})
}

func TestStateCompactor_CapsSections(t *testing.T) {
	tests := []struct {
		section     string
		most        int
		first, last string
	}{
		{"Goal", 3, "- item 1", "- item 3"},
		{"Done", 12, "- item 19", "- item 30"},
		{"In Progress", 12, "- item 19", "- item 30"},
		{"Remaining", 20, "- item 1", "- item 20"},
		{"Decisions", 12, "- item 19", "- item 30"},
		{"Risks", 12, "- item 19", "- item 30"},
		{"Next Step", 5, "- item 26", "- item 30"},
		{"Notes", 12, "- item 19", "- item 30"},
	}
	for _, tt := range tests {
		t.Run(tt.section, func(t *testing.T) {
			is := is.New(t)
			got := section(t, restate("## "+tt.section+"\n"+items(30), 6000), tt.section)
			is.Equal(len(got), tt.most+1)
			is.Equal(got[0], fmt.Sprintf("- (%d earlier items elided)", 30-tt.most))
			is.Equal(got[1], tt.first)
			is.Equal(got[len(got)-1], tt.last)
		})
	}
}

// items returns n bullets.
func items(n int) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, "- item %d\n", i+1)
	}
	return out.String()
}

func TestStateCompactor_KeepsParagraphsApart(t *testing.T) {
	is := is.New(t)
	got := section(t, restate("## Goal\na\n\nb\n\nc\n\nd\n\n## Risks\n"+strings.Repeat("x\n\n", 2), 6000), "Goal")
	is.Equal(got, []string{"- (1 earlier items elided)", "", "a", "", "b", "", "c"})
}

func TestStateCompactor_AddsToWhatWasElided(t *testing.T) {
	is := is.New(t)
	in := "## Done\n- (7 earlier items elided)\n" + items(10) + "## Done\n* (2 earlier items elided)\n- one\n- two\n- three\n- (x earlier items elided)"
	got := section(t, restate(in, 6000), "Done")
	is.Equal(got[0], "- (11 earlier items elided)")
	is.Equal(got[1:4], []string{"- item 3", "- item 4", "- item 5"})
	is.Equal(got[12], "- (x earlier items elided)") // no number
}
