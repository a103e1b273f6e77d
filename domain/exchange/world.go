package exchange

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/domain/text"
)

// markerLimit bounds the reading of a marker and of a plugin's manifest, in
// bytes.
const markerLimit = 1 << 20

// Files is the file system as the exchange uses it outside the store.
type Files interface {
	port.Stater
	port.PathResolver
	port.FileReader
	port.DirReader
	port.Publisher
	port.DirMaker
}

// Presence lists the sessions that count, of every client.
type Presence interface {
	// Sessions returns what could be read and what could not. An error means that
	// nobody could look at all of them: it never stands for "no sessions".
	Sessions() (session.Listing, error)
}

// World is everything that the verbs need of their surroundings.
type World struct {
	Files     Files
	Clock     port.Clock
	Random    port.Random
	Sessions  Presence
	Processes port.ProcessTree
	Machine   port.Machine
	Settings  SettingsReader
	Open      Opener
	Env       port.Environment
	Cutter    text.Cutter
}

func (w World) locator() Locator { return NewLocator(w.Files, w.Env.Lookup, w.Env.Home) }

func (w World) trees() GitTrees { return NewGitTrees(w.Files) }

// registry reads and judges the session registry.
func (w World) registry() (session.Registry, error) {
	listing, err := w.Sessions.Sessions()
	judged := session.Judge(listing, w.Processes, w.Machine.Self(), w.Machine.PidDomain())
	if err != nil {
		return judged, fmt.Errorf("the session registry could not be read: %s: nobody can tell who is running", reason(err))
	}
	return judged, nil
}

// config reads a root's marker. A missing one means the defaults without a
// problem.
func (w World) config(root string) (Config, error) {
	info, err := w.Files.Stat(MarkerPath(root))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return DefaultConfig(root), nil
	case err == nil && !info.Mode.IsRegular():
		return DefaultConfig(root), nil
	case err != nil:
		return DefaultConfig(root), &FileError{Name: MarkerPath(root), Err: errors.New(reason(err))}
	}
	data, err := w.Files.ReadLinked(MarkerPath(root), markerLimit)
	if err != nil {
		return DefaultConfig(root), &FileError{Name: MarkerPath(root), Err: errors.New(reason(err))}
	}
	cfg, err := ParseMarker(root, data)
	if err != nil {
		return cfg, fmt.Errorf("%w: all defaults are used until it is corrected", err)
	}
	return cfg, nil
}

// site is a resolved root with what a verb reads there.
type site struct {
	Resolution
	cfg       Config
	cfgErr    error
	store     Store
	registry  session.Registry
	regErr    error
	rendering rendering
}

// NoRootError reports a command that needs a root and has none.
type NoRootError struct {
	Resolution Resolution
	// Advice says what init would mark.
	Advice string
}

// Error returns the resolution's problem, or that there is no root, and what
// to do.
func (e *NoRootError) Error() string {
	if e.Resolution.Problem != "" {
		return e.Resolution.Problem
	}
	return "no environment root here or above; " + e.Advice
}

// site resolves cwd and reads marker and registry. Errors: *NoRootError,
// ErrForeignStore and what keeps the store from being found.
func (w World) site(cwd string) (site, error) {
	s := site{Resolution: w.locator().Resolve(cwd)}
	if !s.Found() {
		return s, &NoRootError{Resolution: s.Resolution, Advice: w.initAdvice(cwd)}
	}
	s.cfg, s.cfgErr = w.config(s.Root)
	store, err := w.Open(s.Root)
	if err != nil {
		return s, err
	}
	s.store = store
	s.registry, s.regErr = w.registry()
	s.rendering = rendering{cfg: s.cfg, cut: w.Cutter, now: w.Clock.Now()}
	return s, nil
}

// sameName says which session bears a name that was given for an id.
func (s site) sameName(id string) string {
	for _, row := range s.registry.Peers(s.cfg.Scripted) {
		if row.Name == id && row.SessionID != id {
			return fmt.Sprintf("; the session of that name has the id %s", text.Printable(row.SessionID))
		}
	}
	return ""
}

// own is the session that this process belongs to.
func (s site) own() (session.Row, bool) { return s.registry.Own(s.cfg.Scripted) }

// absolute returns the real path of a working directory; as given where it
// cannot be resolved.
func (w World) absolute(dir string) string {
	if real, err := w.locator().directory(dir); err == nil {
		return real
	}
	return dir
}
