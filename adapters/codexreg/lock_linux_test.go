package codexreg

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/matryer/is"
)

func TestDevice_IsSpeltAsInTheTable(t *testing.T) {
	tests := []struct {
		major, minor uint32
		want         string
	}{
		{0xfe, 0, "fe:00"},
		{0, 0x2d, "00:2d"},
		{8, 1, "08:01"},
		{0x103, 0x12345, "103:12345"},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			is := is.New(t)
			// makedev(3)
			dev := uint64(tt.major&0xfff)<<8 | uint64(tt.minor&0xff) | uint64(tt.minor&^0xff)<<12 | uint64(tt.major&^0xfff)<<32
			is.Equal(device(dev), tt.want)
		})
	}
}

// In a sandbox the table of locks leaves out what is held from outside.
func TestTable_TriesTheLockWhereTheTableIsNotComplete(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	for _, name := range []string{"held.lock", "free.lock"} {
		is.NoErr(os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	fd, err := syscall.Open(filepath.Join(dir, "held.lock"), syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	is.NoErr(err)
	defer func() { _ = syscall.Close(fd) }()
	is.NoErr(syscall.Flock(fd, syscall.LOCK_EX))

	l, held, err := newTable(dir).look("held.lock")
	is.NoErr(err)
	is.True(held)
	is.Equal(l.pid, os.Getpid()) // the table tells

	sandboxed := &table{dir: dir, system: system{read: true, holders: map[file]int{}, asked: true}}
	l, held, err = sandboxed.look("held.lock")
	is.NoErr(err)
	is.True(held)
	is.Equal(l.pid, 0)
	_, held, err = sandboxed.look("free.lock")
	is.NoErr(err)
	is.True(!held)
	again, err := syscall.Open(filepath.Join(dir, "free.lock"), syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	is.NoErr(err)
	defer func() { _ = syscall.Close(again) }()
	is.NoErr(syscall.Flock(again, syscall.LOCK_EX|syscall.LOCK_NB)) // it was let go

	unlisted := &table{dir: dir, system: system{read: true, holders: map[file]int{}, asked: true, complete: true}}
	_, held, err = unlisted.look("held.lock")
	is.NoErr(err)
	is.True(!held) // a table that shows all decides
}
