package exchange

import (
	"slices"
	"strings"
)

// ground is the paths of one session in their one spelling: many are compared with
// many, and each is taken apart once.
type ground struct {
	spelled []string
	held    map[string]bool
}

func newGround(paths []string) ground {
	g := ground{held: make(map[string]bool, len(paths))}
	for _, p := range paths {
		if s := spelling(p); !g.held[s] {
			g.held[s] = true
			g.spelled = append(g.spelled, s)
		}
	}
	return g
}

// covers reports that a path of the ground is above a spelled one or equal to it.
func (g ground) covers(spelled string) bool { return g.held[spelled] || g.above(spelled) }

// above reports that a path of the ground is above a spelled one.
func (g ground) above(spelled string) bool {
	for spelled != "" {
		spelled = spelled[:max(strings.LastIndexByte(spelled, '/'), 0)]
		if g.held[spelled] {
			return true
		}
	}
	return false
}

// clashes returns the paths on which two sessions meet: of each pair, one of which is
// above, inside or equal to the other, the longer one, once, sorted; the root itself
// is '.'.
func (g ground) clashes(theirs ground) []string {
	var paths []string
	meet := func(spelled string) {
		if spelled == "" {
			spelled = "."
		}
		paths = append(paths, spelled)
	}
	for _, p := range theirs.spelled {
		if g.covers(p) {
			meet(p)
		}
	}
	for _, p := range g.spelled {
		if theirs.above(p) {
			meet(p)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}
