package settingsedit_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/claudesettings"
	"github.com/changeover/changeover/adapters/fsstore"
	"github.com/changeover/changeover/adapters/graphemes"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/adapters/settingsedit"
	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/session"
)

// ground is a marked root and a home on the disk.
type ground struct {
	t          *testing.T
	root, home string
}

func newGround(t *testing.T) *ground {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	old := syscall.Umask(0o022)
	t.Cleanup(func() { syscall.Umask(old) })
	g := &ground{t: t, root: dir + "/harbour", home: dir + "/home"}
	g.write(g.root+"/.claude/exchange.json", `{"name": "harbour"}`, 0o644)
	g.write(g.home+"/.claude/settings.json", `{}`, 0o600)
	return g
}

func (g *ground) write(name, content string, perm fs.FileMode) {
	g.t.Helper()
	if err := os.MkdirAll(path.Dir(name), 0o755); err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), perm); err != nil {
		g.t.Fatal(err)
	}
	if err := os.Chmod(name, perm); err != nil {
		g.t.Fatal(err)
	}
}

// tree returns all files below a directory: mode and content.
func (g *ground) tree(dir string) map[string]string {
	g.t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(name)
		found[strings.TrimPrefix(name, dir+"/")] = fmt.Sprintf("%o %s", info.Mode().Perm(), data)
		return err
	})
	if err != nil {
		g.t.Fatal(err)
	}
	return found
}

// retire runs step 7 on a system.
func (g *ground) retire(sys osfs.System) exchange.RetireReport {
	g.t.Helper()
	files := osfs.NewOn(sys)
	retirer := exchange.HookRetirer{
		World: exchange.World{
			Files: files, Clock: noon{}, Sessions: nobody{}, Processes: nobody{}, Machine: nobody{},
			Settings: claudesettings.New(files), Open: fsstore.NewOpener(files), Cutter: graphemes.NewCutter(),
			Env: port.Environment{Home: g.home, Lookup: func(string) string { return "" }},
		},
		Fold: strings.ToLower, Editor: settingsedit.Editor{}, Writer: files, Mover: files,
	}
	report, err := retirer.Retire(g.root, true)
	if err != nil {
		g.t.Fatal(err)
	}
	return report
}

type noon struct{}

func (noon) Now() time.Time { return time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC) }

const stamp = "20260310T120000Z"

// nobody is a machine without sessions.
type nobody struct{}

func (nobody) Sessions() (session.Listing, error)         { return session.Listing{}, nil }
func (nobody) Alive(int) bool                             { return false }
func (nobody) Started(int) (start session.Start, e error) { return session.Start{}, fs.ErrNotExist }
func (nobody) Parent(int) (int, error)                    { return 1, nil }
func (nobody) Self() int                                  { return 1 }
func (nobody) PidDomain() string                          { return "" }

