package fsstore_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/fsstore"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/domain/exchange"
)

// writerRoot tells a process of the test binary to write into the store of that
// root.
const writerRoot = "CHANGEOVER_TEST_WRITER_ROOT"

const (
	processes   = 4
	ownPosts    = 25
	sharedPosts = 20
)

func TestMain(m *testing.M) {
	if root := os.Getenv(writerRoot); root != "" {
		won, err := write(fsstore.NewOpener(osfs.New()), root, os.Getpid())
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Fprint(os.Stdout, won)
		return
	}
	os.Exit(m.Run())
}

// write posts handoffs of its own, tries to post some that every writer does,
// and moves one that was there before. It returns how many of the shared ones it posted.
func write(open exchange.Opener, root string, writer int) (won int, err error) {
	s, err := open(root)
	if err != nil {
		return 0, err
	}
	for i := range ownPosts {
		if err := s.Post(aHandoff(fmt.Sprintf("own-%d-%d", writer, i))); err != nil {
			return won, err
		}
	}
	for i := range sharedPosts {
		shared := aHandoff(fmt.Sprintf("shared-%d", i))
		shared.Body = strconv.Itoa(writer)
		switch err := s.Post(shared); {
		case err == nil:
			won++
		case !errors.Is(err, fs.ErrExist):
			return won, err
		}
	}
	claim := aClaim("shared")
	claim.Focus = strconv.Itoa(writer)
	if err := s.PutClaim(claim); err != nil {
		return won, err
	}
	return won, s.AddMove("ready", aMove(0, exchange.Accepted), fmt.Sprintf("%06x", writer))
}

// wrote fails where something of what the writers wrote is missing or torn.
func wrote(t *testing.T, p place, writers, won int) {
	t.Helper()
	is := is.New(t)
	s := p.store(t)
	shelf := s.Handoffs()
	is.Equal(len(shelf.Items), 1+writers*ownPosts+sharedPosts) // all there
	is.Equal(len(shelf.Problems()), 0)                         // and readable
	is.Equal(won, sharedPosts)                                 // each shared one was posted once
	filed, err := s.Handoff("ready")
	is.NoErr(err)
	is.Equal(len(filed.Moves), writers)
	is.Equal(len(s.Claims().Items), 1)
	is.Equal(s.Inspect(), exchange.Inspection{}) // no temporary file is left
}

func TestStore_ManyWritersInOneProcess(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		p := newPlace(t, h)
		post(t, p.store(t), "ready")
		var group sync.WaitGroup
		won, errs := make([]int, processes), make([]error, processes)
		for i := range processes {
			group.Go(func() { won[i], errs[i] = write(fsstore.NewOpener(p.FS), p.root, i) })
		}
		group.Wait()
		ok(t, errors.Join(errs...))
		total := 0
		for _, n := range won {
			total += n
		}
		wrote(t, p, processes, total)
	})
}

func TestStore_ManyProcesses(t *testing.T) {
	is := is.New(t)
	p := newPlace(t, porttest.OnDisk(t))
	post(t, p.store(t), "ready")
	self, err := os.Executable()
	is.NoErr(err)
	var started []*exec.Cmd
	outputs := make([]strings.Builder, processes)
	for i := range processes {
		cmd := exec.Command(self)
		cmd.Env = []string{writerRoot + "=" + p.root}
		cmd.Stdout, cmd.Stderr = &outputs[i], os.Stderr
		is.NoErr(cmd.Start())
		started = append(started, cmd)
	}
	// Reading goes on meanwhile and never sees a part of a file.
	s := p.store(t)
	for range 20 {
		is.Equal(len(s.Handoffs().Problems())+len(s.Pending().Problems())+len(s.Claims().Problems), 0)
	}
	won := 0
	for i, cmd := range started {
		is.NoErr(cmd.Wait())
		n, err := strconv.Atoi(outputs[i].String())
		is.NoErr(err)
		won += n
	}
	wrote(t, p, processes, won)
}
