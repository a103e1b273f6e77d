package porttest

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/port"
)

// FSHarness is a file system under test and the means to put into it what the
// port itself cannot make.
type FSHarness struct {
	FS port.FS

	// Dir is the real path of an empty directory.
	Dir string

	// Device is the path of a character device.
	Device string

	Symlink func(t *testing.T, target, path string)
	Fifo    func(t *testing.T, path string)
	Chmod   func(t *testing.T, path string, perm fs.FileMode)

	// Umask sets the umask until the test ends.
	Umask func(t *testing.T, mask fs.FileMode)

	// AsStranger runs do without the right to pass over permission bits.
	AsStranger func(t *testing.T, do func())
}

// at joins names below the harness's directory.
func (h FSHarness) at(names ...string) string {
	return path.Join(append([]string{h.Dir}, names...)...)
}

// Put writes a file.
func (h FSHarness) Put(t *testing.T, name, content string) {
	t.Helper()
	if err := h.FS.Replace(name, []byte(content), 0o600, port.Unsynced); err != nil {
		t.Fatal(err)
	}
}

// Mkdir makes a directory.
func (h FSHarness) Mkdir(t *testing.T, name string) {
	t.Helper()
	if err := h.FS.MakeDir(name, 0o755); err != nil {
		t.Fatal(err)
	}
}

// Content reads a file of any size.
func (h FSHarness) Content(t *testing.T, name string) string {
	t.Helper()
	data, err := h.FS.ReadFile(name, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Names lists a directory.
func (h FSHarness) Names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := h.FS.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name)
	}
	return names
}

// holds fails unless the harness's directory has exactly these names: nothing
// is missing and no temporary file is left.
func (h FSHarness) holds(t *testing.T, names ...string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, names...), h.Names(t, h.Dir)); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

// lmode is the mode of a path, a link being one.
func (h FSHarness) lmode(t *testing.T, name string) fs.FileMode {
	t.Helper()
	info, err := h.FS.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode
}

// within fails when do does not return: it was blocked.
func within(t *testing.T, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case <-done:
	case <-limit.C:
		t.Fatal("blocked")
	}
}

// named fails unless an error is the wanted one and names the path.
func named(t *testing.T, err, want error, name string) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("got error %v, want %v", err, want)
		return
	}
	var pathError *fs.PathError
	if !errors.As(err, &pathError) || pathError.Path != name {
		t.Errorf("the error does not name %s: %v", name, err)
	}
}

// FS runs the contract of port.FS, one interface after the other.
func FS(t *testing.T, harness func(t *testing.T) FSHarness) {
	tests := []struct {
		name string
		test func(t *testing.T, h FSHarness)
	}{
		{"read whole", fsReadWhole},
		{"read within the limit", fsReadLimit},
		{"read what is not there", fsReadMissing},
		{"read what is no regular file", fsReadOdd},
		{"read through links", fsReadLinks},
		{"read what is forbidden", fsForbidden},
		{"list in byte order", fsListOrder},
		{"list every kind", fsListKinds},
		{"list many", fsListMany},
		{"list what cannot be listed", fsListOdd},
		{"stat follows", fsStat},
		{"stat what is not there", fsStatMissing},
		{"real path", fsRealPath},
		{"real path of what is not there", fsRealPathMissing},
		{"create", fsCreate},
		{"create is exclusive", fsCreateTaken},
		{"create without a directory", fsCreateNowhere},
		{"create at once", fsCreateRace},
		{"replace", fsReplace},
		{"replace a link", fsReplaceLink},
		{"replace a directory", fsReplaceDir},
		{"replace at once", fsReplaceRace},
		{"modes and umask", fsModes},
		{"make a directory", fsMakeDir},
		{"make a directory where something is", fsMakeDirTaken},
		{"remove", fsRemove},
		{"remove what is no file", fsRemoveOdd},
		{"remove a directory", fsRemoveDir},
		{"remove what is no directory", fsRemoveDirOdd},
		{"touch", fsTouch},
		{"rename", fsRename},
		{"rename what does not fit", fsRenameOdd},
		{"rename new", fsRenameNew},
		{"rename new never replaces", fsRenameNewTaken},
		{"rename new at once", fsRenameNewRace},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.test(t, harness(t)) })
	}
}

