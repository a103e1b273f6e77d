package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/changeover/changeover/adapters/board"
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/handoff"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/text"
)

// panels are what is drawn of a view.
type panels struct {
	baton.View
	zone *time.Location
	cut  text.Cutter
	size board.Size
}

const (
	// roomyFrom is the height from which on each fact has a line of its own.
	roomyFrom = 40
	// longestText is how much of a text that may be long is shown, in characters.
	longestText = 240
	// listedProblems is how many problems of a draft are listed where there is room.
	listedProblems = 5
)

// roomy says whether each fact has a line of its own.
func (p panels) roomy() bool { return p.size.Height >= roomyFrom }

// all are the panels in the order in which they stand below each other.
func (p panels) all() []board.Panel {
	if fault := p.Repo.Fault; fault != nil {
		return []board.Panel{unreadable(board.Panel{Title: "Repository", Style: board.Bad}, fault)}
	}
	var all []board.Panel
	if len(p.Warnings) > 0 {
		all = append(all, board.Panel{Title: "Warnings", Style: board.Warn, Wrap: true, Lines: board.Texts(p.Warnings)})
	}
	all = append(all, p.session())
	if !p.begun() {
		return append(all, p.changed())
	}
	return append(all, p.plan(), p.compression(), p.log(), p.errors(), p.changed(), p.compact(), p.budget(), p.handoffs())
}

// begun says whether there is a session, or something that hides it.
func (p panels) begun() bool { return p.Session.Value.There || p.Session.Fault != nil }

// meta is the session; a zero one where it could not be read.
func (p panels) meta() baton.SessionMeta { return p.Session.Value.Meta }

// status is what the session is doing, in words.
func (p panels) status() board.Line {
	s := p.Session.Value
	switch {
	case p.Session.Fault != nil:
		return board.Styled(board.Bad, "cannot be read")
	case !s.There:
		return board.Styled(board.Dim, "no session")
	case s.Is(baton.Compressing):
		return board.Line{{Text: string(s.Meta.Status()), Style: board.Warn}, {Text: "  "}, {Text: " COMPRESSING ", Style: board.Highlight}}
	case s.Stale:
		return board.Line{{Text: string(s.Meta.Status()), Style: board.Warn}, {Text: " (stale)", Style: board.Bad}}
	}
	style := board.Plain
	switch status := s.Meta.Status(); {
	case status == baton.Failed:
		style = board.Bad
	case status == baton.Completed || status == baton.PlanReady || status == baton.HandoffReady:
		style = board.Good
	case status.Active():
		style = board.Accent
	case status == baton.FallbackDetected:
		style = board.Warn
	}
	return board.Styled(style, string(s.Meta.Status()))
}

// session is the first panel.
func (p panels) session() board.Panel {
	panel := board.Panel{Title: "Session"}
	if fault := p.Session.Fault; fault != nil {
		return unreadable(panel, fault)
	}
	if !p.Session.Value.There {
		panel.Empty = "There is no session here; 'baton init' makes one."
		return panel
	}
	m := p.meta()
	panel.Wrap = p.roomy()
	status := append(board.Line{{Text: "status  ", Style: board.Dim}}, p.status()...)
	panel.Lines = append(panel.Lines, board.Fact("task", orNone(p.short(m.Task))))
	panel.Lines = append(panel.Lines, p.line(status, board.Fact("mode", string(m.Mode())))...)
	panel.Lines = append(panel.Lines, p.line(board.Fact("active", orNone(agentName(m.ActiveAgent))), board.Fact("last", orNone(agentName(m.LastAgent))))...)
	panel.Lines = append(panel.Lines, board.Fact("repository", p.Repo.Value.Top()))
	if m.FallbackReason != "" {
		panel.Lines = append(panel.Lines, board.FactIn(board.Warn, "fallback", p.short(wall.Worded(m.FallbackReason))))
	}
	for _, row := range limitRows(baton.Report{Meta: m, Now: p.Now}, p.zone) {
		style := board.Plain
		if row.value != "" && !strings.HasSuffix(row.value, "passed") {
			style = board.Warn
		}
		panel.Lines = append(panel.Lines, board.FactIn(style, row.key, orNone(row.value)))
	}
	if m.Waiting.Agent != "" {
		panel.Lines = append(panel.Lines, board.FactIn(board.Accent, "waiting", m.Waiting.Line(p.Now, p.zone)))
	}
	panel.Lines = append(panel.Lines, p.timings()...)
	if m.LastError != "" {
		panel.Lines = append(panel.Lines, board.FactIn(board.Bad, "last error", p.short(m.LastError)))
	}
	return panel
}

