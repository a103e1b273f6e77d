package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// compress shows how the log that has grown meanwhile is made short, and that what
// went is told and kept.
func (p *pier) compress() error {
	log := filepath.Join(p.repo, ".ai-session", "commands.log")
	before, err := os.ReadFile(log)
	if err != nil {
		return err
	}
	if err := p.perform(
		scene{
			title: "The log has grown. Below the threshold nothing is done unless somebody says so.",
			args:  []string{"compress-context"}, texts: []string{"skipped: "},
		},
		scene{
			args: []string{"compress-context", "--force"}, texts: []string{"compressed: ", "kept: .ai-session/commands.log.full."},
		},
		scene{
			title: "What went is told, line by line; the raw log is kept beside it.",
			args:  []string{"compress-context", "--diff"}, texts: []string{"first: ", "test_row_", "In Progress: 1 -> 0 items"},
		},
	); err != nil {
		return err
	}
	if err := p.wantCompressed(before); err != nil {
		return err
	}
	if err := p.perform(scene{
		title: "What proves the limit is still there. It has moved, and is found again.",
		args:  []string{"explain", "--run", "2"}, texts: []string{"at .ai-session/commands.log:"},
	}); err != nil {
		return err
	}
	return p.wantFound(log)
}

// lossReport is what the demo looks at in a loss report.
type lossReport struct {
	Files []struct {
		File, Raw               string
		LinesBefore, LinesAfter int
		ElidedRuns, ElidedLines int
		Elided                  []struct{ From, To, Count int }
	}
}

// wantCompressed fails unless the report accounts for every line, and the raw copies
// are what the files were.
func (p *pier) wantCompressed(before []byte) error {
	output, err := p.baton("compress-context", "--diff", "--json")
	if err != nil {
		return err
	}
	var report lossReport
	if err := json.Unmarshal([]byte(output), &report); err != nil {
		return fmt.Errorf("the loss report is no JSON: %w", err)
	}
	if len(report.Files) != 2 || report.Files[0].File != "commands.log" || report.Files[1].File != "state.md" {
		return fmt.Errorf("the loss report tells of %+v, not of the log and the state", report.Files)
	}
	loss := report.Files[0]
	for i, was := range [][]byte{before, []byte(tideState)} {
		raw, err := os.ReadFile(filepath.Join(p.repo, ".ai-session", report.Files[i].Raw))
		if err != nil {
			return err
		}
		if !bytes.Equal(raw, was) {
			return fmt.Errorf("the raw copy %s is not what %s was", report.Files[i].Raw, report.Files[i].File)
		}
	}
	lines := 0
	for _, run := range loss.Elided {
		lines += run.Count
	}
	if lines == 0 || lines != loss.ElidedLines || loss.LinesBefore-lines+loss.ElidedRuns != loss.LinesAfter {
		return fmt.Errorf("the loss report does not add up: %+v", loss)
	}
	return nil
}

// wantFound fails unless the line that explain names holds what proved the limit.
func (p *pier) wantFound(log string) error {
	output, err := p.baton("explain", "--run", "2", "--json")
	if err != nil {
		return err
	}
	var run struct {
		Evidence struct {
			Text string
			Line int
			Now  struct {
				File string
				Line int
			}
		}
	}
	if err := json.Unmarshal([]byte(output), &run); err != nil {
		return fmt.Errorf("the record of the run is no JSON: %w", err)
	}
	now, err := os.ReadFile(log)
	if err != nil {
		return err
	}
	lines := strings.Split(string(now), "\n")
	at := run.Evidence.Now.Line
	if at < 1 || at > len(lines) || at == run.Evidence.Line || !strings.Contains(lines[at-1], run.Evidence.Text) {
		return fmt.Errorf("line %d of the log is not what proved the limit, which was line %d", at, run.Evidence.Line)
	}
	return nil
}
