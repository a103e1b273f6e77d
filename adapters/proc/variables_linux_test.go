package proc_test

import (
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/proc"
)

func TestTable_VariablesAreThoseOfTheStart(t *testing.T) {
	is := is.New(t)
	cmd := exec.Command("cat")
	cmd.Env = []string{"RELAY_STATE_DIR=/a=b", "SECRET=x", "XDG_STATE_HOME="}
	in, err := cmd.StdinPipe()
	is.NoErr(err)
	out, err := cmd.StdoutPipe()
	is.NoErr(err)
	is.NoErr(cmd.Start())
	defer func() {
		is.NoErr(in.Close())
		is.NoErr(cmd.Wait())
	}()
	_, err = in.Write([]byte("x"))
	is.NoErr(err)
	_, err = io.ReadFull(out, make([]byte, 1)) // from here on it surely runs its own program
	is.NoErr(err)
	got, err := proc.New().Variables(cmd.Process.Pid, "RELAY_STATE_DIR", "XDG_STATE_HOME", "HOME")
	is.NoErr(err)
	is.Equal(got, map[string]string{"RELAY_STATE_DIR": "/a=b", "XDG_STATE_HOME": ""})
}

func TestTable_VariablesOfNobody(t *testing.T) {
	is := is.New(t)
	for _, pid := range []int{0, -1, 1 << 40} {
		_, err := proc.New().Variables(pid, "HOME")
		is.True(err != nil)
	}
	_, err := proc.New().Variables(os.Getpid(), "HOME")
	is.NoErr(err)
}
