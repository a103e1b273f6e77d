package regtest_test

import (
	"errors"
	"testing"

	"github.com/changeover/changeover/adapters/claudereg/regtest"
	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/domain/session"
)

func TestRegistry_Contract(t *testing.T) {
	porttest.Sessions(t, func(*testing.T) porttest.RegistryHarness {
		r := regtest.New()
		return porttest.RegistryHarness{
			Registry: r,
			Put:      func(_ *testing.T, row session.Row) { r.Put(row) },
			Spoil:    func(_ *testing.T, file string) { r.Spoil(file) },
			Drop:     func(_ *testing.T, file string) { r.Drop(file) },
			Vanish:   func(*testing.T) { r.Clear() },
			Block:    func(*testing.T) { r.Block(errors.New("permission denied")) },
		}
	})
}
