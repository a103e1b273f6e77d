package killing

import (
	"fmt"
	"os"
	"testing"

	"github.com/changeover/changeover/adapters/toll"
	"github.com/changeover/changeover/e2e/fresh"
)

// Suite is a package of tests that kill programs.
type Suite struct {
	// Tool is what its rows of the table are of.
	Tool     string
	Programs []string
	Stamp    fresh.Stamp
	// Prepare adds to the directory of the programs; nil for nothing.
	Prepare func(dir string) error
}

// Run builds the programs, says in bin where they lie, runs the tests, and leaves what
// they counted. It returns the exit code.
func (s Suite) Run(m *testing.M, bin *string, count *toll.Table) int {
	dir, err := Build(s.Programs...)
	defer func() { _ = os.RemoveAll(dir) }() // a temporary directory
	if err == nil && s.Prepare != nil {
		err = s.Prepare(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	*bin = dir
	code := s.Stamp.Run(m)
	if err := count.Leave(s.Tool); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}
