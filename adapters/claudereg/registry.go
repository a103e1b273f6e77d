// Package claudereg reads the session registry of Claude Code: one JSON object
// per session in the sessions directory of the client's configuration.
package claudereg

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/wire"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/session"
)

// rowLimit bounds the reading of one row, in bytes.
const rowLimit = 1 << 20

// settle is how long a row that the client may be rewriting is given before it
// is read once more.
const settle = 5 * time.Millisecond

// reader is the file system as the registry needs it.
type reader interface {
	port.DirReader
	port.FileReader
}

// Registry implements port.SessionRegistry.
type Registry struct {
	fs    reader
	dir   string
	pause func(time.Duration)
}

var _ port.SessionRegistry = Registry{}

// New reads the registry in dir. pause waits; it is called at most once a
// reading.
func New(files reader, dir string, pause func(time.Duration)) Registry {
	return Registry{fs: files, dir: dir, pause: pause}
}

// Open reads the registry of the client that an environment belongs to. Where
// nobody knows its directory, reading it is port.ErrNoHome.
func Open(files port.FS, env port.Environment) Registry {
	dir := env.ClientDir()
	if dir != "" {
		dir = filepath.Join(dir, "sessions")
	}
	return New(files, dir, time.Sleep)
}

// Set provides the registry.
var Set = wire.NewSet(Open, wire.Bind(new(port.SessionRegistry), new(Registry)))

// Sessions implements port.SessionRegistry. The client rewrites rows in place:
// one that is empty or does not parse is read once more.
func (r Registry) Sessions() (session.Listing, error) {
	if r.dir == "" {
		return session.Listing{}, port.ErrNoHome
	}
	entries, err := r.fs.ReadDir(r.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return session.Listing{}, nil
	}
	if err != nil {
		return session.Listing{}, err
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name, ".json") {
			names = append(names, e.Name)
		}
	}
	rows := make([]session.Row, len(names))
	failed := make([]error, len(names))
	broken := false
	for i, name := range names {
		rows[i], failed[i] = r.row(name)
		broken = broken || failed[i] != nil
	}
	if broken {
		r.pause(settle)
	}
	var listing session.Listing
	for i, name := range names {
		if failed[i] != nil {
			rows[i], failed[i] = r.row(name)
		}
		switch {
		case failed[i] == nil:
			listing.Rows = append(listing.Rows, rows[i])
		case !errors.Is(failed[i], fs.ErrNotExist): // a row may leave meanwhile
			listing.Unread = append(listing.Unread, name)
		}
	}
	return listing, nil
}

var errNoRow = errors.New("not a session's row")

func (r Registry) row(name string) (session.Row, error) {
	data, err := r.fs.ReadFile(filepath.Join(r.dir, name), rowLimit)
	if err != nil {
		return session.Row{}, err
	}
	value, err := jsondoc.Decode(data)
	if err != nil {
		return session.Row{}, fmt.Errorf("%s: %w", name, err)
	}
	object, ok := value.(map[string]any)
	id := jsondoc.Text(object, "sessionId")
	if !ok || id == "" {
		return session.Row{}, fmt.Errorf("%s: %w", name, errNoRow)
	}
	return session.Row{
		File:       name,
		SessionID:  id,
		PID:        session.ParsePID(digitsAt(object, "pid")),
		Name:       jsondoc.Text(object, "name"),
		Kind:       jsondoc.Text(object, "kind"),
		Entrypoint: jsondoc.Text(object, "entrypoint"),
		Cwd:        jsondoc.Text(object, "cwd"),
		StartedAt:  instantAt(object, "startedAt"),
		ProcStart:  digitsAt(object, "procStart"),
		PidDomain:  jsondoc.Text(object, "pidDomain"),
		Status:     jsondoc.Text(object, "status"),
		StatusAt:   instantAt(object, "statusUpdatedAt"),
	}, nil
}

// digitsAt reads an integer or a string; a number with a fraction or an
// exponent is none.
func digitsAt(object map[string]any, key string) string {
	switch v := object[key].(type) {
	case string:
		return v
	case jsondoc.Number:
		if s := string(v); !strings.ContainsAny(s, ".eE") {
			return s
		}
	}
	return ""
}

// instantAt reads milliseconds since the epoch.
func instantAt(object map[string]any, key string) time.Time {
	number, _ := object[key].(jsondoc.Number)
	ms, err := number.Int64()
	if err != nil || ms <= 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
