package faults_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/changeover/changeover/adapters/toll"
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/handoff"
	"github.com/changeover/changeover/domain/baton/project"
)

// golden is what a verb comes to when nothing goes wrong.
type golden struct {
	calls []call
	// before and after are all files, published what was put in their places.
	before, after map[string]string
	published     map[string][]string
	// again is how the session stands, and how many files there are, after a
	// second time.
	again baton.SessionMeta
	count int
}

// goldenOf runs a verb on a machine as the one that was prepared for it.
func goldenOf(t *testing.T, v verb, prepared *ground) golden {
	t.Helper()
	gold := golden{published: map[string][]string{}}
	g := newGround(t)
	g.must(compacts(g, g.begin(sound, 0)))
	gold.learn(g.life)
	g = prepared.twin()
	gold.before = g.files()
	gold.play(g, v)
	gold.calls, gold.after = g.life.calls, g.files()
	g.sorted()
	g.begin(sound, 0) // in place of status
	g.must(compacts(g, g.begin(sound, 0)))
	gold.learn(g.life)
	gold.play(g, v)
	gold.again, _, _ = g.meta()
	gold.count = len(g.files())
	return gold
}

func (gold *golden) play(g *ground, v verb) {
	g.t.Helper()
	if err := v.run(g, g.begin(sound, 0)); baton.ExitCode(err) != v.code {
		g.t.Fatal(err)
	}
	gold.learn(g.life)
}

func (gold *golden) learn(l *life) {
	for name, contents := range l.published {
		gold.published[name] = append(gold.published[name], contents...)
	}
}

// ways are those that are tried: those by which no more can be found than by another
// only where all are to be counted.
func ways() []way {
	if *torture {
		return []way{once, noSpace, denied, short, full, dies, tears}
	}
	return []way{once, full, dies, tears}
}

var (
	torture = flag.Bool("torture", false, "try every way there is")
	count   toll.Table
)

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if err := count.Leave("baton-faults"); err != nil {
		panic(err)
	}
	os.Exit(code)
}

var every = flag.Bool("every", false, "have also those calls go wrong of which the file system's own tests tell")

// TestVerbs_FaultsAtEveryCall has each call of each verb go wrong in each way.
func TestVerbs_FaultsAtEveryCall(t *testing.T) {
	for _, v := range verbs() {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			prepared := newGround(t)
			v.prepare(prepared)
			gold := goldenOf(t, v, prepared)
			t.Logf("%d calls", len(gold.calls))
			for at, asked := range gold.calls {
				for _, how := range ways() {
					if how == full && !slices.Contains(growing, asked.op) || (how == tears || how == short) && asked.op != "write" {
						continue // as another
					}
					if !*every && (asked.op == "fsync" || asked.op == "close") {
						continue
					}
					f := fault{verb: v, golden: gold, ground: prepared.twin(), how: how, at: at}
					f.where = fmt.Sprintf("%s: %s at call %d, %s %s", v.name, how, at, asked.op, asked.name)
					f.counts = &toll.Counts{Tries: 1, Hit: 1}
					f.test()
					count.Add(toll.Key{Tool: "baton", Verb: v.name, Fault: string(how)}, *f.counts)
					if t.Failed() {
						t.Log(f.where)
						return
					}
				}
			}
		})
	}
}

// fault is one fault of one verb.
type fault struct {
	verb
	golden
	*ground
	how   way
	at    int
	broke call
	where string
	// counts is what the fault comes to, and kind what is looked at of it.
	counts *toll.Counts
	kind   *int
}

func (f fault) errorf(format string, args ...any) {
	f.t.Helper()
	*f.kind++
	f.t.Errorf("%s: %s", f.where, fmt.Sprintf(format, args...))
}

func (f fault) test() {
	f.kind = &f.counts.Stuck
	w := f.begin(f.how, f.at)
	err := f.run(f.ground, w)
	var ok bool
	if f.broke, ok = f.life.fault(); !ok {
		f.errorf("there was no such call: %v", err)
		return
	}
	f.looks(err)
}