// timings tell when the last command began and ended.
func (p panels) timings() []board.Line {
	m := p.meta()
	switch {
	case m.StartedAt.IsZero():
		return p.line(board.Fact("started", "not yet"))
	case m.EndedAt.IsZero() && (!m.Status().Active() || p.Session.Value.Stale):
		return p.line(board.Fact("started", p.when(m.StartedAt)))
	case m.EndedAt.IsZero():
		return p.line(board.Fact("started", p.when(m.StartedAt)), board.Fact("for", wall.Left(p.Now.Sub(m.StartedAt))))
	}
	return p.line(board.Fact("started", p.when(m.StartedAt)), board.Fact("ended", p.when(m.EndedAt)), board.Fact("took", wall.Left(m.Duration)))
}

// plan is highlighted while the plan is made or carried out.
func (p panels) plan() board.Panel {
	panel := board.Panel{Title: "Plan"}
	if p.Session.Value.Is(baton.Planning, baton.Executing) {
		panel.Title, panel.Style = "▶ Plan: "+string(p.meta().Status()), board.Highlight
	}
	if p.Plan.Fault != nil {
		return unreadable(panel, p.Plan.Fault)
	}
	m, report := p.meta(), p.Plan.Value.Report
	state := p.Plan.Value.Name(!m.PlanFinalizedAt.IsZero())
	line := board.FactIn(board.Good, "state", state)
	switch state {
	case "none":
		line = board.FactIn(board.Dim, "state", state)
	case "draft":
		line = board.FactIn(board.Warn, "state", fmt.Sprintf("draft (%s)", baton.Counted(len(report.Failures), "problem")))
	}
	panel.Lines = append(
		p.line(line, board.Fact("steps", fmt.Sprint(report.Steps)), board.Fact("author", orNone(m.PlanAuthor.Text)), board.Fact("executor", orNone(m.Executor.Text))),
		p.line(board.Fact("finalized", p.when(m.PlanFinalizedAt)), board.Fact("execution started", p.when(m.ExecuteStartedAt)))...)
	if p.roomy() && state == "draft" {
		for _, problem := range report.Failures[:min(len(report.Failures), listedProblems)] {
			panel.Lines = append(panel.Lines, board.Styled(board.Warn, "- "+p.short(problem.Message)))
		}
	}
	panel.Wrap = p.roomy()
	return panel
}

// barCells is how long the bar of the compression is.
const barCells = 24

// compression is how heavy the context is.
func (p panels) compression() board.Panel {
	panel := board.Panel{Title: "Compression"}
	if p.Session.Value.Is(baton.Compressing) {
		panel.Title, panel.Style = "▶ Compression: COMPRESSING", board.Highlight
	}
	c := p.Repo.Value.Config.Compression
	if p.Weight.Fault != nil {
		panel = unreadable(panel, p.Weight.Fault)
	} else {
		w := p.Weight.Value
		bar := append(board.Bar(barCells, w.Total, w.Budget, max(1, int(c.Threshold*float64(w.Budget)))),
			board.Span{Text: fmt.Sprintf("  %d/%d  ratio %.2f", w.Total, w.Budget, w.Ratio())})
		panel.Lines = append(panel.Lines, p.line(bar, board.Styled(board.Dim, fmt.Sprintf("┃ threshold %g", c.Threshold)))...)
	}
	auto := "off"
	switch {
	case !c.Enabled:
		auto = "off, compression is disabled"
	case c.Auto:
		auto = "on"
	}
	rotated := board.Fact("rotated logs", fmt.Sprint(p.Rotated.Value))
	if p.Rotated.Fault != nil {
		rotated = board.FactIn(board.Bad, "rotated logs", "could not be read: "+p.Rotated.Fault.Error())
	}
	last := board.Fact("last cycle", "none")
	if l := p.meta().LastCompression; l != nil {
		last = board.Fact("last cycle", fmt.Sprintf("%s, %d → %d chars (%s)", p.when(l.At), l.Before, l.After, l.Trigger))
	}
	panel.Lines = append(append(panel.Lines, p.line(board.Fact("auto", auto), rotated)...), last)
	return panel
}

