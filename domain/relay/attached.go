package relay

import (
	"errors"

	"github.com/changeover/changeover/domain/session"
)

// Holds tells whether a process still runs the session that it ran: after /clear,
// and after /resume inside it, it runs another one. A process that the registry
// does not know yet holds it.
func (o Operator) Holds(id string, pid int) bool {
	listing, err := o.Sessions.Sessions()
	if err != nil {
		return true
	}
	for _, row := range listing.Rows {
		if row.PID == pid && row.SessionID != id {
			return false
		}
	}
	return true
}

// Elsewhere returns the process that a session runs in, where the registry knows that
// it is not the one given.
func (o Operator) Elsewhere(id string, pid int) (other int, elsewhere bool) {
	registry, err := o.registry()
	if err != nil {
		return 0, false
	}
	for _, row := range registry.Rows() {
		switch {
		case row.SessionID != id || row.State != session.Live || row.PID == 0:
		case row.PID == pid:
			return 0, false
		default:
			other = row.PID
		}
	}
	return other, other != 0
}

// Attach registers the process that draws a session's band.
func (o Operator) Attach(id string, a Attachment) error { return o.Store.PutAttachment(id, a) }

// Detach takes the registration back, unless another process has it by now.
func (o Operator) Detach(id string, a Attachment) error {
	known, err := o.Store.Attachment(id)
	if errors.Is(err, ErrNoSession) || err == nil && known != a {
		return nil
	}
	if err != nil {
		return err
	}
	return o.Store.DropAttachment(id)
}

// Known returns what relay knows of a session. A link that somebody took away is
// none.
func (o Operator) Known(id string) (Member, error) {
	m, err := o.member(id)
	if err != nil || m.Link == "" {
		return m, err
	}
	if _, err = o.Store.Log(m.Link); errors.Is(err, ErrNoLink) {
		m.Link, m.Role = "", ""
		return m, nil
	}
	return m, err
}

// Refresh repairs a link on the way: deliveries that nobody put down and boxes of
// dead processes. It sends nothing: a turn that is recorded has not ended yet.
func (o Operator) Refresh(m Member) error {
	return o.redeliver(m.Link)
}
