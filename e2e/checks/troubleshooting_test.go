package checks_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/relay"
)

var update = flag.Bool("update", false, "write the tables of docs/troubleshooting.md anew")

// The tables of causes in the documentation are those of the code.
func TestTroubleshooting_NamesEveryCause(t *testing.T) {
	is := is.New(t)
	file := filepath.Join("..", "..", "docs", "troubleshooting.md")
	data, err := os.ReadFile(file)
	is.NoErr(err)
	want := string(data)
	var rows []string
	for _, r := range exchange.Readings() {
		rows = append(rows, causeRow(string(r.Cause), r.Says, r.Do))
	}
	want = withTable(t, want, "exchange", rows)
	rows = nil
	for _, r := range relay.Readings() {
		rows = append(rows, causeRow(string(r.Cause), r.Says, r.Do))
	}
	want = withTable(t, want, "relay", rows)
	if *update {
		is.NoErr(os.WriteFile(file, []byte(want), 0o644))
		return
	}
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Errorf("docs/troubleshooting.md is not what the code says; go test ./checks -run Troubleshooting -update writes it:\n%s", diff)
	}
}

func causeRow(cause, says, do string) string {
	shown := strings.NewReplacer("{", "‹", "}", "›", "|", `\|`, "<handoff>", "`<handoff>`")
	if says == "{runs}" {
		says = "when it ran last, by its claim, its last look and its receipts"
	}
	if do = shown.Replace(do); do == "" {
		do = "–"
	}
	return "| `" + cause + "` | " + shown.Replace(says) + " | " + do + " |"
}

// withTable puts rows between the marks of a table.
func withTable(t *testing.T, doc, tool string, rows []string) string {
	t.Helper()
	before, rest, found := strings.Cut(doc, "<!-- causes of "+tool+":")
	mark, rest, marked := strings.Cut(rest, "-->\n")
	_, after, ended := strings.Cut(rest, "<!-- end -->")
	if !found || !marked || !ended {
		t.Fatalf("docs/troubleshooting.md has no table of %s", tool)
	}
	return before + "<!-- causes of " + tool + ":" + mark + "-->\n" +
		"| cause | what it says | what to do |\n|---|---|---|\n" + strings.Join(rows, "\n") + "\n<!-- end -->" + after
}