// changed are the files that differ from HEAD or are new.
func (p panels) changed() board.Panel {
	panel := board.Panel{Title: "Changed files", Flex: p.scarce(), Right: true, Empty: "none"}
	if p.Tree.Fault != nil {
		return unreadable(panel, p.Tree.Fault)
	}
	changes := p.Tree.Value.Changes
	panel.Title = fmt.Sprintf("Changed files: %d", len(changes))
	for i, c := range changes {
		if i == shownChanges {
			panel.Lines = append(panel.Lines, board.Styled(board.Dim, fmt.Sprintf("and %d more", len(changes)-i)))
			break
		}
		letters := strings.ReplaceAll(string([]byte{c.Staged, c.Unstaged}), ".", " ")
		panel.Lines = append(panel.Lines, board.Line{{Text: letters + " ", Style: board.Accent}, {Text: c.Path}})
	}
	return panel
}

// budget is what the artifacts take of the profile's budgets.
func (p panels) budget() board.Panel {
	panel := board.Panel{Title: "Budget", Right: true}
	if p.Budget.Fault != nil {
		return unreadable(panel, p.Budget.Fault)
	}
	b := p.Budget.Value
	cut := "none yet"
	if b.Cut != nil {
		cut = map[bool]string{true: "yes", false: "no"}[*b.Cut]
	}
	panel.Lines = p.line(
		board.Fact("profile", p.Profile), spent("handoff", b.Handoff, b.HandoffLimit), spent("plan", b.Plan, b.PlanLimit), board.Fact("cut", cut))
	return panel
}

// spent is a length beside its limit.
func spent(label string, chars, limit int) board.Line {
	style := board.Plain
	if chars > limit {
		style = board.Bad
	}
	return board.FactIn(style, label, fmt.Sprintf("%d/%d", chars, limit))
}

// handoffs tells of the newest handoff.
func (p panels) handoffs() board.Panel {
	panel := board.Panel{Title: "Handoffs", Right: true}
	if p.Handoff.Fault != nil {
		return unreadable(panel, p.Handoff.Fault)
	}
	h := p.Handoff.Value
	panel.Lines = p.line(board.Fact("written", fmt.Sprint(h.Count)), board.Fact("kept", fmt.Sprint(h.Kept)))
	if h.Newest != (handoff.Entry{}) {
		panel.Lines = append(panel.Lines, p.line(
			board.Fact("newest", h.Newest.Name), board.Fact("at", p.when(h.Newest.ModifiedAt)), board.Text(h.Newest.Label))...)
	}
	return panel
}

// when is a time of the zone's clock, with the date where that is another one.
func (p panels) when(at time.Time) string {
	if at.IsZero() {
		return "none"
	}
	return wall.When(at, p.Now, p.zone)
}

// line puts facts into one line, or each into its own where there is room.
func (p panels) line(facts ...board.Line) []board.Line {
	if p.roomy() {
		return facts
	}
	var line board.Line
	for i, fact := range facts {
		if i > 0 {
			line = append(line, board.Span{Text: "   "})
		}
		line = append(line, fact...)
	}
	return []board.Line{line}
}

// short is the beginning of a text that may be long.
func (p panels) short(s string) string { return p.cut.Clip(s, longestText) }

// orNone is a text, or what stands for none.
func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
