package world

import (
	"github.com/google/wire"

	"github.com/changeover/changeover/adapters/linkstore"
	"github.com/changeover/changeover/adapters/relayconfig"
	"github.com/changeover/changeover/domain/relay"
)

// Relay provides relay.Operator beside what Exchange or Base provide.
var Relay = wire.NewSet(
	linkstore.Set,
	relayconfig.Set,
	wire.Struct(new(relay.Operator), "*"),
)
