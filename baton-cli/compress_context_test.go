package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton"
)

// working makes a session with a log of so many lines, a state of many finished items
// and an old decision.
func (s *scene) working(lines int) {
	s.t.Helper()
	is := is.New(s.t)
	s.must("init")
	var log, state strings.Builder
	for n := 1; n <= lines; n++ {
		fmt.Fprintf(&log, "[stdout] working on item %04d of the long job\n", n)
	}
	state.WriteString("# Current State\n\n## Done\n")
	for n := 1; n <= 14; n++ {
		fmt.Fprintf(&state, "- item %02d\n", n)
	}
	for name, content := range map[string]string{baton.LogFile: log.String(), baton.StateFile: state.String()} {
		is.NoErr(os.WriteFile(s.at(baton.Artifact(name)), []byte(content), 0o600))
	}
}

// masked replaces what differs from run to run.
func masked(out string) string {
	var masked []string
	for line := range strings.Lines(out) {
		for _, lead := range []string{"kept: .ai-session/", "cycle "} {
			if strings.HasPrefix(line, lead) {
				at := strings.Index(line, "20")
				line = line[:at] + "TIME" + line[at+len("2026-05-28T09-00-00-000Z"):]
			}
		}
		masked = append(masked, line)
	}
	return strings.Join(masked, "")
}

// Rows 59, 62, 63, 64: what the command prints, whatever it comes to.
func TestCompressContext_Prints(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.working(100)
	got := s.must("compress-context")
	is.Equal(got.out, "context weight: 4786 of 26000 chars, ratio 0.18\nskipped: ratio 0.18 is below the threshold 0.80\n")
	is.Equal(got.notice, "")

	s.working(600)
	got = s.must("compress-context", "--dry-run")
	is.Equal(got.out, `context weight: 27786 of 26000 chars, ratio 1.07
a cycle would run: ratio 1.07 reaches the threshold 0.80
  commands.log 27600 -> 9219 chars, 400 lines elided
  state.md     165 chars, unchanged
  decisions.md 12 chars, unchanged
  errors.md    9 chars, unchanged
predicted: 27786 -> 9405 of 26000 chars, ratio 0.36
the gate would pass
`)
	got = s.must("compress-context")
	is.Equal(masked(got.out), `context weight: 27786 of 26000 chars, ratio 1.07
compressed: 27786 -> 9405 chars, ratio 0.36
kept: .ai-session/commands.log.full.TIME
'baton compress-context --diff' shows what went
`)
	got = s.call("compress-context", "--force")
	is.Equal(got.code, baton.ExitGate)
	is.Equal(got.out, "context weight: 9459 of 26000 chars, ratio 0.36\nrefused by the gate; nothing was changed\n")
	is.Equal(got.notice, `[relay-baton] the compression does not pass its gate:
[relay-baton]   - nothing can be taken away: 9405 chars before, 9405 after
[relay-baton] Every file is as it was before.
`)
	got = s.must("compress-context", "--force", "--dry-run")
	is.True(strings.HasSuffix(got.out, "the gate would refuse it, and nothing would change:\n  - nothing can be taken away: 9405 chars before, 9405 after\n"))
}

// Row 103: the report as people read it.
func TestCompressContext_PrintsTheLoss(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.working(600)
	is.Equal(s.must("compress-context", "--diff").out, "There is no loss report yet; 'baton compress-context' makes one when it takes something away.\n")
	is.Equal(s.must("compress-context", "--diff", "--json").out, "null\n")
	want := `total: 27786 -> 9405 chars
commands.log: 27600 -> 9219 chars, 600 -> 201 lines
  lines 1-400: 400 lines
    first: [stdout] working on item 0001 of the long job
    last:  [stdout] working on item 0400 of the long job
`
	is.Equal(s.must("compress-context", "--diff", "--dry-run").out, "a cycle that would run now (balanced)\n"+want)
	_, id, _ := strings.Cut(s.must("compress-context").out, ".full.")
	id, _, _ = strings.Cut(id, "\n")
	is.Equal(masked(s.must("compress-context", "--diff").out), "cycle TIME (manual, balanced)\n"+want)
	is.Equal(s.must("compress-context", "--diff", "--cycle", id).out, s.must("compress-context", "--diff").out)

	got := s.call("compress-context", "--diff", "--cycle", "2020-01-01T00-00-00-000Z")
	is.Equal(got.code, baton.ExitUsage)
	is.True(strings.Contains(got.notice, id)) // names those that there are

	var report struct {
		SchemaVersion int
		Files         []struct{ File, Raw string }
	}
	s.document(&report, "compress-context", "--diff", "--json")
	is.Equal(report.SchemaVersion, 1)
	is.Equal(report.Files[0].Raw, "commands.log.full."+id)

	is.NoErr(os.Remove(s.at(baton.Artifact("commands.log.full." + id))))
	is.True(strings.Contains(s.must("compress-context", "--diff").out, "  raw copy is gone\n  lines 1-400: 400 lines\n"))
}

// What went of state.md is told item by item, and nothing of it moves the terminal.
func TestCompressContext_PrintsTheLossOfTheState(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.working(10)
	state := "# Current State\n\n## Done\n- a\x1b[31m red\n- " + strings.Repeat("b", 150) + "\n"
	for n := range 12 {
		state += fmt.Sprintf("- item %d\n", n)
	}
	is.NoErr(os.WriteFile(s.at(baton.Artifact(baton.StateFile)), []byte(state+"\n\n\n\n## Remaining\n"+strings.Repeat("- the same thing again\n", 10)), 0o600))
	s.must("compress-context", "--force")
	out := s.must("compress-context", "--diff").out
	is.True(strings.Contains(out, `  Done: 14 -> 12 items
    capped: 2
      line 4: - a[31m red
      line 5: - `+strings.Repeat("b", 97)+`…
  Remaining: 10 -> 1 item
    duplicate: 9
`))
}

