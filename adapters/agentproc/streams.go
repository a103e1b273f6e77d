package agentproc

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/changeover/changeover/domain/port"
)

// streams are the pipes between this process and one agent: the agent's ends,
// which are closed here once it has started, and this process's own.
type streams struct {
	childIn, childOut, childErr *os.File
	in, out, err                *os.File

	copies sync.WaitGroup
	mu     sync.Mutex
	faults []error
}

// openStreams opens what c asks for. After an error nothing is open.
func openStreams(c port.Command) (_ *streams, err error) {
	s := &streams{}
	defer func() {
		if err != nil {
			s.abandon()
		}
	}()
	if err := s.openInput(c.Input); err != nil {
		return nil, fmt.Errorf("standard input: %w", err)
	}
	if s.out, s.childOut, err = os.Pipe(); err != nil {
		return nil, err
	}
	if s.err, s.childErr, err = os.Pipe(); err != nil {
		return nil, err
	}
	return s, nil
}

// openInput opens the agent's standard input, which is never inherited.
func (s *streams) openInput(input port.Input) (err error) {
	if _, ok := input.Text(); ok {
		s.childIn, s.in, err = os.Pipe()
		return err
	}
	path, ok := input.Path()
	if !ok {
		s.childIn, err = os.Open(os.DevNull)
		return err
	}
	// Without O_NONBLOCK, opening a FIFO would wait for its writer.
	s.childIn, err = os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	info, err := s.childIn.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: %w", path, port.ErrNotRegular)
	}
	return nil
}

// abandon closes every end of streams that no agent got.
func (s *streams) abandon() {
	closeAll(s.childIn, s.childOut, s.childErr, s.in, s.out, s.err)
}

// begin starts to carry bytes for an agent that has started.
func (s *streams) begin(c port.Command) {
	closeAll(s.childIn, s.childOut, s.childErr)
	if text, ok := c.Input.Text(); ok {
		s.copies.Go(func() {
			// An agent that reads a part of its input, or none, is no fault.
			_, _ = s.in.Write(text)
			closeAll(s.in)
		})
	}
	s.copies.Go(func() { s.drain("stdout", s.out, c.Stdout) })
	s.copies.Go(func() { s.drain("stderr", s.err, c.Stderr) })
}

// drain carries one stream to its writer until its end, and goes on reading
// when the writer has failed: an agent must not die of its reader.
func (s *streams) drain(name string, from *os.File, to io.Writer) {
	buffer := make([]byte, 32*1024)
	for {
		n, err := from.Read(buffer)
		if n > 0 && to != nil {
			if _, failed := to.Write(buffer[:n]); failed != nil {
				to = nil
			}
		}
		if errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed) {
			return
		}
		if err != nil {
			s.fault(fmt.Errorf("read %s: %w", name, err))
			return
		}
	}
}

// fault notes what went wrong on a stream.
func (s *streams) fault(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, err)
}

// finish waits for the end of both outputs, for grace at most, and closes
// them. It reports whether it had to cut one off.
func (s *streams) finish(grace time.Duration) (cut bool, err error) {
	ended := make(chan struct{})
	go func() {
		s.copies.Wait()
		close(ended)
	}()
	// Nobody reads the rest of the input once the agent has exited.
	closeAll(s.in)
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-ended:
	case <-timer.C:
		cut = true
	}
	closeAll(s.out, s.err)
	<-ended
	return cut, errors.Join(s.faults...)
}

// closeAll closes what is open. Nothing is ever lost by a failing close here:
// the ends are pipes, or files that were only read.
func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close() // see above; closing twice is fine too
		}
	}
}
