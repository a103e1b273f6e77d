package proc

import (
	"fmt"
	"time"

	"github.com/changeover/changeover/domain/session"
)

// zombieState is the state of a process that has ended, from macOS's <sys/proc.h>.
const zombieState = 5

// row is what macOS says of a process in its table.
type row struct {
	state        int8
	parent       int32
	seconds      int64
	microseconds int32
}

// process translates a row.
func (r row) process() process {
	return process{
		ended:  r.state == zombieState,
		parent: int(r.parent),
		start: session.Start{
			Token: fmt.Sprintf("%d.%06d", r.seconds, r.microseconds),
			At:    time.Unix(r.seconds, int64(r.microseconds)*int64(time.Microsecond)).UTC(),
		},
	}
}
