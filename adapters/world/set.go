// Package world gathers the provider sets that make up what the tools' verbs
// need of their surroundings.
package world

import (
	"github.com/google/wire"

	"github.com/changeover/changeover/adapters/claudereg"
	"github.com/changeover/changeover/adapters/claudesettings"
	"github.com/changeover/changeover/adapters/clock"
	"github.com/changeover/changeover/adapters/codexreg"
	"github.com/changeover/changeover/adapters/entropy"
	"github.com/changeover/changeover/adapters/environ"
	"github.com/changeover/changeover/adapters/fsstore"
	"github.com/changeover/changeover/adapters/graphemes"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/adapters/proc"
	"github.com/changeover/changeover/domain/exchange"
)

// Base provides what every tool needs of this machine, but for its processes.
var Base = wire.NewSet(
	osfs.Set,
	clock.Set,
	entropy.Set,
	environ.Set,
	claudereg.Set,
)

// Exchange provides exchange.World beside what Base provides, in a program that
// runs for a moment.
var Exchange = wire.NewSet(proc.Set, exchangeWorld)

// Mailbox provides exchange.Mailbox beside what Base and the table of live processes
// provide, in a program that goes on running.
var Mailbox = wire.NewSet(exchangeWorld, wire.Struct(new(exchange.Mailbox), "*"))

var exchangeWorld = wire.NewSet(
	graphemes.Set,
	claudesettings.Set,
	fsstore.Set,
	codexreg.Set,
	wire.Bind(new(Threads), new(codexreg.Registry)),
	NewPresence,
	wire.Bind(new(exchange.Presence), new(Presence)),
	wire.Struct(new(exchange.World), "*"),
)
