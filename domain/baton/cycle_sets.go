package baton

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// pressable are the files that a cycle of compression shrinks, in the order of its
// report.
func pressable() []string { return []string{LogFile, StateFile, DecisionsFile, ErrorsFile} }

const (
	rawInfix  = ".full."
	hiddenRaw = ".raw."
	lossLead  = "loss."
	lossTail  = ".json"
)

// rawName is the name of a raw copy, hiddenName that of one which does not outlive
// its cycle, lossName that of the loss report. The id of a cycle is its file
// timestamp.
func rawName(file, id string) string    { return file + rawInfix + id }
func hiddenName(file, id string) string { return hiddenRaw + file + rawInfix + id }
func lossName(id string) string         { return lossLead + id + lossTail }

// hidden says whether a name is that of a copy which does not outlive its cycle.
func hidden(name string) bool {
	_, _, ok := cycleFile(name)
	return ok && strings.HasPrefix(name, hiddenRaw)
}

// cycleFile says which cycle a name in the session directory belongs to. file is
// what the name is a copy of; empty for a loss report.
func cycleFile(name string) (file, id string, ok bool) {
	if rest, is := strings.CutPrefix(name, lossLead); is {
		id, is = strings.CutSuffix(rest, lossTail)
		return "", id, is && isCycle(id)
	}
	rest := strings.TrimPrefix(name, hiddenRaw)
	for _, file := range pressable() {
		if id, is := strings.CutPrefix(rest, file+rawInfix); is && isCycle(id) {
			return file, id, true
		}
	}
	return "", "", false
}

// idShape is a file timestamp: d is a digit.
const idShape = "dddd-dd-ddTdd-dd-dd-dddZ"

// isCycle says whether a text is a file timestamp, which may have a number behind it.
func isCycle(id string) bool {
	stamp, number := splitCycle(id)
	if len(stamp) != len(idShape) || number < 1 {
		return false
	}
	for i := range len(idShape) {
		digit := '0' <= stamp[i] && stamp[i] <= '9'
		if digit != (idShape[i] == 'd') || !digit && stamp[i] != idShape[i] {
			return false
		}
	}
	return true
}

// splitCycle splits an id into its timestamp and its number, 1 where it has none.
func splitCycle(id string) (stamp string, number int) {
	if len(id) <= len(idShape) {
		return id, 1
	}
	digits, ok := strings.CutPrefix(id[len(idShape):], "-")
	number, err := strconv.Atoi(digits)
	if !ok || err != nil || number < 2 {
		return id, 0
	}
	return id[:len(idShape)], number
}

// later compares two ids; the newer one is greater.
func later(a, b string) int {
	aStamp, aNumber := splitCycle(a)
	bStamp, bNumber := splitCycle(b)
	return cmp.Or(strings.Compare(aStamp, bStamp), cmp.Compare(aNumber, bNumber))
}

// cycles are the ids of the cycles that left something, the newest first.
func cycles(names []string, left func(name, file string) bool) []string {
	var ids []string
	for _, name := range names {
		if file, id, ok := cycleFile(name); ok && left(name, file) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return later(b, a) })
	return slices.Compact(ids)
}

// Losses are the ids of the cycles that left a loss report, the newest first.
func Losses(names []string) []string {
	return cycles(names, func(_, file string) bool { return file == "" })
}

// outdated are the names that go when so many sets of raw copies and reports stay.
// The set of the cycle that has just held is the newest, whatever the clock said.
func outdated(names []string, current string, keep int) (gone []string) {
	ids := cycles(names, func(string, string) bool { return true })
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == current })
	stay := ids[:min(len(ids), max(keep-1, 0))]
	for _, name := range names {
		_, id, ok := cycleFile(name)
		if ok && id != current && !slices.Contains(stay, id) {
			gone = append(gone, name)
		}
	}
	return gone
}

// freeCycle is the id of a new cycle of an instant, of which no name is taken.
func freeCycle(names []string, stamp string) string {
	taken := cycles(names, func(string, string) bool { return true })
	id := stamp
	for n := 2; slices.Contains(taken, id); n++ {
		id = stamp + "-" + strconv.Itoa(n)
	}
	return id
}

// tempLead is what the unfinished files of a publisher begin with.
const tempLead = ".tmp-"

// leftover says whether a name is an unfinished file of a cycle. Nobody but the
// holder of the session's lock writes such files.
func leftover(name string) bool {
	rest, ok := strings.CutPrefix(name, tempLead)
	if !ok {
		return false
	}
	parts := strings.SplitN(rest, "-", 3) // the process, a number, the file
	if len(parts) < 3 {
		return false
	}
	_, _, ofCycle := cycleFile(parts[2])
	return ofCycle || slices.Contains(append(pressable(), MetaFile), parts[2])
}
