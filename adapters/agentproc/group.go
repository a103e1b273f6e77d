package agentproc

import (
	"fmt"
	"os"
	"syscall"
	"time"
)

// group is the process group of an agent that has not been reaped.
type group struct{ leader int }

// process is one row of the process table: a number and a start time together
// name a process.
type process struct {
	pid, parent, group int
	start              uint64
}

// signal sends to the whole group. An error says nothing of use: some systems
// give one for a group of ended processes. Who lives is asked afterwards.
func (g group) signal(s syscall.Signal) {
	_ = syscall.Kill(-g.leader, s)
}

// members returns the living processes of the group without its leader.
func (g group) members() ([]process, error) {
	table, err := processes()
	if err != nil {
		return nil, fmt.Errorf("look for what is left of the group: %w", err)
	}
	var in []process
	for _, p := range table {
		if p.group == g.leader && p.pid != g.leader {
			in = append(in, p)
		}
	}
	return in, nil
}

// kin returns the living processes that belong to the agent: those of its
// group, those of known, and the descendants of all of them, in whatever group
// or session. The agent itself is not among them. After an error it is known.
func (g group) kin(known []process) ([]process, error) {
	table, err := processes()
	if err != nil {
		return known, fmt.Errorf("look for descendants: %w", err)
	}
	children := map[int][]process{}
	alive := map[int]process{}
	for _, p := range table {
		children[p.parent] = append(children[p.parent], p)
		alive[p.pid] = p
	}

	seen := map[int]bool{g.leader: true, os.Getpid(): true}
	var found []process
	var add func(p process)
	add = func(p process) {
		if seen[p.pid] {
			return
		}
		seen[p.pid] = true
		found = append(found, p)
		for _, child := range children[p.pid] {
			add(child)
		}
	}
	for _, p := range table {
		if p.group == g.leader || p.parent == g.leader {
			add(p)
		}
	}
	for _, p := range known {
		if now, ok := alive[p.pid]; ok && now.start == p.start {
			add(now)
		}
	}
	return found, nil
}

// end ends what is left of the group after its leader exited by itself: TERM,
// grace, KILL. It returns how many there were.
func (g group) end(grace time.Duration) (int, error) {
	left, err := g.members()
	if err != nil || len(left) == 0 {
		return 0, err
	}
	g.signal(syscall.SIGTERM)
	if g.awaitEmpty(grace) == nil {
		return len(left), nil
	}
	g.signal(syscall.SIGKILL)
	return len(left), g.awaitEmpty(killGrace)
}

// awaitEmpty returns nil as soon as no member lives.
func (g group) awaitEmpty(limit time.Duration) error {
	return poll(limit, func() (bool, error) {
		left, err := g.members()
		if err != nil || len(left) == 0 {
			return true, err
		}
		return false, fmt.Errorf("%d processes of the group still run", len(left))
	})
}

// kill ends the process unless it has ended and its number is another's now.
func (p process) kill() {
	if p.alive() {
		_ = syscall.Kill(p.pid, syscall.SIGKILL) // who lives is asked afterwards
	}
}

// alive reports whether this very process still runs.
func (p process) alive() bool {
	now, ok := lookAt(p.pid)
	return ok && now.start == p.start
}

// awaitEnd returns nil as soon as none of the processes lives.
func awaitEnd(all []process, limit time.Duration) error {
	return poll(limit, func() (bool, error) {
		for _, p := range all {
			if p.alive() {
				return false, fmt.Errorf("process %d still runs after KILL", p.pid)
			}
		}
		return true, nil
	})
}

// poll asks until ready says yes or limit has passed, and returns the last
// answer's error.
func poll(limit time.Duration, ready func() (bool, error)) error {
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		yes, err := ready()
		if yes {
			return err
		}
		select {
		case <-tick.C:
		case <-deadline.C:
			return err
		}
	}
}
