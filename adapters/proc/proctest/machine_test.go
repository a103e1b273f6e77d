package proctest_test

import (
	"testing"
	"time"

	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/adapters/proc/proctest"
	"github.com/changeover/changeover/domain/session"
)

func TestMachine_Contract(t *testing.T) {
	porttest.Processes(t, func(*testing.T) porttest.ProcessHarness {
		at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
		m := proctest.New(100, "here")
		m.Run(1, proctest.Process{Start: session.Start{Token: "1", At: at}})
		m.Run(50, proctest.Process{Parent: 1, Start: session.Start{Token: "50", At: at}})
		m.Run(100, proctest.Process{Parent: 50, Start: session.Start{Token: "100", At: at}})
		child := proctest.Process{Parent: 100, Start: session.Start{Token: "200", At: at.Add(time.Second)}}
		return porttest.ProcessHarness{
			Tree: m, Machine: m, Self: 100,
			Spawn: func(*testing.T) int {
				m.Run(200, child)
				return 200
			},
			End: func(_ *testing.T, pid int) {
				ended := child
				ended.Ended = true
				m.Run(pid, ended)
			},
			Reap:       func(_ *testing.T, pid int) { m.Reap(pid) },
			Foreign:    1,
			AsStranger: func(_ *testing.T, do func()) { do() },
		}
	})
}
