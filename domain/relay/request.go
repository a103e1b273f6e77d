package relay

import (
	"errors"
	"fmt"

	"github.com/changeover/changeover/domain/text"
)

// Request is a link that a session was asked for and has not answered.
type Request struct {
	Link string
	Role Role
	From Party
	Lang string

	// slash is how the command is typed in the session that was asked.
	slash string
}

// The two names of the slash command: the mod's own, and the one that a hook
// answers where no mod runs.
const (
	ownCommand  = "/relay"
	fullCommand = "/changeover:relay"
)

// slash is how the command is typed in a session. The full name works in each.
func (o Operator) slash(session string) string {
	if o.attached(session) {
		return ownCommand
	}
	return fullCommand
}

// Line tells the person of it, with the command that accepts.
func (r Request) Line() string { return r.line(r.slash) }

func (r Request) line(slash string) string {
	c := CatalogueOf(r.Lang)
	return text.Printable(c.Say(SayIncoming, r.From.Label(), r.From.Session, plain(r.From.Cwd, reasonLength), r.Role, r.command(slash), slash+" decline"))
}

// Command is what accepts the request.
func (r Request) Command() string { return r.command(r.slash) }

func (r Request) command(slash string) string {
	return fmt.Sprintf("%s %s %s", slash, r.Role, r.From.Session)
}

// Requests returns the links that a session was asked for and has not answered,
// or was killed while it answered, and an error where some could not be read.
func (o Operator) Requests(id string) ([]Request, error) {
	links, err := o.Store.Asks(id)
	if len(links) == 0 {
		return nil, err
	}
	m, memberErr := o.member(id)
	err = errors.Join(err, memberErr)
	var requests []Request
	for _, link := range links {
		s, stateErr := o.state(link)
		if errors.Is(stateErr, ErrNoLink) { // somebody took it away
			continue
		}
		if stateErr != nil {
			err = errors.Join(err, stateErr)
			continue
		}
		role := s.Asker.Other()
		half := s.Open() && s.Joined(role) && s.Party(role).Session == id && m.Link != link
		if s.Phase == Asking && s.Wanted == id || half {
			requests = append(requests, Request{
				Link: link, Role: s.Asker.Other(), From: s.Party(s.Asker), Lang: s.Lang(s.Asker), slash: o.slash(id),
			})
		}
	}
	return requests, err
}
