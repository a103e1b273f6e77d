package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// clientsOwn are files that the client writes into a plugin that it loads.
var clientsOwn = []string{plugin + "/.claude-plugin/types", plugin + "/tsconfig.json"}

// uninstall removes what an installation wrote, but for what was changed since.
func uninstall(ctx context.Context, from place, c registrar, out io.Writer) error {
	m, found, err := readManifest(from)
	if err != nil {
		return err
	}
	if !found {
		fmt.Fprintf(out, "nothing is installed in %s: there is no %s\n", from.at("."), from.at(manifestName))
		return nil
	}
	if err := c.unregister(ctx); err != nil {
		return err
	}
	var kept []string
	foreign := m.replaced(from)
	m = m.without(foreign)
	for _, below := range slices.Sorted(maps.Keys(m.files)) {
		there, err := sumOf(from.at(below))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err == nil && m.wrote(below, there):
			err = os.Remove(from.at(below))
		case err == nil:
			kept = append(kept, from.at(below)+"  (changed since)")
		}
		if err != nil {
			return fmt.Errorf("%w; the rest is still there: see that the directory may be written, then run make uninstall again", err)
		}
	}
	if err := clearUnfinished(from, m.items()); err != nil {
		return fmt.Errorf("%w; run make uninstall again", err)
	}
	for _, below := range clientsOwn {
		if behind(foreign, below) {
			continue
		}
		if err := os.RemoveAll(from.at(below)); err != nil {
			return fmt.Errorf("%w; run make uninstall again", err)
		}
	}
	if err := os.Remove(from.at(manifestName)); err != nil {
		return fmt.Errorf("%w; all else is removed", err)
	}
	removeEmpty(from, m.dirs)
	kept = append(kept, strangers(from, m, kept)...)
	fmt.Fprintf(out, "removed from %s\n", from.at("."))
	if len(kept) > 0 {
		fmt.Fprintf(out, "kept, because make install did not write it so:\n  %s\n", strings.Join(kept, "\n  "))
	}
	if from.destdir == "" {
		fmt.Fprint(out, dataNote)
	}
	return nil
}

// dataNote says where lies what the programs have written.
const dataNote = `kept, what the programs have written; docs/install.md says what each is:
  ~/.local/state/relay, or where XDG_STATE_HOME or RELAY_STATE_DIR say
  ~/.relay-baton, and .ai-session in the repositories that baton worked in
  .claude/exchange.json and .claude/exchange below each marked root
`

// removeEmpty removes those of the directories that are empty, deepest first.
func removeEmpty(p place, dirs []string) {
	dirs = slices.Sorted(slices.Values(dirs))
	for _, dir := range slices.Backward(dirs) {
		_ = os.Remove(p.at(dir)) // it holds something of somebody else
	}
}

// strangers are the files that lie in directories which are ours alone.
func strangers(p place, m manifest, known []string) []string {
	var found []string
	for _, own := range []string{home, documentation} {
		_ = filepath.WalkDir(p.at(own), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil //nolint:nilerr // what cannot be read is not named, and stays
			}
			below, err := filepath.Rel(p.at("."), name)
			if err == nil && m.files[filepath.ToSlash(below)] == nil && !slices.Contains(known, name) {
				found = append(found, name)
			}
			return nil
		})
	}
	return found
}
