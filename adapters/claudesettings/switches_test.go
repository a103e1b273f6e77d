package claudesettings_test

import (
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/claudesettings"
	"github.com/changeover/changeover/adapters/osfs/memfs"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/relay"
)

func TestReader_Switches(t *testing.T) {
	const user, project = "/h/.claude/settings.json", "/p/.claude/settings.local.json"
	const off = `{"cachedGrowthBookFeatures":{"tengu_plugin_hooks_modules":false}}`
	tests := []struct {
		name  string
		files map[string]string
		vars  map[string]string
		want  relay.Switches
		fault bool
	}{
		{name: "no file"},
		{name: "nothing said", files: map[string]string{user: `{}`, "/h/.claude.json": `{"cachedGrowthBookFeatures":{}}`}},
		{name: "hooks off", files: map[string]string{user: `{"disableAllHooks":true}`}, want: relay.Switches{NoHooks: user}},
		{name: "hooks off here", files: map[string]string{project: `{"disableAllHooks":true}`}, want: relay.Switches{NoHooks: project}},
		{name: "hooks on", files: map[string]string{user: `{"disableAllHooks":false}`}},
		{
			name:  "mods off",
			files: map[string]string{"/h/.claude.json": off},
			want:  relay.Switches{NoMods: true},
		},
		{
			name:  "the switch is not heeded without telemetry",
			files: map[string]string{"/h/.claude.json": off},
			vars:  map[string]string{"DISABLE_TELEMETRY": "1"},
		},
		{
			name:  "unless the client is told to",
			files: map[string]string{"/h/.claude.json": off},
			vars:  map[string]string{"DISABLE_TELEMETRY": "1", "CLAUDE_CODE_GB_DISK_CACHE_WHEN_TELEMETRY_OFF": "1"},
			want:  relay.Switches{NoMods: true},
		},
		{name: "mods on", files: map[string]string{"/h/.claude.json": `{"cachedGrowthBookFeatures":{"tengu_plugin_hooks_modules":true}}`}},
		{name: "broken", files: map[string]string{user: `{`}, fault: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			files := memfs.New()
			for _, dir := range []string{"/h", "/h/.claude", "/p", "/p/.claude"} {
				is.NoErr(files.MakeDir(dir, 0o700))
			}
			for name, content := range tt.files {
				is.NoErr(files.Create(name, []byte(content), 0o600, port.Unsynced))
			}
			env := port.Environment{Home: "/h", Lookup: func(name string) string { return tt.vars[name] }}
			got, err := claudesettings.New(files).Switches(env, "/p")
			is.Equal(got, tt.want)
			is.Equal(err != nil, tt.fault)
		})
	}
}
