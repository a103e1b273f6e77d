package exchange

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/text"
)

// candidate is a directory that init may mark.
type candidate struct {
	dir   string
	merge bool
}

// candidates returns the directories above cwd that could be a root, nearest
// first, and the git root they were sought above; empty where there is none.
func (w World) candidates(cwd string) (found []candidate, gitRoot string) {
	trees := w.trees()
	dir := cwd
	if ceiling := trees.Root(cwd); ceiling != "" {
		gitRoot = ceiling
		for ceiling != path.Dir(ceiling) && w.hasEntry(path.Dir(ceiling), ".git") {
			ceiling = path.Dir(ceiling)
		}
		if ceiling == path.Dir(ceiling) {
			return nil, gitRoot
		}
		dir = path.Dir(ceiling)
	}
	home := w.Env.Home
	if home != "" {
		home = w.absolute(home)
	}
	for {
		if dir != home && w.hasGuide(dir) {
			found = append(found, candidate{dir: dir, merge: w.merges(dir)})
		}
		if dir == path.Dir(dir) {
			return found, gitRoot
		}
		dir = path.Dir(dir)
	}
}

func (w World) hasEntry(dir, name string) bool {
	found, err := exists(w.Files, path.Join(dir, name))
	return err == nil && found
}

// hasGuide reports a directory with a CLAUDE.md of its own.
func (w World) hasGuide(dir string) bool {
	found, err := isRegular(w.Files, path.Join(dir, "CLAUDE.md"))
	return err == nil && found
}

// merges reports a merge point: a directory that holds at least two areas, each
// with a CLAUDE.md and no repository of its own. One that cannot be listed is
// none.
func (w World) merges(dir string) bool {
	entries, err := w.Files.ReadDir(dir)
	if err != nil {
		return false
	}
	areas := 0
	for _, e := range entries {
		child := path.Join(dir, e.Name)
		if !e.Mode.IsDir() && e.Mode.Type()&fs.ModeSymlink == 0 {
			continue
		}
		if w.hasGuide(child) && !w.hasEntry(child, ".git") {
			areas++
		}
	}
	return areas >= 2
}

// nearestFit returns the directory that init marks by itself.
func nearestFit(found []candidate) (string, bool) {
	for _, c := range found {
		if !c.merge {
			return c.dir, true
		}
	}
	return "", false
}

// initAdvice says what init would do in a directory without a root.
func (w World) initAdvice(cwd string) string {
	found, _ := w.candidates(w.absolute(cwd))
	switch dir, ok := nearestFit(found); {
	case ok:
		return fmt.Sprintf("`exchange init` would mark %s", text.Printable(dir))
	case len(found) > 0:
		return "only directories that merge separate workspaces were found: `exchange init <dir>` marks one of your choice"
	default:
		return "nothing suitable to mark was found: `exchange init <dir>` marks a directory of your choice"
	}
}

// InitRequest is what a person asks of init.
type InitRequest struct {
	Cwd string
	// Dir is the directory to mark; empty for the default.
	Dir   string
	Name  string
	Force bool
}

// Founder marks roots.
type Founder struct{ World }

// InitReport is what init found and did.
type InitReport struct {
	Lines []string
	// Refused: nothing was marked, or the marker that stands is faulty.
	Refused bool
}

func (r *InitReport) say(format string, args ...any) {
	r.Lines = append(r.Lines, fmt.Sprintf(format, args...))
}

func (r *InitReport) refuse(format string, args ...any) InitReport {
	r.say(format, args...)
	r.Refused = true
	return *r
}

// Init marks a directory as a root. It ignores the override.
func (f Founder) Init(req InitRequest) InitReport {
	var report InitReport
	target, ok := f.target(req, &report)
	if !ok {
		report.Refused = true
		return report
	}
	if _, err := f.Open(target); err != nil {
		return report.refuse("problem: %s", text.Printable(err.Error()))
	}
	if f.merges(target) && !req.Force {
		report.say("Refusing to mark %s: it merges separate workspaces, which would then see each other", text.Printable(target))
		if f.hasEntry(target, ".git") {
			report.say("  note: it is a git root, so these may be stored contents; only a person can tell")
		}
		return report.refuse("  to mark it all the same: exchange init %s --force", text.Printable(target))
	}
	marker := MarkerPath(target)
	marked, err := isRegular(f.Files, marker)
	if err != nil {
		return report.refuse("problem: could not look for %s: %s", text.Printable(marker), reason(err))
	}
	if marked {
		return f.alreadyMarked(target, report)
	}
	if real, outside := f.leadsOutside(target); outside {
		return report.refuse("problem: %s really is %s, outside the directory to mark: nothing was written; replace the link by a directory",
			text.Printable(path.Dir(marker)), text.Printable(real))
	}
	name := req.Name
	if name == "" {
		name = path.Base(target)
	}
	if err := f.mark(target, name); err != nil {
		return report.refuse("problem: %s", text.Printable(err.Error()))
	}
	report.say("Marked %s", text.Printable(marker))
	if outer := f.enclosing(path.Dir(target)); outer != "" {
		report.say("  it lies in another root, %s: sessions in %s see each other now, and no longer those of that one; exchange show lists them",
			text.Printable(outer), text.Printable(target))
	}
	return report
}

