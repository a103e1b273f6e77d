package project_test

import (
	"errors"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/project"
)

var (
	now   = time.Date(2026, 5, 28, 9, 0, 0, 0, time.UTC)
	later = now.Add(time.Hour)
)

// same compares paths after cleaning, as a case-sensitive file system would.
func same(a, b string) bool { return path.Clean(a) == path.Clean(b) }

// added registers repositories by their paths.
func added(t *testing.T, paths ...string) project.Registry {
	t.Helper()
	var r project.Registry
	for _, p := range paths {
		r, _ = r.Add(project.Wanted{Path: p}, now, same)
	}
	return r
}

func ids(r project.Registry) []string {
	var all []string
	for _, p := range r.Projects {
		all = append(all, p.ID)
	}
	return all
}

func TestAdd_FirstProjectBecomesActive(t *testing.T) {
	is := is.New(t)
	r, got := project.Registry{}.Add(project.Wanted{Path: "/src/My App/"}, now, same)
	want := project.Project{ID: "my-app", Name: "My App", Path: "/src/My App/", CreatedAt: now, UpdatedAt: now}
	is.Equal(cmp.Diff(got, project.Added{Project: want}, cmpopts.IgnoreUnexported(project.Project{})), "")
	is.Equal(r.ActiveID, "my-app")
	r, _ = r.Add(project.Wanted{Path: "/src/b"}, now, same)
	is.Equal(r.ActiveID, "my-app") // the second one does not
	is.Equal(ids(r), []string{"my-app", "b"})
}

// Row 70: the same path is not added twice.
func TestAdd_SamePathIsThereOnce(t *testing.T) {
	is := is.New(t)
	r := added(t, "/src/a")
	settings := project.Settings{DefaultDiet: "lite"}
	after, got := r.Add(project.Wanted{Path: "/src/./a", Name: "other", Settings: settings}, later, same)
	is.True(got.Already && !got.Updated)
	is.Equal(cmp.Diff(after.Bytes(), r.Bytes()), "") // nothing changed
	is.Equal(got.Project.ID, "a")
}

func TestAdd_UpdateAppliesWhatWasGiven(t *testing.T) {
	is := is.New(t)
	r, _ := project.Registry{}.Add(project.Wanted{Path: "/src/a", Settings: project.Settings{
		DefaultDiet: "lite", PrimaryAgent: "codex", FallbackPatterns: []string{"x"},
	}}, now, same)
	r, got := r.Add(project.Wanted{Path: "/src/a", Name: "New", Update: true, Settings: project.Settings{
		PrimaryAgent: "claude", FallbackAgent: "codex", FallbackPatterns: []string{"y", "z"},
	}}, later, same)
	is.True(got.Already && got.Updated)
	want := project.Project{ID: "a", Name: "New", Path: "/src/a", CreatedAt: now, UpdatedAt: later, Settings: project.Settings{
		DefaultDiet: "lite", PrimaryAgent: "claude", FallbackAgent: "codex", FallbackPatterns: []string{"y", "z"},
	}}
	is.Equal(cmp.Diff(r.Projects, []project.Project{want}, cmpopts.IgnoreUnexported(project.Project{})), "")
}

func TestAdd_IDs(t *testing.T) {
	is := is.New(t)
	r := added(t, "/1/Demo", "/2/demo", "/3/DEMO!", "/4/日本", "/5/--", "/6/a b_c.d", `C:\src\win`, "/7/Größe")
	is.Equal(ids(r), []string{"demo", "demo-2", "demo-3", "project", "project-2", "a-b-c-d", "win", "gr-e"})
}

func TestFind(t *testing.T) {
	is := is.New(t)
	r := added(t, "/1/Demo App", "/2/demo app", "/3/other")
	r, _ = r.Add(project.Wanted{Path: "/4/x", Name: "Demo-App"}, now, same)
	p, err := r.Find("DEMO-APP")
	is.NoErr(err)
	is.Equal(p.Path, "/1/Demo App") // an id comes before a name
	p, err = r.Find("Other")
	is.NoErr(err)
	is.Equal(p.ID, "other")
	_, err = r.Find("demo app")
	var ambiguous *project.AmbiguousError
	is.True(errors.As(err, &ambiguous))
	is.Equal(ambiguous.IDs, []string{"demo-app", "demo-app-2"})
	_, err = r.Find("nothing")
	var unknown *project.UnknownError
	is.True(errors.As(err, &unknown))
	is.Equal(unknown.Known, []string{"demo-app", "demo-app-2", "other", "demo-app-3"})
	_, err = project.Registry{}.Find("x")
	is.True(strings.Contains(err.Error(), "baton project add"))
}

