package exchange

import (
	"errors"
	"time"
)

var (
	// ErrNoClaim reports that no claim of that id is stored.
	ErrNoClaim = errors.New("no such claim")

	// ErrNoHandoff reports that no record of that id is stored.
	ErrNoHandoff = errors.New("no such handoff")

	// ErrArchived reports a handoff that was archived while somebody moved it:
	// the move was taken back.
	ErrArchived = errors.New("it was archived meanwhile; nothing was changed")

	// ErrMoved reports a handoff that somebody moved while it was to be
	// archived: it stays where it was.
	ErrMoved = errors.New("it was moved meanwhile, and stays in the store")

	// ErrNoWake reports that a wake file is not there: nobody rang, or another
	// process took it.
	ErrNoWake = errors.New("no such wake file")

	// ErrForeignStore reports a store whose real place is the store of another
	// marked root: nothing may be read or written there.
	ErrForeignStore = errors.New("the store really is that of another root")
)

// ClaimReader reads claims of sessions that have not ended.
type ClaimReader interface {
	// Claims reads every claim. A missing directory is no claims.
	Claims() Claims

	// Claim reads one claim. ErrNoClaim where there is none; a *FileError
	// where it cannot be used.
	Claim(id string) (Claim, error)
}

// ClaimWriter writes and removes claims.
type ClaimWriter interface {
	// PutClaim replaces the claim of its session. After an error the old one
	// stands.
	PutClaim(c Claim) error

	// DropClaim deletes a claim. ErrNoClaim where there is none.
	DropClaim(id string) error
}

// EndedClaims keeps the claims of sessions that have ended, for the day they
// are resumed.
type EndedClaims interface {
	// EndClaim puts the claim aside, over an older one. ErrNoClaim where there
	// is none.
	EndClaim(id string) error

	// EndedClaim reads what was put aside: ErrNoClaim, *FileError.
	EndedClaim(id string) (Claim, error)

	// DropEnded deletes it. ErrNoClaim where there is none.
	DropEnded(id string) error
}

// HandoffReader reads handoffs that are not archived.
type HandoffReader interface {
	// Handoffs reads every record with all its moves.
	Handoffs() Shelf

	// Pending reads what may not be closed. A closed handoff costs one read:
	// its last move.
	Pending() Shelf

	// PendingMeanwhile begins to read what Pending returns; the function that it
	// returns waits for that. A fault in the reading is one of whoever waits.
	PendingMeanwhile() (pending func() Shelf)

	// Handoff reads one. ErrNoHandoff where there is no record; a *FileError
	// where it cannot be used.
	Handoff(id string) (Filed, error)
}

// HandoffWriter publishes records and moves, each exclusively.
type HandoffWriter interface {
	// Post publishes a record. An id that is taken, by a record or by a moves
	// directory, is an error and changes nothing.
	Post(h Handoff) error

	// AddMove publishes one move of a handoff. ErrArchived where the handoff
	// went into the archive meanwhile: then nothing was changed.
	AddMove(id string, m Move, suffix string) error
}

// ArchiveReader reads what is over.
type ArchiveReader interface {
	// Archived reads every archived handoff.
	Archived() Shelf

	// ArchivedHandoff reads one: ErrNoHandoff, *FileError.
	ArchivedHandoff(id string) (Filed, error)
}

// Archiver moves handoffs between the store and its archive, each part by a
// rename that never replaces anything. A part that is gone already is no error.
type Archiver interface {
	// Archive moves the record, then its moves. ErrMoved, and nothing is changed,
	// where the moves are not those of f any more. A handoff without a time of
	// posting is known by its id alone: its record is archived already, and its
	// moves follow.
	Archive(f Filed) error

	// AnyClosedBefore reports, at one read a handoff, whether some handoff
	// seems closed since before t. What cannot be read counts as not closed.
	AnyClosedBefore(t time.Time) bool

	// Restore moves the moves, then the record. ErrNoHandoff where the archive
	// does not hold it.
	Restore(id string) error

	// HalfArchived returns the ids whose record lies in the archive and whose
	// moves do not.
	HalfArchived() []string
}

