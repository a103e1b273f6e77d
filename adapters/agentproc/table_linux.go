package agentproc

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
)

// processes returns every living process that can be seen. One that ends
// meanwhile is left out, and so is one that has ended but was not reaped.
func processes() ([]process, error) {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	names, err := proc.Readdirnames(-1)
	err = errors.Join(err, proc.Close())
	if err != nil {
		return nil, err
	}
	var all []process
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if p, ok := lookAt(pid); ok {
			all = append(all, p)
		}
	}
	return all, nil
}

// lookAt returns the living process of that number.
func lookAt(pid int) (process, bool) {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return process{}, false
	}
	return parseStat(pid, line)
}

// parseStat reads the line of /proc/<pid>/stat. The command in it may hold any
// bytes, parentheses and blanks too, so that counting begins behind it.
func parseStat(pid int, line []byte) (process, bool) {
	const (
		state, parent, group = 0, 1, 2
		start                = 19
	)
	fields := bytes.Fields(line[bytes.LastIndexByte(line, ')')+1:])
	if len(fields) <= start {
		return process{}, false
	}
	switch fields[state][0] {
	case 'Z', 'X', 'x':
		return process{}, false
	}
	p := process{pid: pid}
	var errs [3]error
	p.parent, errs[0] = strconv.Atoi(string(fields[parent]))
	p.group, errs[1] = strconv.Atoi(string(fields[group]))
	p.start, errs[2] = strconv.ParseUint(string(fields[start]), 10, 64)
	return p, errors.Join(errs[:]...) == nil
}

// token is the start as the process tree spells it.
func (p process) token() string { return strconv.FormatUint(p.start, 10) }
