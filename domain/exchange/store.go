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
	Inspector
}

// Opener opens the store of a root, which need not exist yet. An error wraps
// ErrForeignStore, or says why nobody could look where the store lies.
type Opener func(root string) (Store, error)
