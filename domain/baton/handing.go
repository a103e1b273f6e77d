package baton

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/handoff"
	"github.com/changeover/changeover/domain/baton/logs"
	"github.com/changeover/changeover/domain/baton/markdown"
	"github.com/changeover/changeover/domain/baton/plan"
	"github.com/changeover/changeover/domain/baton/secret"
	"github.com/changeover/changeover/domain/baton/stamp"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/text"
)

// passing is one handoff from one agent to the next.
type passing struct {
	previous, next string
	reason         string
	resetAt        time.Time
	waitedUntil    time.Time
	profile        string
	budgets        compact.Profile
}

// write refreshes the artifacts and writes the handoff, the one before it kept.
func (s *shift) write(ctx context.Context, p passing) (handoff.Handoff, error) {
	tree, err := s.refresh(ctx, s.Desk, p.budgets)
	if err != nil {
		return handoff.Handoff{}, err
	}
	in, err := s.input(p, tree)
	if err != nil {
		return handoff.Handoff{}, err
	}
	made := handoff.Compose(in, s.Cut)
	old, there, err := s.Read(HandoffFile)
	if err != nil {
		return made, err
	}
	twin := ""
	if there {
		if twin, err = s.AddStamped("handoff.", stamp.File(s.Clock.Now()), ".md", old); err != nil {
			return made, err
		}
	}
	if err := s.Write(HandoffFile, made.Text); err != nil {
		if there {
			_ = s.Drop(twin) // it says what the handoff still says
		}
		return made, err
	}
	budget, err := s.budget(p, tree, made)
	if err != nil {
		return made, err
	}
	if err := s.Write(BudgetFile, string(budget.Encode())); err != nil {
		return made, err
	}
	s.meta = s.meta.WroteHandoff()
	return made, s.save()
}

// input gathers what the handoff tells.
func (s *shift) input(p passing, tree Tree) (in handoff.Input, err error) {
	in = handoff.Input{
		Previous: p.previous, Next: p.next, Reason: p.reason, ResetAt: p.resetAt, WaitedUntil: p.waitedUntil,
		Profile: p.profile, Budgets: p.budgets, Status: strings.TrimSuffix(shortStatus(tree.WorkTree), "\n"),
		RepoMap: tree.RepoMap, Changed: tree.Changed, State: tree.State, Planned: s.meta.Mode() == PlanExecuteMode,
	}
	if in.Task, err = s.Text(TaskFile); err != nil {
		return in, err
	}
	if body, _ := markdown.Read(in.Task); body == taskTemplate {
		in.Task = "" // nobody has said yet what is to be done
	}
	if in.TestResults, err = s.Text(TestResultsFile); err != nil {
		return in, err
	}
	if in.Planned {
		if in.Planned, err = s.Has(PlanFile); err != nil {
			return in, err
		}
	}
	diff := compact.NewDiffCompactor(s.Cut, handoff.DiffRoom(p.budgets.MaxDiffChars)).Compact(tree.Diff)
	in.Diff = diff.Text
	err = s.withLog(LogFile, func(log logs.Source) error {
		digest, err := logs.Digester{Phrases: s.Phrases(), Cutter: s.Cut}.Digest(log, p.budgets)
		in.KnownErrors = digest.Errors
		return err
	})
	if err != nil {
		return in, err
	}
	relevant := compact.SelectRelevant(compact.Workspace{
		Root: s.Top(), Changed: tree.Changed, Task: in.Task, Exists: s.isFile,
	})
	in.Relevant = relevant
	in.NextStep, in.Remaining, err = s.ahead()
	return in, err
}

// ahead are the items of state.md that say what comes next.
func (s *shift) ahead() (next, remaining []string, err error) {
	raw, err := s.Text(StateFile)
	if err != nil {
		return nil, nil, err
	}
	doc := compact.ReadState(raw)
	texts := func(section compact.Section) (all []string) {
		for _, item := range doc.Items(section) {
			all = append(all, markdown.Payload(item.Text()))
		}
		return all
	}
	return texts(compact.NextStep), texts(compact.Remaining), nil
}

