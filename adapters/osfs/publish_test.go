package osfs_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/domain/port"
)

// faulty is the real system, except for the calls that fail.
type faulty struct {
	osfs.System
	// fail is asked before every call: op is its name, nth how many calls came
	// before. What it returns instead of nil is the answer, with nothing done.
	fail  func(op string, nth int) error
	calls []string
	temps []string
	fds   map[int]int
}

func newFaulty(fail func(op string, nth int) error) *faulty {
	return &faulty{System: osfs.Kernel(), fail: fail, fds: map[int]int{}}
}

func (f *faulty) call(op string) error {
	nth := len(f.calls)
	f.calls = append(f.calls, op)
	return f.fail(op, nth)
}

func (f *faulty) Create(path string, perm uint32) (int, error) {
	f.temps = append(f.temps, path)
	if err := f.call("create"); err != nil {
		return -1, err
	}
	fd, err := f.System.Create(path, perm)
	f.fds[fd]++
	return fd, err
}

func (f *faulty) Chmod(fd int, perm uint32) error {
	if err := f.call("chmod"); err != nil {
		return err
	}
	return f.System.Chmod(fd, perm)
}

func (f *faulty) Write(fd int, p []byte) (int, error) {
	if err := f.call("write"); err != nil {
		return 0, err
	}
	return f.System.Write(fd, p)
}

func (f *faulty) Fsync(fd int) error {
	if err := f.call("fsync"); err != nil {
		return err
	}
	return f.System.Fsync(fd)
}

