package exchange

import (
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/domain/text"
)

// Viewer reports who is here and what is stored.
type Viewer struct{ World }

// ShowReport is the whole of a root at a glance.
type ShowReport struct {
	site      site
	own       session.Row
	ownKnown  bool
	claims    Claims
	unclaimed []session.Row
	jobs      int
	scripted  int
	shelf     Shelf
	strays    []string
	holders   holders
	// working are the claims that can overlap another.
	working []StoredClaim
}

// Show reads a root. Errors: *NoRootError, ErrForeignStore.
func (v Viewer) Show(cwd string) (ShowReport, error) {
	s, err := v.site(cwd)
	if err != nil {
		return ShowReport{}, err
	}
	r := ShowReport{site: s, claims: s.store.Claims(), shelf: s.store.Handoffs(), strays: s.store.Strays(), holders: v.holders(s.Root)}
	r.own, r.ownKnown = s.own()
	r.working = r.claims.working(func(c Claim) session.Standing { return s.registry.Standing(c.IDs(), s.cfg.Scripted) })
	r.unclaimed = v.unclaimed(s, r.claims, map[string]bool{r.own.SessionID: true})
	r.jobs, r.scripted = v.runs(s)
	return r, nil
}

// unclaimed returns the live peers under this very root that hold no claim,
// other than those with the ids given.
func (w World) unclaimed(s site, claims Claims, own map[string]bool) []session.Row {
	var rows []session.Row
	held, under := claims.held(), w.under(s.Root)
	for _, row := range s.registry.Peers(s.cfg.Scripted) {
		if !own[row.SessionID] && !held[row.SessionID] && under(row.Cwd) {
			rows = append(rows, row)
		}
	}
	return rows
}

// under returns what reports that a session's directory resolves, by markers
// alone, to this very root. It looks once for each directory.
func (w World) under(root string) func(cwd string) bool {
	known := map[string]bool{"": false}
	return func(cwd string) bool {
		answer, ok := known[cwd]
		if !ok {
			answer = w.locator().Walk(cwd).Root == root
			known[cwd] = answer
		}
		return answer
	}
}

// runs counts the live jobs and scripted runs under the root.
func (w World) runs(s site) (jobs, scripted int) {
	under := w.under(s.Root)
	for _, row := range s.registry.Rows() {
		if row.State != session.Live || row.IsPeer(s.cfg.Scripted) || !under(row.Cwd) {
			continue
		}
		if row.IsJob() {
			jobs++
		} else {
			scripted++
		}
	}
	return jobs, scripted
}

// claimProblems are the problems of the claims, in the order they are shown.
func (r ShowReport) claimProblems() []string {
	var problems []string
	if r.site.regErr != nil {
		problems = append(problems, r.site.regErr.Error())
	}
	problems = append(problems, r.strays...)
	return append(problems, r.claims.Problems...)
}

// Problems returns every problem of the report.
func (r ShowReport) Problems() []string {
	problems := []string{}
	if r.site.cfgErr != nil {
		problems = append(problems, r.site.cfgErr.Error())
	}
	problems = append(problems, r.claimProblems()...)
	return append(problems, r.shelf.Problems()...)
}

// Faulty reports that something is wrong. Stale claims are not.
func (r ShowReport) Faulty() bool { return len(r.Problems()) > 0 }

// marks of a claim in show.
const (
	markNone      = " "
	markGone      = "!"
	markElsewhere = "?"
)

func (r ShowReport) mark(c Claim) string {
	switch r.site.registry.Standing(c.IDs(), r.site.cfg.Scripted) {
	case session.Gone:
		if r.site.regErr != nil {
			return markNone
		}
		return markGone
	case session.Unjudged:
		return markElsewhere
	}
	return markNone
}

// Lines renders the report.
func (r ShowReport) Lines() []string {
	s := r.site
	p := s.rendering.page()
	p.row("root", "%s  (by %s)", text.Printable(s.Root), s.Rule)
	p.row("name", "%s", s.rendering.short(s.cfg.Name))
	if s.cfgErr != nil {
		p.problems([]string{s.cfgErr.Error()})
	}
	if r.ownKnown {
		p.row("this", "%s  %s", s.rendering.session(r.own), s.rendering.short(r.own.SessionID))
	}
	p.unread(s)
	r.claimLines(&p)
	p.problems(r.claimProblems())
	if len(r.unclaimed) > 0 {
		p.row("unclaimed", "%d", len(r.unclaimed))
		for _, row := range r.unclaimed {
			p.line("   %s", s.rendering.session(row))
		}
	}
	if r.jobs+r.scripted > 0 {
		p.row("runs", "%d background, %d scripted", r.jobs, r.scripted)
	}
	p.row("handoffs", "%d stored, %d not closed", len(r.shelf.Items), r.shelf.NotClosed())
	p.problems(r.shelf.Problems())
	return p.lines
}

