package main

import (
	"bytes"
	"io"
	"os"
	"testing"
	"time"

	"github.com/matryer/is"
	"golang.org/x/sys/unix"
)

// pipe is both ends of a pipe that blocks.
func pipe(t *testing.T) (r, w int) {
	t.Helper()
	var ends [2]int
	if err := unix.Pipe(ends[:]); err != nil {
		t.Fatal(err)
	}
	return ends[0], ends[1]
}

func TestWrite_SendsMoreThanAPipeHolds(t *testing.T) {
	is := is.New(t)
	r, w := pipe(t)
	sent := bytes.Repeat([]byte("0123456789"), 100_000)
	go func() {
		write(w, sent)
		_ = unix.Close(w) // the reader sees what came
	}()
	got, err := io.ReadAll(os.NewFile(uintptr(r), "pipe"))
	is.NoErr(err)
	is.True(bytes.Equal(got, sent))
}

func TestWrite_DoesNotWaitForAReaderThatReadsNothing(t *testing.T) {
	is := is.New(t)
	r, w := pipe(t)
	defer func() { is.NoErr(unix.Close(r)) }()
	done := make(chan struct{})
	go func() {
		writeWithin(20*time.Millisecond, w, bytes.Repeat([]byte("x"), 1<<20))
		close(done)
	}()
	select {
	case <-done:
		is.NoErr(unix.Close(w))
	case <-time.After(20 * time.Second):
		t.Fatal("it waits")
	}
}

func TestWrite_ToAReaderThatWentAway(t *testing.T) {
	is := is.New(t)
	r, w := pipe(t)
	is.NoErr(unix.Close(r))
	write(w, []byte("x"))
	is.NoErr(unix.Close(w))
	write(w, []byte("x")) // nor to what is closed
}
