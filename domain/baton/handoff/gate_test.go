package handoff_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/handoff"
	"github.com/changeover/changeover/domain/baton/plan"
	"github.com/changeover/changeover/domain/jsondoc"
)

func codes(issues []plan.Issue) string {
	var list []string
	for _, issue := range issues {
		list = append(list, issue.Code)
	}
	return strings.Join(list, ", ")
}

func artifacts(text string) handoff.Artifacts {
	return handoff.Artifacts{Task: "x", Handoff: text, Session: "{}", Has: func(string) bool { return true }}
}

func passes(text string) bool { return handoff.CheckQuality(artifacts(text)).Passed() }

// Row 43.
func TestCheckQuality_Fixtures(t *testing.T) {
	for name, want := range map[string]string{
		"valid-min.md": "", "bad-no-diet-summary.md": "", "bad-secret.md": "",
		"bad-heading-in-prose.md": "section:Next Steps", "bad-no-next-steps.md": "section:Next Steps",
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			got := handoff.CheckQuality(artifacts(file(t, name)))
			is.Equal(codes(got.Failures), want)
			is.Equal(got.Passed(), want == "")
			for _, issue := range got.Failures {
				is.True(strings.Contains(issue.Message, "Next Steps"))
			}
			crlf := strings.ReplaceAll(file(t, name), "\n", "\r\n")
			is.Equal(codes(handoff.CheckQuality(artifacts("\uFEFF"+crlf)).Failures), want) // Row 108
		})
	}
}

// Row 43.
func TestCheckQuality_NamesWhatIsMissing(t *testing.T) {
	valid := file(t, "valid-min.md")
	is := is.New(t)
	a := handoff.Artifacts{Task: " \n", Has: func(name string) bool { return name != "repo-map.md" }}
	is.Equal(codes(handoff.CheckQuality(a).Failures), "missing:task.md, missing:handoff.md, missing:session.json, missing:repo-map.md, "+
		"section:Goal, section:Previous Agent, section:Next Agent, section:Changed Files, section:Known Errors, section:Next Steps")
	a = artifacts(valid)
	a.Has = func(name string) bool { return name != "changed-files.md" }
	is.Equal(codes(handoff.CheckQuality(a).Failures), "missing:changed-files.md")
	for _, name := range []string{"Goal", "Previous Agent", "Next Agent", "Changed Files", "Known Errors", "Next Steps"} {
		for _, instead := range []string{"### " + name, "```\n## " + name + "\n```", "about ## " + name} {
			got := handoff.CheckQuality(artifacts(strings.Replace(valid, "## "+name, instead, 1)))
			is.Equal(codes(got.Failures), "section:"+name)
		}
	}
}

func TestCheckQuality_GoalAndNextStepsNeedContent(t *testing.T) {
	is := is.New(t)
	valid := file(t, "valid-min.md")
	is.Equal(codes(handoff.CheckQuality(artifacts(strings.Replace(valid, "Import supplier price lists.", "", 1))).Failures), "empty:Goal")
	is.Equal(codes(handoff.CheckQuality(artifacts(strings.Replace(valid, "- Wire the retry counter.", " "+marker, 1))).Failures), "empty:Next Steps")
}

func diet(profile string) handoff.DietGate {
	return handoff.DietGate{Profile: profile, Budgets: profiles[profile]}
}

// Row 44.
func TestDietGate_Fixtures(t *testing.T) {
	is := is.New(t)
	is.Equal(codes(diet("balanced").Check(artifacts(file(t, "valid-min.md"))).Failures), "")
	got := diet("balanced").Check(artifacts(file(t, "bad-no-diet-summary.md")))
	is.Equal(codes(got.Failures), "section:Token Diet Summary")
	is.True(strings.Contains(got.Failures[0].Message, "Token Diet Summary"))
}

// Row 44.
func TestDietGate_TooLongNamesTheLimit(t *testing.T) {
	is := is.New(t)
	valid := file(t, "valid-min.md")
	fits := valid + strings.Repeat("ü", 12000-len(valid))
	is.Equal(codes(diet("ultra").Check(artifacts(fits)).Failures), "")
	got := diet("ultra").Check(artifacts(fits + "ü"))
	is.Equal(codes(got.Failures), "too-long")
	is.True(strings.Contains(got.Failures[0].Message, "12000"))
	is.True(strings.Contains(got.Failures[0].Message, "12001"))
}

