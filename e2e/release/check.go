package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

const plugin = "share/changeover/plugin/"

var programs = []string{"relay", "baton", "exchange", "hookd"}

// platform is a system that is released for.
type platform struct{ system, arch string }

var platforms = []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}}

// release is what one run of goreleaser has made, and what it should be.
type release struct {
	dist, stage, version string
	date                 time.Time
}

func (r release) name(what string, p platform, ending string) string {
	return filepath.Join(r.dist, fmt.Sprintf("%s_%s_%s_%s%s", what, r.version, p.system, p.arch, ending))
}

func (r release) check(ctx context.Context, out io.Writer) error {
	layout, err := ofDirectory(r.stage)
	if err != nil {
		return err
	}
	var faults []error
	var names []string
	look := func(p platform, name string, want, got content, err error) {
		names = append(names, filepath.Base(name))
		if err == nil {
			err = errors.Join(r.differs(want, got), built(p, got))
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", filepath.Base(name), err))
			return
		}
		fmt.Fprintf(out, "  %s: %d files\n", filepath.Base(name), len(got))
	}
	for _, p := range platforms {
		name := r.name("changeover", p, ".tar.gz")
		got, err := ofTarball(name)
		look(p, name, withPrograms(layout, "LICENSE", "README.md"), got, err)

		name = r.name("changeover-plugin", p, ".zip")
		zipped, err := ofZip(name)
		look(p, name, ofPlugin(withPrograms(layout)), zipped, err)
		if p.system != "linux" {
			continue
		}
		name = r.name("changeover", p, ".deb")
		got, err = ofDeb(ctx, name)
		look(p, name, withPrograms(layout), got, err)
		name = r.name("changeover", p, ".rpm")
		got, err = ofRPM(ctx, name)
		look(p, name, withPrograms(layout), got, err)
		if p.arch == runtime.GOARCH && p.system == runtime.GOOS && err == nil {
			faults = append(faults, r.runs(ctx, zipped))
		}
	}
	faults = append(faults, checksums(r.dist, names))
	return errors.Join(faults...)
}

// withPrograms is the layout with what is compiled, and with copies of documents at
// the top.
func withPrograms(layout content, top ...string) content {
	all := maps.Clone(layout)
	for _, name := range programs {
		all[plugin+"bin/"+name] = entry{mode: 0o755}
	}
	for _, name := range top {
		all[name] = layout["share/doc/changeover/"+name]
	}
	return all
}

// ofPlugin is the plugin's part of a layout.
func ofPlugin(layout content) content {
	part := content{}
	for name, e := range layout {
		if below, ok := strings.CutPrefix(name, plugin); ok {
			part[below] = e
		}
	}
	return part
}

// differs compares names, modes, links, dates and, but for programs, contents.
func (r release) differs(want, got content) error {
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(want)) {
		w := want[name]
		g, there := got[name]
		switch {
		case !there:
			faults = append(faults, fmt.Errorf("%s is missing", name))
			continue
		case w.link != g.link:
			faults = append(faults, fmt.Errorf("%s points to %q, not to %q", name, g.link, w.link))
		case w.link == "" && w.mode != g.mode:
			faults = append(faults, fmt.Errorf("%s has mode %v, not %v", name, g.mode, w.mode))
		case w.content != nil && !bytes.Equal(w.content, g.content):
			faults = append(faults, fmt.Errorf("%s holds something else", name))
		}
		if w.link == "" && !g.date.Equal(r.date) {
			faults = append(faults, fmt.Errorf("%s is of %v, not of %v", name, g.date.UTC(), r.date.UTC()))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, expected := want[name]; !expected {
			faults = append(faults, fmt.Errorf("%s does not belong there", name))
		}
	}
	return errors.Join(faults...)
}

// built sees that each program is one for that system, and tells no path of the
// machine that built it.
func built(p platform, got content) error {
	count := 0
	for name, e := range got {
		if e.mode != 0o755 {
			continue
		}
		count++
		info, err := buildinfo.Read(bytes.NewReader(e.content))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		said := map[string]string{}
		for _, s := range info.Settings {
			said[s.Key] = s.Value
		}
		if said["GOOS"] != p.system || said["GOARCH"] != p.arch || said["CGO_ENABLED"] != "0" || said["-trimpath"] != "true" {
			return fmt.Errorf("%s was built as %v", name, said)
		}
	}
	if count != len(programs) {
		return fmt.Errorf("%d files can be executed, not %d", count, len(programs))
	}
	return nil
}

// runs starts the programs of this system from where the zip is unpacked.
func (r release) runs(ctx context.Context, zipped content) error {
	dir, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // the system clears its temporary files too
	if err := zipped.unpack(dir); err != nil {
		return err
	}
	for _, name := range programs {
		if name == "hookd" {
			continue // it answers hooks alone
		}
		said, err := exec.CommandContext(ctx, filepath.Join(dir, "bin", name), "version").CombinedOutput()
		if err != nil {
			return fmt.Errorf("%s version: %w\n%s", name, err, said)
		}
		if !strings.HasPrefix(string(said), name+" "+r.version+" ") {
			return fmt.Errorf("%s version says %q, which is not %s", name, said, r.version)
		}
	}
	return nil
}

func (c content) unpack(dir string) error {
	for name, e := range c {
		if !filepath.IsLocal(name) || !e.mode.IsRegular() {
			return fmt.Errorf("unpack %s: it is no ordinary file below the archive", name)
		}
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, e.content, fs.FileMode(0o600)|e.mode); err != nil {
			return err
		}
	}
	return nil
}
