package proc

import (
	"fmt"

	"golang.org/x/sys/unix"
)

func look(pid int) (process, error) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return process{}, fmt.Errorf("look up process %d: %w", pid, err)
	}
	began := info.Proc.P_starttime
	return row{info.Proc.P_stat, info.Eproc.Ppid, began.Sec, began.Usec}.process(), nil
}

// pidDomain is not known: the registry's spelling of it is not published.
func pidDomain() string { return "" }
