package logs

import (
	"bytes"
	"io"
)

// Proof hands on what is written to it, and looks for lines of a log among its
// lines, byte for byte.
type Proof struct {
	dst    io.Writer
	src    Source
	wanted []*sought
}

// sought is a line that is looked for.
type sought struct {
	place  Place
	picker *picker
	// at is how much of the line that is being written is the same; -1 where it
	// is another.
	at    int
	found bool
}

// NewProof returns a proof that hands on to dst and takes its lines from src.
func NewProof(dst io.Writer, src Source) *Proof { return &Proof{dst: dst, src: src} }

// Expect looks for a line from now on; for one that there is not, it does nothing.
func (p *Proof) Expect(at Place) {
	if !at.None() {
		p.wanted = append(p.wanted, &sought{place: at, picker: newPicker(p.src)})
	}
}

// Write implements io.Writer.
func (p *Proof) Write(b []byte) (int, error) {
	for rest := b; len(rest) > 0; {
		part, after, whole := bytes.Cut(rest, []byte("\n"))
		for _, s := range p.wanted {
			if err := s.compare(part); err != nil {
				return 0, err
			}
			if whole {
				s.end()
			}
		}
		rest = after
	}
	return p.dst.Write(b)
}

// compare goes on with the line that is being written.
func (s *sought) compare(part []byte) error {
	switch {
	case s.found || s.at < 0:
		return nil
	case len(part) > s.place.Size-s.at:
		s.at = -1
		return nil
	}
	return s.picker.each(s.place.From+int64(s.at), len(part), func(mine []byte) error {
		if s.at >= 0 && bytes.Equal(mine, part[:len(mine)]) {
			s.at += len(mine)
			part = part[len(mine):]
			return nil
		}
		s.at = -1
		return nil
	})
}

// end ends the line that is being written.
func (s *sought) end() {
	s.found = s.found || s.at == s.place.Size
	s.at = 0
}

// Found reports that a line which was expected came, the one included that has no
// end yet.
func (p *Proof) Found(at Place) bool {
	for _, s := range p.wanted {
		if s.place == at && (s.found || s.at == s.place.Size) {
			return true
		}
	}
	return false
}