// Row 68, and flags that do not go together.
func TestCompressContext_WrongUse(t *testing.T) {
	s := newScene(t)
	s.working(600)
	before, err := os.ReadDir(s.at(baton.SessionDir))
	is.New(t).NoErr(err)
	for _, args := range [][]string{
		{"--threshold", "1.5"},
		{"--threshold", "-0.1"},
		{"--threshold", "NaN"},
		{"--threshold", "much"},
		{"--diet", "ultra", "--profile", "lite"},
		{"--diet", "none"},
		{"--profile", "none"},
		{"--cycle", "2026-05-28T09-00-00-000Z"},
		{"--diff", "--threshold", "2"},
		{"--diff", "--diet", "none"},
		{"--diff", "--dry-run", "--cycle", "2026-05-28T09-00-00-000Z"},
		{"a task"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			is := is.New(t)
			got := s.call(append([]string{"compress-context"}, args...)...)
			is.Equal(got.code, baton.ExitUsage)
			is.Equal(got.out, "")
			after, err := os.ReadDir(s.at(baton.SessionDir))
			is.NoErr(err)
			is.Equal(len(after), len(before))
		})
	}
}

// --profile and --diet mean the same.
func TestCompressContext_Profile(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.working(100)
	for _, args := range [][]string{{"--diet", "ultra"}, {"--profile", "ultra"}, {"--diet", "ultra", "--profile", "ultra"}} {
		got := s.must(append([]string{"compress-context", "--dry-run"}, args...)...)
		is.True(strings.HasPrefix(got.out, "context weight: 4786 of 5800 chars, ratio 0.83\n"))
	}
}

func TestCompressContext_JSON(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.working(600)
	var doc struct {
		Outcome, Profile string
		Total, Budget    int
		Ratio, Threshold float64
		After            *int
		Cycle            *string
		Rotated          []string
		Files            []struct {
			File          string
			Before, After int
			Changed       bool
		}
		Gate *struct {
			Passed   bool
			Failures []string
		}
		Report *struct {
			Before int
			Files  []struct{ Raw string }
		}
	}
	s.document(&doc, "compress-context", "--dry-run", "--json")
	is.Equal(doc.Outcome, "planned")
	is.Equal(doc.Ratio, 1.0687)
	is.Equal(*doc.After, 9405)
	is.Equal(len(doc.Files), 4)
	is.True(doc.Gate.Passed)
	is.Equal(doc.Cycle, nil)
	s.document(&doc, "compress-context", "--json")
	is.Equal(doc.Outcome, "compressed")
	is.Equal(doc.Rotated, []string{"commands.log.full." + *doc.Cycle})
	is.Equal(doc.Report.Before, 27786)
	is.Equal(doc.Report.Files[0].Raw, "commands.log.full."+*doc.Cycle)
	got := s.document(&doc, "compress-context", "--json", "--force")
	is.Equal(got.code, baton.ExitGate)
	is.Equal(doc.Outcome, "refused")
	is.Equal(doc.Gate.Failures, []string{"nothing can be taken away: 9405 chars before, 9405 after"})
	s.document(&doc, "compress-context", "--json")
	is.Equal(doc.Outcome, "skipped")
	is.Equal(doc.After, nil)
}

func TestCompressContext_NoSession(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	for _, args := range [][]string{{}, {"--force"}, {"--dry-run"}, {"--diff"}, {"--diff", "--dry-run"}} {
		got := s.call(append([]string{"compress-context"}, args...)...)
		is.Equal(got.code, baton.ExitUsage)
		is.True(strings.Contains(got.notice, "baton init"))
		_, err := os.Stat(s.at(baton.SessionDir))
		is.True(os.IsNotExist(err))
	}
}

// Row 69.
func TestCompressContext_Disabled(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.working(600)
	is.NoErr(os.WriteFile(s.dir+"/relay-baton.config.json", []byte(`{"contextCompression":{"enabled":false}}`), 0o600))
	got := s.must("compress-context")
	is.Equal(got.out, "context compression is disabled by configuration; --force compresses all the same\n")
	is.True(strings.Contains(s.must("compress-context", "--force").out, "\ncompressed: "))
}

func TestCompact(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	got := s.must("squeeze", "--diet", "lite")
	is.True(strings.HasPrefix(got.out, "profile: lite\nrefreshed .ai-session/full-diff.patch: 0 chars\n"))
	is.Equal(got.notice, "")
	is.Equal(s.call("compact", "--diet", "none").code, baton.ExitUsage)
}

func TestCompress(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	is.NoErr(os.WriteFile("a.md", []byte("a  \n\n\n\nb\n"), 0o644))
	got := s.must("compress", "a.md")
	is.Equal(got.out, "a\n\nb\n")
	is.Equal(got.notice, "[relay-baton] a.md: 9 -> 5 chars\n")
	got = s.must("compress", "a.md", "--out", "b.md")
	is.Equal(got.out, "")
	is.Equal(got.notice, "[relay-baton] a.md: 9 -> 5 chars, written to b.md\n")
	is.Equal(s.must("compress", "a.md", "--write").notice, "[relay-baton] a.md: 9 -> 5 chars, written to a.md\n")
	is.Equal(s.must("compress", "a.md", "--write").notice, "[relay-baton] a.md: nothing to shrink, 5 chars; nothing was written\n")
	for _, args := range [][]string{{"a.md", "--write", "--out", "c.md"}, {"none.md"}, {}, {"a.md", "b.md"}} {
		is.Equal(s.call(append([]string{"compress"}, args...)...).code, baton.ExitUsage)
	}
}
