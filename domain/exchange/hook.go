package exchange

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/domain/text"
)

// firstProblems is how many problems of the store a hook names.
const firstProblems = 3

// Hook is the exchange's part of a hook's answer.
type Hook struct{ World }

// Answer returns the lines that the exchange has to say to an event, within
// budget UTF-16 units; none where there is nothing to say. handled tells
// whether some other part of the answer handles the event.
func (h Hook) Answer(e session.Event, cwd string, handled bool, budget int) []string {
	b := &briefing{cut: h.Cutter}
	if handled && e.Name != session.SessionStart && e.Name != session.SessionEnd {
		return nil // another tool's event: it costs nothing here
	}
	resolution := h.locator().Resolve(cwd)
	switch {
	case resolution.Problem != "":
		b.say("%s", text.Printable(resolution.Problem))
	case !resolution.Found():
	case e.Name == session.SessionStart:
		h.start(b, e, cwd, resolution)
	case e.Name == session.SessionEnd:
		h.end(b, e, resolution)
	default:
		b.say("hookd does not handle %s", text.Single(e.Name))
	}
	return b.lines(budget)
}

func (h Hook) start(b *briefing, e session.Event, cwd string, resolution Resolution) {
	s := site{Resolution: resolution}
	s.cfg, s.cfgErr = h.config(s.Root)
	s.rendering = rendering{cfg: s.cfg, cut: h.Cutter, now: h.Clock.Now()}
	s.registry, s.regErr = h.registry()
	if h.isRun(s, e.SessionID) {
		return
	}
	store, err := h.Open(s.Root)
	if err != nil {
		b.say("%s", text.Printable(err.Error()))
		return
	}
	s.store = store
	brief := starting{hook: h, site: s, event: e, cwd: h.absolute(cwd), out: b}
	brief.run()
}

// isRun reports a job's or a scripted run's session, which is nobody: by its
// row or, while there is none, by what the client says of the process.
func (h Hook) isRun(s site, id string) bool {
	if row, known := s.registry.Lookup(id); known {
		return !row.IsPeer(s.cfg.Scripted)
	}
	return id != "" && h.Env.Lookup("CLAUDE_CODE_SESSION_ID") == id && !s.cfg.Scripted &&
		session.ScriptedEntrypoint(h.Env.Lookup("CLAUDE_CODE_ENTRYPOINT"))
}

// end takes the claim out of the running ones. After /clear the same process
// goes on, and its next SessionStart carries the claim over.
func (h Hook) end(b *briefing, e session.Event, resolution Resolution) {
	if e.Reason == sourceClear {
		return
	}
	if err := CheckID(e.SessionID); err != nil {
		b.say("no claim was taken out: %s", err)
		return
	}
	store, err := h.Open(resolution.Root)
	if err != nil {
		b.say("%s", text.Printable(err.Error()))
		return
	}
	if err := store.EndClaim(e.SessionID); err != nil && !errors.Is(err, ErrNoClaim) {
		b.say("the claim of this session stays: %s", text.Printable(err.Error()))
	}
}

// starting puts together what a session is told when it starts.
type starting struct {
	hook  Hook
	site  site
	event session.Event
	cwd   string
	out   *briefing

	claims Claims
	// holder is the own session as addresses see it; mine are its ids.
	holder Holder
	mine   map[string]bool
}

func (s *starting) run() {
	s.claims = s.site.store.Claims()
	seedProblem := s.seed()
	shelf := s.site.store.Pending()
	if seedProblem != "" {
		s.out.say("%s", s.site.rendering.short(seedProblem))
	}
	if s.site.cfgErr != nil {
		s.out.say("%s", s.site.rendering.short(s.site.cfgErr.Error()))
	}
	s.problems(shelf)
	s.presence()
	s.stale()
	s.mail(shelf)
	s.wired()
}

// seed makes or refreshes the own claim and works out whom mail must name. What
// could not be written counts all the same: it is made of the claim on disk.
func (s *starting) seed() (problem string) {
	id := s.event.SessionID
	var own Claim
	err := CheckID(id)
	if err == nil {
		own, problem, err = seeding{
			world: s.hook.World, site: s.site, id: id, cwd: s.cwd, hook: true, source: s.event.Source, claims: s.claims,
		}.seed()
	}
	if err != nil {
		problem = "no claim was written: " + err.Error()
		if id == "" {
			problem = "no claim was written: the client named no session id"
		}
	}
	s.holder = Holder{Repos: slices.Clone(own.Repos), Paths: own.Paths}
	if id != "" {
		s.holder.IDs = withAdded([]string{id}, own.Was)
	}
	s.mine = map[string]bool{}
	for _, id := range s.holder.IDs {
		s.mine[id] = true
	}
	if repo := s.hook.trees().Repo(s.site.Root, s.cwd); repo != "" {
		s.holder.Repos = append(s.holder.Repos, repo)
	}
	return problem
}

