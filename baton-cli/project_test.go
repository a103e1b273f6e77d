package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
)

// registry is the file of the registered projects.
func (s *scene) registry() string { return filepath.Join(s.home, ".relay-baton", "projects.json") }

// registered reads the registry of projects.
func (s *scene) registered() (r struct {
	ActiveProjectID string           `json:"activeProjectId"`
	Projects        []map[string]any `json:"projects"`
},
) {
	s.t.Helper()
	data, err := os.ReadFile(s.registry())
	is.New(s.t).NoErr(err)
	is.New(s.t).NoErr(json.Unmarshal(data, &r))
	return r
}

// repository makes another repository beside the first.
func (s *scene) repository(name string) string {
	s.t.Helper()
	dir := filepath.Join(filepath.Dir(s.dir), name)
	is.New(s.t).NoErr(os.MkdirAll(dir, 0o755))
	git(s.t, dir, "init", "-q", "-b", "main")
	return dir
}

// Row 70.
func TestProject_FromFirstToLast(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	is.True(strings.Contains(s.must("project", "list").out, "No project is registered"))
	_, err := os.Stat(filepath.Dir(s.registry()))
	is.True(os.IsNotExist(err)) // not made by a read
	other := s.repository("Other One!")

	is.Equal(s.must("project", "add", ".").out, "added: repo  "+s.dir+"  (active)\n")
	is.Equal(s.must("project", "add", "../Other One!").out, "added: other-one (Other One!)  "+other+"\n")
	is.Equal(s.registered().ActiveProjectID, "repo")

	before, err := os.Stat(s.registry())
	is.NoErr(err)
	again := s.must("project", "add", s.dir, "--name", "again", "--diet", "lite")
	is.Equal(again.out, "already registered: repo  "+s.dir+"  (active)\n")
	is.True(strings.Contains(again.notice, "--update"))
	is.Equal(len(s.registered().Projects), 2) // not added twice
	after, err := os.Stat(s.registry())
	is.NoErr(err)
	is.True(os.SameFile(before, after)) // nothing was written

	is.Equal(s.must("project", "list").out, strings.Join([]string{
		"   ID         NAME        PATH",
		"*  repo       repo        " + s.dir,
		"   other-one  Other One!  " + other,
	}, "\n")+"\n")
	is.Equal(s.must("project", "current").out, "repo  "+s.dir+"\n")

	is.Equal(s.must("project", "switch", "OTHER ONE!").out, "active: other-one (Other One!)  "+other+"\n")
	is.Equal(s.must("project", "current").out, "other-one (Other One!)  "+other+"\n")
	removed := s.must("project", "remove", "other-one")
	is.Equal(removed.out, "removed: other-one (Other One!)  "+other+"\n")
	is.True(strings.Contains(removed.notice, "no project is active now"))
	is.Equal(s.must("project", "current").out, s.dir+"\n") // the working directory
	is.Equal(s.registered().ActiveProjectID, "")
	_, err = os.Stat(filepath.Join(other, ".git"))
	is.NoErr(err) // no file went
}

func TestProject_AddKeepsItsSettings(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.must("project", "add", ".", "--diet", "caveman", "--primary", "claude", "--fallback", "codex",
		"--fallback-pattern", "out of cheese", "--fallback-pattern", "redo from start")
	got := s.registered().Projects[0]
	is.Equal(got["defaultDiet"], "caveman")
	is.Equal(got["primaryAgent"], "claude")
	is.Equal(got["fallbackAgent"], "codex")
	is.Equal(got["fallbackPatterns"], []any{"out of cheese", "redo from start"})
	s.must("init")
	is.Equal(s.session()["tokenDietProfile"], "caveman")
	is.Equal(s.session()["primaryAgent"], "claude")

	s.must("project", "add", ".", "--diet", "ultra")
	is.Equal(s.registered().Projects[0]["defaultDiet"], "caveman") // without --update
	updated := s.must("project", "add", ".", "--diet", "ultra", "--update")
	is.Equal(updated.out, "updated: repo  "+s.dir+"  (active)\n")
	is.Equal(s.registered().Projects[0]["defaultDiet"], "ultra")
	is.Equal(s.registered().Projects[0]["primaryAgent"], "claude") // what was not given stays
}

