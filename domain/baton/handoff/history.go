package handoff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/baton/markdown"
	"github.com/changeover/changeover/domain/baton/stamp"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/text"
)

const (
	nameLimit  = 36
	labelLimit = 80
)

// Entry is one handoff in the history: the current one or a backup.
type Entry struct {
	Name       string
	ModifiedAt time.Time
	// Size is in bytes.
	Size  int64
	Label string
}

// Current reports that it is the handoff that counts now.
func (e Entry) Current() bool { return e.Name == File }

// IsBackup reports that a file of the session directory is an earlier handoff:
// "handoff." + date + "T" + digits, dashes and "Z" + ".md".
func IsBackup(name string) bool {
	rest, before := strings.CutPrefix(name, "handoff.")
	rest, after := strings.CutSuffix(rest, ".md")
	date, clock, both := strings.Cut(rest, "T")
	if !before || !after || !both || clock == "" || strings.Trim(clock, "0123456789-Z") != "" {
		return false
	}
	_, err := time.Parse(time.DateOnly, date)
	return err == nil
}

// InHistory reports that a file is the handoff or an earlier one.
func InHistory(name string) bool { return name == File || IsBackup(name) }

// History returns the entries that are handoffs, the newest first.
func History(entries []Entry) []Entry {
	var history []Entry
	for _, e := range entries {
		if InHistory(e.Name) {
			history = append(history, e)
		}
	}
	slices.SortFunc(history, func(a, b Entry) int {
		byName := cmp.Compare(b.Name, a.Name)
		switch {
		case a.Current() && !b.Current():
			byName = -1
		case b.Current() && !a.Current():
			byName = 1
		}
		return cmp.Or(b.ModifiedAt.Compare(a.ModifiedAt), byName)
	})
	return history
}

// Label returns what a handoff begins with: its first line that says anything,
// without heading marks.
func Label(raw string, cutter text.Cutter) string {
	for line := range strings.SplitSeq(markdown.Clean(raw), "\n") {
		if label := strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "# ")); label != "" {
			return cutter.Clip(label, labelLimit)
		}
	}
	return "(empty)"
}

// Columns are the heads of the columns of the history.
func Columns() []string { return []string{"", "TIMESTAMP", "SIZE", "FILE", "LABEL"} }

// Cells returns the entry as a row of the history.
func (e Entry) Cells(cutter text.Cutter) []string {
	mark := ""
	if e.Current() {
		mark = "*"
	}
	return []string{mark, e.ModifiedAt.UTC().Format(time.RFC3339), size(e.Size), cutter.Clip(e.Name, nameLimit), text.Printable(e.Label)}
}

// size writes a number of bytes.
func size(n int64) string {
	const step = 1024
	switch {
	case n < step:
		return fmt.Sprintf("%dB", n)
	case n < step*step:
		return fmt.Sprintf("%.1fK", float64(n)/step)
	}
	return fmt.Sprintf("%.1fM", float64(n)/(step*step))
}

// Document renders the entry for a script.
func (e Entry) Document() jsondoc.Object {
	return jsondoc.Object{
		{Key: "current", Value: e.Current()},
		{Key: "file", Value: e.Name},
		{Key: "modifiedAt", Value: stamp.Text(e.ModifiedAt)},
		{Key: "size", Value: e.Size},
		{Key: "label", Value: e.Label},
	}
}
