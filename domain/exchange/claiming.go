package exchange

import (
	"errors"
	"fmt"
	"strings"

	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/domain/text"
)

// ClaimRequest is what a session says of itself. A nil pointer leaves the value
// alone.
type ClaimRequest struct {
	Cwd string
	// Session is nil where none is named.
	Session      *string
	Focus        *string
	Repos        []string
	Paths        []string
	SetPaths     []string
	Tickets      []string
	ClearRepos   bool
	ClearPaths   bool
	ClearTickets bool
}

// Claimer writes claims on request.
type Claimer struct{ World }

// ClaimReport is the claim as it stands now.
type ClaimReport struct {
	Claim Claim
	// Problem: the claim stands, but something else went wrong.
	Problem string
	// Note is something that its writer should know; empty where there is none.
	Note string
}

// Lines echoes the claim, uncapped.
func (r ClaimReport) Lines() []string {
	lines := []string{
		"claimed as " + text.Printable(r.Claim.Label()),
		"  focus: " + text.Printable(r.Claim.Focus),
	}
	for _, field := range []struct {
		name  string
		items []string
	}{{"repos", r.Claim.Repos}, {"paths", r.Claim.Paths}, {"tickets", r.Claim.Tickets}} {
		if len(field.items) > 0 {
			lines = append(lines, "  "+field.name+": "+text.Printable(strings.Join(field.items, ", ")))
		}
	}
	if r.Note != "" {
		lines = append(lines, fmt.Sprintf("%-10s%s", "note", r.Note))
	}
	return lines
}

// Claim updates the claim of a session, seeding it where there is none. With an
// error nothing was written.
func (c Claimer) Claim(req ClaimRequest) (ClaimReport, error) {
	s, err := c.site(req.Cwd)
	if err != nil {
		return ClaimReport{}, err
	}
	id, err := s.claimant(req.Session, "claim")
	if err != nil {
		return ClaimReport{}, err
	}
	if err := req.check(); err != nil {
		return ClaimReport{}, err
	}
	seeding := seeding{world: c.World, site: s, id: id, cwd: c.absolute(req.Cwd)}
	var problem string
	claim, err := s.store.Claim(id)
	fresh := err != nil
	if fresh {
		claim, problem = seeding.prepare()
	}
	claim = req.apply(claim)
	claim.UpdatedAt = c.Clock.Now()
	var left string
	if fresh {
		left, err = seeding.publish(claim)
	} else {
		err = s.store.PutClaim(claim)
	}
	if err != nil {
		return ClaimReport{}, err
	}
	report := ClaimReport{Claim: claim, Problem: joinedProblems(problem, left)}
	if _, known := s.registry.Lookup(id); !known && fresh {
		if named := s.sameName(id); named != "" {
			report.Note = fmt.Sprintf("no session is registered as %s%s", text.Printable(id), named)
		}
	}
	return report, nil
}

func (req ClaimRequest) check() error {
	for _, flag := range []struct {
		name   string
		values []string
	}{{"--repo", req.Repos}, {"--path", req.Paths}, {"--set-path", req.SetPaths}} {
		for _, value := range flag.values {
			if err := CheckScope(value); err != nil {
				return fmt.Errorf("%s: %w", flag.name, err)
			}
		}
	}
	return nil
}

// apply replaces, then adds, then clears.
func (req ClaimRequest) apply(c Claim) Claim {
	if req.Focus != nil {
		c.Focus = *req.Focus
	}
	if len(req.SetPaths) > 0 {
		c.Paths = withAdded(nil, req.SetPaths)
	}
	c.Repos = withAdded(c.Repos, req.Repos)
	c.Paths = withAdded(c.Paths, req.Paths)
	c.Tickets = withAdded(c.Tickets, req.Tickets)
	if req.ClearRepos {
		c.Repos = nil
	}
	if req.ClearPaths {
		c.Paths = nil
	}
	if req.ClearTickets {
		c.Tickets = nil
	}
	return c
}

