//go:build wireinject

package main

import (
	"github.com/google/wire"
	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/agentproc"
	"github.com/changeover/changeover/adapters/buildinfo"
	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/adapters/proc"
	"github.com/changeover/changeover/adapters/world"
	"github.com/changeover/changeover/adapters/zlog"
)

// assemble builds the tree of commands on the given streams.
func assemble(streams cobracli.Streams) *cobra.Command {
	panic(wire.Build(
		wire.FieldsOf(new(cobracli.Streams), "Err"),
		buildinfo.Set,
		zlog.Set,
		world.Base,
		proc.LiveSet,
		world.Relay,
		world.Mailbox,
		agentproc.Set,
		wire.Struct(new(deps), "*"),
		newRootCmd,
	))
}
