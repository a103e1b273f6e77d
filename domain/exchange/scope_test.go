package exchange_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/exchange"
)

// fixture reads a JSON fixture.
func fixture(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

func TestCheckScope_Fixture(t *testing.T) {
	var cases []struct {
		Value string
		Fault *string
	}
	fixture(t, "scope-faults.json", &cases)
	if len(cases) != 12 {
		t.Fatalf("the fixture holds %d cases", len(cases))
	}
	for _, tt := range cases {
		t.Run(tt.Value, func(t *testing.T) {
			is := is.New(t)
			err := exchange.CheckScope(tt.Value)
			if tt.Fault == nil {
				is.NoErr(err)
				return
			}
			is.True(err != nil) // refused
			kind, points, _ := strings.Cut(*tt.Fault, ":")
			is.Equal(strings.Contains(err.Error(), "absolute"), kind == "absolute")
			is.Equal(strings.Contains(err.Error(), "climbs"), kind == "climbs")
			is.Equal(strings.Contains(err.Error(), "cannot hold characters a terminal does not show"), kind == "invisible")
			is.True(strings.Contains(err.Error(), points)) // every code point, in order
		})
	}
}

func TestCheckScope_Neighbours(t *testing.T) {
	tests := []struct{ value, fault string }{
		{".", ""},
		{"...", ""},
		{"a/...", ""},
		{"a..", ""},
		{"~", ""},
		{"日本/語", ""},
		{`a\..\b`, ""},
		{"lib/..", "climbs"},
		{"lib/../", "climbs"},
		{"./..", "climbs"},
		{"//x", "absolute"},
		{"/..", "absolute"},        // absolute comes before climbing
		{"/..\u200b", "U+200B"},    // hidden characters come before both
		{"a\U000f0000", "U+F0000"}, // more than four digits
		{"a\tb\tc\x1b", "U+0009, U+001B"},
	}
	for _, tt := range tests {
		t.Run(tt.value, func(t *testing.T) {
			is := is.New(t)
			err := exchange.CheckScope(tt.value)
			if tt.fault == "" {
				is.NoErr(err)
				return
			}
			is.True(err != nil) // refused
			is.True(strings.Contains(err.Error(), tt.fault))
		})
	}
}

func TestCheckScope_ShowsTheStrippedForm(t *testing.T) {
	is := is.New(t)
	err := exchange.CheckScope("r\x1b[2Kp")
	is.True(strings.Contains(err.Error(), `"r[2Kp"`))
	is.True(!strings.Contains(err.Error(), "\x1b")) // and nothing else of it
}

// matching is one case of the fixture, and of the properties.
type matching struct {
	Case string
	To   struct {
		Repo      string
		Paths     []string
		SessionID string `json:"session_id"`
	}
	SessionID    *string `json:"session_id"`
	Repos, Paths []string
	Match        bool
}

func TestReaches_Fixture(t *testing.T) {
	var cases []matching
	fixture(t, "scope-matching.json", &cases)
	if len(cases) != 18 {
		t.Fatalf("the fixture holds %d cases", len(cases))
	}
	for _, tt := range cases {
		t.Run(tt.Case, func(t *testing.T) {
			is := is.New(t)
			holder := exchange.Holder{Repos: tt.Repos, Paths: tt.Paths}
			if tt.SessionID != nil {
				holder.IDs = []string{*tt.SessionID}
			}
			to := exchange.Address{Repo: tt.To.Repo, Paths: tt.To.Paths, SessionID: tt.To.SessionID}
			is.Equal(to.Reaches(holder), tt.Match)
		})
	}
}

func TestReaches_AnEarlierID(t *testing.T) {
	is := is.New(t)
	is.True(exchange.Address{SessionID: "a"}.Reaches(exchange.Holder{IDs: []string{"b", "a"}}))
	is.True(!exchange.Address{SessionID: "a"}.Reaches(exchange.Holder{IDs: []string{"b"}, Repos: []string{"a"}}))
}

// scopes draws scopes that often meet each other, spelt in several ways.
func scopes() *rapid.Generator[string] {
	component := rapid.SampledFrom([]string{"a", "b", "ab", "A", ".", ""})
	return rapid.Map(rapid.SliceOfN(component, 1, 4), func(parts []string) string { return strings.Join(parts, "/") })
}

func TestReaches_IsSymmetricInPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.SliceOfN(scopes(), 0, 3).Draw(t, "a"), rapid.SliceOfN(scopes(), 0, 3).Draw(t, "b")
		reaches := func(want, held []string) bool {
			return exchange.Address{Repo: "r", Paths: want}.Reaches(exchange.Holder{Repos: []string{"r"}, Paths: held})
		}
		if reaches(a, b) != reaches(b, a) {
			t.Fatalf("%q and %q", a, b)
		}
	})
}

