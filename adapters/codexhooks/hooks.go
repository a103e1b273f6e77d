// Package codexhooks reads which hooks Codex is told to run, and which of them it
// trusts.
package codexhooks

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/google/wire"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/session"
)

// fileLimit bounds the reading of one file, in bytes.
const fileLimit = 4 << 20

// Files is the file system as the reader needs it.
type Files interface {
	port.FileReader
	port.PathResolver
	port.Stater
}

// Reader implements exchange.CodexReader.
type Reader struct {
	files Files
	dir   string
}

var _ exchange.CodexReader = Reader{}

// New reads the home of Codex in dir, empty where nobody knows it.
func New(files Files, dir string) Reader { return Reader{files: files, dir: dir} }

// Open reads the home of the Codex that an environment belongs to.
func Open(files port.FS, env port.Environment) Reader { return New(files, env.CodexDir()) }

// Set provides the reader.
var Set = wire.NewSet(Open, wire.Bind(new(exchange.CodexReader), new(Reader)))

// Hooks implements exchange.CodexReader.
func (r Reader) Hooks() (exchange.CodexHooks, error) {
	if r.dir == "" {
		return exchange.CodexHooks{}, port.ErrNoHome
	}
	found := exchange.CodexHooks{File: filepath.Join(r.dir, "hooks.json")}
	if _, err := r.files.Stat(r.dir); err != nil {
		return found, err
	}
	handlers, err := r.handlers(found.File)
	if err != nil {
		return found, err
	}
	if len(handlers) == 0 {
		return found, nil
	}
	trusted, err := r.trusted(found.File)
	if err != nil {
		found.TrustFault = err.Error()
	}
	for _, h := range handlers {
		found.Hooks = append(found.Hooks, exchange.CodexHook{Event: h.event, Command: h.command, Trust: trusted[h.place()].of(h)})
	}
	return found, nil
}

// handler is one hook with its place among the others.
type handler struct {
	event          string
	group, number  int
	command        string
	matcher        string
	members, other jsondoc.Object
}

// place is how Codex names a hook within its file.
func (h handler) place() string {
	return fmt.Sprintf("%s:%d:%d", session.EventWords(h.event, '_'), h.group, h.number)
}

var errShape = errors.New("not in the shape of Codex's hooks")

// handlers reads the file of hooks. A missing one holds none.
func (r Reader) handlers(file string) ([]handler, error) {
	data, err := r.files.ReadLinked(file, fileLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	value, err := jsondoc.DecodeOrdered(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	document, _ := value.(jsondoc.Object)
	hooks, _ := document.Find("hooks")
	events, ok := hooks.(jsondoc.Object)
	if !ok {
		return nil, fmt.Errorf("%s: %w", file, errShape)
	}
	var found []handler
	for _, event := range events {
		groups, _ := event.Value.([]any)
		for g, value := range groups {
			found = append(found, handlersOf(event.Key, g, value)...)
		}
	}
	return found, nil
}

func handlersOf(event string, number int, value any) []handler {
	group, _ := value.(jsondoc.Object)
	hooks, _ := group.Find("hooks")
	list, _ := hooks.([]any)
	var found []handler
	for i, value := range list {
		h := handler{event: event, group: number, number: i}
		h.members, _ = value.(jsondoc.Object)
		for _, m := range group {
			switch m.Key {
			case "hooks":
			case "matcher":
				h.matcher, _ = m.Value.(string)
			default:
				h.other.Add(m.Key, m.Value)
			}
		}
		command, _ := h.members.Find("command")
		h.command, _ = command.(string)
		found = append(found, h)
	}
	return found
}
