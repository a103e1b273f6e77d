package logs

import (
	"bytes"
	"fmt"
	"io"

	"github.com/changeover/changeover/domain/baton/phrase"
)

// Source is a log as it stands: what is appended to it later is not read.
type Source interface {
	io.ReaderAt
	Size() int64
}

// readAt fills dst from an offset of the log.
func readAt(src Source, dst []byte, from int64) error {
	for read := 0; read < len(dst); {
		n, err := src.ReadAt(dst[read:], from+int64(read))
		read += n
		if n == 0 && err == nil {
			err = io.ErrNoProgress
		}
		if read < len(dst) && err != nil {
			if err == io.EOF { //nolint:errorlint // a ReaderAt returns it as it is
				err = io.ErrUnexpectedEOF
			}
			return fmt.Errorf("read the log at byte %d: %w", from+int64(read), err)
		}
	}
	return nil
}

// blockSize is how much of a log is held at a time.
const blockSize = 512 << 10

// block is a part of a log: whole lines, or both ends of a line that is too long to
// be held.
type block struct {
	text []byte
	// long is the length in bytes of that one line; 0 for whole lines.
	long int
}

// blocks cuts a log into blocks.
type blocks struct {
	src    Source
	at     int64
	buffer []byte
	// rest is what was read but not handed out yet.
	rest []byte
}

func newBlocks(src Source) *blocks { return &blocks{src: src, buffer: make([]byte, blockSize)} }

// next returns the next block, which holds until the next call; an empty one at the
// end of the log.
func (b *blocks) next() (block, error) {
	text, err := b.fill(b.rest)
	if err != nil {
		return block{}, err
	}
	end := bytes.LastIndexByte(text, '\n') + 1
	if end > 0 {
		b.rest = text[end:]
		return block{text: text[:end]}, nil
	}
	if len(text) < len(b.buffer) {
		b.rest = nil
		return block{text: text}, nil // the last line, without an end
	}
	return b.longLine(text)
}

// fill puts what is given at the beginning of the buffer, and as much of the log
// behind it as there is room for.
func (b *blocks) fill(kept []byte) ([]byte, error) {
	n := copy(b.buffer, kept)
	size := int(min(int64(len(b.buffer)-n), b.src.Size()-b.at))
	if err := readAt(b.src, b.buffer[n:n+size], b.at); err != nil {
		return nil, err
	}
	b.at += int64(size)
	return b.buffer[:n+size], nil
}

// longLine goes on to the end of a line of which the buffer holds the beginning.
func (b *blocks) longLine(text []byte) (block, error) {
	head := bytes.Clone(text[:phrase.LineEnds])
	long := len(text)
	for {
		var err error
		if text, err = b.fill(text[len(text)-phrase.LineEnds:]); err != nil {
			return block{}, err
		}
		fresh := text[phrase.LineEnds:]
		end := bytes.IndexByte(fresh, '\n')
		switch {
		case end >= 0:
			b.rest = fresh[end+1:]
			return block{text: phrase.Ends(head, lastPart(text, end)), long: long + end}, nil
		case len(text) < len(b.buffer):
			b.rest = nil
			return block{text: phrase.Ends(head, lastPart(text, len(fresh))), long: long + len(fresh)}, nil
		}
		long += len(fresh)
	}
}

// lastPart returns the LineEnds bytes before the place that is end bytes behind the
// first LineEnds ones.
func lastPart(text []byte, end int) []byte { return text[end : end+phrase.LineEnds] }
