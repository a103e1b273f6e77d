package relayconfig_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/adapters/relayconfig"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/relay"
)

// read returns the terms with a configuration file and variables.
func read(t *testing.T, file string, vars map[string]string) (relay.Terms, error) {
	t.Helper()
	dir := t.TempDir()
	if file != "" {
		if err := os.Mkdir(filepath.Join(dir, "relay"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "relay", "config.json"), []byte(file), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env := port.Environment{Home: dir, Lookup: func(name string) string {
		if name == "XDG_CONFIG_HOME" {
			return dir
		}
		return vars[name]
	}}
	return relayconfig.New(osfs.New(), env).Terms()
}

func TestTerms_TakeTheEnvironmentThenTheFile(t *testing.T) {
	tests := []struct {
		name string
		file string
		vars map[string]string
		want relay.Terms
	}{
		{"nothing", "", nil, relay.Terms{MaxRounds: 10, Lang: "en"}},
		{"file", `{"max_rounds": 3, "lang": "es"}`, nil, relay.Terms{MaxRounds: 3, Lang: "es"}},
		{"comments", "{// mine\n\"max_rounds\": 3,}", nil, relay.Terms{MaxRounds: 3, Lang: "en"}},
		{"CRLF", "{\r\n// mine\r\n\"max_rounds\": 3,\r\n\"lang\": \"es\"\r\n}\r\n", nil, relay.Terms{MaxRounds: 3, Lang: "es"}},
		{"mixed line ends", "{\r\n// mine\n\"max_rounds\": 3\r\n}\n", nil, relay.Terms{MaxRounds: 3, Lang: "en"}},
		{"lone CR ends a comment", "{// mine\r\"max_rounds\": 3\r}", nil, relay.Terms{MaxRounds: 3, Lang: "en"}},
		{"byte order mark", "\ufeff{\"max_rounds\": 3}", nil, relay.Terms{MaxRounds: 3, Lang: "en"}},
		{"variables that end with a CR", "", map[string]string{"RELAY_MAX_ROUNDS": "7\r", "RELAY_LANG": "es\r"}, relay.Terms{MaxRounds: 7, Lang: "es"}},
		{"variables win", `{"max_rounds": 3, "lang": "es"}`, map[string]string{"RELAY_MAX_ROUNDS": "7", "RELAY_LANG": "en"}, relay.Terms{MaxRounds: 7, Lang: "en"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got, err := read(t, tt.file, tt.vars)
			is.NoErr(err)
			is.Equal(got, tt.want)
		})
	}
}

func TestTerms_NameWhatIsWrong(t *testing.T) {
	tests := []struct {
		name, file string
		vars       map[string]string
		want       string
	}{
		{"not JSON", "{", nil, "config.json"},
		{"no object", "[]", nil, "config.json"},
		{"unknown key", `{"rounds": 3}`, nil, "rounds"},
		{"too few rounds", `{"max_rounds": 0}`, nil, "max_rounds"},
		{"not an integer", `{"max_rounds": 1.5}`, nil, "max_rounds"},
		{"not spoken", `{"lang": "tlh"}`, nil, "lang"},
		{"variable", "", map[string]string{"RELAY_MAX_ROUNDS": "many"}, "RELAY_MAX_ROUNDS"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			_, err := read(t, tt.file, tt.vars)
			is.True(err != nil)
			is.True(strings.Contains(err.Error(), tt.want))
		})
	}
}

func TestTerms_WithoutAHomeAreNotReadFromTheWorkingDirectory(t *testing.T) {
	is := is.New(t)
	t.Chdir(t.TempDir())
	is.NoErr(os.MkdirAll(filepath.Join(".config", "relay"), 0o755))
	is.NoErr(os.WriteFile(filepath.Join(".config", "relay", "config.json"), []byte(`{"max_rounds": 3}`), 0o644))
	env := port.Environment{Lookup: func(string) string { return "" }}
	_, err := relayconfig.New(osfs.New(), env).Terms()
	is.True(errors.Is(err, port.ErrNoHome))
	is.True(strings.Contains(err.Error(), "set HOME or XDG_CONFIG_HOME"))
}
