package exchange_test

import (
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
)

// yard is a scene without a root: a directory with a CLAUDE.md above a repo, a
// merge point below it.
func yard(t *testing.T) *scene {
	t.Helper()
	s := newScene(t)
	s.files = newFiles()
	for _, guide := range []string{"/w", "/w/team", "/w/team/area1", "/w/team/area2", home} {
		s.files.file(guide+"/CLAUDE.md", "x")
	}
	s.files.dir("/w/team/repo/.git", "/w/team/repo/src", home)
	return s
}

func initialise(s *scene, req exchange.InitRequest) exchange.InitReport {
	return exchange.Founder{World: s.world()}.Init(req)
}

func TestInit_MarksTheNearestFit(t *testing.T) {
	for _, cwd := range []string{"/w/team/repo", "/w/team/repo/src"} {
		t.Run(cwd, func(t *testing.T) {
			is := is.New(t)
			s := yard(t)
			s.env[exchange.RootVariable] = "/w/team/area1" // is ignored
			report := initialise(s, exchange.InitRequest{Cwd: cwd})
			is.True(!report.Refused)
			is.Equal(report.Lines[0], "Default: /w")
			is.True(has(report.Lines, "Also possible: /w/team", "refused"))
			is.True(has(report.Lines, "Marked /w/.claude/exchange.json"))
			is.Equal(string(s.files.nodes["/w/.claude/exchange.json"].data), "{\n  \"name\": \"w\"\n}\n")
			is.True(s.files.nodes["/w/.claude/exchange/sessions"].mode.IsDir())
			is.True(s.files.nodes["/w/.claude/exchange/handoffs"].mode.IsDir())
		})
	}
}

func TestInit_Candidates(t *testing.T) {
	tests := []struct {
		name    string
		prepare func(*files)
		cwd     string
		want    string // the default, empty where there is none
	}{
		{"no repository: the directory itself", func(f *files) { f.file("/x/y/CLAUDE.md", "") }, "/x/y", "/x/y"},
		{"no repository: above", func(f *files) { f.file("/x/CLAUDE.md", ""); f.dir("/x/y") }, "/x/y", "/x"},
		{"the nearest of two", func(f *files) { f.file("/x/CLAUDE.md", ""); f.file("/x/y/CLAUDE.md", "") }, "/x/y", "/x/y"},
		{"a repository is no candidate of its own", func(f *files) { f.file("/x/CLAUDE.md", ""); f.dir("/x/.git") }, "/x", ""},
		{"only strict parents of a repository", func(f *files) {
			f.file("/x/CLAUDE.md", "")
			f.file("/x/repo/CLAUDE.md", "")
			f.file("/x/repo/src/CLAUDE.md", "")
			f.dir("/x/repo/.git")
		}, "/x/repo/src", "/x"},
		{"a worktree's .git is a file", func(f *files) {
			f.file("/x/CLAUDE.md", "")
			f.file("/x/repo/CLAUDE.md", "")
			f.file("/x/repo/.git", "gitdir: y")
		}, "/x/repo", "/x"},
		{"a repository directly in a repository", func(f *files) {
			f.file("/x/CLAUDE.md", "")
			f.file("/x/outer/CLAUDE.md", "")
			f.dir("/x/outer/.git", "/x/outer/inner/.git")
		}, "/x/outer/inner", "/x"},
		{"an area between two repositories", func(f *files) {
			f.file("/x/CLAUDE.md", "")
			f.file("/x/outer/area/CLAUDE.md", "")
			f.dir("/x/outer/.git", "/x/outer/area/inner/.git")
		}, "/x/outer/area/inner", "/x/outer/area"},
		{"home is never one", func(f *files) { f.file(home+"/CLAUDE.md", ""); f.dir(home + "/x") }, home + "/x", ""},
		{"home by another name", func(f *files) {
			f.file("/mnt/ann/CLAUDE.md", "")
			f.symlink(home, "/mnt/ann")
			f.dir("/mnt/ann/x")
		}, "/mnt/ann/x", ""},
		{"without CLAUDE.md, never", func(f *files) { f.dir("/x/y") }, "/x/y", ""},
		{"a directory called CLAUDE.md is none", func(f *files) { f.dir("/x/CLAUDE.md", "/x/y") }, "/x/y", ""},
		{"two areas: a merge point", func(f *files) {
			for _, dir := range []string{"/x", "/x/a", "/x/b"} {
				f.file(dir+"/CLAUDE.md", "")
			}
			f.dir("/x/y")
		}, "/x/y", ""},
		{"one area and a repository: none", func(f *files) {
			for _, dir := range []string{"/x", "/x/a", "/x/b"} {
				f.file(dir+"/CLAUDE.md", "")
			}
			f.dir("/x/b/.git", "/x/y")
		}, "/x/y", "/x"},
		{"a merge point nearer than a good directory", func(f *files) {
			for _, dir := range []string{"/x", "/x/m", "/x/m/a", "/x/m/b"} {
				f.file(dir+"/CLAUDE.md", "")
			}
			f.dir("/x/m/y")
		}, "/x/m/y", "/x"},
		{"an unlistable directory is no merge point", func(f *files) {
			for _, dir := range []string{"/x", "/x/a", "/x/b"} {
				f.file(dir+"/CLAUDE.md", "")
			}
			f.unlistable["/x"] = true
			f.dir("/x/y")
		}, "/x/y", "/x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.files = newFiles()
			tt.prepare(s.files)
			report := initialise(s, exchange.InitRequest{Cwd: tt.cwd})
			is.Equal(report.Refused, tt.want == "")
			if tt.want == "" {
				is.Equal(len(s.files.written), 0)
				return
			}
			is.Equal(report.Lines[0], "Default: "+tt.want)
			is.Equal(s.files.written[len(s.files.written)-1], tt.want+"/.claude/exchange/handoffs")
		})
	}
}

