package exchange

import (
	"fmt"
	"path"

	"github.com/changeover/changeover/domain/session"
)

// Mailbox tells, beside the hooks, what is new for a session that runs. It records
// nothing: what it tells of is shown by the hooks all the same.
type Mailbox struct{ World }

// News is what is new for a session at one moment.
type News struct {
	// Places are the directories in which that may change; none without a root.
	Places []string

	fresh     []Filed
	rendering rendering
}

// News looks what the session that works in a directory was not shown. What cannot be
// read counts as nothing new: the hooks say what is wrong.
func (m Mailbox) News(sessionID, cwd string) News {
	resolution := m.locator().Resolve(cwd)
	if !resolution.Found() {
		return News{}
	}
	r, err := Hook(m).running(session.Event{SessionID: sessionID}, cwd, resolution)
	if err != nil {
		return News{}
	}
	base := path.Join(resolution.Root, ".claude", "exchange")
	n := News{Places: []string{
		base, path.Join(base, "sessions"), path.Join(base, "handoffs"), path.Join(base, "seen"), path.Join(base, "seen", sessionID),
	}}
	if r.look() {
		n.fresh, n.rendering = r.fresh, r.site.rendering
	}
	return n
}

// Line counts what is new; empty for nothing.
func (n News) Line() string {
	switch len(n.fresh) {
	case 0:
		return ""
	case 1:
		return "1 new handoff"
	}
	return fmt.Sprintf("%d new handoffs", len(n.fresh))
}

// Arrival tells a person of what has come since an earlier moment; empty for nothing.
func (n News) Arrival(since News) string {
	known := map[string]bool{}
	for _, item := range since.fresh {
		known[item.ID] = true
	}
	var latest *Filed
	came := 0
	for i, item := range n.fresh { // the newest first
		if known[item.ID] {
			continue
		}
		if came++; latest == nil {
			latest = &n.fresh[i]
		}
	}
	if latest == nil {
		return ""
	}
	said := fmt.Sprintf("handoff from %s: %s", n.rendering.sender(latest.Handoff), n.rendering.preview(latest.Handoff))
	if came > 1 {
		return n.rendering.cut.Line(fmt.Sprintf("%d new handoffs, the last: %s", came, said))
	}
	return n.rendering.cut.Line("new " + said)
}
