package exchange_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/jsondoc"
)

const (
	local     = root + "/.claude/settings.local.json"
	user      = home + "/.claude/settings.json"
	hooksDir  = home + "/.claude/hooks"
	stamp     = "20260310T120000Z"
	laneEntry = `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "bash /x/dock-session-lane.sh"}]}]}}`
)

// retiring is a scene with settings files and scripts to retire.
type retiring struct {
	*scene
	// edited is what the editor makes of a document; nil for what it should.
	edited func(document []byte) ([]byte, error)
}

func newRetiring(t *testing.T) *retiring {
	t.Helper()
	return &retiring{scene: newScene(t)}
}

func (r *retiring) script(names ...string) {
	for _, name := range names {
		r.files.file(hooksDir+"/"+name, "#!/bin/sh\n")
	}
}

func (r *retiring) run(t *testing.T, apply bool) exchange.RetireReport {
	t.Helper()
	world := r.world()
	world.Settings = r
	retirer := exchange.HookRetirer{World: world, Fold: strings.ToLower, Editor: r, Writer: r, Mover: r}
	report, err := retirer.Retire(root, apply)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func (r *retiring) Settings(name string) (exchange.Settings, error) {
	data, err := r.files.ReadLinked(name, 1<<20)
	if err != nil {
		return exchange.Settings{}, err
	}
	value, err := jsondoc.DecodeRelaxed(data)
	return exchange.Settings{Texts: jsondoc.Texts(value)}, err
}

// Without keeps nothing but the values.
func (r *retiring) Without(document []byte, places []exchange.Place) ([]byte, error) {
	if r.edited != nil {
		return r.edited(document)
	}
	var value any
	if err := json.Unmarshal(document, &value); err != nil {
		return nil, err
	}
	for _, place := range slices.Backward(places) { // later numbers first
		value = without(value, place)
	}
	return json.MarshalIndent(value, "", "  ")
}

func without(value any, place exchange.Place) any {
	switch v := value.(type) {
	case map[string]any:
		if len(place) == 1 {
			delete(v, place[0])
			return v
		}
		v[place[0]] = without(v[place[0]], place[1:])
	case []any:
		i, err := strconv.Atoi(place[0])
		if err != nil {
			panic(err)
		}
		if len(place) == 1 {
			return slices.Delete(v, i, i+1)
		}
		v[i] = without(v[i], place[1:])
	}
	return value
}

func (r *retiring) CreateExact(name string, data []byte, perm fs.FileMode) error {
	return r.files.Create(name, data, perm, true)
}

func (r *retiring) ReplaceExact(name string, data []byte, perm fs.FileMode) error {
	return r.files.Replace(name, data, perm, true)
}

func (r *retiring) MakeNewDir(name string, perm fs.FileMode) error {
	if _, err := r.files.Lstat(name); err == nil {
		return &fs.PathError{Op: "mkdir", Path: name, Err: fs.ErrExist}
	}
	return r.files.MakeDir(name, perm)
}

func (r *retiring) RenameNew(from, to string) error {
	n, ok := r.files.nodes[from]
	if !ok || r.files.faults[from] != nil {
		return &fs.PathError{Op: "rename", Path: from, Err: errDisk}
	}
	delete(r.files.nodes, from)
	r.files.put(to, n)
	return nil
}

func (r *retiring) content(name string) string { return string(r.files.nodes[name].data) }

func (r *retiring) has(name string) bool {
	_, ok := r.files.nodes[name]
	return ok
}

// untouched fails when anything was written.
func (r *retiring) untouched(t *testing.T) {
	t.Helper()
	if len(r.files.written) > 0 {
		t.Errorf("written: %q", r.files.written)
	}
}

func settingsFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(path.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	value, err := jsondoc.DecodeRelaxed([]byte(text))
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return value
}

func TestRetire_DryRunAndTheRealOne(t *testing.T) {
	is := is.New(t)
	r := newRetiring(t)
	before := settingsFile(t, "settings-legacy.json")
	r.files.file(local, before)
	r.script("session_exchange_render.py", "harbour-session-lane.sh", "other.sh")
	plan := []string{
		"counts    3 wiring(s) to remove in 1 file(s), 2 script(s) to retire, 0 kept, 0 problem(s)",
		"unwire    harbour-handoff-check.sh, harbour-session-lane.sh, session_exchange_render.py in " + local,
		"retire    harbour-session-lane.sh",
		"retire    session_exchange_render.py",
	}
	dry := r.run(t, false)
	is.True(!dry.Faulty())
	is.Equal(dry.Lines()[:4], plan)
	is.True(has(dry.Lines(), "note      ", "other roots"))
	is.True(has(dry.Lines(), "dry run   nothing was written"))
	r.untouched(t)

	done := r.run(t, true)
	is.True(!done.Faulty())
	is.Equal(done.Lines()[:4], plan)
	is.Equal(done.Lines()[5:], []string{
		"unwired   harbour-handoff-check.sh, harbour-session-lane.sh, session_exchange_render.py in " + local +
			"; the old copy is settings.local.json.bak-" + stamp,
		"retired   harbour-session-lane.sh to " + hooksDir + "/retired-" + stamp + "/",
		"retired   session_exchange_render.py to " + hooksDir + "/retired-" + stamp + "/",
		"applied   3 change(s) made",
	})
	is.True(jsondoc.Equal(decoded(t, r.content(local)), decoded(t, settingsFile(t, "settings-legacy.after.json"))))
	is.Equal(r.content(local+".bak-"+stamp), before)
	is.True(r.has(hooksDir + "/retired-" + stamp + "/harbour-session-lane.sh"))
	is.True(!r.has(hooksDir + "/harbour-session-lane.sh"))
	is.True(r.has(hooksDir + "/other.sh"))

	again := r.run(t, true)
	is.True(!again.Faulty())
	is.Equal(again.Lines()[0], "counts    0 wiring(s) to remove in 0 file(s), 0 script(s) to retire, 0 kept, 0 problem(s)")
	is.True(has(again.Lines(), "nothing   to do here"))
}

// entry is a hook entry with a command.
func entry(command string) string {
	return fmt.Sprintf(`{"type": "command", "command": %q}`, command)
}

func TestRetire_WhatGoesOfAFile(t *testing.T) {
	lane, keep := entry("bash /x/a-session-lane.sh"), entry("echo keep")
	tests := []struct{ name, before, after string }{
		{"the only entry, and all it empties", `{"a": 1, "hooks": {"Stop": [{"hooks": [` + lane + `]}]}}`, `{"a": 1}`},
		{"a whole document", `{"hooks": {"Stop": [{"hooks": [` + lane + `]}]}}`, `{}`},
		{
			"an entry of a group",
			`{"hooks": {"Stop": [{"matcher": "m", "hooks": [` + keep + `, ` + lane + `]}]}}`,
			`{"hooks": {"Stop": [{"matcher": "m", "hooks": [` + keep + `]}]}}`,
		},
		{
			"a group of an event",
			`{"hooks": {"Stop": [{"hooks": [` + lane + `, ` + lane + `]}, {"hooks": [` + keep + `]}]}}`,
			`{"hooks": {"Stop": [{"hooks": [` + keep + `]}]}}`,
		},
		{
			"an event beside one that was empty before",
			`{"hooks": {"Stop": [{"hooks": [` + lane + `]}], "PreCompact": []}}`,
			`{"hooks": {"PreCompact": []}}`,
		},
		{
			"a group beside one that was empty before",
			`{"hooks": {"Stop": [{"hooks": []}, {"hooks": [` + lane + `]}, {"matcher": "x"}]}}`,
			`{"hooks": {"Stop": [{"hooks": []}, {"matcher": "x"}]}}`,
		},
		{
			"what is no hook stays",
			`{"hooks": {"Stop": ["x", {"hooks": "y"}, {"hooks": [1, ` + lane + `, {"command": 2}]}], "Odd": {"a": 1}, "Null": null}}`,
			`{"hooks": {"Stop": ["x", {"hooks": "y"}, {"hooks": [1, {"command": 2}]}], "Odd": {"a": 1}, "Null": null}}`,
		},
		{
			"names that are like one",
			`{"hooks": {"Stop": [{"hooks": [` + lane + `, ` + entry("a-session-lane.sh.bak A-SESSION-LANE.SH") + `]}]}}`,
			`{"hooks": {"Stop": [{"hooks": [` + entry("a-session-lane.sh.bak A-SESSION-LANE.SH") + `]}]}}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			r := newRetiring(t)
			r.files.file(local, tt.before)
			report := r.run(t, true)
			is.Equal(report.Problems(), []string{})
			if diff := cmp.Diff(decoded(t, tt.after), decoded(t, r.content(local))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRetire_CompoundCommands(t *testing.T) {
	const script = "/x/a-session-lane.sh"
	simple := []string{
		script, "bash " + script + " 2>&1", script + " >&2", script + " &> /tmp/log", script + " 1>&2 2>>/tmp/x",
		script + " < in > out", "'" + script + "' $HOME ${A} (x)", script + "\r", script + " $ (x)",
	}
	compound := []string{
		script + "; true", "true && " + script, script + " || true", script + " | tee x", script + " &",
		"true\n" + script, "echo `" + script + "`", "echo $(" + script + ")", script + " 2>&1 | tee x", script + " 2>&1 & true",
		script + " 2>&1& true", "a&" + script, "echo 'a;b' " + script,
	}
	for _, command := range append(slices.Clone(simple), compound...) {
		t.Run(command, func(t *testing.T) {
			is := is.New(t)
			r := newRetiring(t)
			r.files.file(local, `{"hooks": {"Stop": [{"hooks": [`+entry(command)+`]}]}}`)
			report := r.run(t, true)
			if slices.Contains(simple, command) {
				is.Equal(report.Problems(), []string{})
				is.Equal(r.content(local), "{}")
				return
			}
			is.Equal(len(report.Problems()), 1) // and none that the name is still there
			is.True(strings.HasPrefix(report.Problems()[0], local+" runs a-session-lane.sh in one command with others"))
			r.untouched(t)
		})
	}
}

func TestRetire_ProblemsOfAFileWriteNothingAnywhere(t *testing.T) {
	lane := entry("bash /x/a-session-lane.sh")
	tests := []struct {
		name, content string
		problem       []string
	}{
		{"compound", settingsFile(t, "settings-legacy-compound.json"), []string{"harbour-handoff-check.sh", "split"}},
		{"outside a hook", settingsFile(t, "settings-legacy-elsewhere.json"), []string{"harbour-handoff-check.sh", "elsewhere"}},
		{"in the arguments of a hook", `{"hooks": {"Stop": [{"hooks": [{"command": "bash", "args": ["a-session-lane.sh"]}]}]}}`, []string{"a-session-lane.sh", "elsewhere"}},
		{"beside the hooks", `{"statusLine": {"command": "a-session-lane.sh"}, "hooks": {"Stop": [{"hooks": [` + lane + `]}]}}`, []string{"elsewhere"}},
		{"a command that is no entry of a group", `{"hooks": {"Stop": [` + lane + `]}}`, []string{"elsewhere"}},
		{"not an object", `["a-session-lane.sh"]`, []string{"elsewhere"}},
		{"not JSON", `{"hooks": `, []string{"could not be read"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			r := newRetiring(t)
			other := root + "/dock/.claude/settings.local.json"
			r.files.file(local, tt.content)
			r.files.file(other, laneEntry)
			r.script("dock-session-lane.sh")
			for _, apply := range []bool{false, true} {
				report := r.run(t, apply)
				is.True(report.Faulty())
				is.Equal(len(report.Problems()), 1)
				is.True(has(report.Lines(), append(tt.problem, "problem   ", local)...))
				is.True(has(report.Lines(), "unwire    dock-session-lane.sh in "+other)) // the rest is planned all the same
				is.True(has(report.Lines(), "nothing was written"))
				r.untouched(t)
			}
		})
	}
}

func TestRetire_NothingOfACommandIsShown(t *testing.T) {
	is := is.New(t)
	r := newRetiring(t)
	const secret = "TOKEN=s3cret"
	r.files.file(local, `{"`+secret+`": "a-session-lane.sh `+secret+`", "hooks": {"`+secret+`": [{"matcher": "`+secret+`", "hooks": [`+
		entry(secret+" /x/b-session-lane.sh "+secret)+`, `+entry(secret+" /x/c-session-lane.sh; "+secret)+`]}]}}`)
	r.files.file(user, `{"x": "`+secret+` d-session-lane.sh"}`)
	r.edited = func([]byte) ([]byte, error) { return []byte(secret), nil }
	report := r.run(t, false)
	is.True(len(report.Problems()) > 0)
	shown := strings.Join(report.Lines(), "\n") + string(jsondoc.Shown(report.Document()))
	is.True(!strings.Contains(shown, secret))
}

func TestRetire_MachineWideIsListedAndNeverEdited(t *testing.T) {
	is := is.New(t)
	r := newRetiring(t)
	wide := strings.ReplaceAll(laneEntry, "dock", "wide")
	r.files.file(user, wide)
	r.script("wide-session-lane.sh")
	report := r.run(t, true)
	is.True(!report.Faulty()) // nothing to write, so no gate and no problem
	is.Equal(report.Lines()[0], "counts    0 wiring(s) to remove in 0 file(s), 0 script(s) to retire, 1 kept, 0 problem(s)")
	is.True(has(report.Lines(), "machine   wide-session-lane.sh in "+user))
	is.True(has(report.Lines(), "keep      wide-session-lane.sh"))
	is.True(has(report.Lines(), "nothing   to do here"))
	r.untouched(t)

	r.files.file(local, strings.ReplaceAll(wide, "Stop", "SessionStart")) // wired here too
	r.script("dock-session-lane.sh")
	report = r.run(t, true)
	is.True(!report.Faulty())
	is.Equal(r.content(local), "{}")
	is.Equal(r.content(user), wide)
	is.True(r.has(hooksDir + "/wide-session-lane.sh"))
	is.True(!r.has(hooksDir + "/dock-session-lane.sh"))
}

func TestRetire_Gate(t *testing.T) {
	tests := []struct {
		name   string
		marker string // none where empty
		steps  []string
	}{
		{"no ledger", `{"name": "harbour"}`, nil},
		{"no marker", "", []string{"step 5", "step 4"}},
		{"marker unreadable", `{"nam": "harbour"}`, []string{"step 4"}},
		{"ledger unreadable", `{"name": "harbour", "legacy_ledger": {"path": "gone.md"}}`, []string{"step 4"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			r := newRetiring(t)
			r.env["CC_EXCHANGE_ROOT"] = root
			r.mark(tt.marker)
			if tt.marker == "" {
				delete(r.files.nodes, exchange.MarkerPath(root))
			}
			idle := r.run(t, true)
			is.True(!idle.Faulty()) // nothing to write, nothing to refuse
			is.True(has(idle.Lines(), "nothing   to do here"))

			r.script("a-session-lane.sh")
			report := r.run(t, true)
			is.Equal(len(report.Problems()), len(tt.steps))
			for _, step := range tt.steps {
				is.True(has(report.Lines(), "problem   ", step))
				r.untouched(t)
			}
			is.Equal(r.has(hooksDir+"/a-session-lane.sh"), len(tt.steps) > 0)
		})
	}
}

func TestRetire_ScanProblemsRefuse(t *testing.T) {
	is := is.New(t)
	r := newRetiring(t)
	r.files.file(user, `{"hooks": `)
	r.script("a-session-lane.sh")
	report := r.run(t, true)
	is.Equal(len(report.Problems()), 1)
	is.True(has(report.Lines(), "problem   "+user+" could not be read"))
	r.untouched(t)
}

func TestRetire_SymbolicLinks(t *testing.T) {
	dock := root + "/dock/.claude/settings.local.json"
	tests := []struct {
		name     string
		prepare  func(r *retiring)
		problems int
	}{
		{"to a file that is edited anyway", func(r *retiring) { r.files.symlink(local, dock) }, 0},
		{"to a file elsewhere", func(r *retiring) { r.files.symlink(local, "/elsewhere/settings.json") }, 1},
		{"to the user's settings", func(r *retiring) { r.files.symlink(local, user) }, 1},
		{"of a directory to one that is searched", func(r *retiring) { r.files.symlink(root+"/again", root+"/dock") }, 0},
		{"of a directory to elsewhere", func(r *retiring) { r.files.symlink(root+"/far", "/elsewhere/far") }, 1},
		{"to a file without legacy names", func(r *retiring) { r.files.symlink(local, "/elsewhere/plain.json") }, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			r := newRetiring(t)
			r.files.file(dock, laneEntry)
			r.files.file("/elsewhere/settings.json", laneEntry)
			r.files.file("/elsewhere/plain.json", `{}`)
			r.files.file("/elsewhere/far/.claude/settings.local.json", laneEntry)
			r.files.file(user, laneEntry)
			tt.prepare(r)
			report := r.run(t, true)
			is.Equal(len(report.Problems()), tt.problems)
			is.Equal(r.content("/elsewhere/settings.json"), laneEntry)
			is.Equal(r.content("/elsewhere/far/.claude/settings.local.json"), laneEntry)
			is.Equal(r.content(user), laneEntry)
			if tt.problems > 0 {
				is.True(has(report.Lines(), "problem   ", "symbolic link"))
				r.untouched(t)
				return
			}
			is.Equal(r.content(dock), "{}")
			is.True(has(report.Lines(), "counts    1 wiring(s) to remove in 1 file(s)"))
		})
	}
}

func TestRetire_NamesThatAreTaken(t *testing.T) {
	is := is.New(t)
	r := newRetiring(t)
	r.files.file(local, laneEntry)
	r.files.file(local+".bak-"+stamp, "older")
	r.files.file(local+".bak-"+stamp+"-2", "old")
	r.files.file(hooksDir+"/retired-"+stamp+"/dock-session-lane.sh", "older")
	r.script("dock-session-lane.sh")
	report := r.run(t, true)
	is.True(!report.Faulty())
	is.Equal(r.content(local+".bak-"+stamp), "older")
	is.Equal(r.content(local+".bak-"+stamp+"-2"), "old")
	is.Equal(r.content(local+".bak-"+stamp+"-3"), laneEntry)
	is.True(has(report.Lines(), "; the old copy is settings.local.json.bak-"+stamp+"-3"))
	is.Equal(r.content(hooksDir+"/retired-"+stamp+"/dock-session-lane.sh"), "older")
	is.True(r.has(hooksDir + "/retired-" + stamp + "-2/dock-session-lane.sh"))
}

func TestRetire_AFileThatFailsKeepsTheScripts(t *testing.T) {
	other := root + "/dock/.claude/settings.local.json"
	for name, failing := range map[string]string{"copy": other + ".bak-" + stamp, "replacement": other} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			r := newRetiring(t)
			r.files.file(local, laneEntry)
			r.files.file(other, laneEntry)
			r.script("dock-session-lane.sh")
			faulty := &failingWriter{r, failing}
			world := r.world()
			world.Settings = r
			report, err := exchange.HookRetirer{World: world, Fold: strings.ToLower, Editor: r, Writer: faulty, Mover: r}.Retire(root, true)
			is.NoErr(err)
			is.True(report.Faulty())
			is.Equal(r.content(local), "{}") // the others are edited
			is.Equal(r.content(other), laneEntry)
			is.True(r.has(hooksDir + "/dock-session-lane.sh"))
			is.True(has(report.Lines(), "problem   ", other, "no space left"))
			is.True(has(report.Lines(), "problem   1 of 3 change(s) made"))
			is.True(has(report.Lines(), "unwired   dock-session-lane.sh in "+local))
			is.True(!has(report.Lines(), "retired   "))

			again := r.run(t, true) // and a second run finishes
			is.True(!again.Faulty())
			is.Equal(r.content(other), "{}")
			is.True(!r.has(hooksDir + "/dock-session-lane.sh"))
		})
	}
}

// failingWriter fails at one name.
type failingWriter struct {
	*retiring
	name string
}

func (w *failingWriter) CreateExact(name string, data []byte, perm fs.FileMode) error {
	if name == w.name {
		return errDisk
	}
	return w.retiring.CreateExact(name, data, perm)
}

func (w *failingWriter) ReplaceExact(name string, data []byte, perm fs.FileMode) error {
	if name == w.name {
		return errDisk
	}
	return w.retiring.ReplaceExact(name, data, perm)
}

// meddler changes a file while the copy of it is made.
type meddler struct {
	*retiring
	change func()
}

func (m *meddler) CreateExact(name string, data []byte, perm fs.FileMode) error {
	m.change()
	return m.retiring.CreateExact(name, data, perm)
}

func TestRetire_AFileThatChangesMeanwhileIsLeftAlone(t *testing.T) {
	changes := map[string]func(r *retiring){
		"edited":            func(r *retiring) { r.files.file(local, "{}  ") },
		"gone":              func(r *retiring) { delete(r.files.nodes, local) },
		"a link":            func(r *retiring) { r.files.symlink(local, user) },
		"cannot be read":    func(r *retiring) { r.files.faults[local] = errDisk },
		"an edited new one": func(r *retiring) { r.files.file(local, laneEntry+"\n") },
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			r := newRetiring(t)
			r.files.file(local, laneEntry)
			r.script("dock-session-lane.sh")
			world := r.world()
			world.Settings = r
			var after node
			m := &meddler{r, func() { change(r); after = r.files.nodes[local] }}
			report, err := exchange.HookRetirer{World: world, Fold: strings.ToLower, Editor: r, Writer: m, Mover: r}.Retire(root, true)
			is.NoErr(err)
			is.True(has(report.Lines(), "problem   "+local, "left alone"))
			is.True(has(report.Lines(), "problem   0 of 2 change(s) made"))
			if diff := cmp.Diff(after, r.files.nodes[local], cmp.AllowUnexported(node{})); diff != "" {
				t.Error(diff)
			}
			is.True(r.has(hooksDir + "/dock-session-lane.sh"))
		})
	}
}

func TestRetire_ScriptsThatCannotBeMoved(t *testing.T) {
	is := is.New(t)
	r := newRetiring(t)
	r.files.file(local, laneEntry)
	r.script("a-session-lane.sh", "b-session-lane.sh")
	r.files.faults[hooksDir+"/a-session-lane.sh"] = errDisk
	report := r.run(t, true)
	is.True(has(report.Lines(), "problem   a-session-lane.sh could not be moved"))
	is.True(has(report.Lines(), "retired   b-session-lane.sh to "))
	is.True(has(report.Lines(), "problem   2 of 3 change(s) made"))
}

func TestRetire_ADirectoryThatCannotBeMade(t *testing.T) {
	is := is.New(t)
	r := newRetiring(t)
	r.script("a-session-lane.sh")
	r.files.faults[hooksDir+"/retired-"+stamp] = errDisk
	report := r.run(t, true)
	is.True(has(report.Lines(), "problem   "+hooksDir+"/retired-"+stamp+" could not be made"))
	is.True(has(report.Lines(), "problem   0 of 1 change(s) made"))
	is.True(r.has(hooksDir + "/a-session-lane.sh"))
}

func TestRetire_AnEditorIsNotTrusted(t *testing.T) {
	edits := map[string]func(document []byte) ([]byte, error){
		"nothing taken out": func(d []byte) ([]byte, error) { return d, nil },
		"too much":          func([]byte) ([]byte, error) { return []byte(`{}`), nil },
		"no JSON":           func([]byte) ([]byte, error) { return nil, nil },
		"an error":          func([]byte) ([]byte, error) { return nil, errors.New("cannot") },
	}
	for name, edited := range edits {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			r := newRetiring(t)
			r.files.file(local, `{"a": 1, `+laneEntry[1:])
			r.edited = edited
			report := r.run(t, true)
			is.Equal(len(report.Problems()), 1)
			is.True(has(report.Lines(), "problem   "+local+" cannot be edited"))
			r.untouched(t)
		})
	}
}

func TestRetire_Document(t *testing.T) {
	is := is.New(t)
	r := newRetiring(t)
	r.files.file(local, laneEntry)
	r.files.file(user, strings.ReplaceAll(laneEntry, "dock", "wide"))
	r.script("dock-session-lane.sh", "wide-session-lane.sh")
	var got map[string]any
	is.NoErr(json.Unmarshal(jsondoc.Shown(r.run(t, false).Document()), &got))
	is.True(got["note"] != nil)
	delete(got, "note")
	want := map[string]any{
		"root":     root,
		"counts":   map[string]any{"wirings_to_remove": 1.0, "files": 1.0, "scripts_to_retire": 1.0, "kept": 1.0, "problems": 0.0},
		"unwire":   []any{map[string]any{"names": []any{"dock-session-lane.sh"}, "file": local}},
		"machine":  []any{map[string]any{"name": "wide-session-lane.sh", "file": user}},
		"retire":   []any{"dock-session-lane.sh"},
		"keep":     []any{"wide-session-lane.sh"},
		"nothing":  false,
		"dry_run":  true,
		"problems": []any{},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
