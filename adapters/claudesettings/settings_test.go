package claudesettings_test

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/adapters/claudesettings"
	"github.com/changeover/changeover/adapters/osfs/memfs"
	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/port"
)

func TestReader_Settings(t *testing.T) {
	tests := []struct {
		name    string
		content string
		want    exchange.Settings
	}{
		{"empty object", `{}`, exchange.Settings{}},
		{"no strings", `{"a": 1, "b": [true, null]}`, exchange.Settings{}},
		{
			"strings at every depth",
			`{"b": ["one", {"c": {"d": [["two"]]}}], "a": "three"}`,
			exchange.Settings{Texts: []string{"three", "one", "two"}},
		},
		{"keys are no strings of it", `{"hookd": {"hookd": 1}}`, exchange.Settings{}},
		{
			"line and block comments",
			"// before\n{\n  /* \"not this\" */ \"a\": \"x\" // after\n}\n",
			exchange.Settings{Texts: []string{"x"}},
		},
		{"comment signs in strings", `{"a": "http://x /* y */ // z"}`, exchange.Settings{Texts: []string{"http://x /* y */ // z"}}},
		{"trailing commas", "{\"a\": [\"x\", \"y\",], \"b\": {\"c\": \"z\",},}", exchange.Settings{Texts: []string{"x", "y", "z"}}},
		{"byte order mark", "\ufeff{\"a\": \"x\"}", exchange.Settings{Texts: []string{"x"}}},
		{"byte order mark and comment", "\ufeff// note\n{\"a\": \"x\"}", exchange.Settings{Texts: []string{"x"}}},
		{"CRLF", "{\r\n  \"a\": \"x\",\r\n}\r\n", exchange.Settings{Texts: []string{"x"}}},
		{"escapes", `{"a": "\u0068ookd \"quoted\"\n\ud83d"}`, exchange.Settings{Texts: []string{"hookd \"quoted\"\n\ufffd"}}},
		{"repeated key", `{"a": "first", "a": "last"}`, exchange.Settings{Texts: []string{"last"}}},
		{"no object", `["x"]`, exchange.Settings{Texts: []string{"x"}}},
		{"a text", `"x"`, exchange.Settings{Texts: []string{"x"}}},
		{
			"plugins that are on, sorted",
			`{"enabledPlugins": {"b@m": true, "a@m": true, "off@m": false, "odd@m": "true", "none@m": null}}`,
			exchange.Settings{Texts: []string{"true"}, Plugins: []string{"a@m", "b@m"}, PluginsOff: []string{"off@m"}},
		},
		{"every hook off", `{"disableAllHooks": true}`, exchange.Settings{NoHooks: true}},
		{"managed hooks alone", `{"allowManagedHooksOnly": true}`, exchange.Settings{ManagedOnly: true}},
		{"switches of another type", `{"disableAllHooks": 1, "allowManagedHooksOnly": null}`, exchange.Settings{}},
		{"plugins of another type", `{"enabledPlugins": ["a@m"]}`, exchange.Settings{Texts: []string{"a@m"}}},
		{"plugins not at the top", `{"x": {"enabledPlugins": {"a@m": true}}}`, exchange.Settings{}},
		{"plugins in other case", `{"EnabledPlugins": {"a@m": true}}`, exchange.Settings{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			h := porttest.InMemory(t)
			file := path.Join(h.Dir, "settings.json")
			h.Put(t, file, tt.content)
			got, err := claudesettings.New(h.FS).Settings(file)
			is.NoErr(err)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("settings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReader_RefusesWhatIsNoJSON(t *testing.T) {
	for name, content := range map[string]string{
		"empty":            "",
		"blank":            " \n",
		"only a comment":   "// nothing\n",
		"cut off":          `{"a": "x"`,
		"open comment":     `{"a": "x"} /* `,
		"two values":       `{"a": "x"} {"b": "y"}`,
		"single quotes":    `{'a': 'x'}`,
		"bare word":        `hooks = on`,
		"invalid UTF-8":    "{\"a\": \"\xff\"}",
		"UTF-16":           "\xff\xfe{\x00}\x00",
		"double comma":     `{"a": ["x",,]}`,
		"leading comma":    `[, "x"]`,
		"hash comment":     "# note\n{}",
		"two marks before": "\ufeff\ufeff{}",
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			h := porttest.InMemory(t)
			file := path.Join(h.Dir, "settings.json")
			h.Put(t, file, content)
			got, err := claudesettings.New(h.FS).Settings(file)
			is.True(err != nil)                      // a problem, never "no settings"
			is.True(!errors.Is(err, fs.ErrNotExist)) // and not "no file"
			is.Equal(len(got.Texts), 0)
		})
	}
}

func TestReader_Files(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		at := func(name string) string { return path.Join(h.Dir, name) }
		h.Put(t, at("real.json"), `{"a": "x"}`)
		h.Symlink(t, at("real.json"), at("link.json"))
		h.Symlink(t, at("gone.json"), at("dangling.json"))
		h.Mkdir(t, at("dir.json"))
		h.Fifo(t, at("fifo.json"))
		h.Put(t, at("large.json"), `{"a": "`+strings.Repeat("x", 5<<20)+`"}`)
		reader := claudesettings.Open(h.FS)

		got, err := reader.Settings(at("link.json"))
		is.NoErr(err) // a settings file may be a link
		is.Equal(got.Texts, []string{"x"})
		for name, want := range map[string]error{
			"missing.json":  fs.ErrNotExist,
			"dangling.json": fs.ErrNotExist,
			"dir.json":      port.ErrNotRegular,
			"fifo.json":     port.ErrNotRegular,
			"large.json":    port.ErrTooLarge,
		} {
			_, err := reader.Settings(at(name))
			is.True(errors.Is(err, want)) // name
		}
	})
}

func TestReader_ForbiddenFile(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		file := path.Join(h.Dir, "settings.json")
		h.Put(t, file, `{"a": "x"}`)
		h.Chmod(t, file, 0)
		var err error
		h.AsStranger(t, func() { _, err = claudesettings.New(h.FS).Settings(file) })
		is.True(errors.Is(err, fs.ErrPermission))
	})
}

// tree draws a JSON value and notes the strings in it.
func tree(t *rapid.T, depth int, texts *[]string) any {
	kind := rapid.IntRange(0, 4).Draw(t, "kind")
	if depth == 0 {
		kind = min(kind, 2)
	}
	switch kind {
	case 0:
		return rapid.IntRange(-9, 9).Draw(t, "number")
	case 1, 2:
		text := strings.ToValidUTF8(rapid.String().Draw(t, "text"), "")
		*texts = append(*texts, text)
		return text
	case 3:
		items := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			items = append(items, tree(t, depth-1, texts))
		}
		return items
	default:
		object := jsondoc.Object{}
		for i := range rapid.IntRange(0, 3).Draw(t, "members") {
			object.Add(strings.Repeat("k", i+1), tree(t, depth-1, texts))
		}
		return object
	}
}

func TestReader_FindsEveryString(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want []string
		files := memfs.New()
		data := jsondoc.Stored(jsondoc.Object{{Key: "root", Value: tree(t, 4, &want)}})
		if err := files.Create("/settings.json", data, 0o600, port.Unsynced); err != nil {
			t.Fatal(err)
		}
		got, err := claudesettings.New(files).Settings("/settings.json")
		if err != nil {
			t.Fatalf("%v in %s", err, data)
		}
		slices.Sort(want)
		slices.Sort(got.Texts)
		if !slices.Equal(want, got.Texts) {
			t.Errorf("got %q, want %q", got.Texts, want)
		}
	})
}
