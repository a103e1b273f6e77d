package agentproc

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// zombie is the state of a process that has ended and was not reaped.
const zombie = 5

// processes returns every living process that can be seen. One that has ended
// but was not reaped is left out.
func processes() ([]process, error) {
	rows, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil, err
	}
	var all []process
	for i := range rows {
		if p, ok := fromRow(&rows[i]); ok {
			all = append(all, p)
		}
	}
	return all, nil
}

// lookAt returns the living process of that number.
func lookAt(pid int) (process, bool) {
	row, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return process{}, false
	}
	return fromRow(row)
}

// fromRow translates one row of the kernel's table.
func fromRow(row *unix.KinfoProc) (process, bool) {
	began := row.Proc.P_starttime
	return process{
		pid:    int(row.Proc.P_pid),
		parent: int(row.Eproc.Ppid),
		group:  int(row.Eproc.Pgid),
		start:  uint64(began.Sec)*1_000_000 + uint64(began.Usec),
	}, row.Proc.P_stat != zombie
}

// token is the start as the process tree spells it.
func (p process) token() string { return fmt.Sprintf("%d.%06d", p.start/1_000_000, p.start%1_000_000) }
