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

// NewFiles gives the exchange what it uses of the file system outside its store.
func NewFiles(files port.FS) exchange.Files { return files }

// Set provides the opener and the files.
var Set = wire.NewSet(NewOpener, NewFiles)
