package baton

import (
	"strings"

	"github.com/changeover/changeover/domain/agent"
)

// tedious reports a line that tells a person nothing: the bare name of an event of
// the client's hooks, and that a limit is not reached, said once more. The log has
// them all.
func (f *flight) tedious(line agent.Line) bool {
	note, ok := strings.CutPrefix(line.Text, "note: ")
	if line.Tag != agent.TagNote || !ok {
		return false
	}
	if hook, ok := strings.CutPrefix(note, "system/hook_"); ok {
		return !strings.ContainsAny(hook, " :")
	}
	limit, status, _ := strings.Cut(note, ": ")
	if status, _, _ = strings.Cut(status, ", "); status != "allowed" || !strings.HasPrefix(limit, "limit ") {
		return false
	}
	again := f.allowed[note]
	if f.allowed == nil {
		f.allowed = map[string]bool{}
	}
	f.allowed[note] = true
	return again
}
