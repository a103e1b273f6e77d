//go:build wireinject

package main

import (
	"github.com/google/wire"

	"github.com/changeover/changeover/adapters/world"
	"github.com/changeover/changeover/domain/exchange"
)

// assemble builds the parts that answer.
func assemble() parts {
	panic(wire.Build(
		world.Base,
		world.Exchange,
		world.Relay,
		wire.Struct(new(exchange.Hook), "*"),
		wire.Bind(new(answerer), new(exchange.Hook)),
		newRelayPart,
		wire.Bind(new(relayer), new(relayPart)),
		newLogger,
		wire.Struct(new(parts), "*"),
	))
}