func testdata(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestRetire_BeforeAndAfterByteForByte(t *testing.T) {
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	plain, plainAfter := testdata(t, "settings-legacy.json"), testdata(t, "settings-legacy.after.json")
	people, peopleAfter := testdata(t, "people.jsonc"), testdata(t, "people.after.jsonc")
	tests := []struct{ name, before, after string }{
		{"as a client writes them", plain, plainAfter},
		{"with comments and odd spacing", people, peopleAfter},
		{"with CRLF", crlf(people), crlf(peopleAfter)},
		{"with a byte order mark", "\ufeff" + people, "\ufeff" + peopleAfter},
		{"without a line end at the end", strings.TrimSuffix(people, "\n"), strings.TrimSuffix(peopleAfter, "\n")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			g := newGround(t)
			g.write(g.root+"/.claude/settings.local.json", tt.before, 0o660)
			report := g.retire(osfs.Kernel())
			is.Equal(report.Problems(), []string{})
			want := map[string]string{
				"exchange.json":                    `644 {"name": "harbour"}`,
				"settings.local.json":              "660 " + tt.after,
				"settings.local.json.bak-" + stamp: "660 " + tt.before,
			}
			if diff := cmp.Diff(want, g.tree(g.root+"/.claude")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// faulty is the real system, one of whose calls fails; dies says that all later
// ones do too, as if the process had been killed there.
type faulty struct {
	osfs.System
	at    int
	dies  bool
	calls int
}

func (f *faulty) fails() bool {
	n := f.calls
	f.calls++
	return n == f.at || f.dies && n > f.at
}

func (f *faulty) call(do func() error) error {
	if f.fails() {
		return syscall.EIO
	}
	return do()
}

func (f *faulty) Create(name string, perm uint32) (fd int, err error) {
	err = f.call(func() error { fd, err = f.System.Create(name, perm); return err })
	return fd, err
}

// Write tears: half of it is written.
func (f *faulty) Write(fd int, p []byte) (int, error) {
	if !f.fails() {
		return f.System.Write(fd, p)
	}
	_, _ = f.System.Write(fd, p[:len(p)/2]) // what is reported is that it failed
	return 0, syscall.EIO
}

func (f *faulty) Chmod(fd int, perm uint32) error {
	return f.call(func() error { return f.System.Chmod(fd, perm) })
}
func (f *faulty) Fsync(fd int) error { return f.call(func() error { return f.System.Fsync(fd) }) }

func (f *faulty) Close(fd int) error {
	return f.call(func() error { return f.System.Close(fd) })
}

func (f *faulty) Link(from, to string) error {
	return f.call(func() error { return f.System.Link(from, to) })
}

func (f *faulty) Rename(from, to string) error {
	return f.call(func() error { return f.System.Rename(from, to) })
}

func (f *faulty) RenameNew(from, to string) error {
	return f.call(func() error { return f.System.RenameNew(from, to) })
}

func (f *faulty) Unlink(name string) error {
	return f.call(func() error { return f.System.Unlink(name) })
}

func (f *faulty) Mkdir(name string, perm uint32) error {
	return f.call(func() error { return f.System.Mkdir(name, perm) })
}

// wired fills a ground with two settings files and two scripts.
func wired(t *testing.T) (g *ground, before, after map[string]string) {
	g = newGround(t)
	before = map[string]string{
		".claude/settings.local.json":      testdata(t, "settings-legacy.json"),
		"dock/.claude/settings.local.json": testdata(t, "people.jsonc"),
	}
	after = map[string]string{
		".claude/settings.local.json":      testdata(t, "settings-legacy.after.json"),
		"dock/.claude/settings.local.json": testdata(t, "people.after.jsonc"),
	}
	for name, content := range before {
		g.write(path.Join(g.root, name), content, 0o664)
	}
	for _, name := range scripts {
		g.write(path.Join(g.home, ".claude/hooks", name), name, 0o750)
	}
	return g, before, after
}

var scripts = []string{"harbour-session-lane.sh", "session_exchange_render.py"}

func TestRetire_NothingIsLostWhicheverCallFails(t *testing.T) {
	g, _, _ := wired(t)
	counting := &faulty{System: osfs.Kernel(), at: -1}
	if report := g.retire(counting); report.Faulty() || counting.calls < 20 {
		t.Fatal(report.Lines(), counting.calls)
	}
	for at := range counting.calls {
		for _, dies := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d %v", at, dies), func(t *testing.T) {
				is := is.New(t)
				g, before, after := wired(t)
				report := g.retire(&faulty{System: osfs.Kernel(), at: at, dies: dies})
				root, hooks := g.tree(g.root), g.tree(g.home+"/.claude/hooks")
				edited := 0
				for name := range before {
					switch root[name] {
					case "664 " + after[name]: // the new one, whole, and the old one beside it
						edited++
						is.Equal(root[name+".bak-"+stamp], "664 "+before[name])
					case "664 " + before[name]:
					default:
						t.Errorf("%s is neither the old nor the new one: %s", name, root[name])
					}
				}
				moved := 0
				for _, name := range scripts {
					here, there := hooks[name], hooks["retired-"+stamp+"/"+name]
					is.Equal(here+there, "750 "+name) // in one of both places
					if there != "" {
						moved++
					}
				}
				if moved > 0 {
					is.Equal(edited, len(before)) // no script goes before all that runs it
				}
				is.Equal(!report.Faulty(), edited+moved == 4)
				if !dies {
					for name := range root {
						is.True(!strings.Contains(name, ".tmp-") || !report.Faulty()) // no litter, but where all went well and only it could not go
					}
				}

				again := g.retire(osfs.Kernel()) // what is left is done by the next run
				is.Equal(again.Problems(), []string{})
				root = g.tree(g.root)
				for name := range after {
					is.Equal(root[name], "664 "+after[name])
				}
				hooks = g.tree(g.home + "/.claude/hooks")
				for _, name := range scripts {
					is.Equal(hooks[name], "")
				}
			})
		}
	}
}

// watcher looks at what there is before each write and after each link.
type watcher struct {
	osfs.System
	look func(op, name string)
}

func (w watcher) Write(fd int, p []byte) (int, error) {
	w.look("write", "")
	return w.System.Write(fd, p)
}

func (w watcher) Link(from, to string) error {
	err := w.System.Link(from, to)
	w.look("link", to)
	return err
}

func TestRetire_AFileThatIsSavedMeanwhileIsLeftAlone(t *testing.T) {
	is := is.New(t)
	g, before, after := wired(t)
	local := path.Join(g.root, "dock/.claude/settings.local.json")
	saved := before["dock/.claude/settings.local.json"] + "// saved\n"
	report := g.retire(watcher{osfs.Kernel(), func(op, name string) {
		if op == "link" && strings.HasPrefix(name, local) {
			g.write(local, saved, 0o664)
		}
	}})
	is.True(report.Faulty())
	root := g.tree(g.root)
	is.Equal(root["dock/.claude/settings.local.json"], "664 "+saved)
	is.Equal(root[".claude/settings.local.json"], "664 "+after[".claude/settings.local.json"])
	is.Equal(len(g.tree(g.home+"/.claude/hooks")), 2)
	is.True(strings.Contains(strings.Join(report.Lines(), "\n"), local+" was changed meanwhile and is left alone"))
}

func TestRetire_NoSecretIsEverReadableByOthers(t *testing.T) {
	is := is.New(t)
	g, _, _ := wired(t)
	for name := range g.tree(g.root) {
		if strings.HasSuffix(name, "settings.local.json") {
			is.NoErr(os.Chmod(path.Join(g.root, name), 0o600))
		}
	}
	syscall.Umask(0)
	looked := 0
	report := g.retire(watcher{osfs.Kernel(), func(string, string) {
		for name, file := range g.tree(g.root) {
			if strings.Contains(name, "settings.local.json") {
				looked++
				is.True(strings.HasPrefix(file, "600 ")) // from the first byte on
			}
		}
	}})
	is.True(!report.Faulty())
	is.True(looked > 0)
}
