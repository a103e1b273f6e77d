package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// unlisted are what the pages of the manual leave out: commands that nobody types, and
// the events that hookd is run for.
var unlisted = []string{
	"relay-attach", "relay-event-turn", "relay-event-dropped", "relay-event-context", "relay-event-command", "relay-event-press", "relay-event-enter",
	"hook-SessionStart", "hook-SessionEnd", "hook-UserPromptSubmit", "hook-UserPromptExpansion", "hook-Stop", "hook-StopFailure", "hook-FileChanged",
	"hook-session-pending",
}

// Every command of the three programs, and every event of hookd, stands in
// testdata/torture.tsv: with the rows that torture prints of it, as one that only
// reads, or with what is missing.
func TestTorture_HasEveryCommand(t *testing.T) {
	is := is.New(t)
	data, err := os.ReadFile(filepath.Join("testdata", "torture.tsv"))
	is.NoErr(err)
	listed := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		command, where, found := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !found || listed[strings.ReplaceAll(command, " ", "-")] {
			t.Errorf("not two cells, or twice in the table: %q", line)
		}
		listed[strings.ReplaceAll(command, " ", "-")] = true
		if where == "reads" || strings.HasPrefix(where, "open: ") {
			continue
		}
		for row := range strings.SplitSeq(where, " | ") {
			file, name, _ := strings.Cut(row, ": ")
			if source, err := os.ReadFile(file); err != nil || !strings.Contains(string(source), `"`+name+`"`) {
				t.Errorf("%s: torture has no such row: %s", command, row)
			}
		}
	}
	p := newPlace(t)
	for _, program := range []string{"relay", "baton", "exchange"} {
		is.Equal(p.order(".", program, "man-pages", p.path("man")).run().Code, 0)
	}
	for _, name := range append(p.names("man"), unlisted...) {
		name = strings.TrimSuffix(name, ".1")
		if strings.Contains(name, "-completion") || strings.HasSuffix(name, "-version") {
			continue // they print what the program was built with
		}
		if !listed[name] {
			t.Errorf("testdata/torture.tsv does not say how torture covers %s", name)
		}
		delete(listed, name)
	}
	for name := range listed {
		t.Errorf("testdata/torture.tsv names a command that is not there: %s", name)
	}
}
