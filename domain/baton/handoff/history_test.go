package handoff_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton/handoff"
	"github.com/changeover/changeover/domain/jsondoc"
)

var day = time.Date(2026, 5, 28, 9, 0, 0, 123_000_000, time.FixedZone("", 3600))

// Row 45.
func TestHistory_NewestFirstAndNoNoise(t *testing.T) {
	is := is.New(t)
	at := func(name string, minutes int) handoff.Entry {
		return handoff.Entry{Name: name, ModifiedAt: day.Add(time.Duration(minutes) * time.Minute)}
	}
	got := handoff.History([]handoff.Entry{
		at("handoff.2026-05-28T08-00-00-000Z.md", 1), at("handoff.md", 5), at("handoff.2026-05-27T08-00-00-000Z.md", 9),
		at("handoff.2026-05-28T08-00-00-000Z-2.md", 1), at("handoff.2026-05-26T08-00-00-000Z.md", 5),
		at("handoff.old.md", 7), at("handoff.2026-05-28.md", 7), at("handoff.2026-05-28T.md", 7), at("handoff.2026-99-28T08-00-00Z.md", 7),
		at("plan.2026-05-28T08-00-00-000Z.md", 7), at("handoff.2026-05-28T08-00-00-000Z.txt", 7), at("handoff.2026-05-28T08:00Z.md", 7),
		at("x/handoff.2026-05-28T08-00-00-000Z.md", 7), at("handoff.2026-05-28T08-00-00-000Z.md.md", 7),
	})
	var names []string
	for _, e := range got {
		names = append(names, e.Name)
	}
	is.Equal(cmp.Diff(names, []string{
		"handoff.2026-05-27T08-00-00-000Z.md", "handoff.md", "handoff.2026-05-26T08-00-00-000Z.md",
		"handoff.2026-05-28T08-00-00-000Z.md", "handoff.2026-05-28T08-00-00-000Z-2.md",
	}), "")
	is.True(got[1].Current())
	is.True(!got[0].Current())
	is.Equal(len(handoff.History(nil)), 0)
}

// A backup has all of its name, and is no path.
func TestIsBackup_TakesTheWholeName(t *testing.T) {
	is := is.New(t)
	is.True(handoff.IsBackup("handoff.2026-05-28T08-00-00-000Z.md"))
	for _, name := range []string{
		"handoff.2026-05-28T08-00-00-000Z", "2026-05-28T08-00-00-000Z.md", "2026-05-28T08-00-00-000Z", "handoff.md", "handoff.2026-05-28T08-00-00-000Z.md/",
		"../handoff.2026-05-28T08-00-00-000Z.md", "handoff.2026-05-28T../../x.md", "",
	} {
		is.True(!handoff.IsBackup(name))
	}
}

// Row 45.
func TestLabel_IsTheFirstLineThatSaysAnything(t *testing.T) {
	tests := []struct{ name, raw, want string }{
		{"title", "\uFEFF\r\n# Relay Baton Handoff\r\n\r\n## Goal\r\nbody", "Relay Baton Handoff"},
		{"plain", "  plain text \nmore", "plain text"},
		{"only marks", "###\n## x", "x"},
		{"nothing", " \n\n#\n", "(empty)"},
		{"no file content", "", "(empty)"},
		{"eighty", strings.Repeat("ü", 80), strings.Repeat("ü", 80)},
		{"clipped", strings.Repeat("ü", 81), strings.Repeat("ü", 79) + "…"},
		{"cluster", strings.Repeat("a", 78) + "🇩🇪x", strings.Repeat("a", 78) + "…"},
		{"control characters", "# a\x1b[31mb", "a[31mb"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(handoff.Label(tt.raw, cutter), tt.want)
		})
	}
}

