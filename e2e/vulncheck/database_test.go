package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
)

const oneEntry = `{"id":"GO-2024-0001","modified":"2024-03-01T00:00:00Z","aliases":["CVE-1"],
 "affected":[{"package":{"name":"example.com/a"}},{"package":{"name":"stdlib"}},{"package":{"name":"example.com/a"}}]}`

func TestLayOut_IndexesEachEntry(t *testing.T) {
	is := is.New(t)
	from, dir := t.TempDir(), filepath.Join(t.TempDir(), "cache", "db")
	is.NoErr(os.WriteFile(filepath.Join(from, "GO-2024-0001.json"), []byte(oneEntry), 0o600))
	is.NoErr(os.WriteFile(filepath.Join(from, "GO-2024-0002.json"), []byte(strings.ReplaceAll(oneEntry, "0001", "0002")), 0o600))
	is.NoErr(layOut(from, dir))

	const at = "2024-03-01T00:00:00Z"
	for name, want := range map[string]string{
		"index/db.json":    `{"modified":"` + at + `"}`,
		"index/vulns.json": `[{"id":"GO-2024-0001","modified":"` + at + `","aliases":["CVE-1"]},{"id":"GO-2024-0002","modified":"` + at + `","aliases":["CVE-1"]}]`,
		"index/modules.json": `[{"path":"example.com/a","vulns":[{"id":"GO-2024-0001","modified":"` + at + `"},{"id":"GO-2024-0002","modified":"` + at + `"}]},` +
			`{"path":"stdlib","vulns":[{"id":"GO-2024-0001","modified":"` + at + `"},{"id":"GO-2024-0002","modified":"` + at + `"}]}]`,
		"ID/GO-2024-0001.json": oneEntry,
	} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		is.NoErr(err)
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestLayOut_LeavesNothingHalf(t *testing.T) {
	for name, content := range map[string]string{"no JSON": "{", "another's name": strings.ReplaceAll(oneEntry, "0001", "0009"), "nothing": ""} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			from, cache := t.TempDir(), t.TempDir()
			if content != "" {
				is.NoErr(os.WriteFile(filepath.Join(from, "GO-2024-0001.json"), []byte(content), 0o600))
			}
			is.True(layOut(from, filepath.Join(cache, "db")) != nil)
			names, err := os.ReadDir(cache)
			is.NoErr(err)
			is.Equal(len(names), 0)
		})
	}
}

// Only what is called of a module is a fault.
func TestVerdict_TellsApart(t *testing.T) {
	for trace, fault := range map[string]bool{
		`[{"module":"example.com/a","version":"v1.0.0","package":"example.com/a","function":"Do"}]`: true,
		`[{"module":"example.com/a","version":"v1.0.0"}]`:                                           false,
		`[{"module":"stdlib","version":"v1.26.0","package":"net","function":"Dial"}]`:               false,
	} {
		is := is.New(t)
		var m message
		var out strings.Builder
		is.NoErr(json.Unmarshal([]byte(`{"finding":{"osv":"GO-1","fixed_version":"v1.2.0","trace":`+trace+`}}`), &m))
		c := newChecker(&out)
		c.found(*m.Finding)
		c.found(*m.Finding)
		is.Equal(c.verdict() != nil, fault)
		is.Equal(strings.Count(out.String(), "GO-1"), 1) // said once, whatever it is
	}
}