// enclosing is the marked root that a directory is in; empty where it is in none.
func (f Founder) enclosing(dir string) string { return f.locator().Walk(dir).Root }

// leadsOutside reports a directory for the marker that a link puts elsewhere.
func (f Founder) leadsOutside(target string) (real string, outside bool) {
	real, err := f.Files.RealPath(path.Dir(MarkerPath(target)))
	if err != nil {
		return "", false // it is made, or making it says what is wrong
	}
	return real, !within(target, real)
}

func (f Founder) target(req InitRequest, report *InitReport) (string, bool) {
	if req.Dir != "" {
		real, err := f.named(req)
		if err != nil {
			report.say("problem: %s is no directory (%s)", text.Quote(req.Dir), reason(err))
			return "", false
		}
		return real, true
	}
	cwd, err := f.locator().directory(req.Cwd)
	if err != nil {
		report.say("problem: the working directory %s is no directory (%s)", text.Quote(req.Cwd), reason(err))
		return "", false
	}
	found, gitRoot := f.candidates(cwd)
	best, ok := nearestFit(found)
	if !ok {
		where := "here or above"
		if gitRoot != "" {
			where = "above " + text.Printable(gitRoot)
		}
		report.say("Nothing suitable to mark was found %s", where)
		for _, c := range found {
			report.say("Refused: %s (merges separate workspaces)", text.Printable(c.dir))
		}
		if root := f.enclosing(cwd); root != "" {
			report.say("Already in a marked root: %s; exchange show tells who is here", text.Printable(root))
		}
		report.say("Name the directory: exchange init <dir>")
		return "", false
	}
	report.say("Default: %s", text.Printable(best))
	for _, c := range found {
		if c.dir == best {
			continue
		}
		note := ""
		if c.merge {
			note = " (refused: merges separate workspaces)"
		}
		report.say("Also possible: %s%s", text.Printable(c.dir), note)
	}
	return best, true
}

// named returns the real path of the directory that a person names.
func (f Founder) named(req InitRequest) (string, error) {
	dir, err := f.locator().expand(req.Dir)
	if err != nil {
		return "", err
	}
	if !path.IsAbs(dir) {
		dir = path.Join(req.Cwd, dir)
	}
	return f.locator().directory(dir)
}

func (f Founder) alreadyMarked(root string, report InitReport) InitReport {
	report.say("Already marked: %s", text.Printable(MarkerPath(root)))
	cfg, err := f.config(root)
	if err != nil {
		return report.refuse("problem: %s", text.Printable(err.Error()))
	}
	report.say("  name: %s", text.Printable(cfg.Name))
	return report
}

func (f Founder) mark(root, name string) error {
	marker := MarkerPath(root)
	data, err := EncodeMarker(name)
	if err != nil {
		return fmt.Errorf("refusing to write %s: %w", marker, err)
	}
	if err := f.Files.MakeDir(path.Dir(marker), 0o777); err != nil {
		return fmt.Errorf("could not make %s: %s", path.Dir(marker), reason(err))
	}
	err = f.Files.Create(marker, data, 0o666, port.Synced)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s already exists; nothing was changed", marker)
	}
	if err != nil {
		return fmt.Errorf("could not write %s: %s", marker, reason(err))
	}
	for _, dir := range StoreDirs(root) {
		if err := f.Files.MakeDir(dir, 0o700); err != nil {
			return fmt.Errorf("the root is marked; could not make %s: %s", dir, reason(err))
		}
	}
	return nil
}

// StoreDirs returns the directories that init makes, outer first.
func StoreDirs(root string) []string {
	store := path.Join(root, ".claude", "exchange")
	return []string{store, path.Join(store, "sessions"), path.Join(store, "handoffs")}
}
