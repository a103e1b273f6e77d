package board

import (
	"context"
	"fmt"
	"time"
)

// Source is one dashboard: what it reads, how that looks, and the keys that it
// answers. Read and what Reaction.Act does run beside the screen; everything else is
// called by the screen alone, one call after the other, so that a source needs no
// lock as long as Read and Act change nothing of it but through the funcs that they
// return.
type Source interface {
	// Read looks at the world. There are never two calls at once. take puts what was
	// found into the source; the screen calls it. An error says what could not be
	// read: the frame is then shown as old, with what take had to give, if any.
	Read(ctx context.Context) (take func(), err error)
	// Frame is what there is to see now.
	Frame(size Size) Frame
	// Keys are those that Press answers now, for the help.
	Keys() []Key
	// Press answers a key, named as in "a", "A", "up", "enter", "esc", "space".
	// q, ctrl+c and ? never come here, nothing before the first take does, and keys that
	// scroll come here first.
	Press(key string) Reaction
}

// Key is one that a dashboard answers.
type Key struct {
	// Names are what Press is given for it.
	Names []string
	// Label is how it is called in the help; the names, where empty.
	Label string
	// Does says what it does, in a few words.
	Does string
	// Help says the same at more length, for the whole help; Does, where empty.
	Help string
	// Hidden leaves it out of the line at the foot.
	Hidden bool
}

// Reaction is what comes of a key. The zero value: the key means nothing here.
type Reaction struct {
	Handled bool
	// Message is shown at the foot until the next key.
	Message string
	// Style is that of the message.
	Style Style
	// Refresh has the world read again at once.
	Refresh bool
	// Top scrolls to the beginning: something else is shown now.
	Top bool
	// Act is run beside the screen. There is one at a time.
	Act func(ctx context.Context) Result
	// Ask is a question that has to be answered with y before Act is run.
	Ask string
	// Quit ends the dashboard.
	Quit bool
}

// Result is what came of an action.
type Result struct {
	Message string
	Style   Style
	// Take puts what it found into the source; may be nil.
	Take func()
	// Refresh has the world read again.
	Refresh bool
	// Top scrolls to the beginning.
	Top bool
}

// Options are the settings of a run.
type Options struct {
	// Interval is the time between two reads; 0 reads only when woken or asked.
	Interval time.Duration
	// Wake has the world read whenever something comes; may be nil.
	Wake <-chan struct{}
	// Environ is the environment, as NAME=value.
	Environ []string
	Now     func() time.Time
	// Width is that of Once; 80 where 0.
	Width int
}

// The time between two reads, where nobody says otherwise, and the least of it.
const (
	UsualInterval    = 2 * time.Second
	shortestInterval = 100 * time.Millisecond
)

// CheckInterval refuses one that would have a dashboard do nothing but read.
func CheckInterval(interval time.Duration) error {
	if interval < shortestInterval {
		return fmt.Errorf("--interval is at least %s", shortestInterval)
	}
	return nil
}
