package exchange

import (
	"fmt"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/domain/text"
)

// rendering shows what other sessions wrote: cleaned, then capped by the
// marker's limits.
type rendering struct {
	cfg Config
	cut text.Cutter
	now time.Time
}

// short cleans and caps one piece of text.
func (r rendering) short(s string) string {
	return r.cut.Cap(text.Printable(s), r.cfg.MaxFocusChars)
}

// list cleans and caps each element, then the list.
func (r rendering) list(items []string) string {
	shown := make([]string, 0, min(len(items), r.cfg.MaxHotPaths))
	for i, item := range items {
		if i >= r.cfg.MaxHotPaths {
			return text.List(append(shown, items[i:]...), r.cfg.MaxHotPaths)
		}
		shown = append(shown, r.short(item))
	}
	return text.List(shown, r.cfg.MaxHotPaths)
}

// focus returns what a session says it is doing.
func (r rendering) focus(c Claim) string {
	if shown := r.short(c.Focus); shown != "" {
		return shown
	}
	return "(no focus stated)"
}

// lists returns the non-empty lists of a claim, one line each.
func (r rendering) lists(c Claim, indent string) []string {
	var lines []string
	for _, field := range []struct {
		name  string
		items []string
	}{{"repos", c.Repos}, {"paths", c.Paths}, {"tickets", c.Tickets}} {
		if len(field.items) > 0 {
			lines = append(lines, indent+field.name+": "+r.list(field.items))
		}
	}
	return lines
}

// age is the suffix of a row that is older than the marker's limit.
func (r rendering) age(t time.Time) string {
	if r.now.Sub(t) <= r.cfg.staleAfter() {
		return ""
	}
	return fmt.Sprintf(" (%d days old)", days(t, r.now))
}

// scope shows an address, a repo with its label, capped as a whole.
func (r rendering) scope(a Address) string {
	if a.SessionID != "" {
		return r.short("session " + a.SessionID)
	}
	scope := a.Repo
	if label, ok := r.cfg.Labels[spelling(a.Repo)]; ok {
		scope += " [" + r.short(label) + "]"
	}
	if len(a.Paths) > 0 {
		scope += ": " + strings.Join(a.Paths, ", ")
	}
	return r.short(scope)
}

// preview is the first line of a body.
func (r rendering) preview(h Handoff) string { return r.short(text.FirstLine(h.Body)) }

func (r rendering) sender(h Handoff) string { return r.short(h.From.Label()) }

func (r rendering) session(row session.Row) string { return r.short(row.Label()) }

// page collects the lines of a report in a layout of ten-column labels.
type page struct {
	cut text.Cutter
	// problemLimit caps what somebody else may have made long, in code points.
	problemLimit int
	lines        []string
}

func (r rendering) page() page { return page{cut: r.cut, problemLimit: r.cfg.MaxFocusChars} }

func (p *page) row(label, format string, args ...any) {
	p.line("%-10s%s", label, fmt.Sprintf(format, args...))
}

func (p *page) line(format string, args ...any) {
	p.lines = append(p.lines, p.cut.Line(fmt.Sprintf(format, args...)))
}

func (p *page) problems(problems []string) {
	for _, problem := range problems {
		p.row("problem", "%s", p.cut.Cap(text.Printable(problem), p.problemLimit))
	}
}

// advise adds problems that are our own words and end in what to do.
func (p *page) advise(problems []string) {
	for _, problem := range problems {
		p.row("problem", "%s", text.Printable(problem))
	}
}
