package baton

import (
	"context"
	"errors"
	"fmt"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/port"
)

// LoginAll names every agent.
const LoginAll = "all"

// Logins are the agents that a person logs in to, in the order in which they are
// gone through.
func Logins() []string { return []string{"codex", "claude"} }

// Login lets the person log in to the account of one agent, or of all. Agents are
// logged in to where they can be, also when one of them cannot.
func (w World) Login(ctx context.Context, place Place, who string) error {
	ids := []string{who}
	if who == LoginAll {
		ids = Logins()
	} else if err := checkAgent(who); err != nil {
		return err
	}
	r, err := w.Visit(ctx, place)
	w.tellAll(r.Notices)
	if err != nil {
		return err
	}
	if r.Invalid != nil {
		return usage(r.Invalid)
	}
	var faults []error
	for _, id := range ids {
		err := w.login(ctx, r, id)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// login lets the person log in to one account.
func (w World) login(ctx context.Context, r Repo, id string) error {
	configured := r.Config.Agents[id]
	program := id
	if configured.Protocol.Structured() {
		program = configured.Program // another copy of the same client
	}
	argv := []string{program}
	switch id {
	case "codex":
		argv = append(argv, "login")
	default:
		w.Sink.Notice(id + " starts now: log in there with /login, then leave with /exit")
	}
	environ := agent.KeyPolicy{Blocked: r.Config.Auth.Blocked}.Apply(w.Environ).Environ
	code, err := w.Foreground(ctx, argv, r.Top(), environ)
	switch {
	case errors.Is(err, port.ErrNoExecutable):
		return fmt.Errorf("%s: the command %q was not found; install it and put it on PATH, or name another one as agents.%s.command; 'baton doctor' says whether it is there", id, program, id)
	case err != nil:
		return fmt.Errorf("%s: %w", id, err)
	case code != 0:
		return fmt.Errorf("%s: the login ended with exit code %d", id, code)
	}
	return nil
}