func TestInit_SaysWhereItLooked(t *testing.T) {
	is := is.New(t)
	s := yard(t)
	s.files.dir("/bare/repo/.git", "/bare/plain")
	report := initialise(s, exchange.InitRequest{Cwd: "/bare/repo"})
	is.True(report.Refused && has(report.Lines, "above /bare/repo"))
	report = initialise(s, exchange.InitRequest{Cwd: "/bare/plain"})
	is.True(report.Refused && has(report.Lines, "here or above"))
	delete(s.files.nodes, "/w/CLAUDE.md")
	report = initialise(s, exchange.InitRequest{Cwd: "/w/team/repo"})
	is.True(report.Refused && has(report.Lines, "/w/team", "separate workspaces")) // what was refused is named
	is.Equal(len(s.files.written), 0)
}

func TestInit_RefusesAMergePoint(t *testing.T) {
	is := is.New(t)
	s := yard(t)
	report := initialise(s, exchange.InitRequest{Cwd: "/", Dir: "/w/team"})
	is.True(report.Refused)
	is.True(has(report.Lines, "Refusing to mark /w/team", "separate workspaces"))
	is.True(!has(report.Lines, "git root"))
	s.files.dir("/w/team/.git")
	report = initialise(s, exchange.InitRequest{Cwd: "/", Dir: "/w/team"})
	is.True(report.Refused)
	is.True(has(report.Lines, "git root")) // being one exempts nothing
	is.Equal(len(s.files.written), 0)
	report = initialise(s, exchange.InitRequest{Cwd: "/", Dir: "/w/team", Force: true})
	is.True(!report.Refused)
	is.True(has(report.Lines, "Marked /w/team/.claude/exchange.json"))
}

func TestInit_ExplicitPath(t *testing.T) {
	tests := []struct{ name, cwd, dir, want string }{
		{"absolute", "/", "/w/team/repo/src", "/w/team/repo/src"},
		{"relative", "/w/team", "repo", "/w/team/repo"},
		{"home", "/", "~", home},
		{"a repository", "/", "/w/team/repo", "/w/team/repo"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := yard(t)
			s.files.file("/marked/.claude/exchange.json", `{"name":"m"}`)
			s.files.dir("/marked/below")
			report := initialise(s, exchange.InitRequest{Cwd: tt.cwd, Dir: tt.dir, Name: "N"})
			is.True(!report.Refused)
			if diff := cmp.Diff([]string{"Marked " + tt.want + "/.claude/exchange.json"}, report.Lines); diff != "" {
				t.Error(diff)
			}
			is.Equal(string(s.files.nodes[tt.want+"/.claude/exchange.json"].data), "{\n  \"name\": \"N\"\n}\n")
		})
	}
}

func TestInit_BelowARootNamesIt(t *testing.T) {
	is := is.New(t)
	s := yard(t)
	s.files.file("/marked/.claude/exchange.json", `{"name":"m"}`)
	s.files.dir("/marked/below")
	report := initialise(s, exchange.InitRequest{Cwd: "/", Dir: "/marked/below", Name: "N"})
	is.Equal(report.Refused, false)
	is.Equal(cmp.Diff(report.Lines, []string{
		"Marked /marked/below/.claude/exchange.json",
		"  it lies in another root, /marked: sessions in /marked/below see each other now, and no longer those of that one; " +
			"exchange show lists them",
	}), "")
}

func TestInit_RefusesWhatIsNoDirectory(t *testing.T) {
	for _, req := range []exchange.InitRequest{{Cwd: "/", Dir: "/nowhere"}, {Cwd: "/", Dir: "/w/CLAUDE.md"}, {Cwd: "/nowhere"}} {
		is := is.New(t)
		s := yard(t)
		report := initialise(s, req)
		is.True(report.Refused)
		is.True(has(report.Lines, "problem: "))
		is.Equal(len(s.files.written), 0)
	}
}

func TestInit_TwiceRewritesNothing(t *testing.T) {
	is := is.New(t)
	s := yard(t)
	const marker = "/w/area/.claude/exchange.json"
	s.files.file(marker, `{"name":"har\u001bbour"}`)
	report := initialise(s, exchange.InitRequest{Cwd: "/", Dir: "/w/area", Name: "other"})
	is.True(!report.Refused)
	is.Equal(report.Lines, []string{"Already marked: " + marker, "  name: harbour"})
	s.files.file(marker, `{"nam":"x"}`)
	report = initialise(s, exchange.InitRequest{Cwd: "/", Dir: "/w/area"})
	is.True(report.Refused) // exit 1
	is.True(has(report.Lines, "problem: ", "unexpected key 'nam'"))
	is.Equal(len(s.files.written), 0)
}

func TestInit_AFailedWriteIsAProblem(t *testing.T) {
	is := is.New(t)
	s := yard(t)
	s.files.faults["/w/.claude/exchange.json"] = fs.ErrPermission
	report := initialise(s, exchange.InitRequest{Cwd: "/", Dir: "/w"})
	is.True(report.Refused)
	is.True(has(report.Lines, "problem: ", "permission denied"))
	report = initialise(s, exchange.InitRequest{Cwd: "/", Dir: "/w/team/area1", Name: "a\xff"})
	is.True(report.Refused)
	is.True(has(report.Lines, "refusing to write"))
}
