package baton

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
	"unicode/utf8"
)

// journal is the one writer of commands.log while an agent runs. A fault of the
// disk is kept and told at the end: the agent's streams are read on all the same.
type journal struct {
	desk Desk

	mu  sync.Mutex
	out io.WriteCloser
	// pending is what is not written yet.
	pending []byte
	// lines and chars are what the log holds, pending included.
	lines int
	chars int64
	fault error
}

// pendingLimit is how much is kept back at most, in bytes.
const pendingLimit = 256 << 10

// openJournal opens the log at its end.
func openJournal(d Desk) (*journal, error) {
	j := &journal{desk: d}
	err := j.open()
	return j, err
}

// weight is what the log holds, in code points.
func (j *journal) weight() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.chars
}

// open opens the log anew, such as after something else took its place.
func (j *journal) open() error {
	lines, chars, ends, err := measure(j.desk)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	out, err := j.desk.files.Append(j.desk.Path(LogFile), fileMode)
	if err != nil {
		return err
	}
	if !ends { // an earlier baton died in the middle of a line
		j.pending = append([]byte{'\n'}, j.pending...)
	}
	j.out = out
	j.lines, j.chars = lines+bytes.Count(j.pending, []byte{'\n'}), chars+int64(points(j.pending))
	return nil
}

// fail notes that the log cannot be written any more.
func (j *journal) fail(err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.fault == nil {
		j.fault = fmt.Errorf("open the log: %w", err)
	}
}

// measureBlock is how much of the log is looked at at once, in bytes.
const measureBlock = 1 << 20

// measure counts the lines and the code points of the log; ends: its last line
// does.
func measure(d Desk) (lines int, chars int64, ends bool, err error) {
	source, err := d.files.Open(d.Path(LogFile))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, 0, true, nil
	}
	if err != nil {
		return 0, 0, true, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	block := make([]byte, measureBlock)
	ends = true
	for at := int64(0); ; {
		n, err := source.ReadAt(block, at)
		at += int64(n)
		part := block[:n]
		lines += bytes.Count(part, []byte{'\n'})
		chars += int64(points(part))
		if n > 0 {
			ends = part[n-1] == '\n'
		}
		if errors.Is(err, io.EOF) {
			return lines, chars, ends, nil
		}
		if err != nil {
			return lines, chars, ends, err
		}
	}
}

// points counts code points: bytes that do not continue one.
func points(p []byte) int {
	n := 0
	for _, b := range p {
		if utf8.RuneStart(b) {
			n++
		}
	}
	return n
}

// line adds a line and returns its number in the log; 0 where it is not written.
func (j *journal) line(text string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.fault != nil {
		return 0
	}
	j.pending = append(j.pending, text...)
	j.pending = append(j.pending, '\n')
	j.lines++
	j.chars += int64(utf8.RuneCountInString(text)) + 1
	if len(j.pending) >= pendingLimit {
		j.write()
	}
	return j.lines
}

// flush writes what is pending.
func (j *journal) flush() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.write()
}

// write writes what is pending. While something else has the file, that waits.
func (j *journal) write() {
	if j.fault != nil || j.out == nil || len(j.pending) == 0 {
		return
	}
	if _, err := j.out.Write(j.pending); err != nil {
		j.fault = fmt.Errorf("write the log: %w", err)
	}
	j.pending = j.pending[:0]
}

// pause writes everything and lets go of the file, so that another may take its
// place; open goes on.
func (j *journal) pause() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.write()
	if j.out == nil {
		return j.fault
	}
	err := j.out.Close()
	j.out = nil
	return errors.Join(j.fault, err)
}

// close ends the journal and returns what went wrong with it.
func (j *journal) close() error { return j.pause() }
