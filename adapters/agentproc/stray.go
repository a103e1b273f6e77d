package agentproc

import (
	"context"
	"errors"
	"syscall"
	"time"

	"github.com/changeover/changeover/domain/port"
)

var _ port.StrayEnder = (*Runner)(nil)

// EndStray implements port.StrayEnder. Nothing is signalled unless the process is
// the one meant, and leads its group as every agent does.
func (*Runner) EndStray(ctx context.Context, pid int, start string, ask port.Request, grace time.Duration) error {
	leader, ok := lookAt(pid)
	if !ok || leader.token() != start || leader.group != pid {
		return nil
	}
	g := group{leader: pid}
	noted, err := g.kin([]process{leader})
	noted = append(noted, leader)
	g.signal(signalOf(ask))
	ctx, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	awaitNone(ctx, noted)
	kin, again := g.kin(noted)
	if leader.alive() {
		g.signal(syscall.SIGKILL)
	}
	for _, p := range append(kin, leader) {
		p.kill()
	}
	return errors.Join(err, again, awaitEnd(append(kin, leader), killGrace))
}

// awaitNone waits until none of the processes lives, or until ctx is done.
func awaitNone(ctx context.Context, all []process) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		if awaitEnd(all, 0) == nil {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
