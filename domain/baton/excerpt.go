package baton

import (
	"errors"
	"io"
	"io/fs"
	"strings"
)

// Excerpt is the beginning or the end of a text that somebody else wrote.
type Excerpt struct {
	// There: there is such a file.
	There bool
	// Lines are whole lines, but for one that is longer than an excerpt.
	Lines []string
	// Size is the length of the file in bytes; Cut: it holds more than the lines.
	Size int64
	Cut  bool
}

// end says which of the two an excerpt is.
type end bool

const (
	atStart end = false
	atEnd   end = true
)

// excerptBytes bounds how much of a file is read for an excerpt.
const excerptBytes = 32 << 10

// excerpt reads one end of an artifact, and never the rest.
func (d Desk) excerpt(name string, which end) (e Excerpt, err error) {
	source, err := d.files.Open(d.Path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return e, nil
	}
	if err != nil {
		return e, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	e.There, e.Size = true, source.Info().Size
	part := make([]byte, min(e.Size, excerptBytes))
	var from int64
	if which == atEnd {
		from = e.Size - int64(len(part))
	}
	n, err := source.ReadAt(part, from)
	if err != nil && !errors.Is(err, io.EOF) {
		return e, err
	}
	e.Cut = e.Size > excerptBytes
	e.Lines = excerptLines(string(part[:n]), which, e.Cut)
	return e, nil
}

// excerptLines are the lines of an excerpt. The one that was cut is left out where
// there are others.
func excerptLines(part string, which end, cut bool) []string {
	part = strings.TrimPrefix(part, "\ufeff")
	switch first, last := strings.IndexByte(part, '\n'), strings.LastIndexByte(part, '\n'); {
	case !cut || first < 0 || first == len(part)-1:
	case which == atEnd:
		part = part[first+1:]
	default:
		part = part[:last]
	}
	part = strings.ToValidUTF8(strings.TrimSuffix(part, "\n"), "\uFFFD")
	if part == "" {
		return nil
	}
	lines := strings.Split(part, "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
}
