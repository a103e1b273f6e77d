package exchange

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/changeover/changeover/domain/exchange/ledger"
	"github.com/changeover/changeover/domain/jsondoc"
)

// settingsLimit bounds the reading of one settings file, in bytes.
const settingsLimit = 4 << 20

// SettingsWriter writes files that may hold secrets: synced, and with exactly
// the permission bits given from the first byte on, whatever the umask.
type SettingsWriter interface {
	// CreateExact claims a name; an existing one is fs.ErrExist and stays.
	CreateExact(path string, data []byte, perm fs.FileMode) error

	// ReplaceExact puts the new content in the place of the old one at once.
	// After an error the old content stands.
	ReplaceExact(path string, data []byte, perm fs.FileMode) error
}

// ScriptMover puts scripts aside.
type ScriptMover interface {
	// MakeNewDir makes a directory. A name that is taken is fs.ErrExist.
	MakeNewDir(path string, perm fs.FileMode) error

	// RenameNew moves a file and never replaces one.
	RenameNew(from, to string) error
}

// HookRetirer retires the hooks of earlier scripts: it takes them out of the
// settings files under a root, and the scripts out of the client's hooks
// directory.
type HookRetirer struct {
	World
	// Fold compares the ledger that the marker declares with the store.
	Fold   ledger.Fold
	Editor SettingsEditor
	Writer SettingsWriter
	Mover  ScriptMover
}

// settingsEdit is one settings file without its legacy hooks.
type settingsEdit struct {
	file          string
	names         []string
	before, after []byte
}

// retirePlan is what retiring would do.
type retirePlan struct {
	edits    []settingsEdit
	machine  []wiring
	retire   []string
	keep     []string
	problems []string
}

// todo reports that there is something to write.
func (p retirePlan) todo() bool { return p.changes() > 0 }

func (p retirePlan) changes() int { return len(p.edits) + len(p.retire) }

func (p *retirePlan) problem(format string, args ...any) {
	p.problems = append(p.problems, fmt.Sprintf(format, args...))
}

// Retire says what retiring the legacy hooks of a root means and, when applied
// and without any problem, does it. Errors: *NoRootError, ErrForeignStore.
func (h HookRetirer) Retire(cwd string, apply bool) (RetireReport, error) {
	s, err := h.site(cwd)
	if err != nil {
		return RetireReport{}, err
	}
	r := RetireReport{root: s.Root, applied: apply, cut: h.Cutter, plan: h.plan(s)}
	if apply && len(r.plan.problems) == 0 {
		h.carryOut(&r)
	}
	return r, nil
}

func (h HookRetirer) plan(s site) retirePlan {
	found := h.scan(s.Root)
	p := retirePlan{problems: slices.Clone(found.problems), machine: found.wide()}
	h.planEdits(&p, found.scoped())
	wide := distinctNames(p.machine)
	for _, name := range found.onDisk {
		if slices.Contains(wide, name) {
			p.keep = append(p.keep, name)
		} else {
			p.retire = append(p.retire, name)
		}
	}
	if p.todo() {
		h.gate(&p, s)
	}
	return p
}

// planEdits plans every settings file that wires a legacy script. One that is
// reached through a symbolic link is edited where it really lies, or not at all.
func (h HookRetirer) planEdits(p *retirePlan, scoped []wiring) {
	var files []string
	for _, x := range scoped {
		files = append(files, x.settings)
	}
	linked := map[string]string{}
	for _, file := range distinct(files) {
		real, err := h.Files.RealPath(file)
		switch {
		case err != nil:
			p.problem("%s could not be followed: %s", file, reason(err))
		case real != file:
			linked[file] = real
		default:
			h.planEdit(p, file)
		}
	}
	for _, file := range sortedNames(linked) {
		real := linked[file]
		if !slices.ContainsFunc(p.edits, func(e settingsEdit) bool { return e.file == real }) {
			p.problem("%s is reached through a symbolic link and really is %s, which is not edited here: take the hooks out there by hand", file, real)
		}
	}
}

func (h HookRetirer) planEdit(p *retirePlan, file string) {
	data, err := h.Files.ReadFile(file, settingsLimit)
	if err != nil {
		p.problem("%s could not be read: %s", file, reason(err))
		return
	}
	document, err := jsondoc.DecodeRelaxed(data)
	if err != nil {
		p.problem("%s could not be read: %s", file, reason(err))
		return
	}
	u := unwire(document)
	for _, name := range u.compound {
		p.problem("%s runs %s in one command with others: split that command by hand", file, name)
	}
	if len(u.compound) == 0 {
		for _, name := range u.left {
			p.problem("%s names %s elsewhere than in the command of a hook: take that out by hand", file, name)
		}
	}
	if len(u.places) == 0 {
		return
	}
	edited, err := without(h.Editor, data, u)
	if err != nil {
		p.problem("%s cannot be edited, do it by hand: %s", file, err)
		return
	}
	p.edits = append(p.edits, settingsEdit{file: file, names: u.names, before: data, after: edited})
}