// looks looks at what is left of a fault, and at what the next commands make of it.
func (f fault) looks(err error) {
	f.kind = &f.counts.Unreadable
	f.whole()
	f.kind = &f.counts.Lost
	f.nothingLost()
	f.kind = &f.counts.Stuck
	if f.how.single() || f.how == full || f.how == short {
		f.recorded()
		f.told(err)
		if !f.planUnread() {
			f.sorted()
		}
		if pids := f.living(); len(pids) > 0 {
			f.errorf("agents %v are left", pids)
		}
	}
	f.recovers()
}

// planUnread says whether the plan is what could not be read: then it stays as it is,
// whatever it holds, and so does its backup.
func (f fault) planUnread() bool { return f.broke == call{"ReadFile", baton.PlanFile} }

// told looks at what the person was told, and what the session tells.
func (f fault) told(err error) {
	meta, there, _ := f.meta()
	var failed *fs.PathError
	onDisk := errors.As(err, &failed)
	switch code := baton.ExitCode(err); {
	case code == f.code && !onDisk:
		f.unharmed()
		return
	case code == baton.ExitUsage && f.broke.op == "ReadLinked": // of the configuration
	case code != baton.ExitFailed && (code != f.code || code == 0):
		f.errorf("exit code %d: %v", code, err)
	}
	if !onDisk || !strings.Contains(err.Error(), f.top) && !strings.Contains(err.Error(), f.home) {
		f.errorf("the error names no file: %v", err)
	}
	if f.how.single() && !strings.Contains(err.Error(), f.broke.name) {
		f.errorf("the error does not name %s: %v", f.broke.name, err)
	}
	if baton.ExitCode(err) == baton.ExitFailed && baton.Advice(err) == "" {
		f.errorf("nothing says what to do about %v", err)
	}
	if !f.how.single() || !f.agents || !there {
		return
	}
	if meta.Status().Active() {
		f.errorf("the session is %s", meta.Status())
	}
	if baton.ExitCode(err) == baton.ExitFailed && f.worked() && meta.Status() == baton.Failed && !strings.Contains(meta.LastError, f.broke.name) {
		f.errorf("lastError is %q", meta.LastError)
	}
}

// recorded looks for the record of an agent's run whose log could not be written:
// what the run came to is known all the same.
func (f fault) recorded() {
	if !f.how.single() || f.broke != (call{"write", baton.LogFile}) {
		return
	}
	runs := func(files map[string]string) int { return strings.Count(files[baton.Artifact(baton.RunsFile)], "\n") }
	if was := runs(f.before); runs(f.after) > was && runs(f.files()) == was {
		f.errorf("no run was recorded")
	}
}

// worked says whether the session came to claim that work goes on.
func (f fault) worked() bool {
	for _, content := range f.life.published[baton.MetaFile] {
		if meta, err := baton.ReadSession([]byte(content)); err == nil && meta.Status().Active() {
			return true
		}
	}
	return false
}

// unharmed looks at what a verb left which did not mind the fault.
func (f fault) unharmed() {
	if strings.HasPrefix(f.broke.name, "projects.json") {
		if f.how != short && f.agents && !f.ground.told("the project registry could not be updated") {
			f.errorf("nothing was told of the registry")
		}
		if f.agents {
			return
		}
	}
	if slices.Contains([]string{"commands.log", "loss"}, strings.SplitN(f.broke.name, ".json", 2)[0]) {
		return
	}
	after := f.files()
	for name := range after {
		if strings.Contains(name, ".tmp-") {
			delete(after, name)
		}
	}
	lock := baton.Artifact(baton.LockFile)
	if _, there := after[lock]; there { // a note that stays harms nobody
		after[lock] = f.after[lock]
	}
	if diff := cmp.Diff(f.after, after); diff != "" {
		if f.ground.told("could not be updated") || f.ground.told("context not compressed") || f.ground.told("warning") {
			return
		}
		f.errorf("nothing was told, and the files are not as they should be:\n%s", diff)
	}
}

