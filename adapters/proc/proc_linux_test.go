package proc_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/matryer/is"
	"golang.org/x/sys/unix"

	"github.com/changeover/changeover/adapters/proc"
)

func TestTable_TokenIsField22(t *testing.T) {
	is := is.New(t)
	for _, pid := range []int{os.Getpid(), os.Getppid()} {
		raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		is.NoErr(err)
		_, rest, ok := strings.Cut(string(raw), ") ")
		is.True(ok)
		start, err := proc.New().Started(pid)
		is.NoErr(err)
		is.Equal(start.Token, strings.Fields(rest)[22-3]) // the first after the name is field 3
	}
}

func TestTable_OddProcessNames(t *testing.T) {
	for _, name := range []string{") Z 1 (", "a b) (c", ")"} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			want, err := proc.New().Started(os.Getpid())
			is.NoErr(err)
			old, err := os.ReadFile("/proc/self/comm")
			is.NoErr(err)
			// The main thread's name is the process's.
			comm := "/proc/" + strconv.Itoa(os.Getpid()) + "/comm"
			is.NoErr(os.WriteFile(comm, []byte(name), 0o600))
			got, err := proc.New().Started(os.Getpid())
			is.NoErr(os.WriteFile(comm, old, 0o600))
			is.NoErr(err)
			is.Equal(got.Token, want.Token)
		})
	}
}

func TestTable_PidDomainAsTheClientSpellsIt(t *testing.T) {
	is := is.New(t)
	id, err := os.ReadFile("/etc/machine-id")
	if err != nil {
		is.Equal(proc.New().PidDomain(), "") // not known
		return
	}
	domain := proc.New().PidDomain()
	is.True(regexp.MustCompile(`^linux:[^:\n]*:pid:\[\d+\]$`).MatchString(domain))
	is.True(strings.HasPrefix(domain, "linux:"+strings.TrimSpace(string(id))+":"))
}

// awaitEnd waits until a child has ended and leaves it unreaped.
func awaitEnd(t *testing.T, pid int) {
	t.Helper()
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
}
