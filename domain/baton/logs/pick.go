package logs

import (
	"io"
	"unicode/utf8"
)

// picker reads single lines of a log, most of them near the one before.
type picker struct {
	src    Source
	buffer []byte
	// from and held are the part of the log that the buffer holds.
	from int64
	held int
}

// pickSize is how much of a log a picker holds at most, pickAhead how much it reads
// at once where less is asked for.
const (
	pickSize  = 64 << 10
	pickAhead = 8 << 10
)

func newPicker(src Source) *picker { return &picker{src: src, buffer: make([]byte, pickSize)} }

// bytes returns that many bytes, at most pickSize, from an offset of the log. They
// hold until the next call.
func (p *picker) bytes(from int64, size int) ([]byte, error) {
	if from < p.from || from+int64(size) > p.from+int64(p.held) {
		p.held = 0
		n := int(min(int64(max(size, pickAhead)), p.src.Size()-from))
		if err := readAt(p.src, p.buffer[:n], from); err != nil {
			return nil, err
		}
		p.from, p.held = from, n
	}
	at := int(from - p.from)
	return p.buffer[at : at+size], nil
}

// each calls visit for the parts of a stretch of any length, in order.
func (p *picker) each(from int64, size int, visit func([]byte) error) error {
	for size > 0 {
		n := min(size, pickSize)
		part, err := p.bytes(from, n)
		if err != nil {
			return err
		}
		if err := visit(part); err != nil {
			return err
		}
		from, size = from+int64(n), size-n
	}
	return nil
}

// head returns the beginning of a line, at most so many bytes.
func (p *picker) head(l *line, most int) ([]byte, error) { return p.bytes(l.from, min(l.size, most)) }

// tail returns the end of a line, at most so many bytes.
func (p *picker) tail(l *line, most int) ([]byte, error) {
	size := min(l.size, most)
	return p.bytes(l.from+int64(l.size-size), size)
}

// chars counts the characters of a line.
func (p *picker) chars(l *line) (int, error) {
	var c counter
	err := p.each(l.from, l.size, func(part []byte) error {
		c.add(part)
		return nil
	})
	return c.sum(), err
}

// copyTo writes a line without its end, and counts its characters.
func (p *picker) copyTo(dst io.Writer, l *line) (chars int, err error) {
	if l.size <= pickSize {
		text, err := p.bytes(l.from, l.size)
		if err == nil {
			_, err = dst.Write(text)
		}
		return utf8.RuneCount(text), err
	}
	var c counter
	err = p.each(l.from, l.size, func(part []byte) error {
		c.add(part)
		_, err := dst.Write(part)
		return err
	})
	return c.sum(), err
}

// counter counts the characters of a text that comes in parts of any size. A byte
// that belongs to none is one.
type counter struct {
	chars int
	// open holds the beginning of a character that is not complete yet.
	open  [utf8.UTFMax]byte
	opens int
}

// add takes the next part.
func (c *counter) add(part []byte) {
	for c.opens > 0 && len(part) > 0 && !utf8.FullRune(c.open[:c.opens]) {
		c.open[c.opens] = part[0]
		c.opens++
		part = part[1:]
	}
	for c.opens > 0 && utf8.FullRune(c.open[:c.opens]) {
		_, size := utf8.DecodeRune(c.open[:c.opens])
		c.opens = copy(c.open[:], c.open[size:c.opens])
		c.chars++
	}
	if c.opens > 0 {
		return
	}
	whole := len(part)
	for back := 1; back < utf8.UTFMax && back <= len(part); back++ {
		if from := len(part) - back; utf8.RuneStart(part[from]) {
			if !utf8.FullRune(part[from:]) {
				whole = from
			}
			break
		}
	}
	c.chars += utf8.RuneCount(part[:whole])
	c.opens = copy(c.open[:], part[whole:])
}

// sum returns the count, as if nothing followed.
func (c *counter) sum() int { return c.chars + utf8.RuneCount(c.open[:c.opens]) }
