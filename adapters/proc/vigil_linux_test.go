package proc_test

import (
	"errors"
	"io/fs"
	"os/exec"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/proc"
)

// Generous: the machine may be busy.
const ends = 30 * time.Second

func sleeper(t *testing.T) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("sleep", "600")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		_, _ = cmd.Process.Wait()
	})
	return cmd
}

func TestVigil_EndsWithTheProcess(t *testing.T) {
	is := is.New(t)
	cmd := sleeper(t)
	ended, stop, err := proc.Vigil(cmd.Process.Pid)
	is.NoErr(err)
	defer stop()
	select {
	case <-ended:
		t.Fatal("it lives")
	default:
	}
	is.NoErr(cmd.Process.Kill())
	select {
	case <-ended: // though nobody has waited for it yet
	case <-time.After(ends):
		t.Fatal("its end was not told")
	}
}

func TestVigil_StoppedTellsNothing(t *testing.T) {
	is := is.New(t)
	cmd := sleeper(t)
	ended, stop, err := proc.Vigil(cmd.Process.Pid)
	is.NoErr(err)
	stop()
	select {
	case <-ended:
		t.Fatal("it lives")
	default:
	}
}

func TestVigil_OfNobody(t *testing.T) {
	is := is.New(t)
	cmd := sleeper(t)
	is.NoErr(cmd.Process.Kill())
	_, err := cmd.Process.Wait()
	is.True(err != nil || cmd.ProcessState == nil)
	_, _, err = proc.Vigil(cmd.Process.Pid)
	is.True(errors.Is(err, fs.ErrNotExist))
}
