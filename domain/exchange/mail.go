package exchange

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/domain/text"
)

// suffixBytes is how many random bytes make an id or a move's name unique.
const suffixBytes = 3

// Mail posts handoffs and moves them.
type Mail struct{ World }

// PostRequest is what post is asked to do.
type PostRequest struct {
	Cwd     string
	Repo    string
	Paths   []string
	Session string
	Body    string
	// Wake asks the sessions that it is for to take it at once.
	Wake bool
}

// PostReport says what was posted, and what its sender should know.
type PostReport struct {
	Handoff Handoff
	// Woken: sessions were asked to wake, Asked of them.
	Woken bool
	Asked int
	Notes []string
	// Problems: the handoff is written all the same.
	Problems []string

	rendering rendering
}

// Lines renders the report.
func (r PostReport) Lines() []string {
	p := r.rendering.page()
	p.line("posted %s to %s", r.Handoff.ID, r.rendering.scope(r.Handoff.To))
	if r.Woken {
		p.row("wake", "%d session(s) asked to wake", r.Asked)
	}
	for _, note := range r.Notes {
		p.row("note", "%s", note)
	}
	p.advise(r.Problems)
	return p.lines
}

// Post writes a handoff. With an error nothing was written.
func (m Mail) Post(req PostRequest) (PostReport, error) {
	s, err := m.site(req.Cwd)
	if err != nil {
		return PostReport{}, err
	}
	to, err := ParseAddress(req.Repo, req.Paths, req.Session)
	if err != nil {
		return PostReport{}, err
	}
	if !utf8.ValidString(req.Body) {
		return PostReport{}, errors.New("the body is not valid UTF-8: nothing was posted")
	}
	body := strings.TrimSpace(req.Body)
	if body == "" {
		return PostReport{}, errors.New("the body says nothing: nothing was posted")
	}
	h := Handoff{From: Sender{Cwd: m.absolute(req.Cwd)}, To: to, Created: m.Clock.Now(), Body: body}
	unknown := ""
	switch own, known := s.own(); {
	case !known && s.regErr != nil:
		unknown = text.Printable(s.regErr.Error())
	case !known:
		unknown = "this process belongs to no session in the registry"
	case CheckID(own.SessionID) != nil:
		unknown = "this process belongs to a session that is registered as " + CheckID(own.SessionID).Error()
	default:
		h.From.SessionID, h.From.Name = own.SessionID, own.Name
	}
	err = m.suffixed(func(suffix string) error {
		h.ID = compact(h.Created) + "-" + suffix
		return s.store.Post(h)
	})
	if err != nil {
		return PostReport{}, err
	}
	r := m.posted(s, h, unknown)
	if req.Wake {
		var notes []string
		r.Woken = s.cfg.Deliver == DeliverByWaking
		r.Asked, notes = m.wake(s, h)
		r.Notes = append(r.Notes, notes...)
	}
	return r, nil
}

// suffixTries is how many names are tried where others hold them: of many
// writers in one second, two will some day draw one suffix.
const suffixTries = 8

// suffixed publishes something under a name that ends in a random suffix, and
// draws another one where the name is taken.
func (m Mail) suffixed(publish func(suffix string) error) error {
	var taken error
	for range suffixTries {
		suffix, err := m.Random.Hex(suffixBytes)
		if err != nil {
			return fmt.Errorf("no random name can be made: %w", err)
		}
		if taken = publish(suffix); !errors.Is(taken, fs.ErrExist) {
			return taken
		}
	}
	return taken
}

// posted says what a sender should know. unknown is why the record does not
// name the session; empty where it does.
func (m Mail) posted(s site, h Handoff, unknown string) PostReport {
	r := PostReport{Handoff: h, rendering: s.rendering}
	if s.cfgErr != nil {
		r.Problems = append(r.Problems, "the handoff is written; do not post it again. But "+s.cfgErr.Error())
	}
	switch {
	case s.regErr != nil: // said of the sender
	case h.To.SessionID != "" && !m.heldLive(s, h.To.SessionID):
		r.Notes = append(r.Notes, fmt.Sprintf(
			"no live session is registered as %s; it waits, and any session can move it%s", h.To.SessionID, s.sameName(h.To.SessionID)))
	}
	if h.To.Repo != "" {
		if info, err := m.Files.Stat(path.Join(s.Root, h.To.Repo)); err != nil || !info.Mode.IsDir() {
			r.Notes = append(r.Notes, fmt.Sprintf("%s is no directory under %s: only a session that claims that repo gets it",
				text.Quote(h.To.Repo), text.Printable(s.Root)))
		}
	}
	if unknown != "" {
		r.Notes = append(r.Notes, unknown+": only the working directory is recorded as sender")
	}
	r.Notes = append(r.Notes, m.sweep(s)...)
	return r
}

