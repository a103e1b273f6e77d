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

// Reply is the exchange's part of an answer.
type Reply struct {
	// Lines are what it has to say.
	Lines []string
	// Watch are the files that the client is to watch for the session.
	Watch []string
	// Wake is the text that the session is woken with.
	Wake string

	shown shown
}

// Answer returns what the exchange has to say to an event, within budget UTF-16
// units; nothing where there is nothing to say. handled tells whether some other
// part of the answer handles the event.
func (h Hook) Answer(e session.Event, cwd string, handled bool, budget int) Reply {
	if handled && !concerns(e) {
		return Reply{} // another tool's event: it costs nothing here
	}
	if e.Codex && e.Transcript == "" {
		return Reply{} // a thread that keeps nothing holds no lock: nobody could tell that it lives
	}
	b := &briefing{cut: h.Cutter}
	resolution := h.locator().Resolve(cwd)
	switch {
	case resolution.Problem != "" && (e.Name == session.Stop || e.Name == session.FileChanged):
		// The next prompt says it.
	case resolution.Problem != "":
		b.say("%s", text.Printable(resolution.Problem))
	case !resolution.Found():
	case e.Name == session.SessionStart:
		return h.start(e, cwd, resolution, budget)
	case e.Name == session.SessionEnd:
		h.end(b, e, resolution)
	case e.Name == session.UserPromptSubmit:
		return h.prompt(e, cwd, resolution, budget)
	case e.Name == session.Stop:
		return Reply{Lines: h.stop(e, cwd, resolution)}
	case e.Name == session.FileChanged:
		return h.changed(e, cwd, resolution, budget)
	default:
		b.say("hookd does not handle %s", text.Single(e.Name))
	}
	return Reply{Lines: b.lines(budget)}
}

// concerns reports an event that the exchange handles. Of files that changed, its
// own are named after their session.
func concerns(e session.Event) bool {
	switch e.Name {
	case session.SessionStart, session.SessionEnd, session.UserPromptSubmit, session.Stop:
		return true
	case session.FileChanged:
		return path.Base(e.FilePath) == e.SessionID
	}
	return false
}

func (h Hook) start(e session.Event, cwd string, resolution Resolution, budget int) Reply {
	brief, err := h.opening(e, cwd, resolution)
	if err != nil {
		b := &briefing{cut: h.Cutter}
		b.say("%s", text.Printable(err.Error()))
		return Reply{Lines: b.lines(budget)}
	}
	if brief == nil {
		return Reply{}
	}
	watch := brief.watch()
	brief.now = sighted(brief.site.store, cwd, h.Clock.Now())
	brief.run()
	brief.recall(brief.out.kept(presenceRow, budget))
	shown := brief.record(brief.out.survivors(budget))
	return Reply{Lines: brief.out.lines(budget), Watch: watch, shown: shown}
}

// opening prepares what a session is told when it starts; nothing where it is nobody.
func (h Hook) opening(e session.Event, cwd string, resolution Resolution) (*starting, error) {
	s := site{Resolution: resolution}
	s.cfg, s.cfgErr = h.config(s.Root)
	s.rendering = rendering{cfg: s.cfg, cut: h.Cutter, now: h.Clock.Now()}
	s.registry, s.regErr = h.registry()
	if h.isRun(s, e.SessionID) {
		return nil, nil
	}
	store, err := h.Open(s.Root)
	if err != nil {
		return nil, err
	}
	s.store = store
	return &starting{hook: h, site: s, event: e, cwd: h.absolute(cwd), out: &briefing{cut: h.Cutter}}, nil
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
	holder  Holder
	mine    map[string]bool
	holders holders
	// before is the claim that the session continues, after the one it has now.
	before, after Claim
	// now is what this look goes by; waiting are all handoffs for the session.
	now     look
	waiting []Filed
	// overlaps are those that this start told of first.
	overlaps []string
}

func (s *starting) run() {
	pending := s.site.store.PendingMeanwhile()
	s.claims = s.site.store.Claims()
	seedProblem := s.seed()
	shelf := pending()
	if seedProblem != "" {
		s.out.say("%s", s.site.rendering.short(seedProblem))
	}
	if s.site.cfgErr != nil {
		s.out.say("%s", s.site.rendering.short(s.site.cfgErr.Error()))
	}
	s.problems(shelf)
	s.branch()
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
		own, s.before, problem, err = seeding{
			world: s.hook.World, site: s.site, id: id, cwd: s.cwd, hook: true, source: s.event.Source, claims: s.claims,
		}.seed()
	}
	if err != nil {
		problem = "no claim was written: " + err.Error()
		if id == "" {
			problem = "no claim was written: the client named no session id"
		}
	}
	s.after = own
	s.holders = s.hook.holders(s.site.Root)
	s.holder = Holder{Repos: s.holders.withRepo(own.Repos, s.cwd), Paths: own.Paths}
	if id != "" {
		s.holder.IDs = withAdded([]string{id}, own.Was)
	}
	s.mine = map[string]bool{}
	for _, id := range s.holder.IDs {
		s.mine[id] = true
	}
	return problem
}