// ReceiptKeeper keeps what each session was shown. A name that cannot be that of a
// directory is an error everywhere.
type ReceiptKeeper interface {
	// Seen returns the ids of the handoffs that a session has a receipt of.
	Seen(sessionID string) (map[string]bool, error)

	// AddReceipt claims the receipt of a pair: fs.ErrExist where there is one.
	AddReceipt(sessionID, handoffID string, r Receipt) error

	// DropReceipt takes back one of ours, and the look that went by it. A missing
	// one is no error.
	DropReceipt(sessionID, handoffID string) error

	// Receipts reads every session's receipt of a handoff.
	Receipts(handoffID string) Receipts
}

// Remembrancer keeps what each session was told beside handoffs.
type Remembrancer interface {
	// Remembered returns the names that were remembered of a session.
	Remembered(sessionID string, kind Memory) (map[string]bool, error)

	// Remember claims a name: fs.ErrExist where it is remembered already.
	Remember(sessionID string, kind Memory, name string, at time.Time) error

	// Unremember takes back a name of ours, and the look that went by it. A missing
	// one is no error.
	Unremember(sessionID string, kind Memory, name string) error
}

// Lookout tells cheaply whether a session's last look still holds.
type Lookout interface {
	// Sight looks when the store was last changed.
	Sight() (Sight, error)

	// LastLook returns what PutLook wrote for a session, and when. Nothing where
	// nothing was written.
	LastLook(sessionID string) (data []byte, written time.Time, err error)

	// PutLook replaces it.
	PutLook(sessionID string, data []byte) error
}

// Waker keeps the files whose arrival wakes a session.
type Waker interface {
	// WakePath returns the file that a session is to watch.
	WakePath(sessionID string) (string, error)

	// PrepareWake makes the directory that it comes into: a client notices nothing
	// in one that was not there when its watch began.
	PrepareWake() error

	// PutWake puts it there.
	PutWake(sessionID string) error

	// TakeWake takes it away, which only one process can: ErrNoWake for all
	// others. suffix makes the name unique under which it goes.
	TakeWake(sessionID, suffix string) error
}

// TraceKeeper finds and clears what is kept of sessions.
type TraceKeeper interface {
	// Traces returns what is kept of each session, in order of their ids, and what
	// could not be looked into.
	Traces() (traces []Trace, problems []string)

	// Forget removes all that is kept of a session beside its claim.
	Forget(sessionID string) error
}

// Inspector looks for what no reader reports.
type Inspector interface {
	// Strays says where the store really lies, if outside its root.
	Strays() []string

	// Inspect looks into every directory of the store.
	Inspect() Inspection
}

// Inspection is what is wrong with a store beyond unusable files.
type Inspection struct {
	// OldShapes are records of the shape before moves.
	OldShapes []OldShape
	// Orphans are moves directories without a record.
	Orphans []Orphan
	// Leftovers are unfinished files, as paths below the root.
	Leftovers []string
	// Writable are directories that everybody may write to, as paths below
	// the root.
	Writable []string
	// Problems are what could not be looked into.
	Problems []string
}

// OldShape is a record that still carries its status inside.
type OldShape struct {
	File string
	Keys []string
}

// Orphan is a moves directory without a record beside it.
type Orphan struct {
	Dir   string
	ID    string
	Moves int
	// Archived: the record lies in the archive, so tidy can finish.
	Archived bool
}

// Store is the store of one root.
type Store interface {
	ClaimReader
	ClaimWriter
	EndedClaims
	HandoffReader
	HandoffWriter
	ArchiveReader
	Archiver
	ReceiptKeeper
	Remembrancer
	Lookout
	Waker
	TraceKeeper
	Inspector
}

// Opener opens the store of a root, which need not exist yet. An error wraps
// ErrForeignStore, or says why nobody could look where the store lies.
type Opener func(root string) (Store, error)
