package codexreg

import (
	"syscall"
	"time"
)

// system has no table of locks here.
type system struct{}

func (*system) listed(string, *syscall.Stat_t) (pid int, held, known bool) { return 0, false, false }

func modified(st *syscall.Stat_t) time.Time { return time.Unix(st.Mtimespec.Unix()).UTC() }
