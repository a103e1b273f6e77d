package markdown_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/markdown"
)

func TestRead_KeepsTheFormAndSaysTheSame(t *testing.T) {
	tests := []struct {
		name, raw string
		want      markdown.Form
	}{
		{"LF", "a\nb\n", markdown.Form{End: "\n"}},
		{"CRLF", "a\r\nb\r\n", markdown.Form{End: "\r\n"}},
		{"lone CR", "a\rb\r", markdown.Form{End: "\r"}},
		{"mix", "a\r\nb\n", markdown.Form{End: "\n"}},
		{"mark", "\uFEFFa\r\nb\r\n", markdown.Form{Mark: true, End: "\r\n"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			body, form := markdown.Read(tt.raw)
			is.Equal(body, "a\nb\n")
			is.Equal(form, tt.want)
		})
	}
}

func TestForm_WritesBackWhatItRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
		raw := ""
		for _, line := range rapid.SliceOfN(rapid.StringMatching(`[a-z#\-]{0,5}`), 1, 6).Draw(t, "lines") {
			raw += line + end
		}
		body, form := markdown.Read(raw)
		if got := form.Write(body); got != raw {
			t.Fatalf("wrote %q for %q", got, raw)
		}
	})
}

func TestLines_FollowFences(t *testing.T) {
	is := is.New(t)
	got := []bool{}
	for _, line := range markdown.Lines("a\n```go\n# b\n~~~\n``` x\n  ````  \nc\n~~~~\n~~~\n~~~~\nd\n    ```\n``` a`b\n") {
		got = append(got, line.Fenced)
	}
	want := []bool{false, true, true, true, true, true, false, true, true, true, false, false, false}
	is.Equal(cmp.Diff(got, want), "")
	is.Equal(len(markdown.Lines("")), 0)
	is.Equal(len(markdown.Lines("\n")), 1)
}

func TestHeading(t *testing.T) {
	tests := []struct {
		line  string
		level int
		text  string
	}{
		{"## Goal", 2, "Goal"},
		{"  ##   Goal ##  ", 2, "Goal"},
		{"## C#", 2, "C#"},
		{"##", 2, ""},
		{"##Goal", 0, ""},
		{"    ## Goal", 0, ""},
		{"####### x", 0, ""},
		{"### x", 3, "x"},
	}
	for _, tt := range tests {
		t.Run(tt.line, func(t *testing.T) {
			is := is.New(t)
			level, text := markdown.Heading(tt.line)
			is.Equal(level, tt.level)
			is.Equal(text, tt.text)
		})
	}
	is.New(t).Equal(markdown.Name(" Next Step: ## "), "next step")
}

func TestReadOutline_TakesHeadingsOutsideFencesAlone(t *testing.T) {
	is := is.New(t)
	o := markdown.ReadOutline(markdown.Lines("# T\nlead\n## A\nx\n```\n## no\n```\n### deep\n## B:\n# U\nafter\n## a\ny\n"))
	is.Equal(o.Title, "T")
	is.Equal(markdown.Join(o.Before), "lead\nafter")
	is.Equal(len(o.Sections), 3)
	body, count := o.Find("A")
	is.Equal(count, 2)
	is.Equal(markdown.Join(body), "x\n```\n## no\n```\n### deep\ny")
	is.True(o.Sections[1].Is("b"))
	is.Equal(o.Sections[1].Text(), "") // another heading follows directly
}

func TestBullet(t *testing.T) {
	tests := []struct {
		line, rest string
		indent     int
		ok         bool
	}{
		{"- a", "a", 0, true},
		{" * a", "a", 1, true},
		{"12) a b", "a b", 0, true},
		{"1.a", "1.a", 0, false},
		{"-", "", 0, true},
		{"--- exit", "--- exit", 0, false},
		{"\t+ a", "a", 4, true},
		{"a", "a", 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.line, func(t *testing.T) {
			is := is.New(t)
			_, rest, indent, ok := markdown.Bullet(tt.line)
			is.Equal(rest, tt.rest)
			is.Equal(indent, tt.indent)
			is.Equal(ok, tt.ok)
		})
	}
}

func TestPayload(t *testing.T) {
	is := is.New(t)
	is.Equal(markdown.Payload("1. [x] write it "), "write it")
	is.Equal(markdown.Payload("- [ ]"), "")
	is.Equal(markdown.Payload("- [link](x)"), "[link](x)")
	is.Equal(markdown.Payload("plain"), "plain")
}

func TestFence_IsLongerThanAnyInside(t *testing.T) {
	is := is.New(t)
	is.Equal(markdown.Fence("diff", "a"), "```diff\na\n```")
	is.Equal(markdown.Fence("", "+````x\n````\n"), "`````\n+````x\n````\n`````")
}

func TestFences_SayWhatClosesThem(t *testing.T) {
	is := is.New(t)
	var f markdown.Fences
	is.Equal(f.Closing(), "")
	f.Next("  ~~~~ sh")
	f.Next("~~~")
	is.Equal(f.Closing(), "~~~~")
	f.Next(f.Closing())
	is.True(!f.Open())
	is.Equal(f.Closing(), "")
}
