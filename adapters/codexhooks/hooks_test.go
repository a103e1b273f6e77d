package codexhooks_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/codexhooks"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/port"
)

// home makes a home of Codex of the files given. In them HOME stands for its path.
func home(t *testing.T, files map[string]string) (codexhooks.Reader, string) {
	t.Helper()
	is := is.New(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	is.NoErr(err)
	for name, content := range files {
		is.NoErr(os.WriteFile(filepath.Join(dir, name), []byte(strings.ReplaceAll(content, "HOME", dir)), 0o600))
	}
	return codexhooks.New(osfs.New(), dir), dir
}

// The hashes are those that Codex 0.171.0 has kept for these very hooks.
const (
	hooks = `{"hooks":{
  "SessionStart":[
    {"matcher":"startup","hooks":[{"type":"command","command":"a"}]},
    {"hooks":[{"type":"command","command":"b","timeout":5,"statusMessage":"x"}]},
    {"hooks":[{"type":"command","command":"/tmp/cx.qYG3/dump2.sh SessionStart"}]}],
  "Stop":[{"hooks":[{"type":"command","command":"/é <&> \"q\"","async":false}]}],
  "SessionEnd":[{"hooks":[{"type":"command","command":"/tmp/cx.qYG3/dump2.sh SessionEnd"}]}]
}}`
	states = `model = "gpt-5.5"

[hooks.state]

[hooks.state."HOME/hooks.json:session_start:0:0"]
trusted_hash = "sha256:da18b258e36f4c308db207906bfa534d9efb60aa4502808352d75302a2108ff6"

[hooks.state."HOME/hooks.json:stop:0:0"]
trusted_hash = "sha256:000328cc91ae0813370dd06dc1334fc58fc8dfdd02807aaafaa9e2d8db7a6f90"

[hooks.state."HOME/hooks.json:session_start:1:0"]
trusted_hash = "sha256:9c9bad948a0b3ab816d524aa4cab6740c8995f1caecca0743954bbea3f778365"

[hooks.state."HOME/hooks.json:session_start:2:0"]
trusted_hash = "sha256:eb8b539a995b6c463640839638d902fc7153a50ecf23f37a5f36535ed0096e7e"

[hooks.state."HOME/hooks.json:session_end:0:0"]
trusted_hash = "sha256:b2740992368a6531c84b964eb3606c92306a1d982962660147e3821fcdb18421"

[projects."/harbour"]
trusted_hash = "none of these"
`
)

func TestHooks_TellsWhichAreTrustedAsTheyStand(t *testing.T) {
	is := is.New(t)
	reader, dir := home(t, map[string]string{"hooks.json": hooks, "config.toml": states})
	got, err := reader.Hooks()
	is.NoErr(err)
	want := exchange.CodexHooks{File: filepath.Join(dir, "hooks.json"), Hooks: []exchange.CodexHook{
		{Event: "SessionStart", Command: "a", Trust: exchange.Trusted},
		{Event: "SessionStart", Command: "b", Trust: exchange.Trusted},
		{Event: "SessionStart", Command: "/tmp/cx.qYG3/dump2.sh SessionStart", Trust: exchange.Trusted},
		{Event: "Stop", Command: `/é <&> "q"`, Trust: exchange.Trusted},
		{Event: "SessionEnd", Command: "/tmp/cx.qYG3/dump2.sh SessionEnd", Trust: exchange.Trusted},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestHooks_Trust(t *testing.T) {
	const hook = `{"hooks":{"SessionEnd":[{"hooks":[{"type":"command","command":"hookd"MORE}]}]}}`
	const table = "[hooks.state.\"HOME/hooks.json:session_end:0:0\"]\n"
	const hash = "trusted_hash = \"sha256:HASH\"\n"
	tests := []struct {
		name, more, config string
		want               exchange.CodexTrust
	}{
		{"no configuration", "", "", exchange.Untrusted},
		{"another hook's", "", strings.Replace(table, "end", "start", 1) + hash, exchange.Untrusted},
		{"another place", "", strings.Replace(table, "0:0", "1:0", 1) + hash, exchange.Untrusted},
		{"another file", "", strings.Replace(table, "HOME", "/x", 1) + hash, exchange.Untrusted},
		{"a table alone", "", table, exchange.Untrusted},
		{"of other content", "", table + hash, exchange.Altered},
		{"with something unknown", `,"once":true`, table + hash, exchange.TrustedOnce},
		{"run beside", `,"async":true`, table + hash, exchange.TrustedOnce},
		{"switched off", "", table + hash + "enabled = false\n", exchange.SwitchedOff},
		{"switched on", "", table + "enabled = true\n" + hash, exchange.Altered},
		{"a literal key, with blanks and carriage returns", "", "  [hooks.state.'HOME/hooks.json:session_end:0:0' ]\r\n  " + hash, exchange.Altered},
		{"in a comment", "", table + "# " + hash, exchange.Untrusted},
		{"broken strings", "", "[hooks.state.\"\n[hooks.state.]\n" + table + "trusted_hash = \"\n", exchange.Untrusted},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			reader, _ := home(t, map[string]string{"hooks.json": strings.Replace(hook, "MORE", tt.more, 1), "config.toml": tt.config})
			got, err := reader.Hooks()
			is.NoErr(err)
			is.Equal(len(got.Hooks), 1)
			is.Equal(got.Hooks[0].Trust, tt.want)
		})
	}
}

func TestHooks_AHomeWithoutHooks(t *testing.T) {
	is := is.New(t)
	reader, dir := home(t, nil)
	got, err := reader.Hooks()
	is.NoErr(err)
	is.Equal(got.File, filepath.Join(dir, "hooks.json"))
	is.Equal(len(got.Hooks), 0)

	_, err = codexhooks.New(osfs.New(), filepath.Join(dir, "gone")).Hooks()
	is.True(errors.Is(err, fs.ErrNotExist))
	_, err = codexhooks.New(osfs.New(), "").Hooks()
	is.True(errors.Is(err, port.ErrNoHome))
}

func TestHooks_SaysWhatCannotBeRead(t *testing.T) {
	for _, content := range []string{"", "[]", `{"hooks":[]}`, `{"SessionStart":[]}`, "{"} {
		is := is.New(t)
		reader, dir := home(t, map[string]string{"hooks.json": content})
		_, err := reader.Hooks()
		is.True(err != nil && strings.Contains(err.Error(), filepath.Join(dir, "hooks.json"))) // content
	}
	is := is.New(t)
	reader, dir := home(t, map[string]string{"hooks.json": hooks})
	is.NoErr(os.Mkdir(filepath.Join(dir, "config.toml"), 0o700))
	got, err := reader.Hooks()
	is.NoErr(err)
	is.True(got.TrustFault != "")
	is.Equal(len(got.Hooks), 5)
}

func TestHooks_TakesOddShapes(t *testing.T) {
	is := is.New(t)
	reader, _ := home(t, map[string]string{"hooks.json": `{"hooks":{"A":{},"B":[7,{"hooks":7},{"hooks":[7,{"command":7}],"matcher":7}]}}`})
	got, err := reader.Hooks()
	is.NoErr(err)
	is.Equal(len(got.Hooks), 2)
	is.Equal(got.Hooks[1].Command, "")
}