// heldLive reports a live peer that has the id now or had it before.
func (m Mail) heldLive(s site, id string) bool {
	ids := []string{id}
	if c, ok := s.store.Claims().Of(id); ok {
		ids = append(ids, c.IDs()...)
	}
	return s.registry.Standing(ids, s.cfg.Scripted) == session.Present
}

// MoveRequest asks for a new status of a handoff.
type MoveRequest struct {
	Cwd    string
	ID     string
	Status Status
	Note   string
}

// MoveReport says where the handoff stands now.
type MoveReport struct {
	ID     string
	Status Status
	// Resolved: the move settled a tie.
	Resolved bool
	Position int
	// Notes are what its mover should know.
	Notes []string
}

// Lines renders the report.
func (r MoveReport) Lines() []string {
	line := fmt.Sprintf("%s is now %s", r.ID, r.Status)
	if r.Resolved {
		line = fmt.Sprintf("%s, resolved at position %d", line, r.Position)
	}
	lines := []string{line}
	if r.Resolved {
		lines = append(lines, "the disagreeing moves are still on disk, and still reported")
	}
	for _, note := range r.Notes {
		lines = append(lines, fmt.Sprintf("%-10s%s", "note", note))
	}
	return lines
}

// Move accepts or closes a handoff. With an error nothing was written.
func (m Mail) Move(req MoveRequest) (MoveReport, error) {
	s, filed, err := m.movable(req)
	if err != nil {
		return MoveReport{}, err
	}
	if err := filed.refusal(req.Status); err != nil {
		return MoveReport{}, err
	}
	return m.move(s, filed, req, false)
}

// refusal is why a handoff cannot be moved to a status.
func (f Filed) refusal(status Status) error {
	if tied := f.Tied(); len(tied) > 0 || len(f.Unread) > 0 {
		return errors.New(strings.Join(append(slices.Clone(f.Unread), frozen(f)...), "; "))
	}
	if f.Status() == status {
		return fmt.Errorf("%s is already %s", f.ID, status)
	}
	return nil
}

// Resolve settles a tie with one more move. With an error nothing was written.
func (m Mail) Resolve(req MoveRequest) (MoveReport, error) {
	s, filed, err := m.movable(req)
	if err != nil {
		return MoveReport{}, err
	}
	if len(filed.Unread) > 0 {
		return MoveReport{}, errors.New(strings.Join(filed.Unread, "; "))
	}
	if filed.Settled() {
		return MoveReport{}, fmt.Errorf("%s is settled as %s: there is nothing to resolve", filed.ID, filed.Status())
	}
	return m.move(s, filed, req, true)
}

// frozen is the refusal of a handoff whose last position is contested.
func frozen(f Filed) []string {
	tied := f.Tied()
	if len(tied) == 0 {
		return nil
	}
	return append(f.TieProblems(), fmt.Sprintf("exchange handoff resolve %s --status open|accepted|closed --note WHY settles it", f.ID))
}

func (m Mail) movable(req MoveRequest) (site, Filed, error) {
	s, err := m.site(req.Cwd)
	if err != nil {
		return s, Filed{}, err
	}
	filed, err := s.movable(req.ID)
	return s, filed, err
}

// movable reads a handoff that is to be moved.
func (s site) movable(id string) (Filed, error) {
	if err := CheckID(id); err != nil {
		return Filed{}, err
	}
	filed, err := s.store.Handoff(id)
	if errors.Is(err, ErrNoHandoff) {
		if _, archived := s.store.ArchivedHandoff(id); !errors.Is(archived, ErrNoHandoff) {
			return filed, fmt.Errorf("%s is archived: %s", id, restoring(id))
		}
		return filed, fmt.Errorf("no handoff with id %s under %s: exchange handoff list --all names them", id, text.Printable(s.Root))
	}
	return filed, err
}

// restoring says how to go on with an archived handoff.
func restoring(id string) string {
	return fmt.Sprintf("exchange handoff restore %s --apply brings it back", id)
}

