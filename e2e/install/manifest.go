package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// place is where an installation lies. The destination directory is where a
// packager has it for the time being.
type place struct{ prefix, destdir string }

// at is the path of something below the prefix.
func (p place) at(below string) string {
	return filepath.Join(p.destdir, p.prefix, filepath.FromSlash(below))
}

const manifestHead = "# What make install wrote, for make uninstall: what each file was, and its path below the prefix.\n"

// manifest is what an installation wrote: of each file what it was, of a
// directory that it was made. While one installation replaces another a file may
// be either.
type manifest struct {
	files map[string][]string // sums by path
	dirs  []string
}

// sum spells what a file is, so that a changed one can be told.
func (i item) sum() string {
	if i.isLink() {
		return "link:" + i.link
	}
	hash := sha256.Sum256(i.content)
	return "sha256:" + hex.EncodeToString(hash[:])
}

// sumOf spells what lies there; empty for what is neither file nor link.
// fs.ErrNotExist: nothing lies there.
func sumOf(name string) (string, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return "", err
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(name)
		return "link:" + target, err
	case !info.Mode().IsRegular():
		return "", nil
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	_, err = io.Copy(hash, f)
	return "sha256:" + hex.EncodeToString(hash.Sum(nil)), errors.Join(err, f.Close())
}

// wrote reports whether an installation wrote what lies there.
func (m manifest) wrote(below, sum string) bool { return slices.Contains(m.files[below], sum) }

// replaced are the directories for this product alone that an installation made and that
// are links now, to a checkout perhaps. What lies behind them is somebody else's, though
// it may be the same.
func (m manifest) replaced(p place) []string {
	return slices.DeleteFunc(slices.Clone(m.dirs), func(dir string) bool {
		info, err := os.Lstat(p.at(dir))
		return !behind([]string{plugin, documentation}, dir) || err != nil || info.Mode()&fs.ModeSymlink == 0
	})
}

// behind reports that a path is one of the directories or below one.
func behind(dirs []string, below string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return below == dir || strings.HasPrefix(below, dir+"/") })
}

// without leaves out what is in those directories.
func (m manifest) without(dirs []string) manifest {
	rest := manifest{files: maps.Clone(m.files), dirs: slices.Clone(m.dirs)}
	maps.DeleteFunc(rest.files, func(below string, _ []string) bool { return behind(dirs, below) })
	rest.dirs = slices.DeleteFunc(rest.dirs, func(dir string) bool { return behind(dirs, dir) })
	return rest
}

// items are the files of an installation, of which no more is known than the path.
func (m manifest) items() []item {
	var all []item
	for below := range m.files {
		all = append(all, item{path: below})
	}
	return all
}

// item is the manifest as a file.
func (m manifest) item() item {
	var b strings.Builder
	b.WriteString(manifestHead)
	for _, below := range slices.Sorted(maps.Keys(m.files)) {
		for _, sum := range m.files[below] {
			fmt.Fprintf(&b, "%s\t%s\n", sum, below)
		}
	}
	for _, dir := range m.dirs {
		fmt.Fprintf(&b, "dir\t%s\n", dir)
	}
	return item{path: manifestName, content: []byte(b.String()), mode: 0o644}
}

// readManifest reads what was installed. found is false where nothing was.
func readManifest(p place) (m manifest, found bool, err error) {
	m.files = map[string][]string{}
	name := p.at(manifestName)
	content, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return m, false, nil
	}
	if err != nil {
		return m, false, err
	}
	for line := range strings.Lines(string(content)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		sum, below, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		// A path from a file is never followed out of the prefix.
		if !ok || !filepath.IsLocal(below) || path.Clean(below) != below || !strings.HasSuffix(line, "\n") {
			return m, false, fmt.Errorf("read %s: the line %q is not of this form; if an installation of yours lies there, remove it by hand", name, line)
		}
		if sum == "dir" {
			m.dirs = append(m.dirs, below)
			continue
		}
		m.files[below] = append(m.files[below], sum)
	}
	return m, true, nil
}
