package compact

import (
	"fmt"
	"strings"

	"github.com/changeover/changeover/domain/text"
)

const (
	// noDiff stands for a diff without a file.
	noDiff = "(no diff)"
	// longFile is how many characters of one file's diff are shown.
	longFile = 1200
	// notShown heads the list of files that are only named.
	notShown = "Not shown:"
)

// reasonBudget is why a file that could be shown is only named.
const reasonBudget = "over the budget"

// DiffCompactor shows the part of a diff that fits: source files with the
// beginning of their changes; of all others the name.
type DiffCompactor struct {
	cutter text.Cutter
	limit  int
}

// NewDiffCompactor returns a compactor whose results have at most limit
// characters.
func NewDiffCompactor(cutter text.Cutter, limit int) DiffCompactor {
	return DiffCompactor{cutter: cutter, limit: limit}
}

// Diff is a compacted diff.
type Diff struct {
	Text string
	// Cut: something that could be shown was left out for want of room.
	Cut bool
}

// Compact returns what fits of a unified diff.
func (c DiffCompactor) Compact(diff string) Diff {
	if strings.TrimSpace(diff) == "" {
		result, cut := Head(c.cutter, noDiff, c.limit)
		return Diff{Text: result, Cut: cut}
	}
	var shown []fileDiff
	var named []fileDiff
	for _, file := range splitDiff(valid(diff)) {
		if file.hidden != "" {
			named = append(named, file)
			continue
		}
		file.cut(c.cutter)
		shown = append(shown, file)
	}
	return c.assemble(shown, named)
}

// assemble puts the files together that fit, and the list of the others.
func (c DiffCompactor) assemble(files, named []fileDiff) Diff {
	var result Diff
	room := c.limit - listSize(named)
	if size := totalSize(files); size > room {
		// The list will be longer than now; it gets a quarter at most.
		room = c.limit - min(listSize(append(named[:len(named):len(named)], files...)), c.limit/4)
	}
	var out strings.Builder
	var list []fileDiff
	for _, file := range files {
		result.Cut = result.Cut || file.short
		if file.size > room {
			file.hidden = reasonBudget
			list = append(list, file)
			result.Cut = true
			continue
		}
		room -= file.size
		out.WriteString(file.body)
	}
	names, all := nameList(append(list, named...), c.limit-Chars(out.String()))
	text, cut := Head(c.cutter, strings.TrimSuffix(out.String()+names, "\n"), c.limit)
	result.Text, result.Cut = text, result.Cut || cut || !all
	return result
}

func totalSize(files []fileDiff) int {
	n := 0
	for _, file := range files {
		n += file.size
	}
	return n
}

// listSize is how many characters the list of these files takes when it holds
// all of them.
func listSize(files []fileDiff) int {
	if len(files) == 0 {
		return 0
	}
	n := Chars(notShown) + 1
	for _, file := range files {
		n += Chars(file.line())
	}
	return n
}

// nameList returns the list of files that are only named, as far as there is
// room, and counts the rest. all tells that there is no rest.
func nameList(files []fileDiff, room int) (names string, all bool) {
	if len(files) == 0 {
		return "", true
	}
	var out strings.Builder
	out.WriteString(notShown + "\n")
	room -= Chars(notShown) + 1
	rest := listSize(files) - Chars(notShown) - 1
	for n, file := range files {
		line := file.line()
		more := fmt.Sprintf("- and %d more files\n", len(files)-n)
		if rest > room && Chars(line)+Chars(more) > room {
			return out.String() + more, false
		}
		out.WriteString(line)
		room -= Chars(line)
		rest -= Chars(line)
	}
	return out.String(), true
}
