package board_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/board"
)

func options() board.Options {
	return board.Options{Now: time.Now, Environ: []string{"TERM=xterm-256color"}}
}

func TestRun_EndsWithQAndGivesTheScreenBack(t *testing.T) {
	is := is.New(t)
	var out bytes.Buffer
	is.NoErr(board.Run(t.Context(), strings.NewReader("q"), &out, ships("Anna"), options()))
	is.True(strings.Contains(out.String(), "\x1b[?1049l")) // out of the alternate screen
}

func TestRun_EndsWithItsContext(t *testing.T) {
	is := is.New(t)
	in, hold := io.Pipe()
	defer hold.Close()
	ctx, cancel := context.WithCancel(t.Context())
	h := ships("Anna")
	h.read = func() ([]string, error) {
		cancel()
		return []string{"Anna"}, nil
	}
	is.NoErr(board.Run(ctx, in, io.Discard, h, options()))
}

// What was begun is waited for, and knows that it is to end.
func TestRun_WaitsForWhatItBegan(t *testing.T) {
	is := is.New(t)
	in, typed := io.Pipe()
	defer typed.Close()
	ctx, cancel := context.WithCancel(t.Context())
	h := ships("Anna")
	ended := false
	wake := make(chan struct{}, 1)
	wake <- struct{}{}
	reads := 0
	h.read = func() ([]string, error) {
		if reads++; reads == 2 { // the first has been taken
			_, err := io.WriteString(typed, "ly")
			return []string{"Anna"}, err
		}
		return []string{"Anna"}, nil
	}
	h.act = func(ctx context.Context) board.Result {
		cancel()
		<-ctx.Done()
		ended = true
		return board.Result{}
	}
	o := options()
	o.Wake = wake
	is.NoErr(board.Run(ctx, in, io.Discard, h, o))
	is.True(ended)
}

func TestRun_ReadsWhenItIsWoken(t *testing.T) {
	is := is.New(t)
	in, typed := io.Pipe()
	defer typed.Close()
	wake := make(chan struct{}, 1)
	reads := 0
	h := ships("Anna")
	h.read = func() ([]string, error) {
		reads++
		if reads == 1 {
			wake <- struct{}{}
			return []string{"Anna"}, nil
		}
		_, err := io.WriteString(typed, "q")
		return []string{"Berta"}, err
	}
	o := options()
	o.Wake = wake
	is.NoErr(board.Run(t.Context(), in, io.Discard, h, o))
	is.Equal(reads, 2)
}

func TestTerminal_IsNoFileAndNoBuffer(t *testing.T) {
	is := is.New(t)
	file, err := os.Create(t.TempDir() + "/file")
	is.NoErr(err)
	defer file.Close()
	is.True(!board.Terminal(file))
	is.True(!board.Terminal(&bytes.Buffer{}))
}
