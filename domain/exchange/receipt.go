package exchange

import (
	"slices"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/jsondoc"
)

// Showing is the occasion on which a handoff was shown to a session.
type Showing string

// The occasions.
const (
	ShownAtStart  Showing = "start"
	ShownAtPrompt Showing = "prompt"
	ShownByWaking Showing = "wake"
)

// Receipt says that the text of a handoff was handed to a session's client, no
// more.
type Receipt struct {
	At  time.Time
	How Showing
	// Name is what the session was called then.
	Name string
}

// ParseReceipt reads a receipt file of the given base name.
func ParseReceipt(name string, data []byte) (Receipt, error) {
	object, err := parse(name, data, receiptSchema())
	if err != nil {
		return Receipt{}, err
	}
	at, err := parseTimestamp(jsondoc.Text(object, "at"))
	if err != nil {
		return Receipt{}, &FileError{Name: name, Err: err}
	}
	return Receipt{At: at, How: Showing(jsondoc.Text(object, "how")), Name: jsondoc.Text(object, "name")}, nil
}

// Encode returns the bytes of the receipt's file.
func (r Receipt) Encode(name string) ([]byte, error) {
	object := jsondoc.Object{{Key: "at", Value: Timestamp(r.At)}, {Key: "how", Value: string(r.How)}}
	object.AddText("name", r.Name)
	return encoded(name, object, receiptSchema())
}

// StoredReceipt is a receipt with the session that it is of.
type StoredReceipt struct {
	SessionID string
	Receipt
}

// Label returns the name that a person knows the session by.
func (r StoredReceipt) Label() string {
	if r.Name != "" {
		return r.Name
	}
	return r.SessionID
}

// Receipts is one reading of the receipts of a handoff: what could be read, the
// earliest first, and what could not.
type Receipts struct {
	Items    []StoredReceipt
	Problems []string
}

// NewReceipts puts receipts in order.
func NewReceipts(items []StoredReceipt, problems []string) Receipts {
	ordered := slices.Clone(items)
	slices.SortStableFunc(ordered, func(a, b StoredReceipt) int {
		if c := a.At.Compare(b.At); c != 0 {
			return c
		}
		return strings.Compare(a.SessionID, b.SessionID)
	})
	return Receipts{Items: ordered, Problems: problems}
}

// Memory is a kind of what is remembered of a session beside its receipts.
type Memory string

const (
	// MemoryTold holds the handoffs of which a session's person was told.
	MemoryTold Memory = "told"

	// MemoryOverlap holds the overlaps that a session was told of.
	MemoryOverlap Memory = "overlap"
)

// EncodeMemory returns the bytes of a remembered thing's file: its name says what,
// its content when.
func EncodeMemory(at time.Time) []byte {
	return jsondoc.Stored(jsondoc.Object{{Key: "at", Value: Timestamp(at)}})
}

// Trace is what is kept of a session beside its claim: receipts, what it was told,
// a wake-up that nobody took.
type Trace struct {
	SessionID string
	// Touched is when something was last written.
	Touched time.Time
	// Handoffs are those that the session has a receipt of.
	Handoffs []string
}
