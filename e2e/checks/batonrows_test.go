package checks_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
)

// batonRows is how many rows baton's table of pinned behaviour has.
const batonRows = 109

// batonTests are the places where tests of these rows stand.
var batonTests = []string{"domain/baton", "domain/agent", "baton-cli", "adapters", "e2e"}

// Each row of baton's pinned behaviour stands beside a test, or among those that
// are open, with a reason.
func TestBatonRows_HaveATest(t *testing.T) {
	is := is.New(t)
	where := map[int][]string{}
	for _, place := range batonTests {
		is.NoErr(collectRows(filepath.Join(repository(t), place), where))
	}
	open, err := openRows(filepath.Join(repository(t), "e2e", "testdata", "baton-rows.tsv"))
	is.NoErr(err)
	for n := 1; n <= batonRows; n++ {
		reason, isOpen := open[n]
		switch {
		case len(where[n]) == 0 && !isOpen:
			t.Errorf("row %d has no test: none says 'Row %d'", n, n)
		case len(where[n]) > 0 && isOpen:
			t.Errorf("row %d is open (%s), but has tests: %s", n, reason, strings.Join(where[n], ", "))
		}
		delete(where, n)
	}
	for n, files := range where {
		t.Errorf("there is no row %d, but %s name it", n, strings.Join(files, ", "))
	}
}

// collectRows adds the rows that the tests and scripts below a directory name.
func collectRows(root string, where map[int][]string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, ".txtar") {
			return err
		}
		if filepath.Base(path) == "batonrows_test.go" {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, n := range namedRows(string(content)) {
			if !slices.Contains(where[n], path) {
				where[n] = append(where[n], path)
			}
		}
		return nil
	})
}

var (
	rowList = regexp.MustCompile(`\bRows? (\d+(?:(?:, | and |–|-)\d+)*)`)
	rowItem = regexp.MustCompile(`(\d+)(?:[–-](\d+))?`)
)

// namedRows reads the rows that a text names: Row 1, Rows 2, 3 and 5–8.
func namedRows(text string) []int {
	var rows []int
	for _, list := range rowList.FindAllStringSubmatch(text, -1) {
		for _, item := range rowItem.FindAllStringSubmatch(list[1], -1) {
			first, _ := strconv.Atoi(item[1]) // digits
			last := first
			if item[2] != "" {
				last, _ = strconv.Atoi(item[2])
			}
			for n := first; n <= last && n-first <= batonRows; n++ {
				rows = append(rows, n)
			}
		}
	}
	return rows
}

func TestNamedRows(t *testing.T) {
	for text, want := range map[string][]int{
		"// Row 7.":                       {7},
		"Rows 18, 19 and 21: a phrase":    {18, 19, 21},
		"# Rows 1–3, 5: init":             {1, 2, 3, 5},
		"Row 4: counts. Row 94: the same": {4, 94},
		"a row 5, Rowing 6, 7 Rows":       nil,
	} {
		if diff := cmp.Diff(want, namedRows(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// openRows reads the rows that wait for a test: number, tab, reason.
func openRows(file string) (map[int]string, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	open := map[int]string{}
	for line := range strings.Lines(string(content)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		number, reason, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		n, err := strconv.Atoi(number)
		if err != nil || reason == "" || open[n] != "" {
			return nil, &fs.PathError{Op: "read the line " + strconv.Quote(line) + " of", Path: file, Err: fs.ErrInvalid}
		}
		open[n] = reason
	}
	return open, nil
}
