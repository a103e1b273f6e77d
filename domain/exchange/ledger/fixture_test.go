package ledger_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange/ledger"
)

const section = "Open questions / handoffs"

// fold is enough of case folding for these ledgers.
func fold(s string) string { return strings.ReplaceAll(strings.ToLower(s), "ß", "ss") }

// described is an entry as the fixtures describe it.
type described struct {
	Shape      string    `json:"shape"`
	Sender     string    `json:"sender"`
	Recipients []string  `json:"recipients"`
	Date       string    `json:"date"`
	Headline   string    `json:"headline"`
	Original   string    `json:"original_headline"`
	Status     string    `json:"status"`
	Closed     bool      `json:"closed"`
	Imported   *imported `json:"imported"`
	ID         string    `json:"id"`
	Preimage   string    `json:"id_preimage"`
}

type imported struct {
	Route    string `json:"route"`
	Headline string `json:"headline"`
	Date     string `json:"date"`
}

func describe(e ledger.Entry) described {
	d := described{
		Shape: string(e.Shape), Sender: e.Sender, Recipients: append([]string{}, e.Recipients...), Date: e.Date,
		Headline: e.Headline, Original: e.Original, Status: e.Status, Closed: e.Closed,
	}
	if e.HasRoute() {
		key := e.Key(fold)
		d.Imported, d.ID, d.Preimage = &imported{key.Route, key.Headline, key.Date}, key.ID(), key.Preimage()
	}
	return d
}

func TestParse_Fixtures(t *testing.T) {
	for _, name := range []string{"ledger-shapes", "ledger-ambiguous", "ledger-second-run"} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			var want []described
			is.NoErr(json.Unmarshal([]byte(fixture(t, name+".expected.json")), &want))
			entries, err := ledger.Parse(fixture(t, name+".md"), section, fold)
			is.NoErr(err)
			var got []described
			for _, e := range entries {
				got = append(got, describe(e))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParse_APrunedSectionIsEmpty(t *testing.T) {
	is := is.New(t)
	entries, err := ledger.Parse(fixture(t, "ledger-pruned.md"), section, fold)
	is.NoErr(err)
	is.Equal(len(entries), 0)
}

func TestParse_ProseAloneIsRefused(t *testing.T) {
	is := is.New(t)
	_, err := ledger.Parse(fixture(t, "ledger-prose-only.md"), section, fold)
	is.True(errors.Is(err, ledger.ErrNoEntry))
}

func fixture(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
