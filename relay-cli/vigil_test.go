package main

import (
	"errors"
	"io/fs"
	"testing"
	"time"

	"github.com/matryer/is"
)

// macOS, and Linux before 5.3, tell of no process's end.
func untold(int) (ended <-chan struct{}, stop func(), err error) {
	return nil, nil, errors.ErrUnsupported
}

func TestGuard_LooksAgainWhereTheSystemTellsOfNoEnd(t *testing.T) {
	is := is.New(t)
	a, err := newAlert(t.TempDir())
	is.NoErr(err)
	defer a.end()
	a.holder.ask, a.peer.ask = untold, untold
	a.guard(501, 502)
	select {
	case <-a.later.C:
	case <-time.After(30 * time.Second): // the machine may be busy
		t.Fatal("nobody looks again")
	}
	a.guard(501, 502) // the same two: still nobody tells
	is.True(a.later.Stop())
}

func TestGuard_WaitsWhereTheSystemTells(t *testing.T) {
	is := is.New(t)
	a, err := newAlert(t.TempDir())
	is.NoErr(err)
	defer a.end()
	let := 0
	told := func(int) (<-chan struct{}, func(), error) { return make(chan struct{}), func() { let++ }, nil }
	a.holder.ask, a.peer.ask = told, told
	a.guard(501, 502)
	is.True(!a.later.Stop()) // no look is due

	a.peer.ask = untold
	a.guard(501, 503) // another peer: the vigil over the first is let go
	is.Equal(let, 1)
	is.True(a.later.Stop()) // one of whom nothing is told is enough

	a.peer.ask = func(int) (<-chan struct{}, func(), error) { return nil, nil, fs.ErrNotExist }
	a.guard(501, 504)
	<-a.peer.ended // one that is gone has ended
}