// isFile says whether a path of the repository is a file inside it. One of which
// nobody can tell is none, and the person hears of it.
func (s *shift) isFile(name string) bool {
	inside, err := s.isInside(path.Join(s.Top(), name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.Sink.Notice(fmt.Sprintf("warning: the handoff does not name %s among the relevant files: %v", text.Printable(name), err))
	}
	return inside
}

func (s *shift) isInside(full string) (bool, error) {
	info, err := s.Files.Stat(full)
	if err != nil || !info.Mode.IsRegular() {
		return false, err
	}
	real, err := s.Files.RealPath(full)
	if err != nil {
		return false, err
	}
	top, err := s.Files.RealPath(s.Top())
	return err == nil && strings.HasPrefix(real, top+"/"), err
}

// budget is the record of what a handoff used of its budgets.
func (s *shift) budget(p passing, tree Tree, made handoff.Handoff) (handoff.Budget, error) {
	b := handoff.Budget{
		Profile: p.profile, MaxHandoffChars: p.budgets.MaxHandoffChars, MaxPlanChars: p.budgets.MaxPlanChars,
		Truncated: made.Cut, GeneratedAt: s.Clock.Now(),
		Used: handoff.Used{
			Handoff: made.Chars, RepoMap: compact.Chars(tree.RepoMap), FullDiff: compact.Chars(tree.Diff), CompactState: compact.Chars(tree.State),
		},
	}
	raw, err := s.Text(PlanFile)
	if err != nil {
		return b, err
	}
	b.Used.Plan = plan.Read(raw).Chars()
	weights, err := s.Weights()
	b.Used.CommandsLog = weights.Log
	return b, err
}

// The gates, as a record names them.
const (
	gateHandoff = "handoff"
	gateDiet    = "token-diet"
	gateSecrets = "secrets"
	gatePlan    = "plan"
)

// refusal is something that a gate found. The record says less of it than the
// person is shown.
type refusal struct {
	wall.Forced
	shown string
}

// pass runs the gates of the handoff. Forced, what they find becomes warnings,
// and is returned for the record.
func (s *shift) pass(p passing, made handoff.Handoff, force bool) ([]wall.Forced, error) {
	found, warnings, err := s.check(p, made)
	if err != nil {
		return nil, err
	}
	for _, warning := range warnings {
		s.Sink.Notice("warning: " + warning)
	}
	if len(found) == 0 {
		s.meta = s.meta.PassedHandoff(s.Clock.Now())
		return nil, s.save()
	}
	if force {
		var forced []wall.Forced
		for _, f := range found {
			s.Sink.Notice(fmt.Sprintf("warning: the %s gate is overridden: %s", f.Gate, f.shown))
			forced = append(forced, f.Forced)
		}
		return forced, nil
	}
	refused := &GateError{What: "the handoff"}
	for _, f := range found {
		refused.Failures = append(refused.Failures, f.Gate+": "+f.shown)
	}
	refused.Hints = s.hints(found)
	s.meta.LastError = "the handoff did not pass its gate: " + strings.Join(refused.Failures, "; ")
	if err := s.save(); err != nil {
		return nil, err
	}
	return nil, refused
}

// hints say how to go on after a refused handoff.
func (s *shift) hints(found []refusal) []string {
	hints := []string{"Mend it and run 'baton handoff --to AGENT', or override the gate with --force."}
	if slices.ContainsFunc(found, func(f refusal) bool { return f.Gate == gateSecrets }) {
		hints = append([]string{"Take the secret out of where it came from; each line names the section of the handoff."}, hints...)
	}
	return hints
}

// check runs the three gates on a handoff.
func (s *shift) check(p passing, made handoff.Handoff) (found []refusal, warnings []string, err error) {
	var unseen error
	artifacts := handoff.Artifacts{Handoff: made.Text, Has: func(name string) bool {
		there, err := s.Has(name)
		unseen = errors.Join(unseen, err)
		return there
	}}
	if artifacts.Task, err = s.Text(TaskFile); err != nil {
		return nil, nil, err
	}
	if artifacts.Session, err = s.Text(MetaFile); err != nil {
		return nil, nil, err
	}
	sources, err := s.copiable()
	if err != nil {
		return nil, nil, err
	}
	add := func(gate string, r handoff.Report) {
		for _, issue := range r.Failures {
			found = append(found, refusal{wall.Forced{Gate: gate, Detail: issue.Message}, issue.Message})
		}
		for _, issue := range r.Warnings {
			warnings = append(warnings, issue.Message)
		}
	}
	add(gateHandoff, handoff.CheckQuality(artifacts))
	add(gateDiet, handoff.DietGate{Profile: p.profile, Budgets: p.budgets, Cut: made.Cut, Sources: sources}.Check(artifacts))
	if unseen != nil {
		return nil, nil, unseen
	}
	for _, f := range secret.Scan(HandoffFile, made.Text, s.secrets()) {
		found = append(found, refusal{wall.Forced{Gate: gateSecrets, Detail: f.Place()}, s.place(f, made.Text)})
	}
	return found, warnings, nil
}

// place words a finding, with the section of the handoff that it stands in.
func (s *shift) place(f secret.Finding, text string) string {
	if section := handoff.SectionAt(text, f.Line); section != "" {
		return fmt.Sprintf("%s in the section %s", f, section)
	}
	return f.String()
}

// secrets are the blocked variables with their values.
func (s *shift) secrets() map[string]string { return s.World.secrets(s.Config.Auth.Blocked) }

func (w World) secrets(blocked []string) map[string]string {
	set := map[string]string{}
	for _, name := range blocked {
		if value := w.Env.Lookup(name); value != "" {
			set[name] = value
		}
	}
	return set
}
