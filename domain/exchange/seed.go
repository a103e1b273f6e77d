package exchange

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/session"
)

// sources of a SessionStart; after the last two the same process goes on.
const (
	sourceStartup = "startup"
	sourceClear   = "clear"
	sourceCompact = "compact"
)

// seeding makes or refreshes the claim of a session.
type seeding struct {
	world World
	site  site
	id    string
	cwd   string
	// hook: this process is a child of the session it seeds.
	hook bool
	// source is the SessionStart source; empty outside the hook.
	source string
	// claims are those of the root, read before the seeding.
	claims Claims
}

// seed writes the claim. An earlier claim, returned as before, keeps what it says;
// what stood in the way of reading it, or of taking away what the new one replaces,
// is returned as a problem beside the claim. With an error nothing was written.
func (s seeding) seed() (c, before Claim, problem string, err error) {
	before, problem = s.earlier()
	c = s.renewed(before)
	left, err := s.publish(c)
	return c, before, joinedProblems(problem, left), err
}

func joinedProblems(problems ...string) string {
	return strings.Join(slices.DeleteFunc(problems, func(p string) bool { return p == "" }), "; ")
}

// prepare makes the claim up.
func (s seeding) prepare() (c Claim, problem string) {
	c, problem = s.earlier()
	return s.renewed(c), problem
}

// renewed is an earlier claim as of now.
func (s seeding) renewed(c Claim) Claim {
	c.SessionID = s.id
	c.Cwd = s.cwd
	row, known := s.site.registry.Lookup(s.id)
	if known && row.Name != "" {
		c.Name = row.Name
	}
	c.GitBranch = s.world.trees().Branch(s.cwd)
	if process := s.process(row, known); process != nil {
		c.Process = process
	}
	c.UpdatedAt = s.world.Clock.Now()
	return c
}

// publish writes the claim first, then takes away what it replaces; problem
// says what of that stays. With an error nothing was written.
func (s seeding) publish(c Claim) (problem string, err error) {
	if err := s.site.store.PutClaim(c); err != nil {
		return "", err
	}
	if left := s.retire(c); left != "" {
		return "the claim is written; but " + left, nil
	}
	return "", nil
}

// goesOn reports a start after which the same process goes on.
func (s seeding) goesOn() bool { return s.source == sourceClear || s.source == sourceCompact }

// earlier returns the claim that the session continues.
func (s seeding) earlier() (c Claim, problem string) {
	c, problem, found := s.present()
	if found {
		return c, problem
	}
	if old, ok := s.carried(); ok {
		old.Was = withAdded(old.Was, []string{old.SessionID})
		return old, ""
	}
	c, err := s.site.store.EndedClaim(s.id)
	if err == nil {
		return c, ""
	}
	if !errors.Is(err, ErrNoClaim) {
		return Claim{}, fmt.Sprintf("the claim that was put aside cannot be taken back, and stays there: %s", err)
	}
	// Another hook of the same start may have published meanwhile what it then
	// took away from where this one looked.
	c, problem, _ = s.present()
	return c, problem
}

// present returns the claim that stands under the session's id. One that cannot
// be read is replaced.
func (s seeding) present() (c Claim, problem string, found bool) {
	c, err := s.site.store.Claim(s.id)
	switch {
	case err == nil:
		return c, "", true
	case errors.Is(err, ErrNoClaim):
		return Claim{}, "", false
	}
	return Claim{}, fmt.Sprintf("the earlier claim was replaced: %s", err), true
}

// carried returns the newest claim of the same process under another id, where
// the same process goes on.
func (s seeding) carried() (Claim, bool) {
	if !s.goesOn() {
		return Claim{}, false
	}
	row, known := s.site.registry.Lookup(s.id)
	process := s.process(row, known)
	var newest Claim
	found := 0
	for _, item := range s.claims.Items {
		if item.SessionID == s.id || item.Misfiled() || !item.SameProcess(process) {
			continue
		}
		if found == 0 || item.UpdatedAt.After(newest.UpdatedAt) {
			newest = item.Claim
		}
		found++
	}
	// A server of Codex holds the threads of many terminals: of several claims
	// nobody can tell whose this one was.
	return newest, found == 1 || found > 1 && !row.Held
}

// retire takes away what the new claim replaces: those of the same process under
// the session's earlier ids, one of which a killed hook may have left, and what
// was put aside, unless nobody could read it. It returns what stays all the same.
func (s seeding) retire(c Claim) (problem string) {
	var problems []string
	for _, item := range s.claims.Items {
		if !s.goesOn() || item.SessionID == s.id || item.Misfiled() || !item.SameProcess(c.Process) || !c.Holds(item.SessionID) {
			continue
		}
		if err := s.site.store.DropClaim(item.SessionID); err != nil && !errors.Is(err, ErrNoClaim) {
			problems = append(problems, fmt.Sprintf("the one under the earlier id stays: %s", err))
		}
	}
	if _, err := s.site.store.EndedClaim(s.id); err != nil {
		return joinedProblems(problems...)
	}
	if err := s.site.store.DropEnded(s.id); err != nil && !errors.Is(err, ErrNoClaim) {
		problems = append(problems, fmt.Sprintf("the one that was put aside stays: %s", err))
	}
	return joinedProblems(problems...)
}

// process identifies the process of the session: by its own row, else by what
// the client says of itself, else by the row that this process belongs to.
func (s seeding) process(row session.Judged, known bool) *Process {
	if known && row.State == session.Live {
		return s.world.identify(row.PID, row.Ticks())
	}
	if !s.hook {
		return nil
	}
	if s.world.Env.Lookup("CLAUDE_CODE_SESSION_ID") == s.id {
		if said := s.world.identify(session.ParsePID(s.world.Env.Lookup("CLAUDE_PID")), ""); said != nil {
			return said
		}
	}
	if own, ok := s.site.registry.Nearest(); ok {
		return s.world.identify(own.PID, own.Ticks())
	}
	return nil
}

// identify completes a process with the start that the process table gives;
// nil where the start is not known.
func (w World) identify(pid int, start string) *Process {
	if pid < 1 {
		return nil
	}
	if start == "" {
		began, err := w.Processes.Started(pid)
		if err != nil || began.Token == "" {
			return nil
		}
		start = began.Token
	}
	return &Process{PID: pid, Start: start}
}
