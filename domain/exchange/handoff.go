package exchange

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/text"
)

// Handoff is a message to a repo, to paths in it, or to one session. It is
// written once and never changed.
type Handoff struct {
	ID       string
	From     Sender
	To       Address
	Created  time.Time
	Body     string
	Imported *Imported
}

// Sender is who posted a handoff.
type Sender struct {
	SessionID string
	Name      string
	Cwd       string
}

// Label returns the sender's name, else the directory it posted from.
func (s Sender) Label() string {
	if s.Name != "" {
		return s.Name
	}
	return s.Cwd
}

// Address is whom a handoff is for: a repo, narrowed by paths, or one session.
type Address struct {
	Repo      string
	Paths     []string
	SessionID string
}

// Imported names the ledger entry that a handoff was made from.
type Imported struct {
	Route    string
	Headline string
	Date     string
}

// ParseHandoff reads a handoff record of the given base name.
func ParseHandoff(name string, data []byte) (Handoff, error) {
	object, err := parse(name, data, handoffSchema())
	if err != nil {
		return Handoff{}, err
	}
	created, err := parseTimestamp(jsondoc.Text(object, "created"))
	if err != nil {
		return Handoff{}, &FileError{Name: name, Err: err}
	}
	from, to := objectAt(object, "from"), objectAt(object, "to")
	h := Handoff{
		ID:      jsondoc.Text(object, "id"),
		From:    Sender{SessionID: jsondoc.Text(from, "session_id"), Name: jsondoc.Text(from, "name"), Cwd: jsondoc.Text(from, "cwd")},
		To:      Address{Repo: jsondoc.Text(to, "repo"), Paths: textsAt(to, "paths"), SessionID: jsondoc.Text(to, "session_id")},
		Created: created,
		Body:    jsondoc.Text(object, "body"),
	}
	if imported := objectAt(object, "imported"); imported != nil {
		h.Imported = &Imported{
			Route:    jsondoc.Text(imported, "route"),
			Headline: jsondoc.Text(imported, "headline"),
			Date:     jsondoc.Text(imported, "date"),
		}
	}
	return h, nil
}

// Encode returns the bytes of the record's file. A handoff that its schema
// refuses is an error.
func (h Handoff) Encode(name string) ([]byte, error) {
	var from jsondoc.Object
	from.AddText("session_id", h.From.SessionID)
	from.AddText("name", h.From.Name)
	from.Add("cwd", h.From.Cwd)
	object := jsondoc.Object{
		{Key: "id", Value: h.ID},
		{Key: "from", Value: from},
		{Key: "to", Value: h.To.document()},
		{Key: "created", Value: Timestamp(h.Created)},
		{Key: "body", Value: h.Body},
	}
	if h.Imported != nil {
		imported := jsondoc.Object{{Key: "route", Value: h.Imported.Route}, {Key: "headline", Value: h.Imported.Headline}}
		imported.AddText("date", h.Imported.Date)
		object.Add("imported", imported)
	}
	return encoded(name, object, handoffSchema())
}

func (a Address) document() jsondoc.Object {
	if a.SessionID != "" {
		return jsondoc.Object{{Key: "session_id", Value: a.SessionID}}
	}
	to := jsondoc.Object{{Key: "repo", Value: a.Repo}}
	to.AddTexts("paths", a.Paths)
	return to
}

// OldShapeKeys returns the keys that show a record to be of the shape before
// moves: status, history, or both. Anything that is no object has none.
func OldShapeKeys(data []byte) []string {
	value, err := jsondoc.Decode(data)
	if err != nil {
		return nil
	}
	object, _ := value.(map[string]any)
	var keys []string
	for _, key := range []string{"status", "history"} {
		if _, ok := object[key]; ok {
			keys = append(keys, key)
		}
	}
	return keys
}

// Status is how far a handoff has come. It is derived from its moves alone.
type Status string

// The statuses of a handoff.
const (
	Open     Status = "open"
	Accepted Status = "accepted"
	Closed   Status = "closed"
)

// ParseStatus reads a status as a person types it.
func ParseStatus(s string) (Status, error) {
	switch status := Status(s); status {
	case Open, Accepted, Closed:
		return status, nil
	}
	return "", fmt.Errorf("%s is no status: open, accepted or closed", text.Quote(s))
}

// Move is one change of a handoff's status.
type Move struct {
	At     time.Time
	Status Status
	// After is the position of the move. Two writers that act on one state
	// land on one position.
	After int
	By    string
	Note  string
}

// ParseMove reads a move file of the given base name.
func ParseMove(name string, data []byte) (Move, error) {
	object, err := parse(name, data, moveSchema())
	if err != nil {
		return Move{}, err
	}
	at, err := parseTimestamp(jsondoc.Text(object, "at"))
	if err != nil {
		return Move{}, &FileError{Name: name, Err: err}
	}
	return Move{
		At:     at,
		Status: Status(jsondoc.Text(object, "status")),
		After:  intAt(object, "after"),
		By:     jsondoc.Text(object, "by"),
		Note:   jsondoc.Text(object, "note"),
	}, nil
}

// Encode returns the bytes of the move's file.
func (m Move) Encode(name string) ([]byte, error) {
	object := jsondoc.Object{
		{Key: "at", Value: Timestamp(m.At)},
		{Key: "status", Value: string(m.Status)},
		{Key: "after", Value: m.After},
	}
	object.AddText("by", m.By)
	object.AddText("note", m.Note)
	return encoded(name, object, moveSchema())
}