func fsReadWhole(t *testing.T, h FSHarness) {
	for i, content := range []string{"", "one line\n", "\x00\xff\xfe bytes", fmt.Sprintf("%70000d", 1)} {
		is := is.New(t)
		name := h.at(fmt.Sprint(i))
		h.Put(t, name, content)
		for _, read := range []func(string, int64) ([]byte, error){h.FS.ReadFile, h.FS.ReadLinked} {
			data, err := read(name, 1<<20)
			is.NoErr(err)
			is.True(string(data) == content) // the content as written
		}
	}
}

func fsReadLimit(t *testing.T, h FSHarness) {
	is := is.New(t)
	h.Put(t, h.at("ten"), "0123456789")
	h.Put(t, h.at("empty"), "")
	for _, read := range []func(string, int64) ([]byte, error){h.FS.ReadFile, h.FS.ReadLinked} {
		data, err := read(h.at("ten"), 10)
		is.NoErr(err)
		is.Equal(string(data), "0123456789") // exactly the limit
		data, err = read(h.at("ten"), 9)
		named(t, err, port.ErrTooLarge, h.at("ten"))
		is.True(data == nil) // no part of it
		_, err = read(h.at("empty"), 0)
		is.NoErr(err)
	}
}

func fsReadMissing(t *testing.T, h FSHarness) {
	is := is.New(t)
	h.Put(t, h.at("file"), "x")
	for _, read := range []func(string, int64) ([]byte, error){h.FS.ReadFile, h.FS.ReadLinked} {
		for _, name := range []string{h.at("gone"), h.at("gone", "deeper"), h.at("file", "below")} {
			data, err := read(name, 100)
			named(t, err, fs.ErrNotExist, name)
			is.True(data == nil)
		}
	}
}

func fsReadOdd(t *testing.T, h FSHarness) {
	h.Mkdir(t, h.at("dir"))
	h.Fifo(t, h.at("fifo"))
	h.Symlink(t, h.at("dir"), h.at("to-dir"))
	h.Symlink(t, h.at("fifo"), h.at("to-fifo"))
	h.Symlink(t, h.Device, h.at("to-device"))
	h.Symlink(t, h.at("loop"), h.at("loop"))
	for _, name := range []string{h.at("dir"), h.at("fifo"), h.Device, h.at("to-dir"), h.at("to-fifo"), h.at("to-device"), h.at("loop")} {
		for _, read := range []func(string, int64) ([]byte, error){h.FS.ReadFile, h.FS.ReadLinked} {
			within(t, func() {
				data, err := read(name, 100)
				named(t, err, port.ErrNotRegular, name)
				if data != nil {
					t.Errorf("%s: content beside an error", name)
				}
			})
		}
	}
}

func fsReadLinks(t *testing.T, h FSHarness) {
	is := is.New(t)
	h.Mkdir(t, h.at("dir"))
	h.Put(t, h.at("dir", "file"), "content")
	h.Symlink(t, "dir/file", h.at("link"))
	h.Symlink(t, "link", h.at("again"))
	h.Symlink(t, h.at("dir"), h.at("way"))
	h.Symlink(t, h.at("gone"), h.at("dangling"))

	for _, name := range []string{h.at("link"), h.at("again"), h.at("way", "file")} {
		data, err := h.FS.ReadLinked(name, 100)
		is.NoErr(err)
		is.Equal(string(data), "content")
	}
	_, err := h.FS.ReadFile(h.at("link"), 100)
	named(t, err, port.ErrNotRegular, h.at("link"))
	data, err := h.FS.ReadFile(h.at("way", "file"), 100)
	is.NoErr(err) // only the final link counts
	is.Equal(string(data), "content")

	_, err = h.FS.ReadFile(h.at("dangling"), 100)
	named(t, err, port.ErrNotRegular, h.at("dangling"))
	_, err = h.FS.ReadLinked(h.at("dangling"), 100)
	named(t, err, fs.ErrNotExist, h.at("dangling"))
}

