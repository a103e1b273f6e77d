// Package buildinfo tells which build of a program is running.
package buildinfo

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/google/wire"
)

// Set provides what Read says.
var Set = wire.NewSet(Read)

// version is what the linker was told with -X; empty in a plain go build.
var version string

// Info describes one build. Revision is empty where the tool chain recorded
// none.
type Info struct {
	Version  string
	Revision string
	Go       string
	Platform string
}

// Read describes the running program: by the version that the linker was given,
// else by the module version that the tool chain recorded, else as "devel".
func Read() Info {
	b, ok := debug.ReadBuildInfo()
	if !ok {
		b = &debug.BuildInfo{}
	}
	return describe(version, b)
}

// describe is Read over given facts.
func describe(linked string, b *debug.BuildInfo) Info {
	info := Info{
		Version:  linked,
		Go:       runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	if info.Version == "" {
		info.Version = strings.Trim(b.Main.Version, "()")
	}
	if info.Version == "" {
		info.Version = "devel"
	}
	var modified bool
	for _, s := range b.Settings {
		switch s.Key {
		case "vcs.revision":
			info.Revision = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	if modified && info.Revision != "" {
		info.Revision += "+changes"
	}
	return info
}

// Line is what a program's version command prints, without a line end.
func (i Info) Line(program string) string {
	facts := []string{i.Go, i.Platform}
	if i.Revision != "" {
		facts = append(facts, i.Revision)
	}
	return fmt.Sprintf("%s %s (%s)", program, i.Version, strings.Join(facts, ", "))
}
