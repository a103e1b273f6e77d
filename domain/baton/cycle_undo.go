package baton

import (
	"errors"
	"fmt"
	"slices"

	"github.com/changeover/changeover/domain/port"
)

// rollBack makes everything as it was. A raw copy goes only when what it is a copy
// of stands again.
func (c cycle) rollBack() error {
	var faults error
	for _, f := range slices.Clone(c.files) {
		if f.copy == "" {
			continue
		}
		if err := c.putBack(f); err != nil {
			faults = errors.Join(faults, fmt.Errorf("put %s back from %s: %w", f.name, f.copy, err))
			continue
		}
		c.leave(f, "it was put back")
	}
	if faults != nil {
		return errors.Join(faults, c.tell())
	}
	return c.Drop(lossName(c.id))
}

// putBack puts a file back, unless somebody else has written it since. A copy that
// cannot be put back stays as one that outlives the cycle.
func (c cycle) putBack(f *pressed) error {
	if !f.replaced || !c.ours(f) {
		return c.Drop(f.copy)
	}
	err := c.shift.Files.Rename(c.Path(f.copy), c.Path(f.name))
	if err != nil && hidden(f.copy) {
		_ = c.shift.Files.Rename(c.Path(f.copy), c.Path(rawName(f.name, c.id))) // what failed first is told
	}
	return err
}

// ours says whether a file holds what the cycle wrote, as far as can be told.
func (c cycle) ours(f *pressed) bool {
	if f.draft == nil {
		now, there, err := c.Read(f.name)
		return err != nil || !there || now == f.short
	}
	info, err := c.shift.Files.Lstat(c.Path(f.name))
	return err != nil || f.now == port.Info{} || info.Size == f.now.Size && info.ModTime.Equal(f.now.ModTime)
}
