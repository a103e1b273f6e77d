package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Where things lie below the prefix. The home is a marketplace of the client
// that offers one plugin, and the plugin holds the programs.
const (
	home          = "share/changeover"
	plugin        = home + "/plugin"
	manifestName  = home + "/manifest"
	documentation = "share/doc/changeover"
)

var programs = []string{"relay", "baton", "exchange", "hookd"}

// item is one file of an installation: a copy, a text or a symbolic link.
type item struct {
	path    string // below the prefix, with slashes
	content []byte
	link    string
	mode    fs.FileMode
}

func (i item) isLink() bool { return i.link != "" }

// part is a file or directory of the checkout and where it goes. What is
// generated may be missing where its target did not run.
type part struct {
	from, to string
	optional bool
}

// parts are what is copied as it is. Of the plugin only what a session loads:
// the client writes files of its own beside them.
var parts = []part{
	{from: "hookd/plugin/.claude-plugin/plugin.json", to: plugin + "/.claude-plugin/plugin.json"},
	{from: "hookd/plugin/README.md", to: plugin + "/README.md"},
	{from: "hookd/plugin/commands", to: plugin + "/commands"},
	{from: "hookd/plugin/hooks", to: plugin + "/hooks"},
	{from: "hookd/plugin/schemas", to: plugin + "/schemas"},
	{from: "hookd/plugin/types", to: plugin + "/types"},
	{from: "LICENSE", to: plugin + "/LICENSE"},
	{from: "LICENSE", to: documentation + "/LICENSE"},
	{from: "README.md", to: documentation + "/README.md"},
	{from: "SECURITY.md", to: documentation + "/SECURITY.md"},
	{from: "docs", to: documentation + "/docs"},
	{from: "build/man", to: "share/man/man1", optional: true},
	{from: "build/completions/bash", to: "share/bash-completion/completions", optional: true},
	{from: "build/completions/zsh", to: "share/zsh/site-functions", optional: true},
	{from: "build/completions/fish", to: "share/fish/vendor_completions.d", optional: true},
}

// layout is everything that an installation of the checkout consists of.
func layout(checkout string) ([]item, error) {
	items, err := documents(checkout)
	if err != nil {
		return nil, err
	}
	for _, name := range programs {
		built, err := os.ReadFile(filepath.Join(checkout, "bin", name))
		if err != nil {
			return nil, fmt.Errorf("%w: run make build, which builds the programs", err)
		}
		items = append(items, item{path: plugin + "/bin/" + name, content: built, mode: 0o755})
	}
	return items, nil
}

// documents is the layout without the programs.
func documents(checkout string) ([]item, error) {
	var items []item
	for _, p := range parts {
		found, err := p.items(checkout)
		if err != nil {
			return nil, err
		}
		items = append(items, found...)
	}
	offer, err := marketplace(filepath.Join(checkout, ".claude-plugin", "marketplace.json"))
	if err != nil {
		return nil, err
	}
	items = append(items, item{path: home + "/.claude-plugin/marketplace.json", content: offer, mode: 0o644})
	for _, name := range programs {
		items = append(items, item{path: "bin/" + name, link: "../" + plugin + "/bin/" + name})
	}
	return items, nil
}

func (p part) items(checkout string) ([]item, error) {
	from := filepath.Join(checkout, filepath.FromSlash(p.from))
	var items []item
	err := filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if p.optional && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		if !d.Type().IsRegular() {
			return fmt.Errorf("install %s: it is no ordinary file", name)
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(from, name)
		items = append(items, item{path: path.Join(p.to, filepath.ToSlash(below)), content: content, mode: 0o644})
		return err
	})
	return items, err
}

// marketplace is the checkout's offer with the plugin where an installation has it.
func marketplace(file string) ([]byte, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var offer struct{ Plugins []struct{ Source string } }
	if err := json.Unmarshal(content, &offer); err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	if len(offer.Plugins) != 1 || strings.Count(string(content), offer.Plugins[0].Source) != 1 {
		return nil, fmt.Errorf("read %s: one plugin with one source was expected", file)
	}
	return []byte(strings.Replace(string(content), offer.Plugins[0].Source, "./plugin", 1)), nil
}

// stage writes the documents into a directory, from which a release takes them.
func stage(checkout, dir string) error {
	items, err := documents(checkout)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, below := range directories(items) {
		made := filepath.Join(dir, filepath.FromSlash(below))
		// A package takes over the modes, whatever the umask is here.
		if err := errors.Join(os.Mkdir(made, 0o755), os.Chmod(made, 0o755)); err != nil {
			return err
		}
	}
	for _, i := range items {
		if err := i.create(filepath.Join(dir, filepath.FromSlash(i.path))); err != nil {
			return err
		}
	}
	return nil
}

// create makes the file under a name that is free.
func (i item) create(name string) error {
	if i.isLink() {
		return os.Symlink(i.link, name)
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(i.content)
	// The umask is the installing person's; what is installed is for everybody.
	return errors.Join(err, f.Chmod(i.mode), f.Sync(), f.Close())
}

// directories are those that the items and the manifest lie in, below the prefix,
// parents first.
func directories(items []item) []string {
	seen := map[string]bool{}
	for _, i := range append(slices.Clone(items), item{path: manifestName}) {
		for dir := path.Dir(i.path); dir != "."; dir = path.Dir(dir) {
			seen[dir] = true
		}
	}
	var dirs []string
	for dir := range seen {
		dirs = append(dirs, dir)
	}
	slices.Sort(dirs)
	return dirs
}
