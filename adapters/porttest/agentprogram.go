package porttest

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/changeover/changeover/adapters/agentproc/agenttest"
	"github.com/changeover/changeover/domain/port"
)

// AgentPrograms are the programs that the contract of port.AgentRunner starts.
func AgentPrograms() map[string]agenttest.Program {
	return map[string]agenttest.Program{
		"speak":       speak,
		"die":         die,
		"echo":        echo,
		"environment": environment,
		"obey":        obey,
		"stay":        stay,
		"brood":       brood,
		"leave":       leave,
		"lead":        lead,
		"parent":      parent,
	}
}

// speak writes its first two arguments to its two streams and exits with the
// third.
func speak(p *agenttest.Process) agenttest.Exit {
	_, _ = io.WriteString(p.Stdout, p.Args[0]) // the test sees what is missing
	_, _ = io.WriteString(p.Stderr, p.Args[1])
	return agenttest.Exit{Code: number(p.Args[2])}
}

// die dies of a signal.
func die(p *agenttest.Process) agenttest.Exit {
	return agenttest.Exit{Signal: number(p.Args[0])}
}

// echo copies its input and exits 1 when it cannot.
func echo(p *agenttest.Process) agenttest.Exit {
	if _, err := io.Copy(p.Stdout, p.Stdin); err != nil {
		return agenttest.Exit{Code: 1}
	}
	return agenttest.Exit{}
}

// environment prints the directory and all variables.
func environment(p *agenttest.Process) agenttest.Exit {
	_, _ = io.WriteString(p.Stdout, strings.Join(append([]string{p.Dir}, p.Env...), "\n"))
	return agenttest.Exit{}
}

// obey exits when it is asked to.
func obey(p *agenttest.Process) agenttest.Exit {
	fmt.Fprintln(p.Stdout, "ready")
	select {
	case q := <-p.Requests:
		if q == port.Interrupt {
			return agenttest.Exit{Code: 21}
		}
		fmt.Fprintln(p.Stdout, "asked to terminate")
		return agenttest.Exit{Code: 22}
	case <-p.Killed:
		return agenttest.Exit{}
	}
}

// stay does not go before it is killed.
func stay(p *agenttest.Process) agenttest.Exit {
	fmt.Fprintln(p.Stderr, "ready")
	<-p.Killed
	return agenttest.Exit{}
}

// brood starts the children that its arguments name, as "own:hold:program",
// prints their numbers and stays.
func brood(p *agenttest.Process) agenttest.Exit {
	children(p)
	<-p.Killed
	return agenttest.Exit{}
}

// lead starts children and exits when it is asked to.
func lead(p *agenttest.Process) agenttest.Exit {
	children(p)
	return obey(p)
}

// leave starts children and exits.
func leave(p *agenttest.Process) agenttest.Exit {
	children(p)
	return agenttest.Exit{}
}

// parent is a child that has a child.
func parent(p *agenttest.Process) agenttest.Exit {
	p.Args = []string{"stay"}
	return brood(p)
}

// children starts the children that the arguments name and prints their
// numbers.
func children(p *agenttest.Process) {
	for _, arg := range p.Args {
		name, own := strings.CutPrefix(arg, "own:")
		name, hold := strings.CutPrefix(name, "hold:")
		pid := p.Spawn(agenttest.Child{Program: name, OwnSession: own, KeepStreams: hold})
		fmt.Fprintln(p.Stdout, pid)
	}
}

// number reads an argument that the suite wrote.
func number(arg string) int {
	n, err := strconv.Atoi(arg)
	if err != nil {
		panic(err)
	}
	return n
}
