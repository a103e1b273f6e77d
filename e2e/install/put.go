package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// newPrefix begins the name of a file that is not in its place yet.
const newPrefix = ".changeover-new-"

// changedSuffix ends the name of what a person had made of an installed file.
const changedSuffix = ".changed"

// install brings a place to what the checkout says. It writes all that is new
// beside its place first, so that a full disk or a forbidden directory leaves the
// old installation as it was; then one rename a file.
func install(ctx context.Context, checkout string, to place, c registrar, out io.Writer) error {
	items, err := layout(checkout)
	if err != nil {
		return err
	}
	old, _, err := readManifest(to)
	if err != nil {
		return err
	}
	plan, err := compare(items, old, to)
	if err != nil {
		return err
	}
	if err := plan.carryOut(to); err != nil {
		return err
	}
	plan.tell(to, out)
	if err := c.register(ctx); err != nil {
		return err
	}
	if to.destdir == "" {
		tellPath(filepath.Join(to.prefix, "bin"), os.Getenv("PATH"), out)
	}
	return nil
}

// change is what an installation has to do.
type change struct {
	all     []item
	write   []item   // new or another than what lies there
	changed []string // what a person has made of a file that is written
	stale   []string // the older installation had it, this one has not
	kept    []string // as stale, but a person has changed it
	old     manifest
	made    []string // directories that this run made
}

func compare(items []item, old manifest, to place) (*change, error) {
	plan := &change{all: items, old: old}
	wanted := map[string]bool{}
	var foreign []string
	for _, dir := range old.replaced(to) {
		foreign = append(foreign, to.at(dir))
	}
	for _, i := range items {
		wanted[i.path] = true
		there, err := sumOf(to.at(i.path))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			plan.write = append(plan.write, i)
		case err != nil:
			return nil, explain(err, "nothing was changed")
		case there == i.sum():
		case old.wrote(i.path, there):
			plan.write = append(plan.write, i)
		case there != "" && old.files[i.path] != nil:
			plan.changed = append(plan.changed, i.path)
			plan.write = append(plan.write, i)
		default:
			foreign = append(foreign, to.at(i.path))
		}
	}
	for _, below := range plan.changed {
		if _, err := os.Lstat(to.at(below + changedSuffix)); err == nil {
			foreign = append(foreign, to.at(below+changedSuffix))
		}
	}
	if len(foreign) > 0 {
		return nil, fmt.Errorf("these are there and not from an installation; nothing was changed:\n  %s\nmove them away, or choose another place: make install PREFIX=…", strings.Join(foreign, "\n  "))
	}
	for below := range old.files {
		if wanted[below] {
			continue
		}
		there, err := sumOf(to.at(below))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err == nil && old.wrote(below, there):
			plan.stale = append(plan.stale, below)
		default:
			plan.kept = append(plan.kept, below)
		}
	}
	slices.Sort(plan.stale)
	slices.Sort(plan.kept)
	return plan, nil
}

// manifest is what this change leaves; with the old one, what lies there at any
// moment of it.
func (c *change) manifest(withOld bool) manifest {
	m := manifest{files: map[string][]string{}, dirs: slices.Concat(c.old.dirs, c.made)}
	for _, i := range c.all {
		m.files[i.path] = []string{i.sum()}
	}
	if withOld {
		for below, sums := range c.old.files {
			for _, sum := range sums {
				if !m.wrote(below, sum) {
					m.files[below] = append(m.files[below], sum)
				}
			}
		}
	}
	slices.Sort(m.dirs)
	m.dirs = slices.Compact(m.dirs)
	return m
}

