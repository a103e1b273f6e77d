// Command relay pairs two live coding-agent sessions as planner and builder and
// carries work between them.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/changeover/changeover/adapters/agentproc"
)

func main() {
	agentproc.PassGate()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
