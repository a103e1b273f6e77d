package baton

import (
	"errors"
	"io"

	"github.com/changeover/changeover/domain/port"
)

// keep keeps a copy of a file that is to change. That of the log is a second
// name of it where there are such, so that no bytes are copied: once the log is
// replaced, nobody writes to the old one. Agents may write to the others.
func (c cycle) keep(f *pressed) error {
	f.copy = hiddenName(f.name, c.id)
	if c.rotates() {
		f.copy = rawName(f.name, c.id)
	}
	if f.draft == nil {
		return c.Write(f.copy, f.raw)
	}
	err := c.shift.Files.Link(c.Path(f.name), c.Path(f.copy))
	if errors.Is(err, port.ErrNoHardLinks) {
		return c.duplicate(f.name, f.copy)
	}
	return err
}

// copyBlock is how much of a file is copied at once, in bytes.
const copyBlock = 1 << 20

// duplicate copies a file of any length.
func (s *shift) duplicate(from, to string) (err error) {
	source, err := s.Files.Open(s.Path(from))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	draft, err := s.Files.Draft(s.Path(to), fileMode, port.Synced)
	if err != nil {
		return err
	}
	section := io.NewSectionReader(source, 0, source.Info().Size)
	if _, err := io.CopyBuffer(struct{ io.Writer }{draft}, section, make([]byte, copyBlock)); err != nil {
		return errors.Join(err, draft.Discard())
	}
	return draft.Publish()
}
