// Package world gathers the provider sets that make up what the exchange's
// verbs need of their surroundings.
package world

import (
	"github.com/google/wire"

	"github.com/changeover/changeover/adapters/claudereg"
	"github.com/changeover/changeover/adapters/claudesettings"
	"github.com/changeover/changeover/adapters/clock"
	"github.com/changeover/changeover/adapters/entropy"
	"github.com/changeover/changeover/adapters/environ"
	"github.com/changeover/changeover/adapters/fsstore"
	"github.com/changeover/changeover/adapters/graphemes"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/adapters/proc"
	"github.com/changeover/changeover/domain/exchange"
)

// Exchange provides exchange.World on this machine.
var Exchange = wire.NewSet(
	osfs.Set,
	wire.Bind(new(exchange.Files), new(osfs.FS)),
	clock.Set,
	entropy.Set,
	environ.Set,
	proc.Set,
	graphemes.Set,
	claudereg.Set,
	claudesettings.Set,
	fsstore.Set,
	wire.Struct(new(exchange.World), "*"),
)
