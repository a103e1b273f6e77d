package proc

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"github.com/changeover/changeover/domain/session"
)

// zombie is the state of a process that has ended, from <sys/proc.h>.
const zombie = 5

func look(pid int) (process, error) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return process{}, fmt.Errorf("look up process %d: %w", pid, err)
	}
	start := info.Proc.P_starttime
	return process{
		ended:  info.Proc.P_stat == zombie,
		parent: int(info.Eproc.Ppid),
		start: session.Start{
			Token: fmt.Sprintf("%d.%06d", start.Sec, start.Usec),
			At:    time.Unix(start.Sec, int64(start.Usec)*1000).UTC(),
		},
	}, nil
}

// pidDomain is not known: the registry's spelling of it is not published.
func pidDomain() string { return "" }
