package baton

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"

	"github.com/changeover/changeover/domain/port"
)

// Files is what a session needs of the file system.
type Files interface {
	port.FileReader
	port.DirReader
	port.Stater
	port.PathResolver
	port.Publisher
	port.DirMaker
	port.Remover
	port.Mover
	port.Streams
}

// The modes of what a session holds: nobody else reads it.
const (
	dirMode  fs.FileMode = 0o700
	fileMode fs.FileMode = 0o600
)

// readLimit bounds an artifact that is read whole, in bytes. The log is never.
const readLimit = 64 << 20

// Desk is the session directory of one repository.
type Desk struct {
	files Files
	// top is the repository's top.
	top string
}

// NewDesk returns the desk of the repository whose top is given.
func NewDesk(files Files, top string) Desk { return Desk{files: files, top: top} }

// Top is the top of the repository.
func (d Desk) Top() string { return d.top }

// Path is where an artifact lies.
func (d Desk) Path(name string) string { return path.Join(d.top, SessionDir, name) }

// errNoDir reports a session directory that is none.
var errNoDir = errors.New("it is no directory: baton keeps its files in a directory of the repository alone. Move it away")

// Exists reports that there is a session directory.
func (d Desk) Exists() (bool, error) {
	info, err := d.files.Lstat(d.Path(""))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case !info.Mode.IsDir():
		return false, fmt.Errorf("%s: %w", d.Path(""), errNoDir)
	}
	return true, nil
}

// Make makes the session directory where it is missing.
func (d Desk) Make() error {
	there, err := d.Exists()
	if err != nil || there {
		return err
	}
	return d.files.MakeDir(d.Path(""), dirMode)
}

// Has reports that an artifact is there.
func (d Desk) Has(name string) (bool, error) {
	_, err := d.files.Lstat(d.Path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Read returns an artifact; ok is false where there is none.
func (d Desk) Read(name string) (content string, ok bool, err error) {
	data, err := d.files.ReadFile(d.Path(name), readLimit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", false, nil
	case errors.Is(err, port.ErrTooLarge):
		return "", false, fmt.Errorf("%w: more than %d MiB; move what is not needed out of it", err, readLimit>>20)
	case err != nil:
		return "", false, err
	}
	return string(data), true, nil
}

// Text returns an artifact, empty where there is none.
func (d Desk) Text(name string) (string, error) {
	content, _, err := d.Read(name)
	return content, err
}

// Write replaces an artifact.
func (d Desk) Write(name, content string) error {
	return d.files.Replace(d.Path(name), []byte(content), fileMode, port.Synced)
}

// Add makes an artifact; created is false where there is one already.
func (d Desk) Add(name, content string) (created bool, err error) {
	if there, err := d.Has(name); there || err != nil {
		return false, err // nothing is written where nothing can come of it
	}
	err = d.files.Create(d.Path(name), []byte(content), fileMode, port.Synced)
	switch {
	case errors.Is(err, fs.ErrExist):
		return false, nil
	case errors.Is(err, port.ErrNoHardLinks): // whoever holds the session is alone with it
		err = d.Write(name, content)
	}
	return err == nil, err
}

// Drop removes an artifact; a missing one is no error.
func (d Desk) Drop(name string) error {
	if err := d.files.Remove(d.Path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Size returns the length of an artifact in bytes, 0 where there is none.
func (d Desk) Size(name string) (int64, error) {
	info, err := d.files.Lstat(d.Path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	return info.Size, err
}

// List returns the names of everything in the session directory.
func (d Desk) List() ([]string, error) {
	entries, err := d.files.ReadDir(d.Path(""))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if e.Mode.IsRegular() {
			names = append(names, e.Name)
		}
	}
	return names, err
}

// mostTwins bounds how many files of one instant are told apart.
const mostTwins = 1000

// AddStamped makes a file of a name that holds an instant, and returns the name:
// where it is taken, -2, -3 and so on stands behind the instant.
func (d Desk) AddStamped(before, stamp, after, content string) (string, error) {
	for n := 1; n < mostTwins; n++ {
		name := before + stamp + after
		if n > 1 {
			name = before + stamp + "-" + strconv.Itoa(n) + after
		}
		if created, err := d.Add(name, content); created || err != nil {
			return name, err
		}
	}
	return "", fmt.Errorf("keep a copy as %s: every name is taken", before+stamp+after)
}
