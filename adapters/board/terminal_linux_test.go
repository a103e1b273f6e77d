package board_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"github.com/matryer/is"
	"golang.org/x/sys/unix"

	"github.com/changeover/changeover/adapters/board"
)

// openTerminal opens a terminal that no process is controlled by, so that nobody is
// sent a signal when its other side is closed.
func openTerminal(t *testing.T) (far, near *os.File) {
	t.Helper()
	is := is.New(t)
	far, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	is.NoErr(err)
	t.Cleanup(func() { _ = far.Close() }) // it may be closed
	fd := int(far.Fd())
	is.NoErr(unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	is.NoErr(err)
	near, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	is.NoErr(err)
	t.Cleanup(func() { _ = near.Close() }) // nothing is lost with it
	return far, near
}

func TestRun_EndsWithItsTerminal(t *testing.T) {
	is := is.New(t)
	far, near := openTerminal(t)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	h := ships("Anna")
	h.read = func() ([]string, error) { return []string{"Anna"}, far.Close() }
	is.NoErr(board.Run(ctx, near, io.Discard, h, options()))
	is.NoErr(ctx.Err()) // it did not wait for its time to be over
}
