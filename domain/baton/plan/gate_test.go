package plan_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton/plan"
	"github.com/changeover/changeover/domain/jsondoc"
)

func file(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func gate(t *testing.T, limit int) plan.Gate {
	t.Helper()
	return plan.Gate{Limit: limit, Sources: []plan.Source{
		{Name: "commands.log"},
		{Name: "AGENTS.md", Text: file(t, "md/AGENTS.md")},
		{Name: "CLAUDE.md", Text: file(t, "md/CLAUDE.md")},
	}}
}

func codes(issues []plan.Issue) string {
	var list []string
	for _, issue := range issues {
		list = append(list, issue.Code)
	}
	if len(list) == 0 {
		return "-"
	}
	return strings.Join(list, ", ")
}

// expected reads the rows of plan.tsv behind its head.
func expected(t *testing.T) [][]string {
	t.Helper()
	var rows [][]string
	for line := range strings.SplitSeq(strings.TrimSpace(file(t, "expected/plan.tsv")), "\n") {
		rows = append(rows, strings.Split(line, "\t"))
	}
	if len(rows) != 31 {
		t.Fatalf("plan.tsv has %d rows", len(rows))
	}
	return rows[1:]
}

// Rows 48, 50, 51, 52, 53.
func TestGate_Fixtures(t *testing.T) {
	for _, row := range expected(t) {
		t.Run(row[0], func(t *testing.T) {
			is := is.New(t)
			limit, err := strconv.Atoi(row[1])
			is.NoErr(err)
			got := gate(t, limit).Check(file(t, "plan/"+row[0]))
			is.Equal(codes(got.Failures), row[2]) // failures
			is.Equal(codes(got.Warnings), row[3]) // warnings
			is.Equal(got.Passed(), row[2] == "-")
			is.Equal(got.Limit, limit)
		})
	}
}

// Rows 108.
func TestGate_SaysTheSameOfEveryLineEnd(t *testing.T) {
	for _, row := range expected(t) {
		t.Run(row[0], func(t *testing.T) {
			is := is.New(t)
			raw := strings.ReplaceAll(file(t, "plan/"+row[0]), "\r\n", "\n")
			want := gate(t, 30000).Check(raw)
			lines := strings.SplitAfter(raw, "\n")
			for i := range lines {
				if i%2 == 0 {
					lines[i] = strings.Replace(lines[i], "\n", "\r\n", 1)
				}
			}
			for name, form := range map[string]string{
				"CRLF": strings.ReplaceAll(raw, "\n", "\r\n"), "CR": strings.ReplaceAll(raw, "\n", "\r"),
				"mark": "\uFEFF" + raw, "mixed": strings.Join(lines, ""),
			} {
				if diff := cmp.Diff(want, gate(t, 30000).Check(form)); diff != "" {
					t.Errorf("%s: %s", name, diff)
				}
			}
			is.True(len(lines) > 1)
		})
	}
}

// Rows 49.
func TestGate_MissingFileIsOneFailure(t *testing.T) {
	is := is.New(t)
	is.Equal(codes(gate(t, 9000).Missing().Failures), "missing")
	is.Equal(gate(t, 9000).Missing().Limit, 9000)
}

// Rows 49.
func TestGate_BlankFileIsOneFailure(t *testing.T) {
	for _, raw := range []string{"", " \n\t\n", "\uFEFF", "\r\n", "\n## Execution receipts\n"} {
		is := is.New(t)
		got := gate(t, 9000).Check(raw)
		is.Equal(codes(got.Failures), "empty")
		is.Equal(codes(got.Warnings), "-")
	}
}

// Rows 51.
func TestGate_LengthNamesBothNumbers(t *testing.T) {
	is := is.New(t)
	raw := file(t, "plan/valid.md")
	n := len(raw) // ASCII
	is.True(gate(t, n).Check(raw).Passed())
	got := gate(t, n-1).Check(raw)
	is.Equal(codes(got.Failures), "too-long")
	is.True(strings.Contains(got.Failures[0].Message, strconv.Itoa(n)))
	is.True(strings.Contains(got.Failures[0].Message, strconv.Itoa(n-1)))
}

func TestGate_LengthCountsCharacters(t *testing.T) {
	is := is.New(t)
	raw := strings.Replace(file(t, "plan/valid.md"), "Count rows", "Zähle 😀", 1)
	is.Equal(gate(t, 30000).Check(raw).Chars, len(file(t, "plan/valid.md"))-2-1) // "Count rows" is 10, "Zähle 😀" is 7
}

// Rows 105.
func TestGate_NamesTheSecretNowhere(t *testing.T) {
	is := is.New(t)
	token := "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
	got := gate(t, 30000).Check(file(t, "plan/bad-secret.md"))
	is.Equal(got.Failures[0].Message, "secret in plan.md:14 github-token ghp_… (40 chars)")
	is.True(!strings.Contains(fmt.Sprint(got), token[:6]))
}

// Rows 107.
func TestGate_FindsTheValueOfABlockedVariable(t *testing.T) {
	is := is.New(t)
	g := gate(t, 30000)
	g.Name, g.Environment = "next.md", map[string]string{"OPENAI_API_KEY": "batch-retried-xyz"}
	got := g.Check(file(t, "plan/valid.md") + "\nbatch-retried-xyz\n")
	is.Equal(codes(got.Failures), "secret:environment:31")
	is.True(strings.Contains(got.Failures[0].Message, "next.md:31"))
}

// sectioned is a valid plan with the body of one section replaced.
func sectioned(t *testing.T, name, body string) string {
	t.Helper()
	raw := file(t, "plan/valid.md")
	before, rest, ok := strings.Cut(raw, "## "+name+"\n")
	if !ok {
		t.Fatal(name)
	}
	after := ""
	if i := strings.Index(rest, "\n## "); i >= 0 {
		after = rest[i:]
	}
	return before + "## " + name + "\n" + body + "\n" + after
}

func TestGate_Warnings(t *testing.T) {
	valid := file(t, "plan/valid.md")
	tests := []struct{ name, raw, want string }{
		{"empty section", sectioned(t, "Risks", ""), "hollow:Risks"},
		{"only a comment", sectioned(t, "Goal", "<!-- fill in -->\n- TBD\n---"), "hollow:Goal"},
		{"two words in brackets", sectioned(t, "Risks", "(a) and (b)"), "-"},
		{"no title", strings.Replace(valid, "# relay-baton plan\n", "", 1), "no-title"},
		{"any title", strings.Replace(valid, "# relay-baton plan", "# Import", 1), "-"},
		{"unknown section twice", valid + "\n## Notes\n\n## notes:\n", "duplicate:notes"},
		{"no path", sectioned(t, "Steps", "1. look\n2. think\n3. act"), "steps-name-no-path"},
		{"path in a continuation", sectioned(t, "Steps", "1. look\n2. think\n   in `a/b.go`\n3. act"), "-"},
		{"directory", sectioned(t, "Steps", "1. look in db/\n2. think\n3. act"), "-"},
		{"next step is two paragraphs", sectioned(t, "Next step", "Write it.\n\nThen run it."), "next-step-not-one"},
		{"next step is one paragraph", sectioned(t, "Next step", "Write it,\nthen run it."), "-"},
		{"next step has lines below it", sectioned(t, "Next step", "- Write it:\n  - carefully\n\n  and soon\n```sh\nmake\n```"), "-"},
		{"placeholder beside it", sectioned(t, "Next step", "- Write it\n- TODO"), "-"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got := gate(t, 30000).Check(tt.raw)
			is.Equal(codes(got.Warnings), tt.want)
			is.Equal(codes(got.Failures), "-")
		})
	}
}

