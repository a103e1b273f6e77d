package logs

import (
	"io"

	"github.com/changeover/changeover/domain/baton/compact"
)

// tailEnd holds the last lines back.
type tailEnd struct {
	emitter
	held []settled
	// ended: the log ends with a line end.
	ended bool
}

// settle takes the next line, or a notice.
func (t *tailEnd) settle(s *settled) error {
	if s.last {
		t.held = append(t.held, *s)
		return nil
	}
	return t.put(s)
}

// measure returns how many characters the short form has with a tail of so many
// lines.
func (t *tailEnd) measure(tail int) (int, error) {
	trial := tailEnd{emitter: t.emitter, held: t.held, ended: t.ended}
	trial.dst, trial.loss = io.Discard, &compact.LogLoss{}
	err := trial.write(tail)
	return trial.chars, err
}

// write puts the lines that were held back, the last of them as the tail.
func (t *tailEnd) write(tail int) error {
	for i, s := range t.held {
		if i >= len(t.held)-tail {
			s.because(inTail)
		}
		if err := t.put(&s); err != nil {
			return err
		}
	}
	if err := t.closeRun(); err != nil {
		return err
	}
	if t.ended && t.lines > 0 {
		return t.end()
	}
	return nil
}
