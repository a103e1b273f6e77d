package exchange_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
)

// routed is a scene with these routes and one entry for these recipients.
func routed(t *testing.T, routes, recipients string) *scene {
	t.Helper()
	s := entries(t, "**[Crane → "+recipients+"]** 2026-03-01 — **Fine.**")
	s.mark(`{"name":"harbour","legacy_ledger":{"path":"notes/handoffs.md","routes":` + routes + `}}`)
	return s
}

func TestImport_Routes(t *testing.T) {
	tests := []struct {
		name, routes, recipients string
		want                     exchange.Address
	}{
		{"one label", `{"Dock":{"repo":"dock"}}`, "Dock", exchange.Address{Repo: "dock"}},
		{"in another spelling", `{"NORTH / quay":{"repo":"quay"}}`, "north/Quay", exchange.Address{Repo: "quay"}},
		{"folded in full", `{"STRASSE":{"repo":"s"}}`, "Straße", exchange.Address{Repo: "s"}},
		{"a group in another order", `{"Lighthouse + crane":{"repo":"shared","paths":["tides"]}}`, "Crane+Lighthouse", exchange.Address{Repo: "shared", Paths: []string{"tides"}}},
		{"a group before its members", `{"a":{"repo":"x"},"b":{"repo":"x"},"b+a":{"repo":"y"}}`, "a + b", exchange.Address{Repo: "y"}},
		{"members of one scope", `{"a":{"repo":"x","paths":["p"]},"b":{"repo":"./x/","paths":["p/"]}}`, "a + b", exchange.Address{Repo: "./x/", Paths: []string{"p/"}}},
		{"paths once", `{"a":{"repo":"x","paths":["p","q","p"]}}`, "a", exchange.Address{Repo: "x", Paths: []string{"p", "q"}}},
		{"the root itself", `{"a":{"repo":"."}}`, "a", exchange.Address{Repo: "."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := routed(t, tt.routes, tt.recipients)
			is.Equal(importing(s, true).Problems(), []string{})
			if diff := cmp.Diff(tt.want, onlyOne(s).To); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestImport_RouteFaults(t *testing.T) {
	tests := []struct {
		name, routes, recipients string
		pieces                   []string
		lost                     bool
	}{
		{"different repos", `{"a":{"repo":"x"},"b":{"repo":"y"}}`, "a + b", []string{"different scopes", `\"a + b\"`}, true},
		{"different paths", `{"a":{"repo":"x"},"b":{"repo":"x","paths":["p"]}}`, "a + b", []string{"different scopes"}, true},
		{"one of two is unknown", `{"a":{"repo":"x"}}`, "a + b", []string{"no route", `\"b\"`}, true},
		{"an absolute repo", `{"a":{"repo":"/x"}}`, "a", []string{"absolute"}, true},
		{"a path that climbs", `{"a":{"repo":"x","paths":["ok","../y"]}}`, "a", []string{"climbs"}, true},
		{"a hidden character", `{"a":{"repo":"x\u200b"}}`, "a", []string{"U+200B"}, true},
		{"two spellings of one label", `{"a":{"repo":"x"}," A":{"repo":"x"}}`, "a", []string{"twice", `\" A\"`}, false},
		{"two spellings of one group", `{"a":{"repo":"x"},"b + c":{"repo":"x"},"C+B":{"repo":"y"}}`, "a", []string{"twice"}, false},
		{"an empty label", `{"a":{"repo":"x"}," ":{"repo":"x"}}`, "a", []string{"empty label"}, false},
		{"a label of nothing but joints", `{"a":{"repo":"x"},"+ +":{"repo":"x"}}`, "a", []string{"empty label"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := routed(t, tt.routes, tt.recipients)
			r := importing(s, true)
			is.Equal(len(r.Problems()), 1)
			for i, piece := range tt.pieces {
				tt.pieces[i] = strings.ReplaceAll(piece, `\"`, `"`)
			}
			is.True(has(r.Lines(), append(tt.pieces, "problem   ")...))
			is.Equal(has(r.Lines(), "create    2026-03-01  (no route)  Fine"), tt.lost)
			is.Equal(len(s.store.log), 0)
		})
	}
}

// Routes are for what is to be created.
func TestImport_ClosedEntriesNeedNoRoute(t *testing.T) {
	is := is.New(t)
	s := routed(t, `{}`, "Nobody]** DONE **[x")
	is.Equal(importing(s, true).Problems(), []string{})
}

func TestImport_WhereTheLedgerLies(t *testing.T) {
	const entry = "**[Crane → Dock]** 2026-03-01 — **Fine.**\n"
	tests := []struct{ name, path, section, file, document string }{
		{"below the root", "notes/week.md", "", root + "/notes/week.md", "# Open questions / handoffs, all\n" + entry},
		{"absolute", "/elsewhere/week.md", "", "/elsewhere/week.md", "# Open questions / handoffs\n" + entry},
		{"at home", "~/week.md", "", home + "/week.md", "# Open questions / handoffs\n" + entry},
		{"in a section of its own", "week.md", `"section":"Left  BEHIND",`, root + "/week.md", "# Open questions / handoffs\n" + entry + entry + "# left behind\n" + entry},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.mark(`{"name":"harbour","legacy_ledger":{"path":"` + tt.path + `",` + tt.section + `"routes":{"dock":{"repo":"dock"}}}}`)
			s.files.file(tt.file, tt.document)
			r := importing(s, false)
			is.Equal(r.Lines()[0], "ledger    "+tt.file)
			is.True(has(r.Lines(), "counts    1 parsed, 1 to create, "))
		})
	}
}

func TestImport_WithoutALedger(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	for _, apply := range []bool{false, true} {
		r := importing(s, apply)
		is.Equal(len(r.Problems()), 0)
		is.Equal(len(r.Lines()), 1)
		is.True(has(r.Lines(), "not applicable", `"legacy_ledger"`, exchange.MarkerPath(root)))
	}
}

func TestImport_RefusesWithoutARootOrAMarkerThatCanBeRead(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	importer := exchange.Importer{World: s.world(), Fold: fold}
	_, err := importer.Import("/elsewhere", true)
	is.True(strings.Contains(err.Error(), "no environment root"))
	s.mark("{")
	_, err = importer.Import(root, true)
	is.True(strings.Contains(err.Error(), "exchange.json could not be read"))
	is.Equal(len(s.store.log), 0)
}