// Row 45.
func TestEntry_Cells(t *testing.T) {
	tests := []struct {
		name string
		in   handoff.Entry
		want []string
	}{
		{"current", handoff.Entry{Name: "handoff.md", ModifiedAt: day, Size: 1023, Label: "L"}, []string{"*", "2026-05-28T08:00:00Z", "1023B", "handoff.md", "L"}},
		{
			"backup",
			handoff.Entry{Name: "handoff.2026-05-28T08-00-00-000Z.md", ModifiedAt: day, Size: 1536, Label: "L"},
			[]string{"", "2026-05-28T08:00:00Z", "1.5K", "handoff.2026-05-28T08-00-00-000Z.md", "L"},
		},
		{
			"long name",
			handoff.Entry{Name: "handoff.2026-05-28T08-00-00-000Z-10.md", ModifiedAt: day, Size: 3 << 20},
			[]string{"", "2026-05-28T08:00:00Z", "3.0M", "handoff.2026-05-28T08-00-00-000Z-10…", ""},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(cmp.Diff(tt.in.Cells(cutter), tt.want), "")
			is.Equal(len(handoff.Columns()), len(tt.want))
		})
	}
}

func TestEntry_Document(t *testing.T) {
	is := is.New(t)
	e := handoff.Entry{Name: "handoff.md", ModifiedAt: day, Size: 12, Label: "L"}
	is.Equal(string(jsondoc.Line(e.Document())),
		`{"current":true,"file":"handoff.md","modifiedAt":"2026-05-28T08:00:00.123Z","size":12,"label":"L"}`)
}

func TestShown_Document(t *testing.T) {
	is := is.New(t)
	s := handoff.Shown{Name: "handoff.md", ModifiedAt: day, Limit: 9, Body: "# T\n## Gü\nü " + marker + "\n## B\n"}
	is.Equal(string(jsondoc.Line(s.Document())), `{"file":"handoff.md","current":true,"modifiedAt":"2026-05-28T08:00:00.123Z","chars":69,"limit":9,`+
		`"sections":[{"title":"Gü","chars":53,"cut":true},{"title":"B","chars":0,"cut":false}],`+
		`"body":"# T\n## Gü\nü `+marker+`\n## B\n"}`)
	s.Limit = 0
	is.True(strings.Contains(string(jsondoc.Line(s.Document())), `"limit":null`))
}

func TestShown_PartsOfAComposedHandoff(t *testing.T) {
	is := is.New(t)
	in := input("ultra")
	in.TestResults = strings.Repeat("a", 30000)
	var cut []string
	parts := handoff.Shown{Body: compose(in).Text}.Parts()
	for _, p := range parts {
		if p.Cut {
			cut = append(cut, p.Title)
		}
	}
	is.Equal(len(parts), len(titles))
	is.Equal(cmp.Diff(cut, []string{"Test Results"}), "")
}

func TestBudget_IsReadBack(t *testing.T) {
	is := is.New(t)
	b := handoff.Budget{
		Profile: "ultra", MaxHandoffChars: 12000, MaxPlanChars: 9000, Truncated: true, GeneratedAt: day.UTC(),
		Used: handoff.Used{Handoff: 1, Plan: 2, RepoMap: 3, FullDiff: 4, CommandsLog: 5, CompactState: 6},
	}
	want := `{
  "profile": "ultra",
  "maxHandoffChars": 12000,
  "maxPlanChars": 9000,
  "used": {
    "handoff": 1,
    "plan": 2,
    "repoMap": 3,
    "fullDiff": 4,
    "commandsLog": 5,
    "compactState": 6
  },
  "truncated": true,
  "generatedAt": "2026-05-28T08:00:00.123Z"
}
`
	is.Equal(string(b.Encode()), want)
	got, ok, err := handoff.ReadBudget(b.Encode())
	is.NoErr(err)
	is.True(ok)
	is.Equal(cmp.Diff(got, b), "")
}

func TestReadBudget_WithoutAHandoff(t *testing.T) {
	is := is.New(t)
	_, ok, err := handoff.ReadBudget([]byte(handoff.EmptyBudget))
	is.NoErr(err)
	is.True(!ok)
	for _, broken := range []string{"", "[]", "{", `{"generatedAt":"soon"}`} {
		_, _, err := handoff.ReadBudget([]byte(broken))
		is.True(err != nil)
	}
	got, ok, err := handoff.ReadBudget([]byte(`{"profile":3,"used":[],"maxPlanChars":"x"}`))
	is.NoErr(err)
	is.True(ok)
	is.Equal(got.MaxPlanChars, 0)
}