func TestProject_AddRegistersTheTopOfTheRepository(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.write("src/a.go", "")
	link := filepath.Join(s.home, "link")
	is.NoErr(os.Symlink(s.dir, link))
	is.Equal(s.must("project", "add", "src").out, "added: repo  "+s.dir+"  (active)\n")
	is.True(strings.HasPrefix(s.must("project", "add", link).out, "already registered")) // by another name
}

func TestProject_Refuses(t *testing.T) {
	tests := []struct {
		name string
		args []string
		says string
	}{
		{"add without a path", []string{"project", "add"}, "the directory of a repository is missing: type 'baton project add PATH'"},
		{"add a path that is gone", []string{"project", "add", "gone"}, "no such directory"},
		{"add a file", []string{"project", "add", "file"}, "not a directory"},
		{"add without a repository", []string{"project", "add", ".."}, "not a git repository"},
		{"add with an unknown agent", []string{"project", "add", ".", "--primary", "x"}, `"x"`},
		{"add with an unknown fallback", []string{"project", "add", ".", "--fallback", "x"}, `"x"`},
		{"add with an unknown diet", []string{"project", "add", ".", "--diet", "x"}, "off, lite, balanced, caveman, ultra"},
		{"switch to an unknown one", []string{"project", "switch", "x"}, "none is registered"},
		{"remove an unknown one", []string{"project", "remove", "x"}, "none is registered"},
		{"no command", []string{"project"}, "no command given"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.write("file", "")
			got := s.call(tt.args...)
			is.Equal(got.code, 2)
			is.True(strings.Contains(got.notice, tt.says)) // the message
			_, err := os.Stat(s.registry())
			is.True(os.IsNotExist(err)) // no registry
		})
	}
}

func TestProject_ADietOfTheConfiguration(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.configure(map[string]any{"tokenDiet": map[string]any{"profiles": map[string]any{"own": map[string]any{"maxHandoffChars": 9000}}}})
	s.must("project", "add", ".", "--diet", "own")
	is.True(strings.HasPrefix(s.must("budget").out, "profile: own\nmaxHandoffChars: 9000\n"))
}

func TestProject_JSON(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	var added struct {
		Project                  map[string]any
		Already, Updated, Active bool
	}
	s.document(&added, "project", "add", ".", "--json")
	is.Equal(added.Project["id"], "repo")
	is.Equal([]bool{added.Already, added.Updated, added.Active}, []bool{false, false, true})
	var list struct {
		ActiveProjectID string `json:"activeProjectId"`
		Projects        []map[string]any
	}
	s.document(&list, "project", "list", "--json")
	is.Equal(list.ActiveProjectID, "repo")
	is.Equal(cmp.Diff(list.Projects, []map[string]any{added.Project}), "")
	var current struct {
		Project map[string]any
		Path    string
	}
	s.document(&current, "project", "current", "--json")
	is.Equal(current.Project["id"], "repo")
	var removed struct {
		Removed         map[string]any
		ActiveProjectID *string `json:"activeProjectId"`
	}
	s.document(&removed, "project", "remove", "repo", "--json")
	is.Equal(removed.Removed["id"], "repo")
	is.Equal(removed.ActiveProjectID, nil)
	current.Project = nil
	s.document(&current, "project", "current", "--json")
	is.Equal(current.Project, nil)
	is.Equal(current.Path, s.dir)
}

