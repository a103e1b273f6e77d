package relay

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// Party is one session of a link as it was when it said so.
type Party struct {
	Session string
	Name    string
	Cwd     string
	// PID and Start identify the session's process; zero in a headless link.
	PID   int
	Start string
}

// Label returns the name that a person knows the session by, fit to be shown.
func (p Party) Label() string {
	if name := first(p.Name); name != "" {
		return name
	}
	if len(p.Session) > 8 {
		return p.Session[:8]
	}
	return p.Session
}

// Kind names what an event of a side's log says.
type Kind string

// The kinds of events. The comment names the fields that each carries beside
// Seq and At.
const (
	// Asked begins a link: Party, Peer, Detail (the peer's name), Nonce, MaxRounds,
	// Lang.
	Asked Kind = "asked"
	// Accepted is the other side's first: Party, Nonce, MaxRounds, Lang.
	Accepted Kind = "accepted"
	// Declined refuses the link: Party.
	Declined Kind = "declined"
	// Unlinked ends it.
	Unlinked Kind = "unlinked"
	// GoalSet starts the work anew: Text, Digest. Its number is the delivery's.
	GoalSet Kind = "goal"
	// Recorded is what a turn's end said: Prompt, Text, Digest, HasDone,
	// Summary, Left, Unclosed, Waiting.
	Recorded Kind = "recorded"
	// Sent puts a record on its way: Of, Round, Answers, Corrects, Text, Digest.
	// Its number is the delivery's.
	Sent Kind = "sent"
	// Shown: a delivery entered this side's model: From, Delivery, Copy,
	// Prompt, WithPrompt.
	Shown Kind = "shown"
	// Refused: a delivery did not: From, Delivery, Copy, Reason; Prompt where it
	// was kept out at the gate, which says so there.
	Refused Kind = "refused"
	// Paused: Reason, Detail, Of where a record is held by it, From and
	// Delivery where one was shown to a turn that died.
	Paused Kind = "paused"
	// Resumed answers pauses: Answered.
	Resumed Kind = "resumed"
	// Again shows a delivery to this side once more: From, Delivery, Copy.
	Again Kind = "again"
	// Offered: a delivery that this side's client was given, and of which nothing
	// was heard, is put back, to be given once more: From, Delivery, Copy, Detail
	// (which giving it was), and Reason where that client is gone.
	Offered Kind = "offered"
	// Absorbed: a text that is a delivery which was shown already, or is offered
	// once more, was kept from this side's model: From, Delivery, Copy, Prompt.
	Absorbed Kind = "absorbed"
	// LookedAlike: a text that only looks like a delivery was kept from this side's
	// model: Prompt.
	LookedAlike Kind = "look-alike"
	// Told: this side's person has been told of what was refused: Of.
	Told Kind = "told"
	// SetAside: a record that was not its turn: Of.
	SetAside Kind = "aside"
	// Ended ends the work: Of, Answers, Summary.
	Ended Kind = "done"
	// TurnLost: a turn ended without counting, so its records are void: Reason.
	TurnLost Kind = "turn-lost"
	// Moved: the session goes on under another id or process: Party. Of a side
	// that has not answered yet it is the first event.
	Moved Kind = "moved"
	// Forgot: the model's context no longer holds its role: Reason.
	Forgot Kind = "forgot"
	// Left: the session ended: Reason.
	Left Kind = "left"
	// Conversed: the agent of a headless side told its conversation: Detail.
	Conversed Kind = "conversed"
)

// Reason says why something stopped.
type Reason string

// The reasons.
const (
	ByPerson    Reason = "person"
	AtLimit     Reason = "limit"
	NotAccepted Reason = "not-accepted"
	Echo        Reason = "echo"
	TooLarge    Reason = "too-large"
	NotRead     Reason = "not-read"
	PeerGone    Reason = "peer-gone"
	TurnDied    Reason = "turn-died"
	NotTaken    Reason = "not-delivered"
	Dropped     Reason = "dropped"
	Aborted     Reason = "aborted"
	Failed      Reason = "failed"
	Compacted   Reason = "compact"
	BadNonce    Reason = "nonce"
	BadDigest   Reason = "digest"
	Unexpected  Reason = "unexpected"
)

// Ref names one event of a link.
type Ref struct {
	Role Role
	Seq  int
}

// Event is one entry of a side's log. Seq counts from 1 and orders the log; At
// is for showing alone.
type Event struct {
	Seq  int
	Kind Kind
	At   time.Time

	Party     Party
	Peer      string
	Nonce     string
	MaxRounds int
	Lang      string

	Prompt   string
	Text     string
	Digest   string
	HasDone  bool
	Summary  string
	Left     int
	Unclosed bool
	Waiting  bool

	Of       int
	Round    int
	Answers  int
	Corrects bool

	From       Role
	Delivery   int
	Copy       int
	WithPrompt bool

	Reason   Reason
	Detail   string
	Answered []Ref
}

// Digest identifies a text.
func Digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Box is a delivery as it lies with its receiver.
type Box struct {
	From Role
	Seq  int
	Copy int
	// Taken: claimed for the process below, which shows it or dies.
	Taken bool
	PID   int
	Start string
	// HandedAt is when whoever claimed it gave it to that process, the client; zero
	// as long as it has not.
	HandedAt time.Time
}

// sendable is the box as its sender put it down.
func (b Box) sendable() Box { return Box{From: b.From, Seq: b.Seq, Copy: b.Copy} }

// Log is everything that is known of a link: both sides' events in order, and
// what lies in each side's boxes.
type Log struct {
	Link   string
	Events map[Role][]Event
	Boxes  map[Role][]Box
}
