package baton

import (
	"errors"
	"io/fs"
	"path"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/port"
)

// Shrunk is a file that was made short by rule.
type Shrunk struct {
	Text string
	// Before and After are its characters.
	Before, After int
	// Written is where the result went; empty for nowhere.
	Written string
}

// Smaller says whether anything was to be had.
func (s Shrunk) Smaller() bool { return s.After < s.Before }

// Shrink makes a markdown or instruction file short by rule. The result is written
// over the file or to another one where that is said, and where it is smaller.
func (w World) Shrink(file string, over bool, out string) (s Shrunk, err error) {
	if over && out != "" {
		return s, usagef("--write and --out do not go together: give one")
	}
	from := w.absolute(file)
	data, err := w.Files.ReadLinked(from, readLimit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s, usagef("%s: no such file", file)
	case errors.Is(err, port.ErrNotRegular), errors.Is(err, port.ErrTooLarge):
		return s, usage(err)
	case err != nil:
		return s, err
	}
	s.Text = compact.File(string(data))
	s.Before, s.After = compact.Chars(string(data)), compact.Chars(s.Text)
	if !over && out == "" || !s.Smaller() {
		return s, nil
	}
	s.Written = file
	to := from
	if out != "" {
		s.Written, to = out, w.absolute(out)
	}
	return s, w.overwrite(to, s.Text)
}

// newFile is the mode of a file that a person asked for.
const newFile fs.FileMode = 0o644

// overwrite replaces what a path leads to, which keeps its mode, or makes it.
func (w World) overwrite(to, content string) error {
	mode := newFile
	real, err := w.Files.RealPath(to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		real = path.Clean(to)
	case err != nil:
		return err
	default:
		info, err := w.Files.Stat(real)
		if err != nil {
			return err
		}
		if !info.Mode.IsRegular() {
			return usagef("%s: %w", to, port.ErrNotRegular)
		}
		mode = info.Mode.Perm()
	}
	return w.Files.Replace(real, []byte(content), mode, port.Synced)
}
