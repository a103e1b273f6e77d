package agentproc

import (
	"os"
	"testing"

	"github.com/matryer/is"
)

func TestProcess_ReusedNumberIsAnotherProcess(t *testing.T) {
	is := is.New(t)
	self, ok := lookAt(os.Getpid())
	is.True(ok)
	is.True(self.alive())
	self.start++
	is.True(!self.alive()) // same number, other start
	self.kill()            // would end this test
}

func TestProcesses_HoldThisOne(t *testing.T) {
	is := is.New(t)
	self, ok := lookAt(os.Getpid())
	is.True(ok)
	is.Equal(self.parent, os.Getppid())
	all, err := processes()
	is.NoErr(err)
	for _, p := range all {
		if p == self {
			return
		}
	}
	t.Fatal("this process is not in the table")
}
