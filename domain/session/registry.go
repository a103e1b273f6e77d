package session

import (
	"slices"
	"strings"
	"time"
)

// State says what can be told from here about the process behind a row.
type State int

// The states of a row.
const (
	// Dead: no such process, or another one has its number now.
	Dead State = iota
	// Live: the process that wrote the row still runs.
	Live
	// Elsewhere: the row belongs to another host or container; its process
	// cannot be judged from here.
	Elsewhere
)

// scriptedEntrypoint marks a session that a script runs without a person.
const scriptedEntrypoint = "sdk-cli"

// reuseSlack is how much later than its row a process may have started and
// still be the one that wrote it.
const reuseSlack = 10 * time.Second

// maxWalk is how many processes a walk towards the own session looks at.
const maxWalk = 12

// processes is what judging rows needs to know about this machine.
type processes interface {
	Alive(pid int) bool
	Started(pid int) (Start, error)
	Parent(pid int) (int, error)
}

// IsJob reports a background job's row.
func (r Row) IsJob() bool {
	return r.Kind == "bg" || r.Kind == "daemon" || r.Kind == "daemon-worker"
}

// IsScripted reports a row that a script runs, whatever its kind.
func (r Row) IsScripted() bool { return r.Entrypoint == scriptedEntrypoint }

// ScriptedEntrypoint reports whether an entry point names a scripted run.
func ScriptedEntrypoint(entrypoint string) bool { return entrypoint == scriptedEntrypoint }

// IsPeer reports a session that counts as somebody: not a job and, unless
// scripted runs are admitted, not one of those either.
func (r Row) IsPeer(scripted bool) bool {
	return !r.IsJob() && (scripted || !r.IsScripted())
}

// Label returns the name that a person knows the session by: its name, else
// its id.
func (r Row) Label() string {
	if r.Name != "" {
		return r.Name
	}
	return r.SessionID
}

// Judged is a row with what is known of its process.
type Judged struct {
	Row
	State State
}

// Registry is one reading of the session registry, judged from the process
// that asks.
type Registry struct {
	rows []Judged
	// byID holds the places of each id's rows.
	byID   map[string][]int
	unread []string
	walk   []int
	inside []string
}

// Judge looks at the process behind each row. self is the asking process,
// domain this machine's pid domain, empty when not known; a row of an ancestor
// with exactly its start tells the domain with more authority.
func Judge(l Listing, procs processes, self int, domain string) Registry {
	r := Registry{byID: make(map[string][]int, len(l.Rows)), unread: l.Unread, walk: ancestors(procs, self), inside: l.Inside}
	if own, ok := domainOf(l.Rows, procs, r.walk); ok {
		domain = own
	}
	for i, row := range l.Rows {
		r.byID[row.SessionID] = append(r.byID[row.SessionID], i)
		r.rows = append(r.rows, Judged{Row: row, State: judge(row, procs, domain)})
	}
	return r
}

func ancestors(procs processes, pid int) []int {
	var walk []int
	for len(walk) < maxWalk && pid > 1 {
		walk = append(walk, pid)
		parent, err := procs.Parent(pid)
		if err != nil {
			break
		}
		pid = parent
	}
	return walk
}

func domainOf(rows []Row, procs processes, walk []int) (string, bool) {
	for _, pid := range walk {
		for _, row := range rows {
			if row.PID != pid || row.PidDomain == "" || row.Ticks() == "" {
				continue
			}
			if start, err := procs.Started(pid); err == nil && start.Token == row.Ticks() {
				return row.PidDomain, true
			}
		}
	}
	return "", false
}

func judge(row Row, procs processes, domain string) State {
	if row.Held {
		return Live
	}
	if row.PidDomain != "" && domain != "" && row.PidDomain != domain {
		return Elsewhere
	}
	if row.PID < 1 || !procs.Alive(row.PID) {
		return Dead
	}
	ticks := row.Ticks()
	if ticks == "" && row.StartedAt.IsZero() {
		return Live
	}
	start, err := procs.Started(row.PID)
	if err != nil {
		return Live
	}
	if ticks != "" && isDigits(start.Token) {
		if ticks == start.Token {
			return Live
		}
		return Dead
	}
	if !row.StartedAt.IsZero() && !start.At.IsZero() && start.At.Sub(row.StartedAt) > reuseSlack {
		return Dead
	}
	return Live
}

// Rows returns every row in file order.
func (r Registry) Rows() []Judged { return r.rows }

// Unread names the registry files that held no row.
func (r Registry) Unread() []string { return r.unread }

// Own returns the session that this process belongs to: the nearest ancestor
// with a live peer's row.
func (r Registry) Own(scripted bool) (Row, bool) {
	return r.nearest(func(row Row) bool { return row.IsPeer(scripted) })
}

// Nearest returns the nearest ancestor with a live row of any kind.
func (r Registry) Nearest() (Row, bool) {
	return r.nearest(func(Row) bool { return true })
}

// Lookup returns a row of a session id, of any kind: the first live one, else the
// first. Rows of runs that have ended may lie about under the same id.
func (r Registry) Lookup(id string) (Judged, bool) {
	places := r.byID[id]
	if len(places) == 0 {
		return Judged{}, false
	}
	for _, i := range places {
		if r.rows[i].State == Live {
			return r.rows[i], true
		}
	}
	return r.rows[places[0]], true
}

// Peers returns the live peers, by name, else by session id.
func (r Registry) Peers(scripted bool) []Row {
	var peers []Row
	for _, row := range r.rows {
		if row.State == Live && row.IsPeer(scripted) {
			peers = append(peers, row.Row)
		}
	}
	slices.SortStableFunc(peers, func(a, b Row) int { return strings.Compare(a.Label(), b.Label()) })
	return peers
}

// Standing says what the registry knows of a session under any of its ids.
type Standing int

// What the registry can say of a claim's holder.
const (
	// Gone: no live row of any kind.
	Gone Standing = iota
	// Present: a live peer.
	Present
	// Working: a live row, but a job's or a scripted run's.
	Working
	// Unjudged: only rows of another host or container.
	Unjudged
)

// Standing judges a session by all its ids.
func (r Registry) Standing(ids []string, scripted bool) Standing {
	standing := Gone
	for _, id := range ids {
		for _, i := range r.byID[id] {
			switch row := r.rows[i]; {
			case row.State == Live && row.IsPeer(scripted):
				return Present
			case row.State == Live:
				standing = Working
			case row.State == Elsewhere && standing == Gone:
				standing = Unjudged
			}
		}
	}
	return standing
}
