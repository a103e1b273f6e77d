package baton

import (
	"errors"
	"fmt"
	"strings"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/port"
)

// watcher looks after the weight of the context while an agent runs.
type watcher struct {
	*pursuit
	// lines came since it last looked.
	lines int
	// sizes are those of the files other than the log, as they last were.
	sizes map[string]measured
	// blind: it could not look, and has told so.
	blind bool
}

// measured is how long a file was when it looked as info says.
type measured struct {
	info  port.Info
	chars int
}

// passed is called in the log's writer after so many more lines; no line comes
// before it returns.
func (w *watcher) passed(j *journal, lines int) {
	w.lines += lines
	if w.lines < w.Config.Compression.CheckEveryLines {
		return
	}
	w.lines = 0
	weight, err := w.weigh(j)
	if err != nil {
		w.cannot(err)
		return
	}
	due, _ := weight.Due(w.Config.Compression.Threshold)
	if due && w.pace.Allows(w.Clock.Now(), weight.Total, j.weight(), weight.Budget) {
		w.Sink.Notice("context approaching limit; compressing…")
		w.cycle(j)
	}
}

// cannot tells once that the weight is not known.
func (w *watcher) cannot(err error) {
	if !w.blind {
		w.Sink.Notice(fmt.Sprintf("warning: the context is not watched: %v", err))
	}
	w.blind = true
}

// weigh estimates the weight from what was written to the log and the sizes of the
// other files.
func (w *watcher) weigh(j *journal) (compact.Weight, error) {
	weights := compact.Weights{Log: int(j.weight())}
	for _, file := range []struct {
		name string
		to   *int
	}{{StateFile, &weights.State}, {DecisionsFile, &weights.Decisions}, {ErrorsFile, &weights.Errors}} {
		chars, err := w.measure(file.name)
		if err != nil {
			return compact.Weight{}, err
		}
		*file.to = chars
	}
	return compact.Weigh(weights, w.diet.budgets), nil
}

// measure is the length of a file, which is read only when it has changed.
func (w *watcher) measure(name string) (int, error) {
	info, err := w.Files.Lstat(w.Path(name))
	if err != nil {
		return 0, nilWhereGone(err)
	}
	if known, ok := w.sizes[name]; ok && known.info.Size == info.Size && known.info.ModTime.Equal(info.ModTime) {
		return known.chars, nil
	}
	chars, err := w.chars(name)
	if err == nil {
		w.sizes[name] = measured{info: info, chars: chars}
	}
	return chars, err
}

// cycle runs one cycle, for which the log is let go of.
func (w *watcher) cycle(j *journal) {
	err := j.pause()
	if err == nil {
		err = w.relieve(AutoTrigger)
	}
	if openErr := j.open(); openErr != nil {
		j.fail(openErr)
		err = errors.Join(err, openErr)
	}
	if err != nil {
		w.Sink.Notice("context not compressed: " + oneLine(err))
	}
	total := 0
	if weight, err := w.weigh(j); err == nil {
		total = weight.Total
	}
	w.pace = w.pace.Attempted(w.Clock.Now(), total, j.weight())
}

// oneLine is an error in one line.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }
