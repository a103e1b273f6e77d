package exchange

import (
	"strings"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/text"
)

// RetireReport says what retiring the legacy hooks means, and what was done.
type RetireReport struct {
	root    string
	applied bool
	cut     text.Cutter
	plan    retirePlan
	unwired []unwired
	retired []retired
	// failed are the changes that could not be made.
	failed []string
}

// unwired is a settings file that was edited.
type unwired struct {
	settingsEdit
	copied string
}

// retired is a script that was put aside.
type retired struct{ name, dir string }

// foreignNote says what nobody can see from here.
const foreignNote = "the settings of other roots are not visible from here: one that still names a retired script will not find it any more"

// Problems are what keeps anything from being done, or what went wrong.
func (r RetireReport) Problems() []string {
	return append(append([]string{}, r.plan.problems...), r.failed...)
}

// Faulty reports a problem.
func (r RetireReport) Faulty() bool { return len(r.Problems()) > 0 }

// idle reports that there is nothing to do and nothing wrong.
func (r RetireReport) idle() bool { return !r.plan.todo() && len(r.plan.problems) == 0 }

// wirings counts what goes, a file and a script at a time.
func (p retirePlan) wirings() int {
	n := 0
	for _, edit := range p.edits {
		n += len(edit.names)
	}
	return n
}

// Lines renders the report: only names of scripts and paths of settings, never
// what stands in them.
func (r RetireReport) Lines() []string {
	p := page{cut: r.cut}
	p.row("counts", "%d wiring(s) to remove in %d file(s), %d script(s) to retire, %d kept, %d problem(s)",
		r.plan.wirings(), len(r.plan.edits), len(r.plan.retire), len(r.plan.keep), len(r.Problems()))
	for _, edit := range r.plan.edits {
		p.row("unwire", "%s in %s", printableNames(edit.names), text.Printable(edit.file))
	}
	for _, x := range r.plan.machine {
		p.row("machine", "%s in %s, which applies to every root and is never edited", text.Printable(x.script), text.Printable(x.settings))
	}
	for _, name := range r.plan.retire {
		p.row("retire", "%s", text.Printable(name))
	}
	for _, name := range r.plan.keep {
		p.row("keep", "%s, since it is wired machine-wide", text.Printable(name))
	}
	if len(r.plan.retire) > 0 {
		p.row("note", "%s", foreignNote)
	}
	for _, x := range r.unwired {
		p.row("unwired", "%s in %s; the old copy is %s", printableNames(x.names), text.Printable(x.file), text.Printable(x.copied))
	}
	for _, x := range r.retired {
		p.row("retired", "%s to %s/", text.Printable(x.name), text.Printable(x.dir))
	}
	p.advise(r.Problems())
	r.ending(&p)
	return p.lines
}

// ending says what was not written, and why.
func (r RetireReport) ending(p *page) {
	label := "dry run"
	if r.applied {
		label = "refused"
	}
	if r.idle() {
		p.row("nothing", "to do here: no settings file under this root wires a legacy script, and none is to be retired")
	}
	switch {
	case len(r.plan.problems) > 0:
		p.row(label, "nothing was written; settle the problems first")
	case r.applied && (len(r.failed) > 0 || !r.plan.todo()): // said already
	case r.applied:
		p.row("applied", "%d change(s) made", r.plan.changes())
	case r.plan.todo():
		p.row(label, "nothing was written; exchange migrate --step 7 --apply makes %d change(s)", r.plan.changes())
	default:
		p.row(label, "nothing was written; there is nothing to write")
	}
}

func printableNames(names []string) string {
	shown := make([]string, len(names))
	for i, name := range names {
		shown[i] = text.Printable(name)
	}
	return strings.Join(shown, ", ")
}

// Document renders a dry run for a script.
func (r RetireReport) Document() jsondoc.Object {
	unwire, machine := []jsondoc.Object{}, []jsondoc.Object{}
	for _, edit := range r.plan.edits {
		unwire = append(unwire, jsondoc.Object{{Key: "names", Value: edit.names}, {Key: "file", Value: edit.file}})
	}
	for _, x := range r.plan.machine {
		machine = append(machine, jsondoc.Object{{Key: "name", Value: x.script}, {Key: "file", Value: x.settings}})
	}
	doc := jsondoc.Object{
		{Key: "root", Value: r.root},
		{Key: "counts", Value: jsondoc.Object{
			{Key: "wirings_to_remove", Value: r.plan.wirings()},
			{Key: "files", Value: len(r.plan.edits)},
			{Key: "scripts_to_retire", Value: len(r.plan.retire)},
			{Key: "kept", Value: len(r.plan.keep)},
			{Key: "problems", Value: len(r.Problems())},
		}},
		{Key: "unwire", Value: unwire},
		{Key: "machine", Value: machine},
		{Key: "retire", Value: append([]string{}, r.plan.retire...)},
		{Key: "keep", Value: append([]string{}, r.plan.keep...)},
	}
	if len(r.plan.retire) > 0 {
		doc.Add("note", foreignNote)
	}
	doc.Add("nothing", r.idle())
	doc.Add("dry_run", !r.applied)
	doc.Add("problems", r.Problems())
	return doc
}
