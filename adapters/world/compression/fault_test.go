package compression_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/domain/baton"
)

// Ways in which a call goes wrong.
const (
	// failsOnce: one call fails, and the process goes on.
	failsOnce = "fails once"
	// dies: the process ends before the call, as it looks from outside: nothing
	// that it does from then on has an effect.
	dies = "dies"
	// tears: the same, but half of what the call writes is there.
	tears = "tears"
)

// faulty is the real system until one call.
type faulty struct {
	osfs.System
	at   int
	how  string
	seen int
	ops  []string
}

func (f *faulty) call(op string) error {
	f.seen++
	f.ops = append(f.ops, op)
	if f.seen-1 == f.at || f.how != failsOnce && f.seen-1 > f.at {
		return syscall.EIO
	}
	return nil
}

func (f *faulty) Create(path string, perm uint32) (int, error) {
	if err := f.call("create"); err != nil {
		return -1, err
	}
	return f.System.Create(path, perm)
}

func (f *faulty) OpenEnd(path string, perm uint32) (int, error) {
	if err := f.call("open"); err != nil {
		return -1, err
	}
	return f.System.OpenEnd(path, perm)
}

func (f *faulty) Write(fd int, p []byte) (int, error) {
	if err := f.call("write"); err != nil {
		if f.how == tears && f.seen-1 == f.at {
			_, _ = f.System.Write(fd, p[:len(p)/2])
		}
		return 0, err
	}
	return f.System.Write(fd, p)
}

// Fsync waits for no disk: what a power cut would lose is not what the tests are
// about.
func (f *faulty) Fsync(int) error { return f.call("fsync") }

func (f *faulty) Close(fd int) error {
	failure := f.call("close")
	if err := f.System.Close(fd); err != nil {
		return err
	}
	return failure
}

func (f *faulty) Link(from, to string) error {
	if err := f.call("link"); err != nil {
		return err
	}
	return f.System.Link(from, to)
}

func (f *faulty) Rename(from, to string) error {
	if err := f.call("rename"); err != nil {
		return err
	}
	return f.System.Rename(from, to)
}

func (f *faulty) Unlink(path string) error {
	if err := f.call("unlink"); err != nil {
		return err
	}
	return f.System.Unlink(path)
}

// shrinkable are the files of a cycle.
var shrinkable = []string{baton.LogFile, baton.StateFile, baton.DecisionsFile, baton.ErrorsFile}

// A cycle that fails, or whose process dies, at any of its calls leaves each file as
// it was or as it becomes, keeps what it replaced, and the next command goes on from
// there.
func TestCompressContext_FaultsAtEveryCall(t *testing.T) {
	g := newGround(t, "")
	g.heavy()
	before := g.snapshot()
	g.held(baton.CompressRequest{})
	short := g.snapshot()
	short[baton.LogFile], _, _ = strings.Cut(short[baton.LogFile], notice)
	for _, tt := range []struct {
		how, refuse string
		rotate      bool
	}{
		{how: failsOnce, rotate: true},
		{how: failsOnce, rotate: true, refuse: "told to"},
		{how: failsOnce},
		{how: failsOnce, refuse: "told to"},
		{how: tears, rotate: true},
		{how: dies, rotate: true, refuse: "told to"},
		{how: dies},
	} {
		t.Run(fmt.Sprintf("%s rotate %t %s", tt.how, tt.rotate, tt.refuse), func(t *testing.T) {
			t.Parallel()
			for at := 0; ; at++ {
				sys := &faulty{System: osfs.Kernel(), at: at, how: tt.how}
				f := fault{faulty: sys, before: before, short: short, rotate: tt.rotate, refuse: tt.refuse}
				f.test(t)
				if sys.seen <= at {
					if at < 30 {
						t.Fatalf("only %d calls", at)
					}
					return
				}
			}
		})
	}
}

// notice begins the line of a cycle in the log.
const notice = "[relay-baton] context compressed: "

// fault is one fault of one cycle, on a session as it was before; short is what a
// cycle makes of that.
type fault struct {
	*faulty
	before, short map[string]string
	rotate        bool
	refuse        string
}

func (f fault) test(t *testing.T) {
	t.Helper()
	g := copied(t, f.before, fmt.Sprintf(`{"contextCompression":{"rotateRawArtifacts":%t}}`, f.rotate))
	g.sys = f.faulty
	_, err := g.compress(baton.CompressRequest{Refuse: f.refuse})
	where := fmt.Sprintf("%s at call %d (%s)", f.how, f.at, strings.Join(f.ops[:min(f.at+1, len(f.ops))], " "))
	if f.seen > f.at && err == nil && f.ops[f.at] != "fsync" && f.ops[f.at] != "close" { // of a directory
		t.Fatalf("%s: nothing was told", where)
	}
	after := g.snapshot()
	if temps := g.names(".tmp-"); f.how == failsOnce && f.at < len(f.ops) && f.ops[f.at] != "unlink" && temps != nil {
		t.Fatalf("%s: %v is left", where, temps)
	}
	for _, name := range shrinkable {
		switch {
		case after[name] == f.before[name]:
		case !f.shortOf(name, after[name]):
			t.Fatalf("%s: %s is neither old nor new, but %d bytes", where, name, len(after[name]))
		case f.rotate && !keeps(after, name, f.before[name]):
			t.Fatalf("%s: what %s was is lost", where, name)
		}
	}
	for _, name := range []string{baton.PlanFile, baton.HandoffFile, baton.TaskFile, baton.CompactStateFile} {
		if after[name] != f.before[name] {
			t.Fatalf("%s: %s changed", where, name)
		}
	}
	f.repaired(t, g, where)
}

// repaired runs the next cycle on a session.
func (f fault) repaired(t *testing.T, g *ground, where string) {
	t.Helper()
	torn := f.shortOf(baton.LogFile, g.content(baton.LogFile)) && !strings.HasSuffix(g.content(baton.LogFile), "\n")
	g.sys = quick{osfs.Kernel()}
	g.clock.advance(time.Minute)
	if _, err := g.compress(baton.CompressRequest{Force: true}); err != nil && baton.ExitCode(err) != baton.ExitGate {
		t.Fatalf("%s: the next cycle: %v", where, err)
	}
	files := g.snapshot()
	for _, name := range shrinkable {
		if !f.shortOf(name, files[name]) && (name != baton.LogFile || !torn) {
			t.Fatalf("%s: in the end %s is %d bytes", where, name, len(files[name]))
		}
	}
	if status := g.meta().Status(); status.Active() || g.meta().BeforeCompression() != "" {
		t.Fatalf("%s: the session is %s", where, status)
	}
	sets := map[string]bool{}
	for name := range files {
		if strings.HasPrefix(name, ".") {
			t.Fatalf("%s: %s is left", where, name)
		}
		if at := strings.Index(name, "2026-"); at >= 0 {
			sets[strings.TrimSuffix(name[at:], ".json")] = true
		}
	}
	if len(sets) > 1 {
		t.Fatalf("%s: sets pile up: %v", where, sets)
	}
}

// shortOf says whether a file holds what a cycle makes of it, but for the line that
// tells of the cycle, or what was written of that.
func (f fault) shortOf(name, content string) bool {
	rest, ok := strings.CutPrefix(content, f.short[name])
	return ok && (rest == "" || name == baton.LogFile && (strings.HasPrefix(rest, notice) || strings.HasPrefix(notice, rest)))
}

// keeps says whether a raw copy of a file is there.
func keeps(files map[string]string, name, content string) bool {
	for other, is := range files {
		if strings.HasPrefix(other, name+".full.") && is == content {
			return true
		}
	}
	return false
}
