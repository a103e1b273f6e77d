package main

import (
	"errors"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/matryer/is"
)

// faultVariable has a run of this test program break as it says.
const faultVariable = "HOOKD_TEST_FAULT"

// faults are what no recover catches. None may look like a wake, which is exit code 2.
var faults = map[string]func(){
	"a panic beside": func() {
		time.AfterFunc(50*time.Millisecond, func() { panic("beside") })
	},
	"a fatal error": func() {
		time.AfterFunc(50*time.Millisecond, new(sync.Mutex).Unlock)
	},
	"a signal": func() {
		time.AfterFunc(50*time.Millisecond, func() { _ = syscall.Kill(os.Getpid(), syscall.SIGQUIT) })
	},
}

func TestMain_NoFaultReadsAsAWake(t *testing.T) {
	if fault, ok := faults[os.Getenv(faultVariable)]; ok {
		fault()
		os.Args = []string{"hookd", "file-changed"}
		main() // waits for its input meanwhile
	}
	for name := range faults {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			cmd := exec.Command(os.Args[0], "-test.run=^TestMain_NoFaultReadsAsAWake$")
			cmd.Env = append(os.Environ(), faultVariable+"="+name)
			input, err := cmd.StdinPipe() // stays open
			is.NoErr(err)
			err = cmd.Run()
			_ = input.Close() // it has ended
			var exit *exec.ExitError
			is.True(errors.As(err, &exit))
			status, ok := exit.Sys().(syscall.WaitStatus)
			is.True(ok)
			is.Equal(status.Signal(), syscall.SIGABRT)
		})
	}
}
