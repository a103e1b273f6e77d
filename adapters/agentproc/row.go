package agentproc

import "fmt"

// zombieState is the state of a process that has ended and was not reaped, from
// macOS's <sys/proc.h>.
const zombieState = 5

// row is what macOS says of a process in its table.
type row struct {
	state              int8
	pid, parent, group int32
	seconds            int64
	microseconds       int32
}

// process translates a row. One that has ended but was not reaped does not count.
func (r row) process() (process, bool) {
	return process{
		pid:    int(r.pid),
		parent: int(r.parent),
		group:  int(r.group),
		start:  uint64(r.seconds)*1_000_000 + uint64(r.microseconds),
	}, r.state != zombieState
}

// living translates a table.
func living(rows []row) []process {
	var all []process
	for _, r := range rows {
		if p, ok := r.process(); ok {
			all = append(all, p)
		}
	}
	return all
}

// microsecondToken spells a start in microseconds as the process tree does on macOS.
func microsecondToken(start uint64) string {
	return fmt.Sprintf("%d.%06d", start/1_000_000, start%1_000_000)
}