// unread names the registry files that held no row.
func (p *page) unread(s site) {
	unread := s.registry.Unread()
	if len(unread) == 0 {
		return
	}
	names := make([]string, len(unread))
	for i, name := range unread {
		names[i] = s.rendering.short(name)
	}
	p.row("registry", "%d row(s) could not be read: %s", len(unread), text.List(names, maxFaults))
}

func (r ShowReport) claimLines(p *page) {
	rendering := r.site.rendering
	p.row("claims", "%d", len(r.claims.Items))
	marks := map[string]bool{}
	var gone []string
	for _, item := range r.claims.Items {
		mark := r.mark(item.Claim)
		marks[mark] = true
		if mark == markGone {
			gone = append(gone, rendering.short(item.SessionID))
		}
		p.line(" %s %s  %s%s", mark, rendering.short(item.Label()), rendering.focus(item.Claim), rendering.age(item.UpdatedAt))
		for _, line := range rendering.lists(item.Claim, "     ") {
			p.line("%s", line)
		}
		for _, met := range r.overlaps(item) {
			p.line("     overlaps %s: %s", rendering.short(met.Label()), rendering.list(met.paths))
		}
	}
	if marks[markGone] {
		p.line("  ! the session is no longer running; `exchange claim --drop --session <id>` takes its claim away: %s",
			text.List(gone, maxFaults))
	}
	if marks[markElsewhere] {
		p.line("  ? the session belongs to another host or container, so nobody here can tell whether it runs")
	}
}

// Document renders the report for a script.
func (r ShowReport) Document() jsondoc.Object {
	s := r.site
	doc := jsondoc.Object{{Key: "root", Value: s.Root}, {Key: "rule", Value: string(s.Rule)}, {Key: "name", Value: s.cfg.Name}}
	if r.ownKnown {
		doc.Add("this", sessionDocument(r.own))
	}
	doc.Add("registry", registryDocument(s.registry.Unread()))
	claims := []jsondoc.Object{}
	for _, item := range r.claims.Items {
		claims = append(claims, r.claimDocument(item))
	}
	doc.Add("claims", claims)
	unclaimed := []jsondoc.Object{}
	for _, row := range r.unclaimed {
		unclaimed = append(unclaimed, sessionDocument(row))
	}
	doc.Add("unclaimed", unclaimed)
	doc.Add("runs", jsondoc.Object{{Key: "background", Value: r.jobs}, {Key: "scripted", Value: r.scripted}})
	doc.Add("handoffs", jsondoc.Object{
		{Key: "stored", Value: len(r.shelf.Items)}, {Key: "not_closed", Value: r.shelf.NotClosed()},
	})
	doc.Add("problems", r.Problems())
	return doc
}

func sessionDocument(row session.Row) jsondoc.Object {
	doc := jsondoc.Object{{Key: "session_id", Value: row.SessionID}}
	doc.AddText("name", row.Name)
	doc.AddText("cwd", row.Cwd)
	return doc
}

func registryDocument(unread []string) jsondoc.Object {
	return jsondoc.Object{
		{Key: "unread", Value: len(unread)},
		{Key: "files", Value: append([]string{}, unread...)},
	}
}

func (r ShowReport) claimDocument(item StoredClaim) jsondoc.Object {
	doc := jsondoc.Object{{Key: "session_id", Value: item.SessionID}}
	doc.AddText("name", item.Name)
	doc.Add("cwd", item.Cwd)
	doc.AddText("git_branch", item.GitBranch)
	doc.AddText("focus", item.Focus)
	doc.Add("repos", append([]string{}, item.Repos...))
	doc.Add("paths", append([]string{}, item.Paths...))
	doc.Add("tickets", append([]string{}, item.Tickets...))
	doc.Add("was", append([]string{}, item.Was...))
	doc.Add("updated_at", Timestamp(item.UpdatedAt))
	doc.Add("standing", r.standing(item.Claim))
	doc.Add("overlaps", overlapDocuments(r.overlaps(item)))
	return doc
}

// standing names, for a script, what the mark of a claim shows.
func (r ShowReport) standing(c Claim) string {
	switch r.site.registry.Standing(c.IDs(), r.site.cfg.Scripted) {
	case session.Present:
		return "live"
	case session.Working:
		return "run"
	case session.Unjudged:
		return "elsewhere"
	}
	if r.site.regErr != nil {
		return "unknown"
	}
	return "gone"
}
