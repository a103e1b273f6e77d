package exchange

import (
	"fmt"

	"github.com/changeover/changeover/domain/session"
)

// switched tells of a branch that was changed under a session; was is the branch
// of its claim, and own reports the session's own ids. Empty where no other live
// session works in the same working tree: then the session changed it itself.
// Where nobody can tell who runs, it is told without a name.
func (w World) switched(s site, cwd, was, is string, own func(id string) bool) string {
	if was == is {
		return ""
	}
	changed := fmt.Sprintf("branch changed from %s to %s", s.rendering.branch(was), s.rendering.branch(is))
	if s.regErr != nil {
		return changed + "; who else works in this tree cannot be told"
	}
	trees := w.trees()
	tree := trees.Root(w.absolute(cwd))
	if tree == "" {
		return ""
	}
	var others []session.Row
	for _, row := range s.registry.Peers(s.cfg.Scripted) {
		if !own(row.SessionID) && row.Cwd != "" && trees.Root(w.absolute(row.Cwd)) == tree {
			others = append(others, row)
		}
	}
	switch len(others) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("%s: %s works in the same tree", changed, s.rendering.session(others[0]))
	default:
		return fmt.Sprintf("%s: %s and %d more work in the same tree", changed, s.rendering.session(others[0]), len(others)-1)
	}
}

// branch shows a branch's name.
func (r rendering) branch(name string) string {
	if name == "" {
		return "no branch"
	}
	return r.short(name)
}
