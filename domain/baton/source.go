package baton

import (
	"errors"
	"io"
	"io/fs"
	"path"

	"github.com/changeover/changeover/domain/baton/logs"
	"github.com/changeover/changeover/domain/baton/plan"
	"github.com/changeover/changeover/domain/port"
)

// logSource is the log, or a raw copy of it, opened for reading.
type logSource struct{ port.Source }

// Size is the length of the file when it was opened, in bytes.
func (s logSource) Size() int64 { return s.Info().Size }

// emptySource stands for a log that is not there.
type emptySource struct{}

func (emptySource) ReadAt([]byte, int64) (int, error) { return 0, io.EOF }
func (emptySource) Size() int64                       { return 0 }

// withLog reads the log, or a copy of it, and closes it again.
func (d Desk) withLog(name string, read func(logs.Source) error) error {
	source, err := d.files.Open(d.Path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return read(emptySource{})
	}
	if err != nil {
		return err
	}
	return errors.Join(read(logSource{source}), source.Close())
}

// The instructions of agents, at the repository's top.
const (
	codexInstructions  = "AGENTS.md"
	claudeInstructions = "CLAUDE.md"
)

const (
	// logTail is how much of the log's end is compared with a document, in bytes.
	logTail = 1 << 20

	// instructionsLimit bounds a file of instructions, in bytes.
	instructionsLimit = 4 << 20
)

// copiable are the texts that must not be copied into a plan or a handoff.
func (d Desk) copiable() ([]plan.Source, error) {
	tail, err := d.logEnd(logTail)
	if err != nil {
		return nil, err
	}
	sources := []plan.Source{{Name: LogFile, Text: tail}}
	for _, name := range []string{codexInstructions, claudeInstructions} {
		data, err := d.files.ReadLinked(path.Join(d.top, name), instructionsLimit)
		if err == nil {
			sources = append(sources, plan.Source{Name: name, Text: string(data)})
		}
	}
	return sources, nil
}

// logEnd returns the last bytes of the log.
func (d Desk) logEnd(most int64) (end string, err error) {
	err = d.withLog(LogFile, func(log logs.Source) error {
		size := min(most, log.Size())
		part := make([]byte, size)
		n, err := log.ReadAt(part, log.Size()-size)
		end = string(part[:n])
		if errors.Is(err, io.EOF) {
			return nil
		}
		return err
	})
	return end, err
}
