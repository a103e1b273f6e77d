package plan_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton/plan"
	"github.com/changeover/changeover/domain/jsondoc"
)

// Row 101.
func TestReview_PathsOfAStep(t *testing.T) {
	tests := []struct {
		name, step string
		want       []string
	}{
		{"in the text", "Serve it from `api/progress.go`, then (greet.py).", []string{"api/progress.go", "greet.py"}},
		{"directory", "add to db/migrations/ now", []string{"db/migrations/"}},
		{"directory without a slash", "add to db/migrations now", nil},
		{"once", "a.go and ./a.go", []string{"a.go"}},
		{"backslash", `move src\a\b.cs`, []string{"src/a/b.cs"}},
		{"long extension", "a.12345678 b.123456789", []string{"a.12345678"}},
		{"with a line", "x/y.go:12", []string{"x/y.go"}},
		{"lines below it", "do\n   it in a.go", []string{"a.go"}},
		{"no paths", "e.g. version 1.2, i.e. not https://example.com/x.html ... ./ / ../", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got := plan.Read("## Steps\n1. "+tt.step+"\n").Review("HEAD", nil)
			is.Equal(cmp.Diff(got.Steps[0].Paths, tt.want), "")
		})
	}
}

const reviewed = `# P
## Scope (in)
- docs/
- only-here.md
## Steps
1. greet in greet.py
2. migrate in db/migrations/
   and src/api/progress.go
3. think
4. clean old.go
5. skip api/skipped.go

## Execution receipts
- 2026-05-28T09:20:00.000Z [done] 1
- 2026-05-28T09:20:00.000Z [done] 4
- 2026-05-28T09:20:00.000Z [done] 5
- 2026-05-28T09:30:00.000Z [skipped] 5
- 2026-05-28T09:30:00.000Z [done] 3
`

var changed = []string{
	"src/greet.py", "api/skipped.go", "db/migrations/001.sql", "other/db/migrations/002.sql", "docs/a.md", "progress.go", "x/only-here.md",
	".ai-session/state.md", "stray.txt", "src/greet.py", "notgreet.py",
}

// Rows 101.
func TestReview_Steps(t *testing.T) {
	is := is.New(t)
	got := plan.Read(reviewed).Review("HEAD", changed)
	type row struct {
		N       int
		State   plan.Touch
		Receipt plan.Mark
		Files   []string
	}
	var rows []row
	for _, s := range got.Steps {
		rows = append(rows, row{s.Step.N, s.State, s.Receipt, s.Files})
	}
	want := []row{
		{1, plan.Touched, plan.Done, []string{"src/greet.py"}},
		{2, plan.Touched, plan.Open, []string{"db/migrations/001.sql"}},
		{3, plan.Uncorrelated, plan.Done, nil},
		{4, plan.Untouched, plan.Done, nil},
		{5, plan.Touched, plan.Skipped, []string{"api/skipped.go"}},
	}
	is.Equal(cmp.Diff(rows, want), "")
	is.Equal(got.Count(plan.Touched), 3)
	is.Equal(got.Count(plan.Untouched), 1)
	is.Equal(got.Count(plan.Uncorrelated), 1)
}

// Rows 101.
func TestReview_Files(t *testing.T) {
	is := is.New(t)
	got := plan.Read(reviewed).Review("HEAD", changed)
	want := []plan.FileReview{
		{Path: "api/skipped.go", Steps: []int{5}},
		{Path: "db/migrations/001.sql", Steps: []int{2}},
		{Path: "docs/a.md", InScope: true},
		{Path: "notgreet.py"},
		{Path: "other/db/migrations/002.sql"},
		{Path: "progress.go"},
		{Path: "src/greet.py", Steps: []int{1}},
		{Path: "stray.txt"},
		{Path: "x/only-here.md", InScope: true},
	}
	is.Equal(cmp.Diff(got.Files, want), "")
	is.Equal(cmp.Diff(got.Unplanned(), []string{"notgreet.py", "other/db/migrations/002.sql", "progress.go", "stray.txt"}), "")
}

// Rows 101.
func TestReview_Contradictions(t *testing.T) {
	is := is.New(t)
	got := plan.Read(reviewed).Review("HEAD", changed)
	is.Equal(len(got.Contradictions), 2)
	is.Equal(got.Contradictions[0].Step.N, 4) // done and untouched
	is.Equal(got.Contradictions[1].Step.N, 5) // skipped and touched
}

func TestReview_Document(t *testing.T) {
	is := is.New(t)
	got := plan.Read("## Scope (in)\n- b.go\n## Steps\n- a.go\n- x\n## Execution receipts\n- 2026-05-28T09:20:00.000Z [done] 1\n").
		Review("HEAD", []string{"c.go", "b.go"})
	is.Equal(string(jsondoc.Line(got.Document())), `{"base":"HEAD","steps":[`+
		`{"n":1,"text":"a.go","state":"untouched","receipt":"done","paths":["a.go"],"files":[]},`+
		`{"n":2,"text":"x","state":"uncorrelated","receipt":null,"paths":[],"files":[]}],`+
		`"files":[{"path":"b.go","steps":[],"inScope":true},{"path":"c.go","steps":[],"inScope":false}],`+
		`"unplanned":["c.go"],"contradictions":[{"n":1,"receipt":"done","state":"untouched"}]}`)
}
