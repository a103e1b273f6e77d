package exchange_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
)

// resolve resolves a directory in a tree, under an override.
func resolve(f *files, override, cwd string) exchange.Resolution {
	env := func(name string) string {
		if name == "CC_EXCHANGE_ROOT" {
			return override
		}
		return ""
	}
	return exchange.NewLocator(f, env, home).Resolve(cwd)
}

// tree has a root within a root, and things that only look like markers.
func tree() *files {
	f := newFiles()
	f.file("/a/.claude/exchange.json", "{}")
	f.dir("/a/b/c", "/a/b/d", home)
	f.file("/a/b/.claude/exchange.json", "{}")
	f.dir("/a/dirmarker/.claude/exchange.json", "/elsewhere/deep", "/plain")
	f.put("/a/fifo/.claude/exchange.json", node{mode: fs.ModeNamedPipe})
	f.file("/store/marker.json", "{}")
	f.symlink("/a/linked/.claude/exchange.json", "/store/marker.json")
	f.symlink("/a/dangling/.claude/exchange.json", "/nowhere")
	f.symlink("/elsewhere/into", "/a/b/c")
	f.symlink("/a/b/out", "/plain")
	f.file("/a/file", "")
	f.file(home+"/tree/.claude/exchange.json", "{}")
	return f
}

func TestResolve(t *testing.T) {
	marker := func(root string) exchange.Resolution {
		return exchange.Resolution{Root: root, Rule: exchange.RuleMarker}
	}
	none := exchange.Resolution{Rule: exchange.RuleUnmarked}
	tests := []struct {
		name, override, cwd string
		want                exchange.Resolution
	}{
		{"the marked directory itself", "", "/a", marker("/a")},
		{"below it", "", "/a/dirmarker", marker("/a")},
		{"the innermost wins", "", "/a/b/c", marker("/a/b")},
		{"a directory of that name marks nothing", "", "/a/dirmarker/.claude", marker("/a")},
		{"a FIFO of that name marks nothing", "", "/a/fifo", marker("/a")},
		{"a symlinked marker counts", "", "/a/linked", marker("/a/linked")},
		{"a dangling marker does not", "", "/a/dangling", marker("/a")},
		{"the real path is walked: a link into a root", "", "/elsewhere/into", marker("/a/b")},
		{"the real path is walked: a link out of a root", "", "/a/b/out", none},
		{"no marker", "", "/elsewhere/deep", none},
		{"home is expanded", "", "~/tree", marker(home + "/tree")},
		{"the file system's root", "", "/", none},

		{"override", "/plain", "/a/b", exchange.Resolution{Root: "/plain", Rule: exchange.RuleOverride}},
		{"override through a link", "/elsewhere/into", "/a", exchange.Resolution{Root: "/a/b/c", Rule: exchange.RuleOverride}},
		{"override with blanks around", " \t/plain\n", "/a", exchange.Resolution{Root: "/plain", Rule: exchange.RuleOverride}},
		{"override in the home directory", "~/tree", "/a", exchange.Resolution{Root: home + "/tree", Rule: exchange.RuleOverride}},
		{"override is home", "~", "/a", exchange.Resolution{Root: home, Rule: exchange.RuleOverride}},
		{"blank override", " \t ", "/a/b", marker("/a/b")},
		{"override, whatever the working directory", "/plain", "/nowhere", exchange.Resolution{Root: "/plain", Rule: exchange.RuleOverride}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, resolve(tree(), tt.override, tt.cwd)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestResolve_Problems(t *testing.T) {
	tests := []struct {
		name, override, cwd string
		rule                exchange.Rule
		pieces              []string
	}{
		{"override names nothing", "/no\x1bwhere", "/a/b", exchange.RuleOverrideInvalid, []string{"CC_EXCHANGE_ROOT", `"/no\x1bwhere"`}},
		{"override names a file", "/a/file", "/a/b", exchange.RuleOverrideInvalid, []string{"CC_EXCHANGE_ROOT", `"/a/file"`}},
		{"working directory names nothing", "", "/nowhere", exchange.RuleCwdInvalid, []string{`"/nowhere"`}},
		{"working directory is a file", "", "/a/file", exchange.RuleCwdInvalid, []string{`"/a/file"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got := resolve(tree(), tt.override, tt.cwd)
			is.True(!got.Found()) // no fallback
			is.Equal(got.Rule, tt.rule)
			is.True(has([]string{got.Problem}, tt.pieces...))
		})
	}
}

// D24: a directory that cannot be looked into is no unmarked one.
func TestResolve_AnUnreadableDirectoryIsAProblem(t *testing.T) {
	is := is.New(t)
	f := tree()
	f.faults["/a/b/.claude"] = fs.ErrPermission
	got := resolve(f, "", "/a/b/c")
	is.True(!got.Found()) // not the root above it
	is.True(strings.Contains(got.Problem, `"/a/b"`))
	is.True(strings.Contains(got.Problem, "permission denied"))
}

// D17: whose root a session's directory is in, the environment does not say.
func TestWalk_IgnoresTheOverride(t *testing.T) {
	is := is.New(t)
	l := exchange.NewLocator(tree(), func(string) string { return "/plain" }, home)
	is.Equal(l.Walk("/a/b/c").Root, "/a/b")
}
