package session_test

import (
	"errors"
	"time"

	"github.com/changeover/changeover/domain/session"
)

var errUnknown = errors.New("not known")

// table is a process table. A process that is not in it does not exist.
type table map[int]process

type process struct {
	parent int
	start  session.Start
	// hidden: the start cannot be told.
	hidden bool
	// lost: the parent cannot be told.
	lost bool
}

func (t table) Alive(pid int) bool {
	_, ok := t[pid]
	return ok
}

func (t table) Started(pid int) (session.Start, error) {
	p, ok := t[pid]
	if !ok || p.hidden {
		return session.Start{}, errUnknown
	}
	return p.start, nil
}

func (t table) Parent(pid int) (int, error) {
	p, ok := t[pid]
	if !ok || p.lost {
		return 0, errUnknown
	}
	return p.parent, nil
}

// began is when the processes of these tests began.
var began = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)

// self is the process that asks; nothing above it has a row unless a test says
// so.
const self = 900

// judged returns the state of one row.
func judged(row session.Row, procs table, domain string) session.State {
	return session.Judge(session.Listing{Rows: []session.Row{row}}, procs, self, domain).Rows()[0].State
}

// chain is a table in which each process is the child of the next, the first
// being the one that asks.
func chain(pids ...int) table {
	t := table{}
	for i, pid := range pids {
		parent := 1
		if i+1 < len(pids) {
			parent = pids[i+1]
		}
		t[pid] = process{parent: parent}
	}
	return t
}

func judge(procs table, asking int, rows ...session.Row) session.Registry {
	return session.Judge(session.Listing{Rows: rows}, procs, asking, "")
}