func TestReaches_IgnoresSpelling(t *testing.T) {
	respell := func(scope string) string { return "./" + strings.ReplaceAll(scope, "/", "//./") + "/." }
	rapid.Check(t, func(t *rapid.T) {
		repo, held := scopes().Draw(t, "repo"), scopes().Draw(t, "held")
		path, other := scopes().Draw(t, "path"), scopes().Draw(t, "other")
		plain := exchange.Address{Repo: repo, Paths: []string{path}}
		spelt := exchange.Address{Repo: respell(repo), Paths: []string{respell(path)}}
		h := exchange.Holder{Repos: []string{held}, Paths: []string{other}}
		if plain.Reaches(h) != spelt.Reaches(h) {
			t.Fatalf("%q %q and %+v", repo, path, h)
		}
	})
}

// The order and number of repos and paths of a session mean nothing.
func TestReaches_MoreReposReachMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		to := exchange.Address{Repo: scopes().Draw(t, "repo")}
		repos := rapid.SliceOfN(scopes(), 0, 3).Draw(t, "repos")
		extra := scopes().Draw(t, "extra")
		before := to.Reaches(exchange.Holder{Repos: repos})
		if before && !to.Reaches(exchange.Holder{Repos: append([]string{extra}, repos...)}) {
			t.Fatalf("%+v reaches %q, but not with %q", to, repos, extra)
		}
	})
}

// Section 7.2, every row.
func TestParseAddress(t *testing.T) {
	tests := []struct {
		name, repo string
		paths      []string
		session    string
		want       exchange.Address
		fault      []string
	}{
		{"repo", "dock", nil, "", exchange.Address{Repo: "dock"}, nil},
		{
			"repo and paths, duplicates dropped, order kept", "dock",
			[]string{"winch", "brakes", "winch"},
			"",
			exchange.Address{Repo: "dock", Paths: []string{"winch", "brakes"}},
			nil,
		},
		{"session", "", nil, "crane-1", exchange.Address{SessionID: "crane-1"}, nil},
		{"repo and session", "dock", nil, "crane-1", exchange.Address{}, []string{"not both"}},
		{"everything", "dock", []string{"winch"}, "crane-1", exchange.Address{}, []string{"not both"}},
		{"paths and session", "", []string{"winch"}, "crane-1", exchange.Address{}, []string{"repo"}},
		{"paths alone", "", []string{"winch"}, "", exchange.Address{}, []string{"needs --repo"}},
		{"nothing", "", nil, "", exchange.Address{}, []string{"--repo", "--session"}},
		{"bad repo", "/dock", nil, "", exchange.Address{}, []string{"--repo", "absolute"}},
		{"bad path", "dock", []string{"ok", "../x"}, "", exchange.Address{}, []string{"--path", "climbs"}},
		{"bad session", "", nil, "a/b", exchange.Address{}, []string{"--session", "id"}},
		{"stored as typed", "./dock//", nil, "", exchange.Address{Repo: "./dock//"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got, err := exchange.ParseAddress(tt.repo, tt.paths, tt.session)
			is.Equal(err == nil, tt.fault == nil) // refused or not
			for _, piece := range tt.fault {
				is.True(strings.Contains(err.Error(), piece))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
