// Command baton hands the work in one repository from one coding agent to the
// next.
package main

import (
	"os"
	_ "time/tzdata" // reset times name zones, also where the system has none

	"github.com/changeover/changeover/adapters/agentproc"
)

func main() {
	agentproc.PassGate()
	sig, stop := catchSignals()
	code := run(sig, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
