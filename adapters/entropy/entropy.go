// Package entropy is the system's source of randomness.
package entropy

import (
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"github.com/google/wire"

	"github.com/changeover/changeover/domain/port"
)

// device is where POSIX systems offer randomness. Reading it costs a hook less
// than starting up a random generator of its own.
const device = "/dev/urandom"

// Source implements port.Random.
type Source struct{}

// New returns the system's source.
func New() Source { return Source{} }

// Hex returns n random bytes in hex digits.
func (Source) Hex(n int) (string, error) {
	f, err := os.Open(device)
	if err != nil {
		return "", fmt.Errorf("open the source of randomness: %w", err)
	}
	defer func() { _ = f.Close() }() // nothing was written
	raw := make([]byte, n)
	if _, err := io.ReadFull(f, raw); err != nil {
		return "", fmt.Errorf("read %s: %w", device, err)
	}
	return hex.EncodeToString(raw), nil
}

// Set provides the system's source.
var Set = wire.NewSet(New, wire.Bind(new(port.Random), new(Source)))