func (m Mail) move(s site, filed Filed, req MoveRequest, resolved bool) (MoveReport, error) {
	move := Move{At: m.Clock.Now(), Status: req.Status, After: filed.Next(), Note: req.Note}
	if own, ok := s.own(); ok {
		move.By = own.Label()
	}
	if err := m.add(s, filed.ID, move); err != nil {
		return MoveReport{}, err
	}
	r := MoveReport{ID: filed.ID, Status: req.Status, Resolved: resolved, Position: move.After}
	if req.Status == Closed || resolved {
		r.Notes = m.sweep(s)
	}
	return r, nil
}

// add publishes a move.
func (m Mail) add(s site, id string, move Move) error {
	err := m.suffixed(func(suffix string) error { return s.store.AddMove(id, move, suffix) })
	if errors.Is(err, ErrArchived) {
		return fmt.Errorf("%s: %w: %s", id, err, restoring(id))
	}
	return err
}

// ListRequest asks for the handoffs of a root.
type ListRequest struct {
	Cwd      string
	All      bool
	Archived bool
}

// ListReport is the handoffs of a root, newest first.
type ListReport struct {
	Root     string
	Stored   int
	Items    []Filed
	Problems []string

	rendering rendering
}

// Reader reads handoffs for a person or a script.
type Reader struct{ World }

// List reads the handoffs. Errors: *NoRootError, ErrForeignStore.
func (m Reader) List(req ListRequest) (ListReport, error) {
	s, err := m.site(req.Cwd)
	if err != nil {
		return ListReport{}, err
	}
	r := ListReport{Root: s.Root, Problems: []string{}, rendering: s.rendering}
	if s.cfgErr != nil {
		r.Problems = append(r.Problems, s.cfgErr.Error())
	}
	var shelf Shelf
	if req.Archived {
		shelf = s.store.Archived()
	} else {
		shelf = s.store.Handoffs()
		r.Problems = append(r.Problems, s.store.Strays()...)
	}
	r.Problems = append(r.Problems, shelf.Problems()...)
	r.Stored = len(shelf.Items)
	for _, item := range shelf.Items {
		if req.All || req.Archived || !item.Over() {
			r.Items = append(r.Items, item)
		}
	}
	newestFirst(r.Items)
	return r, nil
}

// Lines renders the list, capped by the marker's limit.
func (r ListReport) Lines() []string {
	p := r.rendering.page()
	shown := min(len(r.Items), r.rendering.cfg.MaxHandoffsListed)
	p.row("handoffs", "%d stored, %d shown", r.Stored, shown)
	for _, item := range r.Items[:shown] {
		p.line("  %s  %s%s", item.ID, item.Status(), r.rendering.age(item.Created))
		p.line("    to %s, from %s, %s", r.rendering.scope(item.To), r.rendering.sender(item.Handoff), Timestamp(item.Created))
		p.line("    %s", r.rendering.preview(item.Handoff))
	}
	if older := len(r.Items) - shown; older > 0 {
		p.line("  +%d older not shown: raise max_handoffs_listed in %s", older, text.Printable(MarkerPath(r.Root)))
	}
	p.problems(r.Problems)
	return p.lines
}

// sweepLimit is how many handoffs other verbs archive on their way.
const sweepLimit = 200

// sweep archives what is over, on the way of another verb whose work is done: to
// that verb a failure is worth a note.
func (m Mail) sweep(s site) (notes []string) {
	if s.cfgErr != nil {
		return nil
	}
	if !s.store.AnyClosedBefore(m.Clock.Now().Add(-s.cfg.staleAfter())) {
		return nil
	}
	moved := 0
	for _, filed := range over(s.store.Handoffs(), s.cfg, m.Clock.Now()) {
		if moved == sweepLimit {
			break
		}
		moved++
		if err := s.store.Archive(filed); err != nil && !errors.Is(err, ErrMoved) {
			notes = append(notes, text.Printable(fmt.Sprintf("this was done; but %s could not be archived: %s", filed.ID, err)))
		}
	}
	return notes
}

// over returns the handoffs that are closed and settled without any problem,
// and whose last move is older than the marker's limit.
func over(shelf Shelf, cfg Config, now time.Time) []Filed {
	twice := shelf.shared()
	var done []Filed
	for _, item := range shelf.Items {
		old := now.Sub(item.LastMoved()) > cfg.staleAfter()
		if old && item.Status() == Closed && len(item.Problems()) == 0 && len(twice[item.ID]) < 2 {
			done = append(done, item)
		}
	}
	return done
}
