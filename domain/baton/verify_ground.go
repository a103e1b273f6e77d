package baton

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton/logs"
	"github.com/changeover/changeover/domain/port"
)

// ground makes a repository with a session in an empty directory. What it holds
// is what git needs to take it for one.
func (t *trial) ground(ctx context.Context, dir string) (*shift, error) {
	for _, name := range []string{".git", ".git/objects", ".git/refs", ".git/refs/heads", "src"} {
		if err := t.Files.MakeDir(path.Join(dir, name), dirMode); err != nil {
			return nil, err
		}
	}
	for _, file := range []struct{ name, content string }{
		{".git/HEAD", "ref: refs/heads/main\n"},
		{".git/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"},
		{"src/import.go", "package src\n\n// Rows counts what was imported.\nvar Rows int\n"},
	} {
		if err := t.Files.Create(path.Join(dir, file.name), []byte(file.content), fileMode, port.Unsynced); err != nil {
			return nil, err
		}
	}
	inside := t.World
	inside.Sink, inside.Dir = nowhere{}, dir
	r := Repo{Desk: NewDesk(t.Files, dir), Config: t.Config}
	s, err := inside.begin(ctx, r, "verify")
	if err != nil {
		return nil, err
	}
	if _, err := s.ensure(ctx, "Show how far an import has come, in src/import.go."); err != nil {
		return nil, joinFirst(err, s.end())
	}
	return s, nil
}

// handoffStep writes a handoff and has its gates look at it.
func (t *trial) handoffStep(ctx context.Context, s *shift) {
	const built, fits = "handoff", "handoff budget"
	p := passing{previous: "codex", next: "claude", reason: "usage_limit from the terminal event: a sample", profile: t.diet.name, budgets: t.diet.budgets}
	made, err := s.write(ctx, p)
	if err != nil {
		t.add(built, "", fault(err))
		return
	}
	found, warnings, err := s.check(p, made)
	faults := fault(err)
	for _, f := range found {
		faults = append(faults, f.Gate+": "+f.shown)
	}
	t.add(built, "built, and its gates pass it", faults, warnings...)
	size := fmt.Sprintf("%d of %d chars, profile %s", made.Chars, t.diet.budgets.MaxHandoffChars, t.diet.name)
	if made.Chars > t.diet.budgets.MaxHandoffChars {
		t.warn(fits, size)
		return
	}
	t.add(fits, size, nil)
}

// lastHit is what a cycle of compression must keep: the verdict of a client.
const lastHit = "You've hit your usage limit, for the last time"

// longLog is a log that is far too long for any profile, with a hit in its middle.
func longLog() string {
	const lines = 1000
	var log strings.Builder
	for n := range lines {
		fmt.Fprintln(&log, logs.StdoutTag.Line(fmt.Sprintf("step %d of a long job, which tells what it does all the time", n+1)))
		if n == lines/2 {
			fmt.Fprintln(&log, logs.ErrorTag.Line(lastHit))
		}
	}
	return log.String() + logs.Exit(1) + "\n"
}

// compression runs a cycle that is told to fail, and one that is not.
func (t *trial) compression(s *shift) {
	const undone, held = "compression rolls back", "compression"
	log := longLog()
	if err := s.Write(LogFile, log); err != nil {
		t.add(held, "", fault(err))
		return
	}
	o := pressure{trigger: ManualTrigger, diet: t.diet, refuse: "told to fail"}
	names, err := s.List()
	if err != nil {
		t.add(undone, "", fault(err))
		return
	}
	cycle, err := s.compress(o)
	faults := fault(err)
	if cycle.Held {
		faults = append(faults, "the cycle holds although it was told to fail")
	}
	if now, err := s.Text(LogFile); err != nil || now != log {
		faults = append(faults, "the log is not what it was")
	}
	if after, err := s.List(); err != nil || !slices.Equal(names, after) {
		faults = append(faults, "files of the cycle are left: "+strings.Join(after, ", "))
	}
	t.add(undone, "a cycle that is told to fail leaves every byte as it was", faults)

	o.refuse = ""
	cycle, err = s.compress(o)
	faults = fault(err)
	faults = append(faults, cycle.Report.Failures...)
	if !cycle.Held && len(faults) == 0 {
		faults = append(faults, "the cycle does not hold")
	}
	before, after := cycle.Before().Total, cycle.After().Total
	if after >= before {
		faults = append(faults, fmt.Sprintf("%d chars became %d", before, after))
	}
	if now, err := s.Text(LogFile); err != nil || !strings.Contains(now, lastHit) {
		faults = append(faults, "the last hit is gone")
	}
	t.add(held, fmt.Sprintf("%d -> %d chars, and the last hit is kept", before, after), faults)
}

// nowhere is where nobody follows what goes on.
type nowhere struct{}

func (nowhere) Pass(agent.Stream, []byte)     {}
func (nowhere) Show(agent.Stream, agent.Line) {}
func (nowhere) Notice(string)                 {}
func (nowhere) Progress(string)               {}
func (nowhere) Terminal() bool                { return false }
