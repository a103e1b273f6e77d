package exchange_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
)

// defaults are those of section 3.
var defaults = exchange.Config{
	Name: "harbour", StaleDays: 7, MaxFocusChars: 240, MaxHotPaths: 6, MaxHandoffsListed: 8, Deliver: "prompt",
}

func TestDefaultConfig(t *testing.T) {
	if diff := cmp.Diff(defaults, exchange.DefaultConfig("/srv/harbour")); diff != "" {
		t.Error(diff)
	}
}

func TestParseMarker_Fixtures(t *testing.T) {
	full := defaults
	full.Labels = map[string]string{"cranes": "Crane team"}
	full.Ledger = &exchange.Ledger{
		Path: "notes/handoffs.md", Section: "Open questions / handoffs",
		Routes: map[string]exchange.Address{
			"Dock": {Repo: "dock"}, "crane": {Repo: "cranes", Paths: []string{"winch", "brakes"}}, "Ferry": {Repo: "ferry"},
			"Lighthouse": {Repo: "lighthouse"}, "Lighthouse + Crane": {Repo: "shared", Paths: []string{"tides"}}, "Straße": {Repo: "strasse"},
		},
	}
	tests := []struct {
		file   string
		want   exchange.Config
		pieces []string // of the problem
	}{
		{"marker-with-ledger.json", full, nil},
		{"marker-misspelt.json", defaults, []string{"exchange.json is invalid: ", "unexpected key 'max_focus_char'"}},
		{"marker-broken.json", defaults, []string{"exchange.json could not be read: "}},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			is := is.New(t)
			data, err := os.ReadFile("testdata/" + tt.file)
			is.NoErr(err)
			got, err := exchange.ParseMarker("/srv/harbour", data)
			is.Equal(err == nil, tt.pieces == nil)
			for _, piece := range tt.pieces {
				is.True(strings.Contains(err.Error(), piece))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseMarker_GivenValuesOverDefaults(t *testing.T) {
	is := is.New(t)
	got, err := exchange.ParseMarker("/srv/x", []byte(`{"name":"n","stale_days":1,"max_focus_chars":20,"max_hot_paths":0,`+
		`"max_handoffs_listed":1,"labels":{},"deliver":"wake","scripted":true,"legacy_ledger":{"path":"~/l.md","section":"S"}}`))
	is.NoErr(err)
	want := exchange.Config{
		Name: "n", StaleDays: 1, MaxFocusChars: 20, MaxHotPaths: 0, MaxHandoffsListed: 1, Deliver: "wake", Scripted: true,
		Ledger: &exchange.Ledger{Path: "~/l.md", Section: "S", Routes: map[string]exchange.Address{}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestParseMarker_UsesNothingOfAFaultyOne(t *testing.T) {
	for _, marker := range []string{
		``, `[]`, `null`, `"harbour"`, `{}`, `{"name":""}`, `{"Name":"x"}`, `{"name":"x","Stale_Days":1}`,
		`{"name":"x","stale_days":1}{}`, `{"name":"x","stale_days":1,}`, "\ufeff" + `{"name":"x","stale_days":1}`,
		`{"name":"x","stale_days":1,"max_focus_chars":"20"}`, `{"name":"x","deliver":"never","stale_days":1}`,
	} {
		t.Run(marker, func(t *testing.T) {
			is := is.New(t)
			got, err := exchange.ParseMarker("/srv/harbour", []byte(marker))
			var fault *exchange.FileError
			is.True(errors.As(err, &fault)) // the problem
			if diff := cmp.Diff(defaults, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseMarker_NamesEachFault(t *testing.T) {
	is := is.New(t)
	_, err := exchange.ParseMarker("/srv/x", []byte(`{"stale_days":0,"deliver":"never","zzz":1}`))
	_, faults, found := strings.Cut(err.Error(), "/exchange.json is invalid: ")
	is.True(found) // the file is named
	is.Equal(faults, "exchange.json: missing key 'name'; "+
		"exchange.json.stale_days: expected an integer of at least 1, found 0; "+
		`exchange.json.deliver: expected one of start, prompt, wake, found "never"; `+
		"exchange.json: unexpected key 'zzz'")
}

// Two spellings of one directory: whichever counts, it is always the same one.
func TestParseMarker_IsTheSameEveryTime(t *testing.T) {
	is := is.New(t)
	var labels []string
	for i := range 40 {
		labels = append(labels, fmt.Sprintf("%q:%q", strings.Repeat("./", i)+"dock", fmt.Sprint(i)))
	}
	marker := []byte(`{"name":"x","labels":{` + strings.Join(labels, ",") + `}}`)
	first, err := exchange.ParseMarker("/srv/x", marker)
	is.NoErr(err)
	for range 40 {
		again, err := exchange.ParseMarker("/srv/x", marker)
		is.NoErr(err)
		is.Equal(again.Labels, first.Labels)
	}
}

func TestEncodeMarker(t *testing.T) {
	is := is.New(t)
	data, err := exchange.EncodeMarker("Häfen <&>")
	is.NoErr(err)
	is.Equal(string(data), "{\n  \"name\": \"Häfen <&>\"\n}\n")
	_, err = exchange.EncodeMarker("")
	is.True(err != nil)
	_, err = exchange.EncodeMarker("a\xff")
	is.True(err != nil)
}
