package agentproc

import "golang.org/x/sys/unix"

// processes returns every living process that can be seen. One that has ended
// but was not reaped is left out.
func processes() ([]process, error) {
	table, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil, err
	}
	rows := make([]row, len(table))
	for i := range table {
		rows[i] = rowOf(&table[i])
	}
	return living(rows), nil
}

// lookAt returns the living process of that number.
func lookAt(pid int) (process, bool) {
	found, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return process{}, false
	}
	return rowOf(found).process()
}

func rowOf(of *unix.KinfoProc) row {
	began := of.Proc.P_starttime
	return row{of.Proc.P_stat, of.Proc.P_pid, of.Eproc.Ppid, of.Eproc.Pgid, began.Sec, began.Usec}
}

// token is the start as the process tree spells it.
func (p process) token() string { return microsecondToken(p.start) }