func fsForbidden(t *testing.T, h FSHarness) {
	h.Put(t, h.at("file"), "secret")
	h.Mkdir(t, h.at("dir"))
	h.Put(t, h.at("dir", "inside"), "secret")
	h.Mkdir(t, h.at("fixed"))
	h.Put(t, h.at("fixed", "old"), "old")
	h.Chmod(t, h.at("file"), 0)
	h.Chmod(t, h.at("dir"), 0)
	h.Chmod(t, h.at("fixed"), 0o555)
	denied := map[string]error{}
	h.AsStranger(t, func() {
		_, denied["read"] = h.FS.ReadFile(h.at("file"), 100)
		_, denied["read linked"] = h.FS.ReadLinked(h.at("file"), 100)
		_, denied["read below"] = h.FS.ReadFile(h.at("dir", "inside"), 100)
		_, denied["list"] = h.FS.ReadDir(h.at("dir"))
		_, denied["stat"] = h.FS.Stat(h.at("dir", "inside"))
		_, denied["lstat"] = h.FS.Lstat(h.at("dir", "inside"))
		_, denied["real path"] = h.FS.RealPath(h.at("dir", "inside"))
		denied["create"] = h.FS.Create(h.at("fixed", "new"), nil, 0o600, port.Unsynced)
		denied["replace"] = h.FS.Replace(h.at("fixed", "old"), nil, 0o600, port.Unsynced)
		denied["make directory"] = h.FS.MakeDir(h.at("fixed", "newdir"), 0o700)
		denied["remove"] = h.FS.Remove(h.at("fixed", "old"))
		denied["rename"] = h.FS.Rename(h.at("fixed", "old"), h.at("fixed", "new"))
		denied["rename new"] = h.FS.RenameNew(h.at("fixed", "old"), h.at("fixed", "new"))
	})
	h.Chmod(t, h.at("dir"), 0o755) // so that it can be cleaned up
	for op, err := range denied {
		if !errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: got %v, want %v alone", op, err, fs.ErrPermission)
		}
	}
	if got := h.Content(t, h.at("fixed", "old")); got != "old" {
		t.Errorf("content is now %q", got)
	}
	if diff := cmp.Diff([]string{"old"}, h.Names(t, h.at("fixed"))); diff != "" {
		t.Error(diff)
	}
}

func fsListOrder(t *testing.T, h FSHarness) {
	is := is.New(t)
	for _, name := range []string{"b", "a", "B", ".hidden", ".tmp-1", "ä", "a.b", "a-b", "a b", "é\n"} {
		h.Put(t, h.at(name), "")
	}
	h.holds(t, ".hidden", ".tmp-1", "B", "a", "a b", "a-b", "a.b", "b", "ä", "é\n")
	h.Mkdir(t, h.at("empty"))
	entries, err := h.FS.ReadDir(h.at("empty"))
	is.NoErr(err)
	is.Equal(len(entries), 0)
}

func fsListKinds(t *testing.T, h FSHarness) {
	is := is.New(t)
	h.Mkdir(t, h.at("dir"))
	h.Fifo(t, h.at("fifo"))
	h.Put(t, h.at("file"), "")
	h.Symlink(t, h.at("dir"), h.at("link"))
	entries, err := h.FS.ReadDir(h.Dir)
	is.NoErr(err)
	want := []port.Entry{
		{Name: "dir", Mode: fs.ModeDir},
		{Name: "fifo", Mode: fs.ModeNamedPipe},
		{Name: "file"},
		{Name: "link", Mode: fs.ModeSymlink},
	}
	if diff := cmp.Diff(want, entries); diff != "" {
		t.Error(diff)
	}
	h.Put(t, h.at("link", "inside"), "")
	is.Equal(h.Names(t, h.at("link")), []string{"inside"}) // a link to a directory lists it
}

func fsListMany(t *testing.T, h FSHarness) {
	var want []string
	for i := range 1500 {
		name := fmt.Sprintf("%04d-with-a-name-of-some-length.json", i)
		h.Put(t, h.at(name), "")
		want = append(want, name)
	}
	h.holds(t, want...)
}