// carryOut makes the change.
func (c *change) carryOut(to place) (err error) {
	beside := map[string]string{} // new file by its place
	defer func() {
		for _, name := range beside {
			err = errors.Join(err, os.Remove(name))
		}
		if err != nil {
			removeEmpty(to, c.made)
		}
	}()
	err = c.makeDirectories(to)
	if err == nil {
		err = clearUnfinished(to, c.all)
	}
	if err != nil {
		return explain(err, "nothing was changed")
	}
	during, after := c.manifest(true).item(), c.manifest(false).item()
	unchanged := len(c.write) == 0 && len(c.stale) == 0 && holds(to.at(manifestName), after)
	if unchanged {
		return nil
	}
	for _, i := range append(slices.Clone(c.write), during) {
		fresh, err := putBeside(to.at(i.path), i)
		if err != nil {
			return explain(err, "nothing was changed")
		}
		beside[i.path] = fresh
	}
	for _, i := range append([]item{during}, c.write...) {
		if err := c.swap(to, i, beside[i.path]); err != nil {
			return explain(err, "some files are new and some are old: run make install again")
		}
		delete(beside, i.path)
	}
	for _, below := range c.stale {
		if err := os.Remove(to.at(below)); err != nil {
			return explain(err, "all is installed, but an older file is left: run make install again")
		}
	}
	fresh, err := putBeside(to.at(manifestName), after)
	if err == nil {
		beside[manifestName] = fresh
		if err = os.Rename(fresh, to.at(manifestName)); err == nil {
			delete(beside, manifestName)
		}
	}
	if err != nil {
		return explain(err, "all is installed, but not what make uninstall goes by: run make install again")
	}
	return nil
}

func (c *change) makeDirectories(to place) error {
	_, err := os.Stat(to.at("."))
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(to.at("."), 0o755); err == nil {
			err = os.Chmod(to.at("."), 0o755)
		}
	}
	if err != nil {
		return err
	}
	for _, dir := range directories(c.all) {
		err := os.Mkdir(to.at(dir), 0o755)
		switch {
		case err == nil:
			c.made = append(c.made, dir)
			err = os.Chmod(to.at(dir), 0o755) // whatever the umask is
		case errors.Is(err, fs.ErrExist):
			var info fs.FileInfo
			if info, err = os.Stat(to.at(dir)); err == nil && !info.IsDir() {
				err = &fs.PathError{Op: "make the directory", Path: to.at(dir), Err: errors.New("a file is there")}
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// swap puts one new file in its place, for whoever runs the old one runs on with it.
func (c *change) swap(to place, i item, fresh string) error {
	name := to.at(i.path)
	if slices.Contains(c.changed, i.path) {
		if err := os.Link(name, name+changedSuffix); err != nil {
			return err
		}
	}
	return os.Rename(fresh, name)
}

// putBeside writes the file under a name of its own in the same directory.
func putBeside(name string, i item) (string, error) {
	fresh := filepath.Join(filepath.Dir(name), newPrefix+filepath.Base(name))
	err := i.create(fresh)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		_ = os.Remove(fresh) // what could not be written whole
	}
	return fresh, err
}

// clearUnfinished removes what an installation that was killed has left beside the
// items' places.
func clearUnfinished(to place, items []item) error {
	for _, dir := range directories(items) {
		entries, err := os.ReadDir(to.at(dir))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), newPrefix) {
				continue
			}
			if err := os.Remove(filepath.Join(to.at(dir), e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

func holds(name string, i item) bool {
	there, err := sumOf(name)
	return err == nil && there == i.sum()
}

// explain says what could not be done, where that leaves the person, and what to do.
func explain(err error, left string) error {
	return fmt.Errorf("%w; %s; see that the directory may be written and has room, or choose another: make install PREFIX=\"$HOME/.local\"", err, left)
}

func (c *change) tell(to place, out io.Writer) {
	fmt.Fprintf(out, "installed in %s: %d of %d files are new\n", to.at("."), len(c.write), len(c.all))
	for _, below := range c.changed {
		fmt.Fprintf(out, "  replaced %s, which had been changed: that one is %s now\n", to.at(below), filepath.Base(below)+changedSuffix)
	}
	for _, below := range c.stale {
		fmt.Fprintf(out, "  removed %s, which this version has no more\n", to.at(below))
	}
	for _, below := range c.kept {
		fmt.Fprintf(out, "  left %s, which this version has no more, because it was changed\n", to.at(below))
	}
}

// tellPath says what keeps the programs from being found by their names.
func tellPath(bin, searched string, out io.Writer) {
	for _, dir := range filepath.SplitList(searched) {
		if filepath.Clean(dir) == bin {
			return
		}
		for _, name := range programs {
			if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
				fmt.Fprintf(out, "note: in a terminal %s is %s, because %s comes first on PATH\n", name, filepath.Join(dir, name), dir)
			}
		}
	}
	if !slices.Contains(filepath.SplitList(searched), bin) {
		fmt.Fprintf(out, "%s is not on PATH; add this line to your shell's profile:\n  export PATH=%s:\"$PATH\"\n", bin, shellWord(bin))
	}
}
