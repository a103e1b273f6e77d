// Package killing ends processes by kill -9 at random moments of the time that they
// take, for tests that look at what is left.
package killing

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// sources are where the programs are built from.
var sources = map[string]string{"relay": "relay-cli", "baton": "baton-cli", "exchange": "exchange-cli", "hookd": "hookd"}

// Build builds programs into a new directory, for a test in a package of e2e; with the
// race detector where the test has it too.
func Build(programs ...string) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "killing"); err != nil {
		return "", err
	}
	for _, name := range programs {
		if err := Compile(filepath.Join("..", "..", sources[name]), filepath.Join(dir, name), raced); err != nil {
			return dir, err
		}
	}
	return dir, nil
}

// Compile builds a program, with the race detector or without.
func Compile(source, program string, withRace bool) error {
	args := []string{"build", "-C", source}
	if withRace {
		args = append(args, "-race")
	}
	if out, err := exec.Command("go", append(args, "-o", program, ".")...).CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", filepath.Base(program), err, out)
	}
	return nil
}

// Environ is what programs need in their environment beside what a test gives them:
// one that was built with the race detector waits a second before it ends otherwise.
func Environ() []string {
	if !raced {
		return nil
	}
	return []string{"GORACE=atexit_sleep_ms=0"}
}

// Source is what a test draws from; 0 is the time. It says how to draw the same again.
func Source(t *testing.T, seed uint64) *rand.Rand {
	t.Helper()
	from := cmp.Or(seed, uint64(time.Now().UnixNano()))
	t.Logf("-seed %d", from)
	return rand.New(rand.NewPCG(from, 0))
}

// Ending is how a process ended.
type Ending struct {
	Stdout, Stderr string
	Code           int
	Killed         bool
	Took           time.Duration
}

// Never is the moment at which a process is not killed.
const Never = time.Duration(-1)

// Run runs a command, and kills it at a moment unless it has ended before.
func Run(cmd *exec.Cmd, at time.Duration) (Ending, error) {
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return Ending{}, err
	}
	if at != Never {
		shot := time.AfterFunc(at, func() { _ = cmd.Process.Kill() }) // it may have ended
		defer shot.Stop()
	}
	_ = cmd.Wait() // the state tells how it ended
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	return Ending{
		stdout.String(), stderr.String(), cmd.ProcessState.ExitCode(), ok && status.Signaled() && status.Signal() == syscall.SIGKILL, time.Since(began),
	}, nil
}

// Moments knows how long runs of each kind take, and draws moments of them. It may be
// used by several goroutines.
type Moments struct {
	mu   sync.Mutex
	rng  *rand.Rand
	took map[string][]time.Duration
}

// NewMoments draws from a source.
func NewMoments(rng *rand.Rand) *Moments {
	return &Moments{rng: rng, took: map[string][]time.Duration{}}
}

// Took notes how long a run took that was not killed.
func (m *Moments) Took(what string, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.took[what] = append(m.took[what], took)
}

// Draw returns a moment of what such a run takes, or of a little after it; Never as
// long as nobody knows how long that is.
func (m *Moments) Draw(what string) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.took[what]) == 0 {
		return Never
	}
	took := slices.Sorted(slices.Values(m.took[what]))
	return time.Duration(m.rng.Int64N(int64(took[len(took)/2])*6/5 + 1))
}

// Chance is true once in so many times.
func (m *Moments) Chance(oneIn int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.rng.IntN(oneIn) == 0
}
