package exchange

import (
	"slices"
	"time"

	"github.com/changeover/changeover/domain/jsondoc"
)

// Claim is what one session says it is doing.
type Claim struct {
	SessionID string
	Name      string
	Cwd       string
	GitBranch string
	Focus     string
	Repos     []string
	Paths     []string
	Tickets   []string
	// Was holds the earlier ids of this session, oldest first.
	Was       []string
	Process   *Process
	UpdatedAt time.Time
}

// Process is the identity of the process that a session runs in.
type Process struct {
	PID   int
	Start string
}

// IDs returns every id of the session: its present one first.
func (c Claim) IDs() []string { return append([]string{c.SessionID}, c.Was...) }

// Label returns the name that a person knows the session by.
func (c Claim) Label() string {
	if c.Name != "" {
		return c.Name
	}
	return c.SessionID
}

// Holds reports whether id is one of the session's ids.
func (c Claim) Holds(id string) bool { return c.SessionID == id || slices.Contains(c.Was, id) }

// SameProcess reports whether both claims name one process.
func (c Claim) SameProcess(p *Process) bool {
	return c.Process != nil && p != nil && *c.Process == *p
}

// ParseClaim reads a claim file of the given base name.
func ParseClaim(name string, data []byte) (Claim, error) {
	object, err := parse(name, data, claimSchema())
	if err != nil {
		return Claim{}, err
	}
	updated, err := parseTimestamp(jsondoc.Text(object, "updated_at"))
	if err != nil {
		return Claim{}, &FileError{Name: name, Err: err}
	}
	c := Claim{
		SessionID: jsondoc.Text(object, "session_id"),
		Name:      jsondoc.Text(object, "name"),
		Cwd:       jsondoc.Text(object, "cwd"),
		GitBranch: jsondoc.Text(object, "git_branch"),
		Focus:     jsondoc.Text(object, "focus"),
		Repos:     textsAt(object, "repos"),
		Paths:     textsAt(object, "paths"),
		Tickets:   textsAt(object, "tickets"),
		Was:       textsAt(object, "was"),
		UpdatedAt: updated,
	}
	if process := objectAt(object, "process"); process != nil {
		c.Process = &Process{PID: intAt(process, "pid"), Start: jsondoc.Text(process, "start")}
	}
	return c, nil
}

// Encode returns the bytes of the claim's file. A claim that its schema refuses
// is an error.
func (c Claim) Encode(name string) ([]byte, error) {
	object := jsondoc.Object{{Key: "session_id", Value: c.SessionID}}
	object.AddText("name", c.Name)
	object.Add("cwd", c.Cwd)
	object.AddText("git_branch", c.GitBranch)
	object.AddText("focus", c.Focus)
	object.AddTexts("repos", c.Repos)
	object.AddTexts("paths", c.Paths)
	object.AddTexts("tickets", c.Tickets)
	object.AddTexts("was", c.Was)
	if c.Process != nil {
		object.Add("process", jsondoc.Object{{Key: "pid", Value: c.Process.PID}, {Key: "start", Value: c.Process.Start}})
	}
	object.Add("updated_at", Timestamp(c.UpdatedAt))
	return encoded(name, object, claimSchema())
}

// encoded writes a document and checks it by its own schema.
func encoded(name string, object jsondoc.Object, s schema) ([]byte, error) {
	data := jsondoc.Stored(object)
	if _, err := parse(name, data, s); err != nil {
		return nil, err
	}
	return data, nil
}

// StoredClaim is a claim with the base name of its file.
type StoredClaim struct {
	File string
	Claim
}

// Misfiled reports a claim that lies under another session's id.
func (c StoredClaim) Misfiled() bool { return c.File != c.SessionID+".json" }

// Claims is one reading of the claims of a root: what could be read, in file
// order, and what could not.
type Claims struct {
	Items    []StoredClaim
	Problems []string
}

// Of returns the claim that holds an id now or held it before; of several one
// that holds it now, best the one that is filed under it.
func (c Claims) Of(id string) (Claim, bool) {
	best, found := Claim{}, 0
	for _, item := range c.Items {
		fits := 0
		switch {
		case item.SessionID == id && !item.Misfiled():
			fits = 3
		case item.SessionID == id:
			fits = 2
		case item.Holds(id):
			fits = 1
		}
		if fits > found {
			best, found = item.Claim, fits
		}
	}
	return best, found > 0
}

// held returns every id that some claim holds now or held before.
func (c Claims) held() map[string]bool {
	held := make(map[string]bool, len(c.Items))
	for _, item := range c.Items {
		held[item.SessionID] = true
		for _, id := range item.Was {
			held[id] = true
		}
	}
	return held
}
