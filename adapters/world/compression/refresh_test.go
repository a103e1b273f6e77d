package compression_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton"
)

func TestCompact_RefreshesAndRecordsTheProfile(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	g.at(baton.StateFile, fixture(t, "forty-done.md"))
	c, err := g.world().Compact(t.Context(), baton.Place{}, "ultra")
	is.NoErr(err)
	is.Equal(c.Profile, "ultra")
	is.Equal(g.meta().TokenDietProfile, "ultra")
	is.True(strings.Contains(g.content(baton.CompactStateFile), "(28 earlier items elided)"))
	is.True(strings.HasPrefix(g.content(baton.RepoMapFile), "# Repo Map\n"))
	is.Equal(g.content(baton.StateFile), fixture(t, "forty-done.md"))
	is.Equal(len(c.Files), 4)

	_, err = g.world().Compact(t.Context(), baton.Place{}, "")
	is.NoErr(err)
	is.Equal(g.meta().TokenDietProfile, "balanced") // not what the session had
}

func TestCompact_MakesASession(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	is.NoErr(os.RemoveAll(g.path("")))
	_, err := g.world().Compact(t.Context(), baton.Place{}, "none")
	is.Equal(baton.ExitCode(err), baton.ExitUsage)
	_, err = os.Stat(g.path(""))
	is.True(os.IsNotExist(err)) // checked before anything is written
	_, err = g.world().Compact(t.Context(), baton.Place{}, "")
	is.NoErr(err)
	is.Equal(g.meta().Status(), baton.Initialized)
}

const wordy = "# A  \n\n\n\ntext\ntext\n```\nkeep  \n\n\n```\n"

const terse = "# A\n\ntext\n```\nkeep  \n\n\n```\n"

func TestShrink(t *testing.T) {
	tests := []struct {
		name      string
		over      bool
		out       string
		in        string
		text      string
		files     map[string]string
		written   string
		wrongUse  bool
		missingIn bool
	}{
		{name: "to nowhere", in: wordy, text: terse, files: map[string]string{"a.md": wordy}},
		{name: "over", over: true, in: wordy, text: terse, files: map[string]string{"a.md": terse}, written: "a.md"},
		{name: "elsewhere", out: "b.md", in: wordy, text: terse, files: map[string]string{"a.md": wordy, "b.md": terse}, written: "b.md"},
		{name: "both", over: true, out: "b.md", in: wordy, wrongUse: true, files: map[string]string{"a.md": wordy}},
		{name: "no smaller over", over: true, in: terse, text: terse, files: map[string]string{"a.md": terse}},
		{name: "no smaller elsewhere", out: "b.md", in: terse, text: terse, files: map[string]string{"a.md": terse}},
		{name: "missing", missingIn: true, wrongUse: true, files: map[string]string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			g := &ground{t: t, dir: t.TempDir(), sys: quick{}, clock: &watch{now: begun}, heard: &heard{}}
			g.sys = newGround(t, "").sys
			if !tt.missingIn {
				is.NoErr(os.WriteFile(g.dir+"/a.md", []byte(tt.in), 0o640))
			}
			s, err := g.world().Shrink("a.md", tt.over, tt.out)
			is.Equal(baton.ExitCode(err) == baton.ExitUsage, tt.wrongUse)
			if !tt.wrongUse {
				is.NoErr(err)
			}
			is.Equal(s.Text, tt.text)
			is.Equal(s.Written, tt.written)
			entries, err := os.ReadDir(g.dir)
			is.NoErr(err)
			files := map[string]string{}
			for _, e := range entries {
				data, err := os.ReadFile(g.dir + "/" + e.Name())
				is.NoErr(err)
				files[e.Name()] = string(data)
			}
			is.Equal(cmp.Diff(tt.files, files), "")
		})
	}
}

// What a link leads to is written, and keeps its mode.
func TestShrink_ThroughALink(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	is.NoErr(os.WriteFile(g.dir+"/a.md", []byte(wordy), 0o640))
	is.NoErr(os.Symlink("a.md", g.dir+"/link.md"))
	_, err := g.world().Shrink("link.md", true, "")
	is.NoErr(err)
	info, err := os.Lstat(g.dir + "/link.md")
	is.NoErr(err)
	is.True(info.Mode()&os.ModeSymlink != 0)
	info, err = os.Stat(g.dir + "/a.md")
	is.NoErr(err)
	is.Equal(info.Mode().Perm(), os.FileMode(0o640))
	is.Equal(info.Size(), int64(len(terse)))
}

func TestShrink_WhatIsNoFile(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	is.NoErr(os.Mkdir(g.dir+"/docs", 0o755))
	is.NoErr(os.WriteFile(g.dir+"/a.md", []byte(wordy), 0o644))
	_, err := g.world().Shrink("docs", false, "")
	is.Equal(baton.ExitCode(err), baton.ExitUsage)
	_, err = g.world().Shrink("a.md", false, "docs")
	is.Equal(baton.ExitCode(err), baton.ExitUsage)
	_, err = g.world().Shrink("a.md", false, "nowhere/b.md")
	is.Equal(baton.ExitCode(err), baton.ExitFailed)
}
