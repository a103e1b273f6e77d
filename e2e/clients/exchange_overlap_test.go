//go:build clients

package clients_test

import (
	"os"
	"path/filepath"
	"testing"
)

// onBranch writes which branch a repository is on, as switching it does.
func (w *world) onBranch(repo, branch string) {
	w.t.Helper()
	gitDir := filepath.Join(repo, ".git")
	if err := os.MkdirAll(gitDir, 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(gitDir, "HEAD"), []byte("ref: refs/heads/"+branch+"\n"), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func TestSession_IsToldOfOverlapsInBothDirections(t *testing.T) {
	w := newWorldWithPlugin(t)
	w.onBranch(w.repo("a"), "main")
	a := w.start("A", w.repo("a"))
	a.Bash(claimCommand)
	b := w.start("B", w.repo("a"))
	wantNoText(t, "B's first request", b.Ask("good morning").Text(), "overlaps:")

	b.Bash(`exchange claim --path src/tide/table.go`)
	const overlap = "; overlaps: src/tide/table.go"
	wantText(t, "A's next prompt", a.Ask("go on").LastText(), mark+" "+b.Name()+" works on the same paths"+overlap)
	wantText(t, "B's next prompt", b.Ask("go on").LastText(), mark+" "+a.Name()+" works on the same paths"+overlap)
	wantNoText(t, "A's prompt after that", a.Ask("and on").LastText(), "overlaps:")
	wantNoText(t, "B's prompt after that", b.Ask("and on").LastText(), "overlaps:")

	b.Clear()
	wantLine(t, "B's request after /clear", b.Ask("where were we").Text(), "  overlaps: src/tide/table.go")
	wantText(t, "the report", w.run(w.root, w.exchange(), "show"), "     overlaps "+b.Name()+": src/tide/table.go")
}

func TestSession_IsToldOfABranchThatWasSwitchedUnderIt(t *testing.T) {
	w := newWorldWithPlugin(t)
	w.onBranch(w.repo("a"), "main")
	a := w.start("A", w.repo("a"))
	a.Ask("good morning")
	w.onBranch(w.repo("a"), "alone") // nobody else is there
	wantNoText(t, "A's prompt after its own switch", a.Ask("go on").LastText(), "branch changed")

	b := w.start("B", w.repo("a"))
	b.Ask("good morning")
	w.onBranch(w.repo("a"), "tides")
	said := "branch changed from alone to tides: "
	wantText(t, "A's next prompt", a.Ask("and on").LastText(), mark+" "+said+b.Name()+" works in the same tree")
	wantText(t, "B's next prompt", b.Ask("and on").LastText(), mark+" "+said+a.Name()+" works in the same tree")
	wantNoText(t, "A's prompt after that", a.Ask("further").LastText(), "branch changed")
}