// MoveFile returns the base name of a move's file.
func MoveFile(after int, suffix string) string { return fmt.Sprintf("%04d-%s.json", after, suffix) }

// Filed is a handoff as the store holds it: the record, its moves, and what of
// them could not be read.
type Filed struct {
	// File is the base name of the record.
	File string
	Handoff
	// Moves are in order of their positions.
	Moves []Move
	// Unread are the problems of moves that could not be read.
	Unread []string
}

// NewFiled puts moves in order: by position, at equal ones in the order given,
// which is that of their files.
func NewFiled(file string, h Handoff, moves []Move, unread []string) Filed {
	ordered := slices.Clone(moves)
	sort.SliceStable(ordered, func(i, j int) bool { return ordered[i].After < ordered[j].After })
	return Filed{File: file, Handoff: h, Moves: ordered, Unread: unread}
}

// Status returns the status of the last move; open where there is none.
func (f Filed) Status() Status {
	if len(f.Moves) == 0 {
		return Open
	}
	return f.Moves[len(f.Moves)-1].Status
}

// Next returns the position of the next move.
func (f Filed) Next() int {
	if len(f.Moves) == 0 {
		return 0
	}
	return f.Moves[len(f.Moves)-1].After + 1
}

// Tied returns the statuses that disagree at the last position, sorted; none
// where the handoff is settled.
func (f Filed) Tied() []Status {
	if len(f.Moves) == 0 {
		return nil
	}
	last := f.Moves[len(f.Moves)-1].After
	var statuses []Status
	for _, m := range f.Moves {
		if m.After == last && !slices.Contains(statuses, m.Status) {
			statuses = append(statuses, m.Status)
		}
	}
	if len(statuses) == 1 {
		return nil
	}
	slices.Sort(statuses)
	return statuses
}

// Settled reports that all moves at the last position agree.
func (f Filed) Settled() bool { return len(f.Tied()) == 0 }

// TieProblems reports every contested position, one problem per disagreeing
// move, for ever.
func (f Filed) TieProblems() []string {
	var problems []string
	for i, m := range f.Moves {
		first := slices.IndexFunc(f.Moves, func(other Move) bool { return other.After == m.After })
		if first < i && f.Moves[first].Status != m.Status {
			problems = append(problems, fmt.Sprintf(
				"%s: the moves at position %d disagree (%s and %s): their order cannot be worked out; %s",
				text.Printable(f.ID), m.After, f.Moves[first].Status, m.Status, f.standing(m.After)))
		}
	}
	return problems
}

// standing says what has become of a contested position.
func (f Filed) standing(position int) string {
	if position == f.Next()-1 {
		return fmt.Sprintf("it is frozen until exchange handoff resolve %s", text.Printable(f.ID))
	}
	return "a later move has settled it"
}

// Over reports a handoff that needs nobody any more: closed, and settled so.
func (f Filed) Over() bool { return f.Status() == Closed && f.Settled() }

// NameProblem reports a record whose id is not its file's name.
func (f Filed) NameProblem() string {
	if strings.TrimSuffix(f.File, ".json") == f.ID {
		return ""
	}
	return fmt.Sprintf("%s holds the id %s: moves are found through the id, so the status shown is not to be trusted",
		text.Printable(f.File), text.Printable(f.ID))
}

// Problems returns everything that is to be reported of the handoff.
func (f Filed) Problems() []string {
	problems := slices.Clone(f.Unread)
	problems = append(problems, f.TieProblems()...)
	if p := f.NameProblem(); p != "" {
		problems = append(problems, p)
	}
	return problems
}

// LastMoved returns when the last move was made; the time of posting where
// there is none.
func (f Filed) LastMoved() time.Time {
	if len(f.Moves) == 0 {
		return f.Created
	}
	return f.Moves[len(f.Moves)-1].At
}

// Shelf is one reading of a directory of handoffs.
type Shelf struct {
	// Items are in file order.
	Items []Filed
	// Unread are the problems of records that could not be used, and of
	// directories that could not be looked into.
	Unread []string
}

// Problems returns all problems: first those of unusable records, then those
// of each handoff.
func (s Shelf) Problems() []string {
	problems := slices.Clone(s.Unread)
	twice := s.shared()
	for _, item := range s.Items {
		problems = append(problems, item.Problems()...)
		if files := twice[item.ID]; len(files) > 1 {
			problems = append(problems, fmt.Sprintf("%s holds the id %s, which %d files hold",
				text.Printable(item.File), text.Printable(item.ID), len(files)))
		}
	}
	return problems
}

// shared returns the files that hold each id.
func (s Shelf) shared() map[string][]string {
	files := make(map[string][]string, len(s.Items))
	for _, item := range s.Items {
		files[item.ID] = append(files[item.ID], item.File)
	}
	return files
}

// NotClosed counts the handoffs that somebody may still act on.
func (s Shelf) NotClosed() int {
	n := 0
	for _, item := range s.Items {
		if item.Status() != Closed {
			n++
		}
	}
	return n
}

// newestFirst sorts by time of posting, then id, the latest first.
func newestFirst(items []Filed) {
	slices.SortStableFunc(items, func(a, b Filed) int {
		if c := b.Created.Compare(a.Created); c != 0 {
			return c
		}
		return strings.Compare(b.ID, a.ID)
	})
}