// claimant returns the session that a claim is about: the one named, else the
// nearest in the registry, which must not be a job or a scripted run.
func (s site) claimant(named *string, verb string) (string, error) {
	if named != nil {
		if err := CheckID(*named); err != nil {
			return "", fmt.Errorf("--session: %w", err)
		}
		return *named, nil
	}
	nearest, ok := s.registry.Nearest()
	if !ok && s.regErr != nil {
		return "", s.regErr
	}
	if !ok {
		return "", errors.New("no session above this process is in the registry: run it inside a session (! exchange claim …), " +
			"or name one with --session <id> (exchange show --json gives the ids)")
	}
	if nearest.IsPeer(s.cfg.Scripted) {
		if err := CheckID(nearest.SessionID); err != nil {
			return "", err
		}
		return nearest.SessionID, nil
	}
	return "", s.refuseRun(nearest, verb)
}

func (s site) refuseRun(run session.Row, verb string) error {
	kind := "a background job"
	if !run.IsJob() {
		kind = "a scripted run"
	}
	above := "no session above it is in the registry"
	target := "<id>"
	if own, ok := s.own(); ok {
		above = fmt.Sprintf("the session that started it (%s) is not it", text.Printable(own.Label()))
		target = text.Printable(own.SessionID)
	}
	return fmt.Errorf("this is %s, and a claim is a session's: %s; to speak for a session say so: exchange %s --session %s",
		kind, above, verb, target)
}

// DropReport names whose claim was dropped.
type DropReport struct {
	Claim Claim
	// Problem: the claim is gone, but something else of it stays.
	Problem string
}

// Lines says so.
func (r DropReport) Lines() []string {
	return []string{"dropped " + text.Printable(r.Claim.Label())}
}

// Drop deletes the claim of the own session, or of one that does not run. With
// an error nothing was deleted.
func (c Claimer) Drop(cwd string, named *string) (DropReport, error) {
	s, err := c.site(cwd)
	if err != nil {
		return DropReport{}, err
	}
	id, err := s.claimant(named, "claim --drop")
	if err != nil {
		return DropReport{}, err
	}
	claim, running, aside := s.claimsOf(id)
	if !running && !aside {
		return DropReport{}, fmt.Errorf("there is no claim of %s to drop: exchange show lists them", text.Printable(id))
	}
	if err := s.mayDrop(claim); err != nil {
		return DropReport{}, err
	}
	if running {
		if err := s.store.DropClaim(id); err != nil {
			return DropReport{}, err
		}
	}
	r := DropReport{Claim: claim}
	if err := s.store.DropEnded(id); err != nil && !errors.Is(err, ErrNoClaim) {
		if !running {
			return DropReport{}, err
		}
		r.Problem = fmt.Sprintf("the claim is dropped; but what was put aside of it stays: %s", err)
	}
	return r, nil
}

// claimsOf looks for an id among the claims and among those put aside. One that
// cannot be read is there all the same.
func (s site) claimsOf(id string) (claim Claim, running, aside bool) {
	claim, err := s.store.Claim(id)
	running = !errors.Is(err, ErrNoClaim)
	ended, endedErr := s.store.EndedClaim(id)
	aside = !errors.Is(endedErr, ErrNoClaim)
	if err != nil && endedErr == nil {
		claim = ended
	}
	if claim.SessionID == "" {
		claim = Claim{SessionID: id}
	}
	return claim, running, aside
}

// isOwn reports the claim of a session under its id, or under one that it went
// on with and that the registry does not show yet.
func (s site) isOwn(c Claim, own session.Row) bool {
	if c.SessionID == own.SessionID {
		return true
	}
	row, known := s.registry.Lookup(c.SessionID)
	return c.Holds(own.SessionID) && (!known || row.State != session.Live)
}

func (s site) mayDrop(c Claim) error {
	if own, ok := s.own(); ok && s.isOwn(c, own) {
		return nil
	}
	if s.regErr != nil {
		return s.regErr
	}
	switch s.registry.Standing(c.IDs(), s.cfg.Scripted) {
	case session.Gone:
		return nil
	case session.Unjudged:
		return fmt.Errorf("%s runs on another host or in a container: nobody here can tell that it has ended", text.Printable(c.Label()))
	default:
		return fmt.Errorf("%s is running and not this session: only it may drop its claim", text.Printable(c.Label()))
	}
}
