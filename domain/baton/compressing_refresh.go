package baton

import (
	"context"
	"errors"

	"github.com/changeover/changeover/domain/baton/compact"
)

// Compacted is what compact wrote.
type Compacted struct {
	Profile string
	Files   []FileChars
}

// Compact writes the artifacts anew that tell of the repository, within the budgets
// of a profile, which the session goes by from then on.
func (w World) Compact(ctx context.Context, place Place, dietFlag string) (c Compacted, err error) {
	r, err := w.ready(ctx, place)
	if err != nil {
		return c, err
	}
	if _, _, _, err := r.Diet(dietFlag, ""); err != nil {
		return c, err
	}
	s, err := w.begin(ctx, r, "compact")
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, s.end()) }()
	if _, err := s.ensure(ctx, ""); err != nil {
		return c, err
	}
	chosen, err := s.choose(dietFlag, "")
	if err != nil {
		return c, err
	}
	tree, err := s.refresh(ctx, s.Desk, chosen.budgets)
	if err != nil {
		return c, err
	}
	s.meta.TokenDietProfile = chosen.name
	c.Profile = chosen.name
	for _, f := range []struct{ name, content string }{
		{DiffFile, tree.Diff}, {ChangedFile, changedList(tree.Changed)}, {RepoMapFile, tree.RepoMap}, {CompactStateFile, tree.State},
	} {
		c.Files = append(c.Files, FileChars{Name: Artifact(f.name), Chars: compact.Chars(f.content)})
	}
	return c, s.save()
}
