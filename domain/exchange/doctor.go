package exchange

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/exchange/ledger"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/text"
)

// Doctor checks an installation and a root.
type Doctor struct {
	World
	// Fold compares the ledger that the marker declares with the store.
	Fold ledger.Fold
	// Codex reads how Codex's hooks are wired; nil where nobody asks.
	Codex CodexReader
}

// DoctorReport is what the doctor found.
type DoctorReport struct {
	plugin   pluginCheck
	noRoot   error
	site     site
	marked   bool
	wirings  wirings
	hooks    []hookWiring
	codex    *codexCheck
	store    storeFaults
	steps    []Step
	hasStore bool
	cut      text.Cutter
}

type pluginCheck struct {
	dir     string
	version string
	why     string
}

// Examine runs every check. Without a root the report says so, and what could
// be checked all the same.
func (d Doctor) Examine(cwd string) DoctorReport {
	r := DoctorReport{plugin: d.plugin(), cut: d.Cutter}
	s, err := d.site(cwd)
	r.site = s
	if err != nil {
		r.noRoot = err
		return r
	}
	r.hasStore = true
	marked, err := isRegular(d.Files, MarkerPath(s.Root))
	r.marked = err == nil && marked
	r.wirings = d.scan(s.Root)
	r.hooks = d.hookWirings(r.wirings)
	r.codex = d.codex()
	r.store = examineStore(s)
	r.steps = d.steps(s, r.marked, r.wirings)
	return r
}

func (d Doctor) plugin() pluginCheck {
	check := pluginCheck{dir: d.pluginDir()}
	data, err := d.Files.ReadLinked(path.Join(check.dir, ".claude-plugin", "plugin.json"), markerLimit)
	if err != nil {
		check.why = "plugin.json: " + reason(err)
		return check
	}
	value, err := jsondoc.Decode(data)
	if err != nil {
		check.why = "plugin.json: " + err.Error()
		return check
	}
	object, ok := value.(map[string]any)
	if !ok {
		check.why = "plugin.json is not an object"
		return check
	}
	check.version = jsondoc.Text(object, "version")
	if check.version == "" {
		check.why = "plugin.json names no version"
	}
	return check
}

// storeFaults is what is wrong with a store.
type storeFaults struct {
	// read are the problems that its readers report.
	read []string
	// advice are those that only the doctor knows, each with what to do.
	advice []string
}

func (f storeFaults) all() []string { return slices.Concat(f.read, f.advice) }

func (f *storeFaults) advise(format string, args ...any) {
	f.advice = append(f.advice, fmt.Sprintf(format, args...))
}

// examineStore looks for faults: of claims and handoffs, then records of the
// old shape, frozen handoffs, orphans, leftovers.
func examineStore(s site) storeFaults {
	claims, shelf, inspection := s.store.Claims(), s.store.Handoffs(), s.store.Inspect()
	var f storeFaults
	if s.regErr != nil {
		f.read = append(f.read, s.regErr.Error())
	}
	f.read = slices.Concat(f.read, s.store.Strays(), claims.Problems, shelf.Problems(), inspection.Problems)
	for _, old := range inspection.OldShapes {
		f.advise("%s has the shape of an earlier version (%s). To convert it: drop these keys; for each entry of the old history "+
			"write %s.d/0000-<hex>.json upwards with its at and status, and \"after\" = its index",
			old.File, strings.Join(old.Keys, ", "), strings.TrimSuffix(old.File, ".json"))
	}
	for _, filed := range shelf.Items {
		if tied := filed.Tied(); len(tied) > 0 && len(filed.Unread) == 0 {
			f.advise("%s is frozen at position %d (%s): exchange handoff resolve %s --status <status> --note WHY",
				filed.ID, filed.Next()-1, joined(tied), filed.ID)
		}
	}
	for _, orphan := range inspection.Orphans {
		f.advise("%s", orphan.fault())
	}
	for _, leftover := range inspection.Leftovers {
		f.advise("%s is what a killed writer left. Safe to delete", leftover)
	}
	for _, dir := range inspection.Writable {
		f.advise("%s may be written to by everybody: chmod o-w it", dir)
	}
	return f
}

func joined(statuses []Status) string {
	var names []string
	for _, status := range statuses {
		names = append(names, string(status))
	}
	return strings.Join(names, ", ")
}

func (o Orphan) fault() string {
	if o.Archived {
		return fmt.Sprintf("%s holds %d move(s) whose record is in the archive already: exchange tidy --apply finishes", o.Dir, o.Moves)
	}
	return fmt.Sprintf("%s holds %d move(s) and has no record beside it: nothing can be posted under that id again", o.Dir, o.Moves)
}