// own reports a claim of this session, under its present id or an earlier one.
// That another session was once under this id makes its claim none of these: the
// id may have been resumed elsewhere.
func (s *starting) own(c Claim) bool { return s.mine[c.SessionID] }

func (s *starting) problems(shelf Shelf) {
	var problems []string
	if s.site.regErr != nil {
		problems = append(problems, s.site.regErr.Error())
	}
	problems = append(problems, s.claims.Problems...)
	problems = append(problems, shelf.Problems()...)
	for i, p := range problems {
		if i == firstProblems {
			s.out.say("and %d more problem(s) in the store: see `exchange show`", len(problems)-firstProblems)
			return
		}
		s.out.say("%s", s.site.rendering.short(p))
	}
}

func (s *starting) presence() {
	rendering := s.site.rendering
	var rows [][]string
	for _, item := range s.claims.Items {
		if s.own(item.Claim) || s.standing(item.Claim) != session.Present {
			continue
		}
		first := fmt.Sprintf("- %s: %s%s", rendering.short(item.Label()), rendering.focus(item.Claim), rendering.age(item.UpdatedAt))
		rows = append(rows, append([]string{first}, rendering.lists(item.Claim, "  ")...))
	}
	for _, row := range s.hook.unclaimed(s.site, s.claims, s.mine) {
		rows = append(rows, []string{fmt.Sprintf("- %s: (no claim)", rendering.session(row))})
	}
	if len(rows) == 0 {
		return
	}
	s.out.say("%d other session(s) under %s:", len(rows), rendering.short(s.site.cfg.Name))
	for _, row := range rows {
		s.out.add(presenceRow, row...)
	}
}

// standing judges the holder of another claim, for whom this session's own row
// says nothing.
func (s *starting) standing(c Claim) session.Standing {
	others := slices.DeleteFunc(c.IDs(), func(id string) bool { return s.mine[id] })
	return s.site.registry.Standing(others, s.site.cfg.Scripted)
}

func (s *starting) stale() {
	if s.site.regErr != nil {
		return
	}
	n := 0
	for _, item := range s.claims.Items {
		if !s.own(item.Claim) && s.standing(item.Claim) == session.Gone {
			n++
		}
	}
	if n == 0 {
		return
	}
	sessions := path.Join(s.site.Root, ".claude", "exchange", "sessions")
	s.out.say("%d claim(s) left by sessions no longer running, in %s: see `exchange show`", n, s.site.rendering.short(sessions))
}

func (s *starting) mail(shelf Shelf) {
	var mine []Filed
	for _, item := range shelf.Items {
		posted := item.From.SessionID != "" && slices.Contains(s.holder.IDs, item.From.SessionID)
		if item.Status() != Closed && !posted && item.To.Reaches(s.holder) {
			mine = append(mine, item)
		}
	}
	if len(mine) == 0 {
		return
	}
	newestFirst(mine)
	rendering := s.site.rendering
	s.out.say("%d handoff(s) for this session, newest first; `exchange handoff show <id>` gives the whole text, `exchange handoff accept <id>` takes it on", len(mine))
	shown := min(len(mine), s.site.cfg.MaxHandoffsListed)
	for _, item := range mine[:shown] {
		s.out.add(handoffRow, fmt.Sprintf("- %s (%s) from %s, to %s: %s%s",
			item.ID, item.Status(), rendering.sender(item.Handoff), rendering.scope(item.To),
			rendering.preview(item.Handoff), rendering.age(item.Created)))
	}
	if older := len(mine) - shown; older > 0 {
		s.out.add(fixed, fmt.Sprintf("  +%d older not shown: raise max_handoffs_listed in %s",
			older, text.Printable(MarkerPath(s.site.Root))))
	}
}

// wired says what else renders the same or another root's presence.
func (s *starting) wired() {
	found := s.hook.scan(s.site.Root)
	if scoped := found.scoped(); len(scoped) > 0 {
		s.out.say("%d legacy hook(s) still wired under this root (%s): presence and handoffs are rendered twice; see `exchange doctor`",
			len(scoped), strings.Join(distinctScripts(scoped), ", "))
	}
	if wide := found.wide(); len(wide) > 0 {
		s.out.say("%d legacy hook(s) wired machine-wide (%s): what they show may belong to another root; see `exchange doctor`",
			len(wide), strings.Join(distinctScripts(wide), ", "))
	}
	if hooks := s.hook.hookWirings(found); len(hooks) > 1 {
		var files []string
		for _, h := range hooks {
			files = append(files, s.site.rendering.short(h.file))
		}
		s.out.say("hookd is wired %d times, by %s: take out all but one", len(files), strings.Join(files, " and "))
	}
	for i, p := range found.problems {
		if i == firstProblems {
			s.out.say("and %d more problem(s) with settings: see `exchange doctor`", len(found.problems)-i)
			return
		}
		s.out.say("%s", s.site.rendering.short(p))
	}
}
