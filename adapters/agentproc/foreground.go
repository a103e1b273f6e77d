package agentproc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/changeover/changeover/domain/port"
)

// foregroundGrace is how long a program in the foreground may take over TERM.
const foregroundGrace = 5 * time.Second

// NewForeground returns what runs a program in the foreground: it stays in the
// group of this process, which the terminal belongs to.
func NewForeground() port.Foreground { return foreground }

func foreground(ctx context.Context, argv []string, dir string, env []string) (code int, err error) {
	if len(argv) == 0 {
		return 0, errors.New("start a program: no command given")
	}
	if err := checkDir(dir); err != nil {
		return 0, fmt.Errorf("start %s: %w", argv[0], err)
	}
	path, err := lookUp(argv[0], dir, env)
	if err != nil {
		return 0, fmt.Errorf("start %s: %w", argv[0], err)
	}
	cmd := exec.CommandContext(ctx, path)
	cmd.Args, cmd.Dir, cmd.Env = argv, dir, append([]string{}, env...) // nil would mean this process's own
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = foregroundGrace
	err = cmd.Run()
	if cmd.ProcessState == nil {
		return 0, fmt.Errorf("start %s: %w", argv[0], err)
	}
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return cmd.ProcessState.ExitCode(), nil
}
