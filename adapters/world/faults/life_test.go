package faults_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/changeover/changeover/adapters/flock"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/domain/port"
)

// way is how a call goes wrong.
type way string

const (
	// sound: it does not.
	sound way = "sound"
	// once: one call fails, and everything after it works.
	once way = "fails once"
	// noSpace and denied do that for other reasons.
	noSpace way = "fails once for lack of space"
	denied  way = "fails once for lack of permission"
	// short: a write takes half of what it is given.
	short way = "a short write"
	// full: from the call on, nothing finds room; of a write, half is there.
	full way = "no room"
	// dies: the process ends before the call.
	dies way = "dies"
	// tears: the process ends in the midst of the call.
	tears way = "dies within"
)

// single says whether one call fails and everything after it works.
func (w way) single() bool { return w == once || w == noSpace || w == denied }

// errno is what the system says where one call goes wrong.
func (w way) errno() error {
	switch w {
	case noSpace:
		return syscall.ENOSPC
	case denied:
		return syscall.EACCES
	default:
		return syscall.EIO
	}
}

// call is something that baton asked of the machine: what, and the name that it
// was about, which for an unfinished file is the name that it is to get.
type call struct{ op, name string }

// life is one process of baton. All that it does to the disk, to locks and to
// agents goes through here, and goes wrong at one call.
type life struct {
	below  osfs.System
	agents port.AgentRunner
	pid    int
	at     int
	how    way

	mu    sync.Mutex
	calls []call
	files map[int]string
	// published are the contents that files got, by their names.
	published map[string][]string
	over      chan struct{}
}

func newLife(agents port.AgentRunner, pid int, how way, at int) *life {
	return &life{
		below: osfs.Kernel(), agents: agents, pid: pid, at: at, how: how,
		files: map[int]string{}, published: map[string][]string{}, over: make(chan struct{}),
	}
}

// dead says whether the process has ended.
func (l *life) dead() bool {
	select {
	case <-l.over:
		return true
	default:
		return false
	}
}

// fault is the call that went wrong, if one did.
func (l *life) fault() (call, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.how == sound || len(l.calls) <= l.at {
		return call{}, false
	}
	return l.calls[l.at], true
}

// ask is called before a call is carried out. half: half of it is.
func (l *life) ask(op, file string) (half bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.calls)
	l.calls = append(l.calls, call{op, target(file)})
	switch {
	case l.dead():
		return false, syscall.EIO
	case l.how == sound, n < l.at:
		return false, nil
	case l.how.single(), l.how == short:
		if n == l.at {
			return l.how == short, l.how.errno()
		}
		return false, nil
	case l.how == full:
		if slices.Contains(growing, op) {
			return n == l.at, syscall.ENOSPC
		}
		return false, nil
	}
	close(l.over)
	return l.how == tears, syscall.EIO
}

// growing are the calls that need room.
var growing = []string{"create", "write", "link", "mkdir", "note"}

// target is the name that an unfinished file is to get, or the name itself.
func target(file string) string {
	name := filepath.Base(file)
	if rest, ok := strings.CutPrefix(name, ".tmp-"); ok {
		if parts := strings.SplitN(rest, "-", 3); len(parts) == 3 {
			return parts[2]
		}
	}
	return name
}

func (l *life) named(fd int) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.files[fd]
}

func (l *life) opened(fd int, path string, err error) (int, error) {
	if err == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.files[fd] = path
	}
	return fd, err
}

func (l *life) Create(path string, perm uint32) (int, error) {
	if _, err := l.ask("create", path); err != nil {
		return -1, err
	}
	fd, err := l.below.Create(path, perm)
	return l.opened(fd, path, err)
}

func (l *life) OpenEnd(path string, perm uint32) (int, error) {
	if _, err := l.ask("open", path); err != nil {
		return -1, err
	}
	fd, err := l.below.OpenEnd(path, perm)
	return l.opened(fd, path, err)
}

func (l *life) Chmod(fd int, perm uint32) error {
	if _, err := l.ask("chmod", l.named(fd)); err != nil {
		return err
	}
	return l.below.Chmod(fd, perm)
}

func (l *life) Write(fd int, p []byte) (int, error) {
	half, err := l.ask("write", l.named(fd))
	if err == nil {
		return l.below.Write(fd, p)
	}
	if half && len(p) > 1 {
		n, writeErr := l.below.Write(fd, p[:len(p)/2])
		if l.how == full || l.how == short { // as the system does: the next call says why
			return n, writeErr
		}
	}
	if l.how == short { // too little to be cut
		return l.below.Write(fd, p)
	}
	return 0, err
}

