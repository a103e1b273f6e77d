package phrase

import (
	"strings"

	"github.com/changeover/changeover/domain/baton/wall"
)

// ClassOf returns the class of the wall that a phrase tells of. The kind of a usage
// limit is read from the line (wall.ReadLimit).
func ClassOf(phrase string) wall.Class {
	folded := string(appendFolded(nil, []byte(phrase)))
	holds := func(part string) bool { return strings.Contains(folded, part) }
	switch {
	case holds("context"), holds("token limit"), holds("prompt is too long"):
		return wall.ContextLimit
	case holds("rate limit"), holds("too many requests"):
		return wall.RateLimit
	}
	return wall.UsageLimit
}