// whole looks for files that are half-written.
func (f fault) whole() {
	if _, _, err := f.meta(); err != nil {
		f.errorf("%v", err)
	}
	for name, content := range f.files() {
		base := filepath.Base(name)
		switch {
		case strings.HasPrefix(base, ".tmp-"), base == baton.LogFile, base == baton.MetaFile:
		case base == "projects.json":
			if _, err := project.Read([]byte(content)); err != nil {
				f.errorf("%v", err)
			}
		case filepath.Ext(base) == ".json":
			if !json.Valid([]byte(content)) {
				f.errorf("%s is %q", name, content)
			}
		case base == baton.RunsFile:
			for line := range strings.Lines(content) {
				if !json.Valid([]byte(line)) && !f.torn(base) { // which the next writer closes, and readers ignore
					f.errorf("%s has the line %q", name, line)
				}
			}
		case !f.known(name, content):
			f.errorf("%s holds %q", name, content)
		}
	}
}

// torn says whether a line of a file may be only half there.
func (f fault) torn(name string) bool { return f.broke == call{"write", name} }

// known says whether a file holds what it may: what it held before, what it comes
// to hold, or what an agent writes there.
func (f fault) known(name, content string) bool {
	base := filepath.Base(name)
	if f.before[name] == content || f.after[name] == content || slices.Contains(f.published[base], content) {
		return true
	}
	kind, _, _ := strings.Cut(base, ".20") // a backup
	switch kind {
	case baton.LockFile, baton.StateFile, "state.md.full", "commands.log.full":
		return true // looked at elsewhere
	case "compact-state.md":
		return strings.HasPrefix(content, "# Compact State\n") && strings.Contains(content, "\n## Next Step\n")
	case baton.DiffFile: // without a file that could not be read
		return f.ground.told("warning") && strings.HasPrefix(content, "diff --git a/src/app.go")
	case "plan.md", "plan":
		emptied := content == "\n" && (f.how == dies || f.how == tears || f.planUnread()) // by an agent whose baton is no more, or is blind
		return emptied || content == f.before[baton.Artifact(baton.PlanFile)] || strings.Contains(content, aPlanEnd)
	case "handoff.md", "handoff": // which tell of the log, and that may be shorter
		report := handoff.CheckQuality(handoff.Artifacts{
			Handoff: content, Task: "task", Session: "{}", Has: func(string) bool { return true },
		})
		return content == f.before[baton.Artifact(baton.HandoffFile)] || len(report.Failures) == 0
	}
	return false
}

// nothingLost looks for what somebody has written.
func (f fault) nothingLost() {
	files := f.files()
	for _, p := range f.kept {
		found := false
		for name, content := range files {
			base := filepath.Base(name)
			found = found || strings.HasPrefix(base, p.lead) && strings.Contains(content, p.content)
		}
		if !found {
			f.errorf("nothing with %q holds %q any more", p.lead, p.content)
		}
	}
	for name, content := range f.before {
		switch filepath.Base(name) {
		case baton.RunsFile, ".gitignore":
			if !strings.HasPrefix(files[name], content) {
				f.errorf("%s was %q and is %q", name, content, files[name])
			}
		case "projects.json":
			if !strings.Contains(files[name], "the first") {
				f.errorf("%s is %q", name, files[name])
			}
		case baton.LogFile:
			if !strings.HasPrefix(files[name], content) && !f.hasCopy(content) {
				f.errorf("the log is %q", files[name])
			}
		}
	}
}

// hasCopy says whether a raw copy of the log begins so.
func (f fault) hasCopy(content string) bool {
	for name, other := range f.files() {
		if strings.Contains(name, "commands.log.full.") && strings.HasPrefix(other, content) {
			return true
		}
	}
	return false
}

