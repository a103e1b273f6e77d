package buildinfo

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/matryer/is"
)

func TestDescribe_PrefersWhatTheLinkerWasTold(t *testing.T) {
	recorded := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}
	tests := []struct {
		name   string
		linked string
		build  *debug.BuildInfo
		want   string
	}{
		{"linked", "0.1.0", recorded, "0.1.0"},
		{"recorded", "", recorded, "v1.2.3"},
		{"go build of a checkout", "", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "devel"},
		{"nothing known", "", &debug.BuildInfo{}, "devel"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(describe(tt.linked, tt.build).Version, tt.want)
		})
	}
}

func TestInfo_LineNamesProgramAndRevision(t *testing.T) {
	is := is.New(t)
	info := describe("0.1.0", &debug.BuildInfo{Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "4f2a"},
		{Key: "vcs.modified", Value: "true"},
	}})
	platform := runtime.GOOS + "/" + runtime.GOARCH
	is.Equal(info.Line("relay"), "relay 0.1.0 ("+runtime.Version()+", "+platform+", 4f2a+changes)")

	info = Info{Version: "0.1.0", Go: "go1.26", Platform: "linux/amd64"}
	is.Equal(info.Line("relay"), "relay 0.1.0 (go1.26, linux/amd64)")
}