// gate refuses to retire what may still be needed.
func (h HookRetirer) gate(p *retirePlan, s site) {
	marked, err := isRegular(h.Files, MarkerPath(s.Root))
	marked = marked && err == nil
	if !marked {
		p.problem("step 5 comes first: this root has no marker; exchange init %s", s.Root)
	}
	if step, settled := h.ledgerSettled(s, marked); !settled {
		p.problem("step 4 comes first: %s: %s", step.label(), step.Why)
	}
}

// ledgerSettled reports that step 4 is done, or that there is nothing to do for
// it.
func (h HookRetirer) ledgerSettled(s site, marked bool) (Step, bool) {
	step := Importer{World: h.World, Fold: h.Fold}.step(s, marked)
	return step, step.Mark == StepDone || step.Mark == StepInapplicable
}

// distinctNames returns the script names of wirings, sorted, each once.
func distinctNames(list []wiring) []string {
	var names []string
	for _, x := range list {
		names = append(names, x.script)
	}
	return distinct(names)
}

func sortedNames(m map[string]string) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// hooksDir is where the client's hooks lie.
func (w World) hooksDir() string { return path.Join(w.Env.ClientDir(), "hooks") }

// carryOut edits every file, then puts the scripts aside; these stay where one
// file could not be edited.
func (h HookRetirer) carryOut(r *RetireReport) {
	stamp := compact(h.Clock.Now())
	for _, edit := range r.plan.edits {
		copied, err := h.edit(edit, stamp)
		if err != nil {
			r.failed = append(r.failed, err.Error())
			continue
		}
		r.unwired = append(r.unwired, unwired{edit, path.Base(copied)})
	}
	if len(r.failed) == 0 && len(r.plan.retire) > 0 {
		h.retire(r, stamp)
	}
	if total := r.plan.changes(); len(r.failed) > 0 {
		r.failed = append(r.failed, fmt.Sprintf("%d of %d change(s) made; settle the above and run it again", len(r.unwired)+len(r.retired), total))
	}
}

// edit replaces a settings file that still is what the plan read, and returns
// the name of its copy.
func (h HookRetirer) edit(e settingsEdit, stamp string) (copied string, err error) {
	perm, err := h.unchanged(e)
	if err != nil {
		return "", err
	}
	copied, err = free(e.file+".bak-"+stamp, func(name string) error {
		return h.Writer.CreateExact(name, e.before, perm)
	})
	if err != nil {
		return "", fmt.Errorf("%s is left alone, since it could not be copied to %s: %s", e.file, copied, reason(err))
	}
	// The copy took its time: look once more, right before the only call that
	// changes the file.
	perm, err = h.unchanged(e)
	if err != nil {
		return "", err
	}
	if err := h.Writer.ReplaceExact(e.file, e.after, perm); err != nil {
		return "", fmt.Errorf("%s could not be replaced and is as it was: %s", e.file, reason(err))
	}
	return copied, nil
}

// unchanged returns the permission bits of a file that still is what the plan
// read.
func (h HookRetirer) unchanged(e settingsEdit) (fs.FileMode, error) {
	info, err := h.Files.Lstat(e.file)
	var now []byte
	if err == nil {
		now, err = h.Files.ReadFile(e.file, settingsLimit)
	}
	if err != nil {
		return 0, fmt.Errorf("%s could not be read again and is left alone: %s", e.file, reason(err))
	}
	if string(now) != string(e.before) {
		return 0, fmt.Errorf("%s was changed meanwhile and is left alone", e.file)
	}
	return info.Mode.Perm(), nil
}

// retire moves the scripts into a directory of their own.
func (h HookRetirer) retire(r *RetireReport, stamp string) {
	dir, err := free(path.Join(h.hooksDir(), "retired-"+stamp), func(name string) error {
		return h.Mover.MakeNewDir(name, 0o700)
	})
	if err != nil {
		r.failed = append(r.failed, fmt.Sprintf("%s could not be made: %s", dir, reason(err)))
		return
	}
	for _, name := range r.plan.retire {
		if err := h.Mover.RenameNew(path.Join(h.hooksDir(), name), path.Join(dir, name)); err != nil {
			r.failed = append(r.failed, fmt.Sprintf("%s could not be moved to %s: %s", name, dir, reason(err)))
			continue
		}
		r.retired = append(r.retired, retired{name, dir})
	}
}

// nameTries is how many names are tried for one copy or directory.
const nameTries = 1000

// free claims the first free one of name, name-2, name-3, …; with an error, the
// name that it could not claim.
func free(name string, claim func(name string) error) (string, error) {
	next, err := name, claim(name)
	for n := 2; n <= nameTries && errors.Is(err, fs.ErrExist); n++ {
		next = fmt.Sprintf("%s-%d", name, n)
		err = claim(next)
	}
	return next, err
}
