// Package graphemes finds where one user-perceived character ends.
package graphemes

import (
	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/google/wire"

	"github.com/changeover/changeover/domain/text"
)

// First returns the length in bytes of the first grapheme cluster of s.
func First(s string) int {
	tokens := graphemes.FromString(s)
	if !tokens.Next() {
		return len(s)
	}
	return len(tokens.Value())
}

// NewCutter returns a cutter that keeps clusters whole.
func NewCutter() text.Cutter { return text.NewCutter(First) }

// Set provides the cutter.
var Set = wire.NewSet(NewCutter)
