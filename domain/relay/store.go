package relay

import (
	"errors"
	"strings"
	"time"
)

var (
	// ErrNoSession reports a session that relay knows nothing of.
	ErrNoSession = errors.New("no such session")

	// ErrTaken reports that somebody else wrote the event of that number, or
	// claimed that box: read again and decide anew.
	ErrTaken = errors.New("somebody else was first")

	// ErrNoLink reports a link that does not exist.
	ErrNoLink = errors.New("no such link")

	// ErrUnusable reports a file that was read and is not what it should be.
	ErrUnusable = errors.New("it cannot be used")
)

// IsID reports what can be the id of a session or a link: a name of letters,
// digits, dots, underscores and hyphens that does not begin with a dot.
func IsID(id string) bool {
	const rest = "abcdefghijklmnopqrstuvwxyz0123456789._-"
	return id != "" && id[0] != '.' && strings.Trim(strings.ToLower(id), rest) == ""
}

// Member is what relay keeps about one session: its link, if any, and the
// process that it was last seen in. The two are kept apart: a hook that notes the
// process never writes over a link that somebody makes at that moment.
type Member struct {
	Session string
	Link    string
	Role    Role
	PID     int
	Start   string
}

// Attachment is the process that draws a session's band and shows its
// deliveries.
type Attachment struct {
	PID   int
	Start string
}

// Members keeps what is known of sessions.
type Members interface {
	// Member returns one session: ErrNoSession where there is none.
	Member(session string) (Member, error)

	// AddMember gives a session a link: ErrTaken where it has one.
	AddMember(m Member) error

	// ReplaceMember gives a session a link in place of the one named: ErrTaken where
	// it has that one no longer. Each is replaced once.
	ReplaceMember(m Member, old string) error

	// DropMember forgets a session.
	DropMember(session string) error
}

// Whereabouts keep the processes that sessions run in.
type Whereabouts interface {
	// PutProcess notes where a session runs now.
	PutProcess(session string, a Attachment) error

	// DropProcess forgets where a session runs.
	DropProcess(session string) error
}

// MemberLister finds sessions by something other than their id.
type MemberLister interface {
	// Members returns all that are known, and the problems of those that
	// cannot be read.
	Members() ([]Member, []string)

	// AllLinks returns the ids of every link.
	AllLinks() ([]string, error)
}

// Attachments tells which sessions are attached.
type Attachments interface {
	// Attachment returns ErrNoSession where a session is not attached.
	Attachment(session string) (Attachment, error)
	PutAttachment(session string, a Attachment) error
	DropAttachment(session string) error
}

// Links keeps the logs of links.
type Links interface {
	// Log reads a link: ErrNoLink where there is none. An event that cannot
	// be read is an error: a part of a log is no log.
	Log(link string) (Log, error)

	// Append writes the next event of a side: ErrTaken where its number is
	// taken.
	Append(link string, role Role, e Event) error
}

// Boxes moves deliveries.
type Boxes interface {
	// Put lays a delivery down for its receiver. One that lies there already
	// is no error.
	Put(d Delivery) error

	// Claim takes a box for a process and returns what is in it: ErrTaken
	// where somebody else was first. ErrUnusable says that it is claimed and
	// that its content is none; after any other error it waits as before.
	Claim(link string, to Role, box Box, holder Attachment) (Delivery, error)

	// Release puts a claimed box back, and takes it away where the same waits
	// there already: ErrTaken where it moved meanwhile.
	Release(link string, to Role, box Box) error
}

// Passer gives claimed boxes on.
type Passer interface {
	// HandOver makes another process the one that a box is claimed for:
	// ErrTaken where it moved meanwhile.
	HandOver(link string, to Role, box Box, holder Attachment, at time.Time) error
}

// Withdrawer takes back what nobody has claimed.
type Withdrawer interface {
	// Withdraw removes a box: ErrTaken where it was claimed meanwhile.
	Withdraw(link string, to Role, box Box) error
}

// Doorbells reach sessions that are not attached.
type Doorbells interface {
	// BellPath returns where a session's bell lies.
	BellPath(session string) string

	// Hang makes the place of a session's bell, without which the client sees
	// no first ring, and returns its path.
	Hang(session string) (string, error)

	// Ring makes the client of a session look into its boxes.
	Ring(session string) error

	// Remind rings unless the bell has rung within the time given. A client waits
	// until its bell is still, so whoever only looks may not ring at each look.
	Remind(session string, now time.Time, within time.Duration) error
}

// Asks keeps which links a session was asked for.
type Asks interface {
	Asks(session string) ([]string, error)
	PutAsk(session, link string) error
	DropAsk(session, link string) error
}

// Store is everything that relay keeps.
type Store interface {
	Members
	MemberLister
	Whereabouts
	Attachments
	Links
	Boxes
	Passer
	Withdrawer
	Doorbells
	Asks
}

// sendable is a box that a delivery lies in.
func (d Delivery) sendable() Box { return Box{From: d.From, Seq: d.Seq, Copy: d.Copy} }
