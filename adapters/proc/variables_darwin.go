package proc

import (
	"errors"
	"fmt"
)

// Variables returns what a process was started with of the named variables. An
// error means that this is not known.
func (Table) Variables(pid int, _ ...string) (map[string]string, error) {
	return nil, fmt.Errorf("the variables of process %d: %w", pid, errors.ErrUnsupported)
}