func fsListOdd(t *testing.T, h FSHarness) {
	is := is.New(t)
	h.Put(t, h.at("file"), "")
	_, err := h.FS.ReadDir(h.at("gone"))
	named(t, err, fs.ErrNotExist, h.at("gone"))
	_, err = h.FS.ReadDir(h.at("file"))
	is.True(err != nil)
	is.True(!errors.Is(err, fs.ErrNotExist)) // something is there
}

func fsStat(t *testing.T, h FSHarness) {
	is := is.New(t)
	h.Put(t, h.at("file"), "12345")
	h.Mkdir(t, h.at("dir"))
	h.Fifo(t, h.at("fifo"))
	h.Symlink(t, h.at("file"), h.at("link"))
	tests := []struct {
		name        string
		follows     fs.FileMode
		linkItself  fs.FileMode
		wantContent bool
	}{
		{"file", 0, 0, true},
		{"dir", fs.ModeDir, fs.ModeDir, false},
		{"fifo", fs.ModeNamedPipe, fs.ModeNamedPipe, false},
		{"link", 0, fs.ModeSymlink, true},
	}
	for _, tt := range tests {
		info, err := h.FS.Stat(h.at(tt.name))
		is.NoErr(err)
		is.Equal(info.Mode.Type(), tt.follows) // tt.name, followed
		is.True(!info.ModTime.IsZero())
		if tt.wantContent {
			is.Equal(info.Size, int64(5))
		}
		info, err = h.FS.Lstat(h.at(tt.name))
		is.NoErr(err)
		is.Equal(info.Mode.Type(), tt.linkItself) // tt.name, itself
	}
	info, err := h.FS.Stat(h.Device)
	is.NoErr(err)
	is.Equal(info.Mode.Type(), fs.ModeDevice|fs.ModeCharDevice)
}

func fsStatMissing(t *testing.T, h FSHarness) {
	is := is.New(t)
	h.Put(t, h.at("file"), "")
	h.Symlink(t, h.at("gone"), h.at("dangling"))
	for _, name := range []string{h.at("gone"), h.at("gone", "deeper"), h.at("file", "below")} {
		_, err := h.FS.Stat(name)
		named(t, err, fs.ErrNotExist, name)
		_, err = h.FS.Lstat(name)
		named(t, err, fs.ErrNotExist, name)
	}
	_, err := h.FS.Stat(h.at("dangling"))
	named(t, err, fs.ErrNotExist, h.at("dangling"))
	_, err = h.FS.Lstat(h.at("dangling"))
	is.NoErr(err)
}

func fsRealPath(t *testing.T, h FSHarness) {
	is := is.New(t)
	h.Mkdir(t, h.at("dir"))
	h.Put(t, h.at("dir", "file"), "")
	h.Symlink(t, "dir", h.at("relative"))
	h.Symlink(t, h.at("relative"), h.at("absolute"))
	for _, name := range []string{"dir", "relative", "absolute", "dir/", "absolute/.", "dir/../dir"} {
		real, err := h.FS.RealPath(h.Dir + "/" + name)
		is.NoErr(err)
		is.Equal(real, h.at("dir")) // name
	}
	real, err := h.FS.RealPath(h.at("absolute", "file"))
	is.NoErr(err)
	is.Equal(real, h.at("dir", "file"))
	real, err = h.FS.RealPath("/")
	is.NoErr(err)
	is.Equal(real, "/")
}

func fsRealPathMissing(t *testing.T, h FSHarness) {
	is := is.New(t)
	h.Put(t, h.at("file"), "")
	h.Symlink(t, h.at("gone"), h.at("dangling"))
	h.Symlink(t, "loop", h.at("loop"))
	for _, name := range []string{h.at("gone"), h.at("dangling"), h.at("file", "below")} {
		_, err := h.FS.RealPath(name)
		is.True(errors.Is(err, fs.ErrNotExist)) // name
	}
	_, err := h.FS.RealPath(h.at("loop"))
	is.True(err != nil)
}
