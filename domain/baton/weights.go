package baton

import (
	"github.com/changeover/changeover/domain/baton/compact"
)

// Weights measures what the context weighs. Of a file over compact.CountedBytes
// the bytes stand for the characters.
func (d Desk) Weights() (w compact.Weights, err error) {
	for _, file := range []struct {
		name string
		to   *int
	}{{StateFile, &w.State}, {LogFile, &w.Log}, {DecisionsFile, &w.Decisions}, {ErrorsFile, &w.Errors}} {
		if *file.to, err = d.chars(file.name); err != nil {
			return w, err
		}
	}
	return w, nil
}

// chars is the length of an artifact in characters, or in bytes where it is
// large; 0 where there is none.
func (d Desk) chars(name string) (int, error) {
	size, err := d.Size(name)
	if err != nil || size > compact.CountedBytes {
		return int(size), err
	}
	content, err := d.Text(name)
	return compact.Chars(content), err
}