// Faulty reports a fault. Steps that are outstanding are none.
func (r DoctorReport) Faulty() bool {
	return r.noRoot != nil || r.site.cfgErr != nil || len(r.wirings.problems) > 0 ||
		len(r.wirings.legacy) > 0 || len(r.hooks) > 1 || len(r.codex.problems()) > 0 || len(r.store.all()) > 0
}

// Problems returns every problem line of the report.
func (r DoctorReport) Problems() []string {
	problems := []string{}
	if r.noRoot != nil {
		problems = append(problems, r.noRoot.Error())
	}
	if r.site.cfgErr != nil {
		problems = append(problems, r.site.cfgErr.Error())
	}
	problems = append(problems, r.wirings.problems...)
	problems = append(problems, r.codex.problems()...)
	return append(problems, r.store.all()...)
}

// Lines renders the report.
func (r DoctorReport) Lines() []string {
	p := page{cut: r.cut}
	if r.hasStore {
		p = r.site.rendering.page()
	}
	r.pluginLine(&p)
	if !r.hasStore {
		p.advise([]string{r.noRoot.Error()})
		return p.lines
	}
	s := r.site
	p.row("root", "%s  (by %s)", text.Printable(s.Root), s.Rule)
	switch {
	case s.cfgErr != nil:
		p.problems([]string{s.cfgErr.Error()})
	case r.marked:
		p.row("marker", "valid, name '%s'", s.rendering.short(s.cfg.Name))
	default:
		p.row("marker", "absent, the root is named by %s", RootVariable)
	}
	r.legacyLines(&p)
	r.hookLines(&p)
	r.codexLines(&p)
	p.unread(s)
	r.storeLines(&p)
	r.stepLines(&p)
	return p.lines
}

func (r DoctorReport) pluginLine(p *page) {
	dir := text.Printable(r.plugin.dir)
	if r.plugin.why != "" {
		p.row("plugin", "version unreadable (%s), running from %s", text.Printable(r.plugin.why), dir)
		return
	}
	p.row("plugin", "%s, running from %s", text.Printable(r.plugin.version), dir)
}

func (r DoctorReport) legacyLines(p *page) {
	found := r.wirings
	p.row("legacy", "%d script(s) on disk, %d wiring(s) found", len(found.onDisk), len(found.legacy))
	for _, name := range found.onDisk {
		p.line("          on disk: %s", text.Printable(name))
	}
	for _, x := range found.legacy {
		scope := "this root"
		if x.wide {
			scope = "machine-wide"
		}
		p.line("          wired:   %s  in %s  (%s)", text.Printable(x.script), text.Printable(x.settings), scope)
	}
	p.problems(found.problems)
	if scoped := found.scoped(); len(scoped) > 0 {
		p.line("DOUBLE FIRE: %s still wired under this root: presence and handoffs are rendered twice",
			strings.Join(distinctScripts(scoped), ", "))
	}
	if wide := found.wide(); len(wide) > 0 {
		p.line("CROSS ROOT: %s wired machine-wide: what they show may belong to another root",
			strings.Join(distinctScripts(wide), ", "))
	}
}

func (r DoctorReport) hookLines(p *page) {
	p.row("hooks", "%d wiring(s) of hookd", len(r.hooks))
	var files []string
	for _, h := range r.hooks {
		files = append(files, text.Printable(h.file))
		if h.command != "" {
			p.line("          %s  runs \"%s\"", text.Printable(h.file), text.Printable(h.command))
			continue
		}
		p.line("          %s", text.Printable(h.file))
	}
	if len(files) == 0 {
		p.line("          no session is told anything: claude plugin install changeover@changeover")
	}
	if len(files) > 1 {
		p.line("WIRED TWICE: %s: take out all but one", strings.Join(files, " and "))
	}
}

func (r DoctorReport) storeLines(p *page) {
	p.row("store", "%d fault(s)", len(r.store.all()))
	p.problems(r.store.read)
	p.advise(r.store.advice)
}

func (r DoctorReport) stepLines(p *page) {
	p.line("steps")
	unknown, inapplicable := false, false
	next := ""
	for _, step := range r.steps {
		p.line("  [%s] %d. %s", step.Mark, step.Number, step.Title)
		if step.Why != "" {
			p.line("        %s: %s", step.label(), text.Printable(step.Why))
		}
		unknown = unknown || step.Mark == StepUnknown
		inapplicable = inapplicable || step.Mark == StepInapplicable
		if next == "" && step.Mark == StepOutstanding {
			next = fmt.Sprintf("step %d", step.Number)
		}
	}
	if unknown {
		p.line("  ([?]: cannot be told from here)")
	}
	if inapplicable {
		p.line("  ([-]: there is nothing to do)")
	}
	if next == "" {
		next = "nothing outstanding that can be told from here"
	}
	p.row("next", "%s", next)
}