// own reports a claim of this session, under its present id or an earlier one.
// That another session was once under this id makes its claim none of these: the
// id may have been resumed elsewhere.
func (s *starting) own(c Claim) bool { return s.mine[c.SessionID] }

func (s *starting) problems(shelf Shelf) {
	problems := s.site.problems(s.claims, shelf)
	s.now.said = digest(problems)
	s.site.sayProblems(s.out, slices.DeleteFunc(problems, func(p string) bool {
		return s.site.cfgErr != nil && p == s.site.cfgErr.Error() // it has its own line
	}))
}

// problems are what is wrong with everything that a hook reads.
func (s site) problems(claims Claims, shelf Shelf) []string {
	var problems []string
	for _, err := range []error{s.cfgErr, s.regErr} {
		if err != nil {
			problems = append(problems, err.Error())
		}
	}
	problems = append(problems, claims.Problems...)
	return append(problems, shelf.Problems()...)
}

// sayProblems names the first problems and counts the others.
func (s site) sayProblems(b *briefing, problems []string) {
	for i, p := range problems {
		if i == firstProblems {
			b.say("and %d more problem(s) in the store: see `exchange show`", len(problems)-firstProblems)
			return
		}
		b.say("%s", s.rendering.short(p))
	}
}

func (s *starting) presence() {
	rendering := s.site.rendering
	var overlapping, rows []seat
	met := s.met()
	for _, item := range s.claims.Items {
		if s.barrier(item.Claim) != "" {
			continue
		}
		lines := []string{fmt.Sprintf("- %s: %s%s", rendering.short(item.Label()), rendering.focus(item.Claim), rendering.age(item.UpdatedAt))}
		if m, meets := met[item.File]; meets {
			lines = append(append(lines, m.line(rendering)), rendering.lists(item.Claim, "  ")...)
			overlapping = append(overlapping, seat{item.SessionID, lines})
			continue
		}
		rows = append(rows, seat{item.SessionID, append(lines, rendering.lists(item.Claim, "  ")...)})
	}
	rows = append(overlapping, rows...)
	for _, row := range s.hook.unclaimed(s.site, s.claims, s.mine) {
		rows = append(rows, seat{row.SessionID, []string{fmt.Sprintf("- %s: (no claim)", rendering.session(row))}})
	}
	if len(rows) == 0 {
		return
	}
	s.out.say("%d other session(s) under %s:", len(rows), rendering.short(s.site.cfg.Name))
	for _, row := range rows {
		s.out.add(presenceRow, row.lines...)
		s.out.parts[len(s.out.parts)-1].about = row.id
	}
}

// seat is another session's row.
type seat struct {
	id    string
	lines []string
}

// barrier says why the holder of a claim is not listed; empty where it is.
func (s *starting) barrier(c Claim) Cause {
	if s.own(c) {
		return OwnClaim
	}
	switch s.standing(c) {
	case session.Present:
		return ""
	case session.Working:
		return RunClaim
	case session.Unjudged:
		return ForeignClaim
	}
	return StaleClaim
}

// branch tells of a branch that was switched under the session before this start.
func (s *starting) branch() {
	if s.event.Source == sourceStartup || s.before.Cwd == "" {
		return
	}
	now := s.hook.trees().Branch(s.before.Cwd)
	if said := s.hook.switched(s.site, s.before.Cwd, s.before.GitBranch, now, func(id string) bool { return s.mine[id] }); said != "" {
		s.out.say("%s", said)
	}
}

// met returns the claims of others that overlap the own one, by file.
func (s *starting) met() map[string]meeting {
	met := map[string]meeting{}
	if len(s.holder.Paths) == 0 {
		return met
	}
	for _, m := range s.holders.meetings(s.holder, s.claims.working(s.standing)) {
		met[m.File] = m
	}
	return met
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

// barrier says why a handoff is not for a session; empty where it is.
func (h Holder) barrier(item Filed) Cause {
	switch {
	case item.Status() == Closed:
		return ClosedHandoff
	case item.From.SessionID != "" && slices.Contains(h.IDs, item.From.SessionID):
		return OwnPost
	}
	return item.To.barrier(h)
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
