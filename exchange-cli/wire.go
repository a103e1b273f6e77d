//go:build wireinject

package main

import (
	"github.com/google/wire"
	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/buildinfo"
	"github.com/changeover/changeover/adapters/casefold"
	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/adapters/codexhooks"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/adapters/proc"
	"github.com/changeover/changeover/adapters/settingsedit"
	"github.com/changeover/changeover/adapters/world"
	"github.com/changeover/changeover/adapters/zlog"
	"github.com/changeover/changeover/domain/exchange"
)

// assemble builds the tree of commands on the given streams.
func assemble(streams cobracli.Streams) *cobra.Command {
	panic(wire.Build(
		wire.FieldsOf(new(cobracli.Streams), "Err"),
		buildinfo.Set,
		zlog.Set,
		casefold.Set,
		world.Base,
		world.Exchange,
		codexhooks.Set,
		world.Relay,
		proc.New,
		settingsedit.Set,
		wire.Bind(new(exchange.SettingsWriter), new(osfs.FS)),
		wire.Bind(new(exchange.ScriptMover), new(osfs.FS)),
		wire.Struct(new(exchange.HookRetirer), "*"),
		wire.Struct(new(deps), "*"),
		newRootCmd,
	))
}
