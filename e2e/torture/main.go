// Torture has everything go wrong that can, over all programs, and prints one table of
// what was tried and what was lost of it. It ends with 1 where anything was.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"time"

	"github.com/changeover/changeover/adapters/toll"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// suite is a package of tests that leaves rows.
type suite struct {
	module, dir string
	args        []string
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("torture", flag.ContinueOnError)
	flags.SetOutput(stderr)
	kills := flags.Int("kills", 1000, "how many processes of each verb are killed")
	writes := flags.Int("writes", 200, "how much each of eight writers writes that write at once")
	if flags.Parse(args) != nil {
		return 2
	}
	dir, err := os.MkdirTemp("", "torture")
	if err != nil {
		fmt.Fprintf(stderr, "torture: %v\n", err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary directory
	counts := []string{"-kills", strconv.Itoa(*kills), "-writes", strconv.Itoa(*writes)}
	failed := false
	for _, s := range []suite{
		{".", "./exchangekills", counts},
		{".", "./kills", counts},
		{".", "./batonkills", counts},
		{"../adapters", "./world/faults", []string{"-torture"}},
	} {
		began := time.Now()
		cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-count=1", "-timeout", "10h", s.dir}, s.args...)...)
		cmd.Dir, cmd.Env = s.module, append(os.Environ(), toll.Variable+"="+dir)
		out, err := cmd.CombinedOutput()
		fmt.Fprintf(stdout, "-- %s in %s\n", s.dir, time.Since(began).Round(time.Second))
		if err != nil {
			failed = true
			fmt.Fprintf(stdout, "%v\n%s", err, out)
		}
	}
	var table toll.Table
	if err := table.Gather(dir); err != nil {
		fmt.Fprintf(stderr, "torture: %v\n", err)
		return 1
	}
	fmt.Fprintf(stdout, "\n%s", &table)
	if sum := table.Sum(); failed || sum.Hit == 0 || !sum.Clean() {
		fmt.Fprintln(stderr, "torture: something was lost, shown twice, stuck or half-written, or a test failed")
		return 1
	}
	return 0
}