// Row 70: switch and remove work, and removing the active one clears it.
func TestSwitchAndRemove(t *testing.T) {
	is := is.New(t)
	r := added(t, "/1/a", "/2/b", "/3/c")
	r, p, err := r.Switch("B")
	is.NoErr(err)
	is.Equal(p.ID, "b")
	is.Equal(r.ActiveID, "b")
	less, _, err := r.Remove("c")
	is.NoErr(err)
	is.Equal(ids(less), []string{"a", "b"})
	is.Equal(less.ActiveID, "b")
	less, _, err = less.Remove("b")
	is.NoErr(err)
	is.Equal(less.ActiveID, "")
	_, active := less.Active()
	is.True(!active)
	is.Equal(ids(r), []string{"a", "b", "c"}) // the one before stays as it was
	_, _, err = r.Switch("x")
	is.True(err != nil)
	_, _, err = r.Remove("x")
	is.True(err != nil)
}

// Row 71.
func TestResolve_Order(t *testing.T) {
	r := added(t, "/1/a", "/2/b")
	tests := []struct {
		name   string
		r      project.Registry
		in     project.Request
		source project.Source
		dir    string
		id     string
	}{
		{"path first", r, project.Request{Path: "/p", Project: "b", Cwd: "/c"}, project.ByPath, "/p", ""},
		{"then project", r, project.Request{Project: "B", Cwd: "/c"}, project.ByProject, "/2/b", "b"},
		{"then the active one", r, project.Request{Cwd: "/c"}, project.ByActive, "/1/a", "a"},
		{"then the current directory", project.Registry{}, project.Request{Cwd: "/c"}, project.ByCwd, "/c", ""},
		{"an active id of nobody", project.Registry{ActiveID: "z"}, project.Request{Cwd: "/c"}, project.ByCwd, "/c", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got, err := tt.r.Resolve(tt.in)
			is.NoErr(err)
			is.Equal(got.Source, tt.source)
			is.Equal(got.Dir, tt.dir)
			id := ""
			if got.Project != nil {
				id = got.Project.ID
			}
			is.Equal(id, tt.id)
			is.Equal(got.FindsTop(), tt.source == project.ByPath || tt.source == project.ByCwd)
		})
	}
}

func TestResolve_UnknownProject(t *testing.T) {
	is := is.New(t)
	_, err := added(t, "/1/a").Resolve(project.Request{Project: "x", Cwd: "/c"})
	var unknown *project.UnknownError
	is.True(errors.As(err, &unknown))
}

func TestRooted_ARegisteredRootGetsItsSettings(t *testing.T) {
	is := is.New(t)
	r := added(t, "/1/a", "/2/b")
	res, err := r.Resolve(project.Request{Path: "/2/b/deep/er"})
	is.NoErr(err)
	got := r.Rooted(res, "/2/b/.", same)
	is.Equal(got.Dir, "/2/b/.")
	is.Equal(got.Project.ID, "b")
	is.Equal(r.Rooted(res, "/3", same).Project, nil)
}

func TestNotice_OnlyForTheActiveProjectFromElsewhere(t *testing.T) {
	is := is.New(t)
	r := added(t, "/1/a")
	active, err := r.Resolve(project.Request{Cwd: "/c"})
	is.NoErr(err)
	is.Equal(active.Notice("/c", same), "working on /1/a, the active project a, and not on /c")
	is.Equal(active.Notice("/1/a/.", same), "") // the same one
	is.Equal(active.Notice("", same), "")       // no repository
	named, err := r.Resolve(project.Request{Project: "a", Cwd: "/c"})
	is.NoErr(err)
	is.Equal(named.Notice("/c", same), "") // asked for
}

// Row 72.
func TestUsed_OnlyMutatingCommandsAreNoted(t *testing.T) {
	is := is.New(t)
	r := added(t, "/1/a", "/2/b")
	before := r.Bytes()
	_, err := r.Resolve(project.Request{Cwd: "/c"})
	is.NoErr(err)
	is.Equal(string(r.Bytes()), string(before)) // resolving changes nothing
	after := r.Used("b", later)
	is.Equal(after.Projects[1].LastUsedAt, later)
	is.True(after.Projects[0].LastUsedAt.IsZero())
	is.Equal(string(r.Bytes()), string(before))
	is.Equal(string(r.Used("gone", later).Bytes()), string(before))
}

func TestRegistry_IDsAndPathsStayUnique(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r project.Registry
		for range rapid.IntRange(0, 20).Draw(t, "steps") {
			name := rapid.SampledFrom([]string{"a", "A", "a-2", "b", "!", "project", ""}).Draw(t, "name")
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				r, _, _ = r.Remove(name)
			case 1:
				r, _, _ = r.Switch(name)
			default:
				r, _ = r.Add(project.Wanted{Path: "/" + rapid.SampledFrom([]string{"1", "2", "3", "4"}).Draw(t, "path"), Name: name}, now, same)
			}
			back, err := project.Read(r.Bytes()) // refuses ids and paths that come twice
			if err != nil {
				t.Fatal(err)
			}
			if string(back.Bytes()) != string(r.Bytes()) {
				t.Fatalf("%s became %s", r.Bytes(), back.Bytes())
			}
			if _, ok := r.Active(); ok != (r.ActiveID != "") {
				t.Fatalf("%q is active and not there", r.ActiveID)
			}
		}
	})
}