func TestDietGate_Artifacts(t *testing.T) {
	is := is.New(t)
	a := artifacts(file(t, "valid-min.md"))
	a.Has = func(string) bool { return false }
	is.Equal(codes(diet("lite").Check(a).Failures), "missing:full-diff.patch, missing:compact-state.md, missing:context-budget.json")
}

func TestDietGate_CopiedText(t *testing.T) {
	is := is.New(t)
	agents := file(t, "AGENTS.md")
	g := diet("off")
	g.Sources = []plan.Source{{Name: "commands.log", Text: "short"}, {Name: "AGENTS.md", Text: agents}}
	is.Equal(codes(g.Check(artifacts(file(t, "valid-min.md")+agents[:150])).Failures), "")
	is.Equal(codes(g.Check(artifacts(file(t, "valid-min.md")+agents[:220])).Failures), "inline:AGENTS.md")
}

// A known error is a line of the log, of up to 240 characters.
func TestDietGate_KnownErrorsMayQuoteTheLog(t *testing.T) {
	is := is.New(t)
	long := "[stderr] build failed" + strings.Repeat(" in pkg", 30)
	g := diet("off")
	g.Sources = []plan.Source{{Name: "commands.log", Text: "x\n" + long + "\n"}}
	doc := strings.Replace(file(t, "valid-min.md"), "(none detected)", "- "+long, 1)
	is.Equal(codes(g.Check(artifacts(doc)).Failures), "")
	is.Equal(codes(g.Check(artifacts(doc+long)).Failures), "inline:commands.log")
	g.Sources[0].Name = "AGENTS.md"
	is.Equal(codes(g.Check(artifacts(doc)).Failures), "inline:AGENTS.md")
}

func TestDietGate_DiffBudgetOfTheStrictProfiles(t *testing.T) {
	for profile, want := range map[string]string{"ultra": "diff-too-long", "caveman": "diff-too-long", "balanced": "", "off": ""} {
		is := is.New(t)
		g := diet(profile)
		g.Budgets.MaxDiffChars = 100
		doc := file(t, "valid-min.md") + "\n## Important Diff\n\n"
		is.Equal(codes(g.Check(artifacts(doc+strings.Repeat("ü", 100)+"\n")).Failures), "")
		is.Equal(codes(g.Check(artifacts(doc+strings.Repeat("ü", 101)+"\n")).Failures), want)
	}
}

func TestDietGate_Warnings(t *testing.T) {
	is := is.New(t)
	valid := file(t, "valid-min.md")
	g := diet("ultra")
	g.Cut = true
	is.Equal(codes(g.Check(artifacts(valid)).Warnings), "no-marker")
	is.Equal(codes(g.Check(artifacts(valid+compact.Marker)).Warnings), "")
	g.Cut = false
	full := valid + "\n## Full Diff\n\n## long logs:\n\n## Full Git Status\n"
	is.Equal(codes(g.Check(artifacts(full)).Warnings), "full:Full Diff, full:Long Logs, full:Full Git Status")
	is.Equal(codes(diet("caveman").Check(artifacts(full)).Warnings), "")
	is.True(g.Check(artifacts(full)).Passed())
}

// What baton writes itself passes both gates, under every profile.
func TestGates_PassWhatIsComposed(t *testing.T) {
	for profile := range profiles {
		t.Run(profile, func(t *testing.T) {
			is := is.New(t)
			in := input(profile)
			in.Diff, in.RepoMap = lines("+x", 20000), lines("m", 20000)
			h := compose(in)
			g := diet(profile)
			g.Cut = h.Cut
			is.Equal(codes(handoff.CheckQuality(artifacts(h.Text)).Failures), "")
			got := g.Check(artifacts(h.Text))
			is.Equal(codes(got.Failures)+codes(got.Warnings), "")
		})
	}
}

// Row 105.
func TestSectionAt(t *testing.T) {
	is := is.New(t)
	bad := file(t, "bad-secret.md")
	is.Equal(handoff.SectionAt(bad, 25), "Known Errors")
	is.Equal(handoff.SectionAt(strings.ReplaceAll(bad, "\n", "\r\n"), 25), "Known Errors")
	is.Equal(handoff.SectionAt(bad, 3), "Goal")
	is.Equal(handoff.SectionAt(bad, 1), "")
}

func TestReport_Document(t *testing.T) {
	is := is.New(t)
	got := handoff.Report{Warnings: []plan.Issue{{Code: "no-marker", Message: "m"}}}
	is.Equal(string(jsondoc.Line(got.Document())), `{"failures":[],"warnings":[{"code":"no-marker","message":"m"}]}`)
}