// Row 71.
func TestProject_ResolutionOrder(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	active, named, path := s.repository("active"), s.repository("named"), s.repository("path")
	find := func(args ...string) (dir, notice string) {
		t.Helper()
		got := s.must(append([]string{"init"}, args...)...)
		for _, dir := range []string{active, named, path, s.dir} {
			if _, err := os.Stat(filepath.Join(dir, ".ai-session")); err == nil {
				is.NoErr(os.RemoveAll(filepath.Join(dir, ".ai-session")))
				return dir, got.notice
			}
		}
		return "", got.notice
	}
	const elsewhere = "working on "
	dir, notice := find()
	is.Equal(dir, s.dir) // the working directory
	is.True(!strings.Contains(notice, elsewhere))
	s.must("project", "add", active)
	s.must("project", "add", named)
	dir, notice = find()
	is.Equal(dir, active)
	is.Equal(strings.Count(notice, elsewhere+active+", the active project active, and not on "+s.dir), 1)
	dir, notice = find("--project", "Named")
	is.Equal(dir, named)
	is.True(!strings.Contains(notice, elsewhere))
	dir, _ = find("--project", "named", "--path", "../path")
	is.Equal(dir, path)
}

func TestProject_EveryCommandSaysWhereItWorks(t *testing.T) {
	s := newScene(t)
	active := s.repository("active")
	s.must("project", "add", active)
	s.must("plan", "t", "--no-run")
	s.must("handoff", "--to", "claude", "--no-run")
	for _, args := range [][]string{
		{"init"},
		{"status"},
		{"budget"},
		{"doctor"},
		{"verify"},
		{"explain"},
		{"handoff", "history"},
		{"handoff", "show"},
		{"plan", "--check"},
		{"plan", "--diff"},
		{"receipt", "list"},
		{"review"},
		{"handoff", "--to", "claude", "--no-run"},
		{"plan", "t", "--no-run"},
		{"handoff", "--to", "claude", "--no-run", "--json"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			is.New(t).Equal(strings.Count(s.call(args...).notice, "working on "+active), 1)
		})
	}
}

func TestProject_FoundByPathGivesItsSettings(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.must("project", "add", s.repository("other"))
	s.must("project", "add", ".", "--diet", "ultra")
	s.write("src/a.go", "")
	is.True(strings.HasPrefix(s.must("budget", "--path", "src").out, "profile: ultra\n"))
}

// Row 72.
func TestProject_OnlyWhatChangesSomethingIsAUse(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.must("project", "add", ".")
	before, err := os.ReadFile(s.registry())
	is.NoErr(err)
	for _, args := range [][]string{
		{"status"},
		{"budget"},
		{"doctor", "--deep"},
		{"verify"},
		{"handoff", "history"},
		{"project", "list"},
		{"project", "current"},
		{"project", "doctor"},
	} {
		s.call(args...)
		after, err := os.ReadFile(s.registry())
		is.NoErr(err)
		is.Equal(string(after), string(before)) // lastUsedAt
	}
	s.must("init")
	is.True(regexp.MustCompile(`^\d{4}-`).MatchString(fmt.Sprint(s.registered().Projects[0]["lastUsedAt"])))
}

// Row 73.
func TestProject_ADamagedRegistryIsKeptAsideAndBegunAnew(t *testing.T) {
	for _, content := range []string{`{"projects":[{"id":"a"`, `{"projects":[{"id":"a"}]}`, `[]`} {
		for _, args := range [][]string{{"project", "list"}, {"project", "add", "."}, {"status"}} {
			is := is.New(t)
			s := newScene(t)
			is.NoErr(os.Mkdir(filepath.Dir(s.registry()), 0o755))
			is.NoErr(os.WriteFile(s.registry(), []byte(content), 0o600))
			got := s.must(args...)
			kept, err := filepath.Glob(s.registry() + ".corrupt-*.bak")
			is.NoErr(err)
			is.Equal(len(kept), 1)
			is.True(regexp.MustCompile(`\.corrupt-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.bak$`).MatchString(kept[0]))
			data, err := os.ReadFile(kept[0])
			is.NoErr(err)
			is.Equal(string(data), content)
			is.True(strings.Contains(got.notice, kept[0]))
			is.Equal(strings.Count(got.notice, "begins anew"), 1)
			_ = s.registered() // it is one again
		}
	}
}

