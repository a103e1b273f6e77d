package fsstore

import (
	"github.com/google/wire"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/port"
)

// NewOpener returns what opens the store of a root on the given file system.
func NewOpener(files port.FS) exchange.Opener {
	return func(root string) (exchange.Store, error) { return Open(files, root) }
}

// Set provides the opener.
var Set = wire.NewSet(NewOpener)
