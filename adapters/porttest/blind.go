package porttest

import (
	"io/fs"
	"slices"
	"sync"

	"github.com/changeover/changeover/domain/port"
)

// Blind is a file system on which one call that reads fails, and all others work.
type Blind struct {
	port.FS
	port.Streams
	at  int
	why error

	mu     sync.Mutex
	calls  int
	failed string
}

// reading are the calls that read.
var reading = []string{"ReadFile", "ReadLinked", "ReadDir", "Stat", "Lstat", "RealPath", "Open", "ReadAt"}

// NewBlind has the call of that number fail, from 1 on.
func NewBlind[F interface {
	port.FS
	port.Streams
}](files F, at int, why error,
) *Blind {
	b := &Blind{Streams: files, at: at, why: why}
	b.FS = Tap(files, b.before)
	return b
}

// Failed is the call that failed, as what was asked and the path; empty for none.
func (b *Blind) Failed() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failed
}

func (b *Blind) before(c Call) error {
	if !slices.Contains(reading, c.Op) {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls++
	if b.calls != b.at {
		return nil
	}
	b.failed = c.Op + " " + c.Path
	return &fs.PathError{Op: c.Op, Path: c.Path, Err: b.why}
}

// Open implements port.Opener.
func (b *Blind) Open(path string) (port.Source, error) {
	if err := b.before(Call{Op: "Open", Path: path}); err != nil {
		return nil, err
	}
	source, err := b.Streams.Open(path)
	if err != nil {
		return nil, err
	}
	return blindSource{source, b, path}, nil
}

// blindSource is an open file of which a part may not be read.
type blindSource struct {
	port.Source
	blind *Blind
	path  string
}

func (s blindSource) ReadAt(p []byte, at int64) (int, error) {
	if err := s.blind.before(Call{Op: "ReadAt", Path: s.path}); err != nil {
		return 0, err
	}
	return s.Source.ReadAt(p, at)
}
