package claude

import (
	"bytes"
	"context"
	"os/exec"
	"testing"

	"github.com/changeover/changeover/e2e/modelserver"
)

// Scripted is a run of the client for one prompt, without a person. The model
// holds its answer back until Finish, so that the run lasts until then.
type Scripted struct {
	t      testing.TB
	label  string
	cmd    *exec.Cmd
	server *modelserver.Server
	output bytes.Buffer
	answer chan struct{}
	ended  chan error
}

// StartScripted starts a run in cwd and waits until its prompt has reached
// the model.
func (h Home) StartScripted(t testing.TB, label, cwd, prompt string) *Scripted {
	t.Helper()
	s := &Scripted{t: t, label: label, answer: make(chan struct{}), ended: make(chan error, 1)}
	s.server = startServer(t, func(modelserver.Request) modelserver.Answer {
		return modelserver.Answer{
			Blocks: []modelserver.AnswerBlock{modelserver.Text("This is the late answer.")},
			Hold:   s.answer,
		}
	})
	s.cmd = h.command(t, cwd, s.server.URL(), "-p", prompt)
	s.cmd.Stdout, s.cmd.Stderr = &s.output, &s.output
	t.Logf("%s: in %s $ claude -p %q", label, cwd, prompt)
	if err := s.cmd.Start(); err != nil {
		t.Fatalf("%s: %v", label, err)
	}
	go func() {
		s.ended <- s.cmd.Wait()
		close(s.ended)
	}()
	t.Cleanup(func() {
		// A run that has ended by itself cannot be killed.
		_ = s.cmd.Process.Kill()
		for range s.ended {
		}
		h.save(t, label, map[string][]byte{
			"output.txt":     s.output.Bytes(),
			"requests.jsonl": RequestLines(s.server.Requests()),
		})
	})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, err := s.server.Wait(ctx, func(modelserver.Request) bool { return true }); err != nil {
		t.Fatalf("%s: the prompt did not reach the model: %v", label, err)
	}
	return s
}

// Row reads the run's row in the registry, or returns ErrNoRow.
func (s *Scripted) Row(h Home) (Row, error) { return h.Row(s.cmd.Process.Pid) }

// Server is the run's model server.
func (s *Scripted) Server() *modelserver.Server { return s.server }

// Finish lets the model answer, waits for the end of the run and returns its
// output; a status other than 0 fails the test.
func (s *Scripted) Finish() string {
	s.t.Helper()
	close(s.answer)
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	select {
	case err := <-s.ended:
		s.t.Logf("%s: ended\n%s", s.label, s.output.String())
		if err != nil {
			s.t.Fatalf("%s: %v", s.label, err)
		}
	case <-ctx.Done():
		s.t.Fatalf("%s: the run did not end: %v", s.label, ctx.Err())
	}
	return s.output.String()
}
