package exchange

import (
	"io/fs"
	"time"
)

// rehearsal is a store that keeps nothing: what a hook says is worked out by the
// hook itself, and nothing is changed.
type rehearsal struct{ Store }

// rehearsed is the hook over such a store.
func (w World) rehearsed(store Store) Hook {
	w.Open = func(string) (Store, error) { return rehearsal{store}, nil }
	return Hook{World: w}
}

func (r rehearsal) PutClaim(c Claim) error {
	_, err := c.Encode(c.SessionID + ".json")
	return err
}

func (r rehearsal) AddReceipt(sessionID, handoffID string, receipt Receipt) error {
	if err := CheckDirID(sessionID); err != nil {
		return err
	}
	if err := CheckID(handoffID); err != nil {
		return err
	}
	_, err := receipt.Encode(handoffID + ".json")
	return err
}

func (r rehearsal) Remember(sessionID string, kind Memory, name string, _ time.Time) error {
	have, err := r.Remembered(sessionID, kind)
	if err == nil && have[name] {
		return fs.ErrExist
	}
	return err
}

func (rehearsal) DropClaim(string) error                  { return nil }
func (rehearsal) EndClaim(string) error                   { return nil }
func (rehearsal) DropEnded(string) error                  { return nil }
func (rehearsal) DropReceipt(string, string) error        { return nil }
func (rehearsal) PutLook(string, []byte) error            { return nil }
func (rehearsal) Unremember(string, Memory, string) error { return nil }
func (rehearsal) PutWake(string) error                    { return nil }
func (rehearsal) TakeWake(string, string) error           { return ErrNoWake }
func (rehearsal) Post(Handoff) error                      { return nil }
func (rehearsal) AddMove(string, Move, string) error      { return nil }
func (rehearsal) Archive(Filed) error                     { return nil }
func (rehearsal) Restore(string) error                    { return nil }
func (rehearsal) Forget(string) error                     { return nil }
