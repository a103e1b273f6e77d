//go:build wireinject

package main

import (
	"github.com/google/wire"
	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/agentproc"
	"github.com/changeover/changeover/adapters/buildinfo"
	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/adapters/flock"
	"github.com/changeover/changeover/adapters/gitcli"
	"github.com/changeover/changeover/adapters/graphemes"
	"github.com/changeover/changeover/adapters/proc"
	"github.com/changeover/changeover/adapters/world"
	"github.com/changeover/changeover/adapters/zlog"
	"github.com/changeover/changeover/domain/baton"
)

// assemble builds the tree of commands on the given streams.
func assemble(streams cobracli.Streams) *cobra.Command {
	panic(wire.Build(
		wire.FieldsOf(new(cobracli.Streams), "Err"),
		buildinfo.Set,
		zlog.Set,
		world.Base,
		newWorld,
		proc.LiveSet,
		agentproc.Set,
		flock.Set,
		gitcli.Set,
		graphemes.Set,
		newSink,
		wire.Bind(new(baton.Sink), new(*sink)),
		wire.Struct(new(deps), "*"),
		newRootCmd,
	))
}
