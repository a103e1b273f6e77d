package agentproc

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/changeover/changeover/domain/port"
)

// run is port.Agent over one child process. The exited agent is reaped last,
// when nothing of its group is left: until then its number, and with it the
// group's, cannot be given to anybody else.
type run struct {
	cmd     *exec.Cmd
	group   group
	streams *streams

	mu    sync.Mutex
	phase phase

	exited chan struct{} // closed when the agent has exited
	swept  chan struct{} // closed when a forced end has killed what it had to
	done   chan struct{} // closed when ending and err are final

	ending   port.Ending
	err      error
	sweepErr error // written before swept is closed
	leftover int   // written before swept is closed
}

// phase says who ends what is left of the group.
type phase int

const (
	running  phase = iota // nobody yet
	settling              // watch, since the agent exited by itself
	forced                // End
)

// Pid implements port.Agent.
func (r *run) Pid() int { return r.group.leader }

// Wait implements port.Agent.
func (r *run) Wait(ctx context.Context) (port.Ending, error) {
	select {
	case <-r.done:
		return r.ending, r.err
	default:
	}
	select {
	case <-r.done:
		return r.ending, r.err
	case <-ctx.Done():
		return port.Ending{}, ctx.Err()
	}
}

// End implements port.Agent.
func (r *run) End(ctx context.Context, ask port.Request, grace time.Duration) (port.Ending, error) {
	if !r.enter(forced) {
		<-r.done
		return r.ending, r.err
	}
	r.leftover, r.sweepErr = r.sweep(ctx, ask, grace)
	close(r.swept)
	timer := time.NewTimer(killGrace)
	defer timer.Stop()
	select {
	case <-r.exited:
	case <-timer.C:
		return port.Ending{Forced: true, Leftover: r.leftover},
			errors.Join(r.sweepErr, fmt.Errorf("agent %d still runs after KILL", r.Pid()))
	}
	<-r.done
	return r.ending, r.err
}

// enter moves on from running, and reports whether it was the one to do so.
func (r *run) enter(next phase) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase != running {
		return false
	}
	r.phase = next
	return true
}

// watch follows the agent to its end and records it.
func (r *run) watch() {
	faults := []error{awaitExit(r.Pid())}
	close(r.exited)

	byItself := r.enter(settling)
	if !byItself {
		<-r.swept
	}
	cut, err := r.streams.finish(streamGrace)
	faults = append(faults, err)
	left := r.leftover
	if byItself {
		left, err = r.group.end(groupGrace)
		faults = append(faults, err)
	} else {
		faults = append(faults, r.sweepErr)
	}

	r.ending = port.Ending{Forced: !byItself, Leftover: left, Cut: cut}
	var exit *exec.ExitError
	if err := r.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		faults = append(faults, err)
	}
	if status, ok := r.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		r.ending.Signal = int(status.Signal())
	} else {
		r.ending.Code = r.cmd.ProcessState.ExitCode()
	}
	if err := errors.Join(faults...); err != nil {
		r.err = fmt.Errorf("agent %d: %w", r.Pid(), err)
	}
	close(r.done)
}

// sweep is a forced end up to the last KILL. It returns how many processes
// beside the agent had to be killed.
func (r *run) sweep(ctx context.Context, ask port.Request, grace time.Duration) (int, error) {
	noted, err := r.group.kin(nil)
	r.group.signal(signalOf(ask))

	ctx, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	r.awaitGone(ctx, noted)

	// Whatever was started meanwhile is noted too, as long as it can be told
	// whose it is: a killed parent no longer names its children.
	noted, again := r.group.kin(noted)
	r.group.signal(syscall.SIGKILL)
	for _, p := range noted {
		p.kill()
	}
	return len(noted), errors.Join(err, again, awaitEnd(noted, killGrace))
}

// awaitGone waits until the agent has exited and neither its group nor what
// was noted lives, or until ctx is done.
func (r *run) awaitGone(ctx context.Context, noted []process) {
	select {
	case <-r.exited:
	case <-ctx.Done():
		return
	}
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		if left, err := r.group.kin(noted); err != nil || len(left) == 0 {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// signalOf translates a request.
func signalOf(ask port.Request) syscall.Signal {
	if ask == port.Interrupt {
		return syscall.SIGINT
	}
	return syscall.SIGTERM
}
