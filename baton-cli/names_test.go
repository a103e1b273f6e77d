package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
)

// Whatever a file is called, it is one line in what agents read, and its own name
// in a document.
func TestNames_OfOddFiles(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	names := []string{" lead and  two.txt", "-dash.txt", "10:00\u202fAM.txt", "new\nline.txt", "quote\".txt", "süß.txt", "👨\u200d👩\u200d👧.txt"}
	for _, name := range names {
		s.write(name, "text of "+strings.ReplaceAll(name, "\n", " ")+"\n")
	}
	s.must("handoff", "--to", "claude", "--no-run")
	listed := strings.ReplaceAll("- "+strings.Join(names, "\n- "), "new\nline", "newline")
	is.Equal(cmp.Diff("# Changed Files\n\n"+listed+"\n", s.read(".ai-session/changed-files.md")), "")
	var doc struct{ ChangedFiles []string }
	s.document(&doc, "status", "--json")
	is.Equal(cmp.Diff(names, doc.ChangedFiles), "")
	for _, name := range names {
		shown := strings.ReplaceAll(name, "\n", "")
		is.True(strings.Contains(s.section("Current Repository State"), "?? "+shown+"\n"))
		is.True(strings.Contains(s.section("Relevant Files"), "- "+shown+" — changed"))
		is.True(strings.Contains(s.read(".ai-session/repo-map.md"), shown))
		is.True(strings.Contains(s.read(".ai-session/full-diff.patch"), "+++ b/"+shown+"\n"))
	}
}
