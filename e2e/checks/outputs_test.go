package checks_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/outputs"
)

// The schemas of what is printed with --json are those of the code, the page about
// them names each, and there is no file that nobody makes.
func TestOutputs_AreTheCodesAndOnThePage(t *testing.T) {
	is := is.New(t)
	dir := filepath.Join(repository(t), "docs", "schemas")
	page, err := os.ReadFile(filepath.Join(repository(t), "docs", "json.md"))
	is.NoErr(err)
	for _, file := range outputs.Files() {
		data, err := os.ReadFile(filepath.Join(dir, file.Name))
		is.NoErr(err)
		is.True(bytes.Equal(data, file.Data))                              // stale: run make generate
		is.True(strings.Contains(string(page), "(schemas/"+file.Name+")")) // docs/json.md names it
	}
	entries, err := os.ReadDir(dir)
	is.NoErr(err)
	is.Equal(len(entries), len(outputs.Files()))
}