// Row 74.
func TestProject_TheRegistryMayLieElsewhere(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	elsewhere := filepath.Join(s.home, "deep", "er", "list.json")
	t.Setenv("RELAY_BATON_PROJECTS_FILE", elsewhere)
	s.must("project", "add", ".")
	_, err := os.Stat(elsewhere)
	is.NoErr(err)
	_, err = os.Stat(s.registry())
	is.True(os.IsNotExist(err))
	is.Equal(s.must("project", "current").out, "repo  "+s.dir+"\n")
}

func TestProject_ARegistryBehindALinkStaysThere(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	real := filepath.Join(s.home, "dotfiles.json")
	is.NoErr(os.WriteFile(real, []byte(`{"activeProjectId":null,"projects":[]}`), 0o600))
	is.NoErr(os.Mkdir(filepath.Dir(s.registry()), 0o755))
	is.NoErr(os.Symlink(real, s.registry()))
	s.must("project", "add", ".")
	data, err := os.ReadFile(real)
	is.NoErr(err)
	is.True(strings.Contains(string(data), `"repo"`))
}

func TestProject_WithoutAHome(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	t.Setenv("HOME", "")
	got := s.call("project", "add", ".")
	is.Equal(got.code, 2)
	is.True(strings.Contains(got.notice, "RELAY_BATON_PROJECTS_FILE"))
	s.must("init") // everything else goes on
}

func TestProject_TwoAtOnceAreBothAdded(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	other := s.repository("other")
	first, second := s.program("baton", "project", "add", s.dir), s.program("baton", "project", "add", other)
	is.NoErr(first.Start())
	is.NoErr(second.Start())
	is.NoErr(first.Wait())
	is.NoErr(second.Wait())
	is.Equal(len(s.registered().Projects), 2)
}

func TestProjectDoctor(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	other := s.repository("other")
	s.must("project", "add", ".")
	s.must("project", "add", other)
	s.must("init")
	s.write("AGENTS.md", "x")
	got := s.must("project", "doctor")
	is.Equal(got.out, strings.Join([]string{
		"repo  " + s.dir + "  (active)",
		"  ok    path: " + s.dir,
		"  ok    git: a repository",
		"  ok    session directory: " + s.dir + "/.ai-session",
		"  info  AGENTS.md: there",
		"  info  CLAUDE.md: missing",
		"other  " + other,
		"  ok    path: " + other,
		"  ok    git: a repository",
		"  info  session directory: none yet",
		"  info  AGENTS.md: missing",
		"  info  CLAUDE.md: missing",
	}, "\n")+"\n")

	is.NoErr(os.RemoveAll(other))
	got = s.call("project", "doctor")
	is.Equal(got.code, 1)
	is.True(strings.Contains(got.out, "  fail  path: "+other+" is gone; 'baton project remove other' forgets it\n"))
	var docs []struct {
		ID     string
		Passed bool
	}
	is.Equal(s.document(&docs, "project", "doctor", "--json").code, 1)
	is.True(docs[0].Passed && !docs[1].Passed)

	got = s.call("status", "--project", "other")
	is.Equal(got.code, 2)
	is.True(strings.Contains(got.notice, "'baton project remove other' forgets it"))
}

// Nothing is left to switch to when the last project goes.
func TestProject_RemovingTheLastOne(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	other := s.repository("other")
	s.must("project", "add", ".")
	s.must("project", "add", other)
	is.True(strings.Contains(s.must("project", "remove", "repo").notice, "'baton project switch NAME'"))
	got := s.must("project", "remove", "other").notice
	is.True(!strings.Contains(got, "project switch"))
	is.True(strings.Contains(got, "no project is registered any more"))
	is.True(strings.Contains(got, "'baton project add PATH'"))
}
