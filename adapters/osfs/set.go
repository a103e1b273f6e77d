package osfs

import (
	"github.com/google/wire"

	"github.com/changeover/changeover/domain/port"
)

// Set provides the real file system.
var Set = wire.NewSet(New, wire.Bind(new(port.FS), new(FS)), wire.Bind(new(port.Streams), new(FS)))
