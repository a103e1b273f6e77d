package fsstore

import (
	"path"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/changeover/changeover/domain/exchange"
)

// worthSharing is how many reads make it worth while to share them out.
const worthSharing = 64

// lasts returns the last move of each handoff that has a record and moves, where
// one read tells it for sure. Which those are is a matter of their names.
func (s *Store) lasts(names nameSet) map[string]exchange.Move {
	var stems []string
	for name, mode := range names {
		// A link may lead to another root: whoever follows it looks where first.
		if stem, ok := strings.CutSuffix(name, movesSuffix); ok && mode.IsDir() && names.has(stem+extension) {
			stems = append(stems, stem)
		}
	}
	readers := 1
	if len(stems) >= worthSharing {
		readers = runtime.GOMAXPROCS(0)
	}
	moves := make([]exchange.Move, len(stems))
	sure := make([]bool, len(stems))
	share := func(first int) {
		for i := first; i < len(stems); i += readers {
			moves[i], sure[i] = s.lastOf(path.Join(s.handoffs, stems[i]+movesSuffix))
		}
	}
	var group sync.WaitGroup
	for first := 1; first < readers; first++ {
		group.Go(func() { share(first) })
	}
	share(0)
	group.Wait()
	found := make(map[string]exchange.Move, len(stems))
	for i, stem := range stems {
		if sure[i] {
			found[stem] = moves[i]
		}
	}
	return found
}

// lastOf returns the last move of a directory at the price of one read. It is
// sure only where the names are ours, one for each position from 0 on, and the
// move is at the position that its name says.
func (s *Store) lastOf(movesDir string) (exchange.Move, bool) {
	entries, err := s.fs.ReadDir(movesDir)
	if err != nil {
		return exchange.Move{}, false
	}
	next := 0
	for _, e := range entries {
		if position, ok := positionOf(e.Name); !ok || position != next || !e.Mode.IsRegular() {
			return exchange.Move{}, false
		}
		next++
	}
	if next == 0 {
		return exchange.Move{}, false
	}
	last, err := read(s, path.Join(movesDir, entries[next-1].Name), exchange.ParseMove)
	return last, err == nil && last.After == next-1
}

// positionOf reads the position in a move's name: at least four digits, then
// six hex digits.
func positionOf(name string) (int, bool) {
	digits, suffix, ok := strings.Cut(strings.TrimSuffix(name, extension), "-")
	if !ok || !strings.HasSuffix(name, extension) || len(digits) < 4 || len(suffix) != 6 {
		return 0, false
	}
	position, err := strconv.Atoi(digits)
	return position, err == nil && position >= 0 && exchange.MoveFile(position, suffix) == name
}