func TestGate_StepsAndNextStep(t *testing.T) {
	tests := []struct{ name, raw, want string }{
		{"steps indented", sectioned(t, "Steps", "  - a.go\n  - b.go"), "-"},
		{"steps below a placeholder", sectioned(t, "Steps", "1. (phase)\n   - a.go"), "steps-empty"},
		{"steps in a fence", sectioned(t, "Steps", "```\n1. a.go\n```"), "steps-empty"},
		{"next step in angle brackets", sectioned(t, "Next step", "- <one bullet>"), "next-step-empty"},
		{"next step is an ellipsis", sectioned(t, "Next step", "…\n* n/a\n1. [ ] tbd"), "next-step-empty"},
		{"next step is an empty block", sectioned(t, "Next step", "```\n```"), "next-step-empty"},
		{"next step is a rule", sectioned(t, "Next step", "---"), "next-step-empty"},
		{"closing marks and colon", strings.Replace(file(t, "plan/valid.md"), "## Risks", "  ## risks: ##", 1), "-"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(codes(gate(t, 30000).Check(tt.raw).Failures), tt.want)
		})
	}
}

func TestReport_Document(t *testing.T) {
	is := is.New(t)
	got := plan.Report{
		Failures: []plan.Issue{{Code: "empty", Message: "plan.md is empty"}}, Steps: 2, Chars: 30, Limit: 9000,
	}
	is.Equal(string(jsondoc.Line(got.Document())),
		`{"failures":[{"code":"empty","message":"plan.md is empty"}],"warnings":[],"steps":2,"chars":30,"limit":9000}`)
	is.Equal(cmp.Diff(got.Codes(), []string{"empty"}), "")
}
