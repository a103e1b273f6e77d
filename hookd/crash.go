package main

import (
	"runtime/debug"

	"golang.org/x/sys/unix"
)

// dieOtherwise makes a fault that cannot be recovered end this process by a signal.
// Of itself it ends by exit code 2, which wakes a session with the trace.
func dieOtherwise() {
	debug.SetTraceback("crash")
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}) // where that fails, a core is written
}
