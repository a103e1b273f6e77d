package proc

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Variables returns what a process was started with of the named variables. An
// error means that this is not known.
func (Table) Variables(pid int, names ...string) (map[string]string, error) {
	if !isPID(pid) {
		return nil, fmt.Errorf("%d is no process number", pid)
	}
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	for setting := range bytes.SplitSeq(data, []byte{0}) {
		name, value, ok := strings.Cut(string(setting), "=")
		if ok && slices.Contains(names, name) {
			values[name] = value
		}
	}
	return values, nil
}
