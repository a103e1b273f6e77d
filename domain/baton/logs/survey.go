package logs

import (
	"unicode/utf8"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/phrase"
)

// Place is a line of a log: its number, counted from 1, and its bytes without the
// line end. The zero value is none.
type Place struct {
	Line int
	From int64
	Size int
}

// None reports that there is no such line.
func (p Place) None() bool { return p.Line == 0 }

// Survey is what a log comes to.
type Survey struct {
	// Lines counts them all. Notices of them tell of earlier cycles of
	// compression.
	Lines, Notices int
	// Chars counts the characters; of a log over compact.CountedBytes it is the
	// size in bytes. NoticeChars of them belong to the notices and their line
	// ends.
	Chars, NoticeChars int
	Hits               int
	LastHit, LastExit  Place
	// ended: the last line has a line end.
	ended bool
}

// Weight returns the characters of the log without the notices of earlier cycles.
func (s Survey) Weight() int { return s.Chars - s.NoticeChars }

// Look reads a log.
func Look(src Source, phrases phrase.List) (Survey, error) {
	return newScanner(phrases).survey(src, &memory{full: true})
}

// survey reads a log, and notes what its lines are.
func (s *scanner) survey(src Source, lines *memory) (Survey, error) {
	var found Survey
	picker := newPicker(src)
	counted := inChars(src)
	err := s.each(src, func(l *line) error {
		found.Lines++
		if l.kind == 0 {
			return nil
		}
		lines.note(l)
		return found.note(l, picker, counted)
	})
	if err != nil {
		return Survey{}, err
	}
	if found.Chars, err = length(src, picker, counted); err != nil {
		return Survey{}, err
	}
	if size := src.Size(); size > 0 {
		last, err := picker.bytes(size-1, 1)
		if err != nil {
			return Survey{}, err
		}
		found.ended = last[0] == '\n'
	}
	return found, nil
}

// note keeps what a line of some kind says of the log.
func (s *Survey) note(l *line, picker *picker, counted bool) error {
	at := Place{Line: l.number, From: l.from, Size: l.size}
	if l.kind&hitLine != 0 {
		s.Hits++
		s.LastHit = at
	}
	if l.kind&exitLine != 0 {
		s.LastExit = at
	}
	if l.kind&noticeLine == 0 {
		return nil
	}
	s.Notices++
	chars := l.size
	if counted {
		var err error
		if chars, err = picker.chars(l); err != nil {
			return err
		}
	}
	s.NoticeChars += chars + 1
	return nil
}

// inChars reports that the characters of a log are counted, and not its bytes.
func inChars(src Source) bool { return src.Size() <= compact.CountedBytes }

// length returns how long a log is.
func length(src Source, picker *picker, counted bool) (int, error) {
	if !counted {
		return int(src.Size()), nil
	}
	return picker.chars(&line{size: int(src.Size())})
}

func count(s string) int { return utf8.RuneCountInString(s) }
