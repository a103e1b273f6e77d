package world

import (
	"errors"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/session"
)

// Threads lists the live threads of Codex.
type Threads interface {
	// Sessions returns what could be read and what could not. An error means that
	// nobody could look.
	Sessions() (session.Listing, error)
}

// Presence lists the sessions of both clients.
type Presence struct {
	claude port.SessionRegistry
	codex  Threads
}

var _ exchange.Presence = Presence{}

// NewPresence puts the registry of the one beside the threads of the other.
func NewPresence(claude port.SessionRegistry, codex Threads) Presence {
	return Presence{claude: claude, codex: codex}
}

// Sessions implements exchange.Presence.
func (p Presence) Sessions() (session.Listing, error) {
	listing, err := p.claude.Sessions()
	threads, threadsErr := p.codex.Sessions()
	listing.Rows = append(listing.Rows, threads.Rows...)
	listing.Unread = append(listing.Unread, threads.Unread...)
	listing.Inside = threads.Inside
	switch {
	case threadsErr == nil || errors.Is(err, port.ErrNoHome) && errors.Is(threadsErr, port.ErrNoHome):
		return listing, err
	case err == nil:
		return listing, threadsError{threadsErr}
	}
	return listing, errors.Join(err, threadsError{threadsErr})
}

// threadsError says which of the two could not be looked at. It wraps nothing: a
// path in it would be taken for that of the registry.
type threadsError struct{ err error }

func (f threadsError) Error() string { return "the threads of Codex: " + f.err.Error() }
