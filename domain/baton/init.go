package baton

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/handoff"
	"github.com/changeover/changeover/domain/baton/markdown"
	"github.com/changeover/changeover/domain/baton/stamp"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/port"
)

// stateTemplate is the state before anybody has written one.
const stateTemplate = "# Current State\n\n## Goal\n\n## Done\n\n## In Progress\n\n## Remaining\n\n## Decisions\n\n## Risks\n\n## Next Step\n"

// taskTemplate is the task before anybody has given one.
const taskTemplate = "# Task\n\n(say here what is to be done)\n"

// InitResult is what init did.
type InitResult struct {
	// Created are the artifacts that were made, relative to the repository.
	Created []string
	// Hint tells that git would take the session for a change; empty where it
	// does not. Ignored: a line was added to .gitignore.
	Hint    string
	Ignored bool
	Notices []string
}

// Init makes a session, and every artifact of it that is missing.
func (w World) Init(ctx context.Context, place Place, ignore bool) (result InitResult, err error) {
	r, err := w.Open(ctx, place)
	if err != nil {
		return result, err
	}
	result.Notices = r.Notices
	if r.Invalid != nil {
		result.Notices = append(result.Notices, r.Invalid.Error()+"; the defaults are used")
	}
	s, err := w.take(ctx, r, "init")
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, s.end()) }()
	if result.Created, err = s.ensure(ctx, ""); err != nil {
		return result, err
	}
	result.Hint, result.Ignored, err = s.ignored(ctx, ignore)
	return result, err
}

// ensure makes what is missing of the session, and returns what that was. The
// session itself comes last: with it, everything is there.
func (s *shift) ensure(ctx context.Context, task string) (created []string, err error) {
	tree, err := s.Git.Status(ctx, s.Top(), SessionDir)
	if err != nil {
		return nil, fmt.Errorf("look at the repository: %w", err)
	}
	given := cmp.Or(task, taskTemplate)
	for _, artifact := range []struct{ name, content string }{
		{TaskFile, withEnd(given)},
		{StateFile, stateTemplate},
		{CompactStateFile, compact.NewStateCompactor(s.Cut, compactLimit).Compact(stateTemplate)},
		{DecisionsFile, "# Decisions\n"},
		{ErrorsFile, "# Errors\n"},
		{ChangedFile, changedList(nil)},
		{RepoMapFile, "# Repo Map\n\n(made at the first handoff)\n"},
		{LogFile, ""},
		{TestResultsFile, ""},
		{DiffFile, ""},
		{BudgetFile, handoff.EmptyBudget},
		{BaselineFile, string(Baseline(&tree).bytes(s))},
	} {
		made, err := s.Add(artifact.name, artifact.content)
		if err != nil {
			return created, err
		}
		if made {
			created = append(created, Artifact(artifact.name))
		}
	}
	if s.there {
		return created, nil
	}
	id, err := s.uuid()
	if err != nil {
		return created, err
	}
	first, other, err := s.agents("", "")
	if err != nil {
		return created, err
	}
	diet, _, _, err := s.Diet("", "")
	if err != nil {
		return created, err
	}
	s.meta = Init(NewSession{ID: id, RepoRoot: s.Top(), Task: task, PrimaryAgent: first, FallbackAgent: other, Diet: diet}, s.Clock.Now())
	return append(created, Artifact(MetaFile)), s.save()
}

// compactLimit bounds the compact form of the empty state.
const compactLimit = 1 << 10

// withEnd ends a text with a line end.
func withEnd(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// uuid makes a random id of the fourth version.
func (w World) uuid() (string, error) {
	digits, err := w.Random.Hex(16)
	if err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	variant := "89ab"[strings.IndexByte("0123456789abcdef", digits[16])%4]
	return fmt.Sprintf("%s-%s-4%s-%c%s-%s", digits[:8], digits[8:12], digits[13:16], variant, digits[17:20], digits[20:32]), nil
}

// BaselineState is how the repository stood when the session began.
type BaselineState struct {
	Available    bool
	Branch, Head string
	Changed      int
}

// Baseline is the state of a working tree; nil is none that can be looked at.
func Baseline(tree *port.WorkTree) BaselineState {
	if tree == nil {
		return BaselineState{}
	}
	return BaselineState{Available: true, Branch: tree.Branch, Head: tree.Head, Changed: len(tree.Changes)}
}

func (b BaselineState) bytes(s *shift) []byte {
	return jsondoc.Stored(jsondoc.Object{
		{Key: "createdAt", Value: stamp.Text(s.Clock.Now())},
		{Key: "available", Value: b.Available},
		{Key: "branch", Value: orNull(b.Branch)},
		{Key: "head", Value: orNull(b.Head)},
		{Key: "clean", Value: b.Available && b.Changed == 0},
		{Key: "changed", Value: b.Changed},
	})
}

// ignoreLine is what keeps git from taking the session for a change.
const ignoreLine = SessionDir + "/"

// ignored sees that git leaves the session alone, or says how that is done.
func (s *shift) ignored(ctx context.Context, add bool) (hint string, added bool, err error) {
	is, err := s.Git.Ignores(ctx, s.Top(), ignoreLine)
	if err != nil || is {
		return "", false, err
	}
	is, err = s.Git.Tracks(ctx, s.Top(), SessionDir)
	if err != nil || is {
		return "", false, err
	}
	if !add {
		return fmt.Sprintf("git does not ignore %s: add the line %q to .gitignore, or run 'baton init --gitignore'", SessionDir, ignoreLine), false, nil
	}
	const name = ".gitignore"
	s.clear(s.Top(), name)
	file := path.Join(s.Top(), name)
	data, err := s.Files.ReadFile(file, readLimit)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", false, err
	}
	mode := fs.FileMode(0o644)
	if info, err := s.Files.Stat(file); err == nil {
		mode = info.Mode.Perm()
	}
	content := string(data)
	_, form := markdown.Read(content)
	if content != "" && !strings.HasSuffix(content, "\n") && !strings.HasSuffix(content, "\r") {
		content += form.End
	}
	return "", true, s.Files.Replace(file, []byte(content+ignoreLine+form.End), mode, port.Synced)
}
