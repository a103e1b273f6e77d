// Package screens_test drives the dashboards in a real terminal: tmux shows them,
// types the keys, changes the size, and tells what is on the screen.
package screens_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/changeover/changeover/e2e/fresh"
)

// bin is where the programs of this run lie.
var bin string

// sleeper is the variable that makes the test binary a session's process.
const sleeper = "SCREENS_SESSION"

func TestMain(m *testing.M) {
	if os.Getenv(sleeper) != "" {
		_, _ = io.Copy(io.Discard, os.Stdin) // any end is the end
		os.Exit(0)
	}
	os.Exit(built(m))
}

func built(m *testing.M) int {
	ground, err := os.MkdirTemp("", "screens")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(ground)
	bin = filepath.Join(ground, "bin")
	for _, program := range []string{"relay", "exchange", "baton"} {
		cmd := exec.Command("go", "build", "-C", filepath.Join("..", "..", program+"-cli"), "-o", filepath.Join(bin, program), ".")
		if out, err := cmd.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build %s: %v\n%s", program, err, out)
			return 1
		}
	}
	return stamp.Run(m)
}

const stamp fresh.Stamp = "../artifacts/screens-built"