// Fsync does not wait for the disk: what a power cut would lose is not what these
// tests are about.
func (l *life) Fsync(fd int) error {
	_, err := l.ask("fsync", l.named(fd))
	return err
}

func (l *life) Close(fd int) error {
	_, failure := l.ask("close", l.named(fd))
	l.mu.Lock()
	delete(l.files, fd) // the next one may be a directory
	l.mu.Unlock()
	if err := l.below.Close(fd); err != nil {
		return err
	}
	return failure
}

func (l *life) Link(from, to string) error {
	if _, err := l.ask("link", to); err != nil {
		return err
	}
	l.publish(from, to)
	return l.below.Link(from, to)
}

func (l *life) Rename(from, to string) error {
	if _, err := l.ask("rename", to); err != nil {
		return err
	}
	l.publish(from, to)
	return l.below.Rename(from, to)
}

// publish notes what a file is about to hold.
func (l *life) publish(from, to string) {
	data, err := os.ReadFile(from)
	if err != nil {
		return // the call itself says so
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	name := filepath.Base(to)
	l.published[name] = append(l.published[name], string(data))
}

func (l *life) RenameNew(from, to string) error {
	if _, err := l.ask("rename", to); err != nil {
		return err
	}
	return l.below.RenameNew(from, to)
}

func (l *life) Unlink(path string) error {
	if _, err := l.ask("unlink", path); err != nil {
		return err
	}
	return l.below.Unlink(path)
}

func (l *life) Touch(path string) error {
	if _, err := l.ask("touch", path); err != nil {
		return err
	}
	return l.below.Touch(path)
}

func (l *life) Rmdir(path string) error {
	if _, err := l.ask("rmdir", path); err != nil {
		return err
	}
	return l.below.Rmdir(path)
}

func (l *life) Mkdir(path string, perm uint32) error {
	if _, err := l.ask("mkdir", path); err != nil {
		return err
	}
	return l.below.Mkdir(path, perm)
}

// TryLock implements port.Locker.
func (l *life) TryLock(path string, perm fs.FileMode) (port.Lock, error) {
	if _, err := l.ask("lock", path); err != nil {
		return nil, &fs.PathError{Op: "lock", Path: path, Err: err}
	}
	held, err := flock.Locker{}.TryLock(path, perm)
	if err != nil {
		return nil, err
	}
	return &lock{Lock: held, life: l, path: path}, nil
}

// lock is a lock whose notes may fail. It is given free in any case, as it is when
// its process ends.
type lock struct {
	port.Lock
	life *life
	path string
}

func (k *lock) Note(content []byte) error {
	info, err := os.Stat(k.path)
	if err != nil {
		return err
	}
	op := "note"
	if int64(len(content)) <= info.Size() {
		op = "note over" // which needs no room
	}
	if _, err := k.life.ask(op, k.path); err != nil {
		return &fs.PathError{Op: "write", Path: k.path, Err: err}
	}
	return k.Lock.Note(content)
}

var errDead = errors.New("the process has ended")

// Start implements port.AgentRunner.
func (l *life) Start(c port.Command) (port.Agent, error) {
	if l.dead() {
		return nil, errDead
	}
	door := &sync.Mutex{}
	c.Stdout, c.Stderr = gate{door, l, c.Stdout}, gate{door, l, c.Stderr}
	a, err := l.agents.Start(c)
	if err != nil {
		return nil, err
	}
	return tended{a, l, door}, nil
}

// gate is a stream that nobody reads once the process has ended.
type gate struct {
	door *sync.Mutex
	life *life
	to   io.Writer
}

func (g gate) Write(p []byte) (int, error) {
	g.door.Lock()
	defer g.door.Unlock()
	if g.life.dead() {
		return 0, syscall.EPIPE
	}
	return g.to.Write(p)
}

// tended is an agent that outlives the process which started it.
type tended struct {
	port.Agent
	life *life
	door *sync.Mutex
}

func (t tended) Wait(ctx context.Context) (port.Ending, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-t.life.over:
			cancel()
		case <-ctx.Done():
		}
	}()
	ending, err := t.Agent.Wait(ctx)
	t.door.Lock() // nothing is being written any more
	defer t.door.Unlock()
	if t.life.dead() {
		return port.Ending{}, errDead
	}
	return ending, err
}
