package baton

import (
	"context"
	"errors"
	"fmt"

	"github.com/changeover/changeover/domain/baton/project"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/port"
)

// shift is a command's hold of a session: as long as it lasts, nobody else writes
// what the session keeps.
type shift struct {
	World
	Repo
	meta SessionMeta
	// there: the session has begun; kept is what its file holds.
	there  bool
	kept   SessionMeta
	holder Holder
	lock   port.Lock
}

// begin takes the session of a repository for a command. What a process that died
// has left is put in order first.
func (w World) begin(ctx context.Context, r Repo, command string) (*shift, error) {
	if r.Invalid != nil {
		return nil, usage(r.Invalid)
	}
	return w.take(ctx, r, command)
}

// take is begin for the commands that go on without a valid configuration.
func (w World) take(ctx context.Context, r Repo, command string) (*shift, error) {
	if err := r.sound(); err != nil {
		return nil, err
	}
	if err := r.Make(); err != nil {
		return nil, err
	}
	lock, err := w.Locks.TryLock(r.Path(LockFile), fileMode)
	if errors.Is(err, port.ErrLocked) {
		holder, _ := w.holder(r.Desk)
		return nil, &BusyError{Holder: holder}
	}
	if err != nil {
		return nil, fmt.Errorf("lock the session: %w", err)
	}
	s := &shift{World: w, Repo: r, lock: lock}
	if err := s.settle(ctx, command); err != nil {
		if s.holder.Agent != nil { // whoever comes next must know of it
			return nil, errors.Join(err, lock.Release())
		}
		return nil, errors.Join(err, s.end())
	}
	return s, nil
}

// sound refuses a repository whose session no command can go on with, before
// anything is written.
func (r Repo) sound() error {
	if _, _, err := r.agents("", ""); err != nil {
		return err
	}
	_, _, err := r.ReadMeta()
	return unreadable(err)
}

// unreadable makes a damaged session a matter of the command's user, who alone can
// move it away.
func unreadable(err error) error {
	if errors.Is(err, ErrBadSession) {
		return usage(err)
	}
	return err
}

// holder reads who holds, or held, the lock.
func (w World) holder(d Desk) (*Holder, error) {
	content, err := d.Text(LockFile)
	if err != nil {
		return nil, err
	}
	return ReadHolder([]byte(content))
}

// settle reads the session and recovers it. An agent of the last holder is noted
// until that is done: whoever comes after this process must know of it too.
func (s *shift) settle(ctx context.Context, command string) error {
	before, _ := s.World.holder(s.Desk) // a damaged lock file tells of nobody
	s.holder = Holder{Process: s.process(s.Self), Command: command, StartedAt: s.Clock.Now()}
	if before != nil {
		s.holder.Agent = before.Agent
	}
	if err := s.lock.Note(s.holder.Bytes()); err != nil {
		return fmt.Errorf("note who holds the session: %w", err)
	}
	var err error
	if s.meta, s.there, err = s.ReadMeta(); err != nil {
		return unreadable(err)
	}
	s.kept = s.meta
	s.clear(s.Path(""), "")
	if s.there {
		if err := s.recover(ctx, before); err != nil {
			return err
		}
	}
	if s.holder.Agent != nil {
		if err := s.runs("", 0); err != nil {
			return fmt.Errorf("note who holds the session: %w", err)
		}
	}
	if s.Project != nil {
		s.used()
	}
	return nil
}

// used notes when the project was used. That it cannot be noted hinders nothing.
func (s *shift) used() {
	id := s.Project.ID
	err := s.ChangeProjects(func(r project.Registry) (project.Registry, error) { return r.Used(id, s.Clock.Now()), nil })
	if err != nil {
		s.Sink.Notice(fmt.Sprintf("the project registry could not be updated: %v", err))
	}
}

// recover puts in order what a baton that died has left.
func (s *shift) recover(ctx context.Context, before *Holder) error {
	waited := s.meta.Waiting != wall.Waiting{}
	meta, r, err := s.meta.Recover(before, s.lives, s.Clock.Now())
	if err != nil {
		return err
	}
	s.meta = meta
	if r == nil {
		if waited {
			return s.save()
		}
		return nil
	}
	s.Sink.Notice(r.Warning)
	if r.Agent != nil {
		ask := s.Config.Agents[r.Agent.ID].Protocol.Stop()
		if err := s.Strays.EndStray(ctx, r.Agent.PID, r.Agent.Start, ask, stopGrace); err != nil {
			return fmt.Errorf("end the agent that was left: %w", err)
		}
	}
	if r.Restore {
		if err := s.restore(); err != nil {
			return err
		}
	}
	return s.save()
}

// runs notes which agent runs; a number of 0 is none.
func (s *shift) runs(agent string, pid int) error {
	s.holder.Agent = nil
	if pid != 0 {
		s.holder.Agent = &HeldAgent{ID: agent, Process: s.process(pid)}
	}
	return taken(s.lock.Note(s.holder.Bytes()))
}

// save writes the session.
func (s *shift) save() error {
	if err := s.Write(MetaFile, string(s.meta.Bytes(s.Clock.Now()))); err != nil {
		return err
	}
	s.there, s.kept = true, s.meta
	return nil
}

// end gives the session free.
func (s *shift) end() error {
	_ = s.lock.Note(nil) // a note that stays tells of a process that is no more
	return s.lock.Release()
}

// finish ends a command that runs agents. Where it could not go on, the session
// says why, and claims no work any more.
func (s *shift) finish(err error) error {
	if s.there && ExitCode(err) == ExitFailed {
		_ = s.broken(err) // what failed first is told
	}
	return errors.Join(err, s.end())
}

// broken notes why a command could not go on in what the session's file holds:
// what else was to be noted may be what could not be written.
func (s *shift) broken(cause error) error {
	text := oneLine(cause)
	if errors.Is(cause, context.Canceled) {
		text = "interrupted"
	}
	s.meta = s.kept
	switch status := s.meta.Status(); {
	case status.Active():
		meta, err := s.meta.Break(text, s.Clock.Now())
		if err != nil {
			return err
		}
		s.meta = meta
	case status == FallbackDetected:
		s.meta.LastError = text
	default:
		return nil // no work was left undone
	}
	return s.save()
}

// ReadMeta reads the session; ok is false where there is none.
func (d Desk) ReadMeta() (m SessionMeta, ok bool, err error) {
	content, ok, err := d.Read(MetaFile)
	if err != nil || !ok {
		return m, false, err
	}
	m, err = ReadSession([]byte(content))
	if err != nil {
		return m, false, fmt.Errorf("%s: %w", Artifact(MetaFile), err)
	}
	return m, true, nil
}
