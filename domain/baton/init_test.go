package baton_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/port"
)

// Row 6: without git there is nothing to compare with, and that is said.
func TestBaseline(t *testing.T) {
	tests := map[string]struct {
		tree *port.WorkTree
		want baton.BaselineState
	}{
		"no git":   {nil, baton.BaselineState{}},
		"clean":    {&port.WorkTree{Branch: "main", Head: "abc"}, baton.BaselineState{Available: true, Branch: "main", Head: "abc"}},
		"changed":  {&port.WorkTree{Branch: "main", Changes: make([]port.Change, 2)}, baton.BaselineState{Available: true, Branch: "main", Changed: 2}},
		"detached": {&port.WorkTree{Head: "abc"}, baton.BaselineState{Available: true, Head: "abc"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, baton.Baseline(tt.tree)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