// sorted looks for backups of what still stands, and for a plan that is gone.
func (g *ground) sorted() {
	g.t.Helper()
	files := g.files()
	for _, name := range []string{baton.PlanFile, baton.HandoffFile} {
		own, there := files[baton.Artifact(name)]
		lead := strings.TrimSuffix(name, "md") + "20"
		for other, content := range files {
			switch {
			case !strings.HasPrefix(filepath.Base(other), lead):
			case content == own:
				g.t.Errorf("%s is the same as %s", other, name)
			case !there || strings.TrimSpace(own) == "":
				g.t.Errorf("%s is %q, and %s stands", name, own, other)
			}
		}
	}
}

// recovers runs the next commands.
func (f fault) recovers() {
	left := f.living()
	was, there, _ := f.meta()
	active := there && was.Status().Active()
	r, err := f.begin(sound, 0).Status(f.t.Context(), baton.Place{})
	if err != nil || r.Stale != active {
		f.errorf("status: stale is %t: %v", r.Stale, err)
	}
	if err := compacts(f.ground, f.begin(sound, 0)); err != nil {
		f.errorf("the next command: %v", err)
		return
	}
	now, _, _ := f.meta()
	if active && (now.Status() != baton.Failed || !f.ground.told("was interrupted")) || now.Status().Active() {
		f.errorf("the session was %s and is %s; heard %q", was.Status(), now.Status(), f.heard)
	}
	for _, pid := range f.living() {
		if f.broke.op != "note" && f.broke.op != "note over" { // nobody could know of it
			f.errorf("agent %d still runs", pid)
		}
		f.runner.Kill(pid)
	}
	if active && len(left) > 0 && !f.ground.told("still ran and is ended") && f.broke.name != baton.LockFile {
		f.errorf("nothing was told of agents %v: %q", left, f.heard)
	}
	f.nothingLost()
	if err := f.run(f.ground, f.begin(sound, 0)); baton.ExitCode(err) != f.code {
		f.errorf("the same command again: %v", err)
		return
	}
	now, _, _ = f.meta()
	if now.Status() != f.again.Status() || now.ActiveAgent != f.again.ActiveAgent || now.LastError != f.again.LastError {
		f.errorf("in the end the session is %s, %s, %q", now.Status(), now.ActiveAgent, now.LastError)
	}
	f.whole()
	f.nothingLost()
	f.tidy()
}

// tidy looks for what piles up.
func (f fault) tidy() {
	files := f.files()
	for name := range files {
		if strings.Contains(name, ".tmp-") && !strings.HasPrefix(name, "../home/") {
			f.errorf("%s is left", name)
		}
	}
	most := f.count
	if f.how == dies || f.how == tears || f.planUnread() {
		most++ // a backup of what was not replaced
	}
	if len(files) > most {
		f.errorf("there are %d files, not %d: %q", len(files), most, slices.Sorted(maps.Keys(files)))
	}
	if lock := files[baton.Artifact(baton.LockFile)]; strings.TrimSpace(lock) != "" {
		f.errorf("the lock holds %q", lock)
	}
}

func (g *ground) must(err error) {
	g.t.Helper()
	if err != nil {
		g.t.Fatal(err)
	}
}

// files are all files of the machine by their paths, with what they hold.
func (g *ground) files() map[string]string {
	all := map[string]string{}
	for _, root := range []string{g.top, g.home} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(g.top, path)
			all[name] = strings.ReplaceAll(string(data), filepath.Dir(g.top), here)
			return err
		})
		g.must(err)
	}
	return all
}

// meta is the session; there is false where there is none.
func (g *ground) meta() (m baton.SessionMeta, there bool, err error) {
	data, err := os.ReadFile(filepath.Join(g.top, baton.Artifact(baton.MetaFile)))
	if errors.Is(err, fs.ErrNotExist) {
		return m, false, nil
	}
	g.must(err)
	m, err = baton.ReadSession(data)
	return m, true, err
}