// Close closes even where it fails, as the system does.
func (f *faulty) Close(fd int) error {
	failure := f.call("close")
	f.fds[fd]--
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

func (f *faulty) RenameNew(from, to string) error {
	if err := f.call("rename new"); err != nil {
		return err
	}
	return f.System.RenameNew(from, to)
}

func (f *faulty) Unlink(path string) error {
	if err := f.call("unlink"); err != nil {
		return err
	}
	return f.System.Unlink(path)
}

func (f *faulty) Rmdir(path string) error {
	if err := f.call("rmdir"); err != nil {
		return err
	}
	return f.System.Rmdir(path)
}

func (f *faulty) Mkdir(path string, perm uint32) error {
	if err := f.call("mkdir"); err != nil {
		return err
	}
	return f.System.Mkdir(path, perm)
}

// never fails nothing.
func never(string, int) error { return nil }

// always fails every call of one name.
func always(op string, err error) func(string, int) error {
	return func(called string, _ int) error {
		if called == op {
			return err
		}
		return nil
	}
}

// nth fails one call, whatever it is.
func nth(n int, err error) func(string, int) error {
	return func(_ string, count int) error {
		if count == n {
			return err
		}
		return nil
	}
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	found := []string{}
	for _, e := range entries {
		found = append(found, e.Name())
	}
	return found
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// publishing is one of the two ways to publish.
type publishing struct {
	name    string
	publish func(f osfs.FS, path string, sync port.Sync) error
	// put is the call that gives the target its name.
	put string
	// old: the target exists before.
	old    bool
	synced []string
	quick  []string
}

func publishings() []publishing {
	create := func(f osfs.FS, path string, sync port.Sync) error {
		return f.Create(path, []byte("new content"), 0o600, sync)
	}
	replace := func(f osfs.FS, path string, sync port.Sync) error {
		return f.Replace(path, []byte("new content"), 0o600, sync)
	}
	return []publishing{
		{
			"create", create, "link", false,
			[]string{"create", "write", "fsync", "close", "link", "unlink", "fsync", "close"},
			[]string{"create", "write", "close", "link", "unlink"},
		},
		{
			"replace", replace, "rename", true,
			[]string{"create", "write", "fsync", "close", "rename", "fsync", "close"},
			[]string{"create", "write", "close", "rename"},
		},
	}
}

// begin makes the directory that a publishing writes into.
func (p publishing) begin(t *testing.T) (dir, path string) {
	t.Helper()
	dir = t.TempDir()
	path = filepath.Join(dir, "target.json")
	if p.old {
		if err := os.WriteFile(path, []byte("old content"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, path
}

// untouched fails unless the directory is as begin left it.
func (p publishing) untouched(t *testing.T, dir, path string) {
	t.Helper()
	want := []string{}
	if p.old {
		want = append(want, "target.json")
	}
	if diff := cmp.Diff(want, names(t, dir)); diff != "" {
		t.Fatalf("names (-want +got):\n%s", diff)
	}
	if p.old && content(t, path) != "old content" {
		t.Errorf("the target is now %q", content(t, path))
	}
}

func (f *faulty) closedAll(t *testing.T) {
	t.Helper()
	for fd, open := range f.fds {
		if fd >= 0 && open > 0 {
			t.Errorf("descriptor %d stays open", fd)
		}
	}
}

func TestFS_PublishesInOrder(t *testing.T) {
	for _, p := range publishings() {
		for sync, want := range map[port.Sync][]string{port.Synced: p.synced, port.Unsynced: p.quick} {
			t.Run(fmt.Sprintf("%s synced %v", p.name, sync), func(t *testing.T) {
				is := is.New(t)
				dir, path := p.begin(t)
				sys := newFaulty(never)
				is.NoErr(p.publish(osfs.NewOn(sys), path, sync))
				is.Equal(sys.calls, want)
				is.Equal(names(t, dir), []string{"target.json"})
				is.Equal(content(t, path), "new content")
			})
		}
	}
}

func TestFS_PublishingFailsAtEveryCall(t *testing.T) {
	faults := []error{syscall.ENOSPC, syscall.EIO, syscall.EACCES}
	for _, p := range publishings() {
		put := slices.Index(p.synced, p.put)
		for i, op := range p.synced {
			for _, fault := range faults {
				t.Run(fmt.Sprintf("%s %d %s %v", p.name, i, op, fault), func(t *testing.T) {
					is := is.New(t)
					dir, path := p.begin(t)
					sys := newFaulty(nth(i, fault))
					err := p.publish(osfs.NewOn(sys), path, port.Synced)
					sys.closedAll(t)
					if i > put {
						is.NoErr(err) // the name is claimed, what follows is tidying
						is.Equal(content(t, path), "new content")
						return
					}
					is.True(errors.Is(err, fault))
					var pathError *fs.PathError
					is.True(errors.As(err, &pathError))
					is.Equal(pathError.Path, path) // the target, not the temporary name
					p.untouched(t, dir, path)
				})
			}
		}
	}
}

func TestFS_KeepsTempFileOnlyWhereItCannotBeUnlinked(t *testing.T) {
	for _, p := range publishings() {
		for i, op := range p.synced[:slices.Index(p.synced, p.put)+1] {
			if op == "create" {
				continue // nothing was made
			}
			t.Run(p.name+" "+op, func(t *testing.T) {
				is := is.New(t)
				dir, path := p.begin(t)
				sys := newFaulty(func(called string, count int) error {
					switch {
					case count == i:
						return syscall.ENOSPC
					case called == "unlink":
						return syscall.EACCES
					}
					return nil
				})
				err := p.publish(osfs.NewOn(sys), path, port.Synced)
				is.True(errors.Is(err, syscall.ENOSPC)) // the first failure
				is.True(!errors.Is(err, syscall.EACCES))
				left := slices.DeleteFunc(names(t, dir), func(n string) bool { return n == "target.json" })
				is.Equal(left, []string{filepath.Base(sys.temps[0])})
			})
		}
	}
}

func TestFS_UnlinkFailureAfterLinkLeavesLitterAlone(t *testing.T) {
	is := is.New(t)
	path := filepath.Join(t.TempDir(), "target.json")
	sys := newFaulty(always("unlink", syscall.EACCES))
	is.NoErr(osfs.NewOn(sys).Create(path, []byte("new content"), 0o600, port.Unsynced))
	is.Equal(content(t, path), "new content")
}

// shortWriter writes at most a few bytes at once, and after left bytes fails.
type shortWriter struct {
	*faulty
	left  int
	after error
}

func (s *shortWriter) Write(fd int, p []byte) (int, error) {
	n := min(3, len(p), s.left)
	if n == 0 {
		return 0, s.after
	}
	s.left -= n
	return s.faulty.Write(fd, p[:n])
}

func TestFS_ShortWrites(t *testing.T) {
	for _, p := range publishings() {
		tests := []struct {
			name  string
			left  int
			after error
			want  error
		}{
			{"go on", 1000, nil, nil},
			{"until the disk is full", 7, syscall.ENOSPC, syscall.ENOSPC},
			{"until nothing more is taken", 7, nil, syscall.EIO},
		}
		for _, tt := range tests {
			t.Run(p.name+" "+tt.name, func(t *testing.T) {
				is := is.New(t)
				dir, path := p.begin(t)
				err := p.publish(osfs.NewOn(&shortWriter{newFaulty(never), tt.left, tt.after}), path, port.Synced)
				is.True(errors.Is(err, tt.want))
				if tt.want == nil {
					is.Equal(content(t, path), "new content")
					return
				}
				p.untouched(t, dir, path)
			})
		}
	}
}

func TestFS_NoHardLinks(t *testing.T) {
	for _, errno := range []error{syscall.EPERM, syscall.EOPNOTSUPP, syscall.ENOTSUP, syscall.ENOSYS} {
		is := is.New(t)
		dir := t.TempDir()
		path := filepath.Join(dir, "target.json")
		err := osfs.NewOn(newFaulty(always("link", errno))).Create(path, nil, 0o600, port.Synced)
		is.True(errors.Is(err, port.ErrNoHardLinks)) // errno
		is.True(!errors.Is(err, fs.ErrExist))
		is.True(strings.Contains(err.Error(), path))
		is.Equal(len(names(t, dir)), 0) // no fall-back
	}
}

func TestFS_PermissionIsNotNoHardLinks(t *testing.T) {
	is := is.New(t)
	path := filepath.Join(t.TempDir(), "target.json")
	err := osfs.NewOn(newFaulty(always("create", syscall.EPERM))).Create(path, nil, 0o600, port.Synced)
	is.True(errors.Is(err, fs.ErrPermission))
	is.True(!errors.Is(err, port.ErrNoHardLinks)) // the directory is closed, links are not the matter
}

func TestFS_TempNames(t *testing.T) {
	for _, p := range publishings() {
		t.Run(p.name, func(t *testing.T) {
			is := is.New(t)
			seen := map[string]bool{}
			want := regexp.MustCompile(fmt.Sprintf(`^\.tmp-%d-[0-9a-f]+-target\.json$`, os.Getpid()))
			for range 20 {
				dir, path := p.begin(t)
				sys := newFaulty(never)
				is.NoErr(p.publish(osfs.NewOn(sys), path, port.Unsynced))
				is.Equal(len(sys.temps), 1)
				is.Equal(filepath.Dir(sys.temps[0]), dir) // in the directory of the target
				name := filepath.Base(sys.temps[0])
				is.True(want.MatchString(name)) // .tmp-<pid>-<random>-<target>
				is.True(!seen[name])
				seen[name] = true
			}
		})
	}
}

func TestFS_TakenTempNameIsTriedAnew(t *testing.T) {
	for _, p := range publishings() {
		t.Run(p.name, func(t *testing.T) {
			is := is.New(t)
			dir, path := p.begin(t)
			sys := newFaulty(func(_ string, count int) error {
				if count < 3 {
					return syscall.EEXIST
				}
				return nil
			})
			is.NoErr(p.publish(osfs.NewOn(sys), path, port.Unsynced))
			is.Equal(len(sys.temps), 4)
			is.True(sys.temps[0] != sys.temps[1]) // another name each time
			is.Equal(names(t, dir), []string{"target.json"})
		})
	}
}

func TestFS_TempNamesThatAreAllTakenClaimNothing(t *testing.T) {
	for _, p := range publishings() {
		t.Run(p.name, func(t *testing.T) {
			is := is.New(t)
			dir, path := p.begin(t)
			err := p.publish(osfs.NewOn(newFaulty(always("create", syscall.EEXIST))), path, port.Unsynced)
			is.True(err != nil)
			is.True(!errors.Is(err, fs.ErrExist)) // the target's name is not taken
			p.untouched(t, dir, path)
		})
	}
}

func TestFS_TempFileIsNotWrittenThroughALink(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	trap := filepath.Join(dir, "trap")
	is.NoErr(os.Symlink(filepath.Join(dir, "victim"), trap))
	_, err := osfs.Kernel().Create(trap, 0o600)
	is.True(errors.Is(err, syscall.EEXIST))
	is.Equal(names(t, dir), []string{"trap"})
}

func TestFS_OtherCallsFail(t *testing.T) {
	for _, fault := range []error{syscall.EIO, syscall.EACCES, syscall.EROFS, syscall.ENOSPC} {
		tests := []struct {
			op string
			do func(f osfs.FS, dir string) error
		}{
			{"unlink", func(f osfs.FS, dir string) error { return f.Remove(dir + "/old") }},
			{"rmdir", func(f osfs.FS, dir string) error { return f.RemoveDir(dir) }},
			{"rename", func(f osfs.FS, dir string) error { return f.Rename(dir+"/old", dir+"/new") }},
			{"rename new", func(f osfs.FS, dir string) error { return f.RenameNew(dir+"/old", dir+"/new") }},
			{"mkdir", func(f osfs.FS, dir string) error { return f.MakeDir(dir+"/new", 0o700) }},
		}
		for _, tt := range tests {
			t.Run(fmt.Sprintf("%s %v", tt.op, fault), func(t *testing.T) {
				is := is.New(t)
				dir := t.TempDir()
				is.NoErr(os.WriteFile(dir+"/old", nil, 0o600))
				err := tt.do(osfs.NewOn(newFaulty(always(tt.op, fault))), dir)
				is.True(errors.Is(err, fault))
				is.True(strings.Contains(err.Error(), dir)) // names the path
				is.Equal(names(t, dir), []string{"old"})
			})
		}
	}
}

func TestFS_RenameNewNeedsTheSystemsHelp(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	is.NoErr(os.WriteFile(dir+"/old", nil, 0o600))
	sys := newFaulty(always("rename new", syscall.EINVAL)) // a file system that cannot
	err := osfs.NewOn(sys).RenameNew(dir+"/old", dir+"/new")
	is.True(errors.Is(err, syscall.EINVAL))
	is.Equal(sys.calls, []string{"rename new"}) // no fall-back to check-then-rename
}
