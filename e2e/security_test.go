package e2e_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// threats is how many lines the exchange's model of threats has.
const threats = 7

// Each line of the model of threats has tests, and they exist.
func TestSecurityLines_HaveTests(t *testing.T) {
	is := is.New(t)
	data, err := os.ReadFile(filepath.Join("testdata", "security.tsv"))
	is.NoErr(err)
	tests, err := goTests("..")
	is.NoErr(err)
	held := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(cells) != 3 || cells[1] == "" {
			t.Fatalf("not three cells: %q", line)
		}
		held[cells[0]] = true
		for name := range strings.SplitSeq(cells[2], " | ") {
			if why := missing(name, tests); why != "" {
				t.Errorf("%s: %s\n%s", name, why, cells[1])
			}
		}
	}
	is.Equal(len(held), threats)
}

var securityTest = regexp.MustCompile("`(Test\\w+|\\w+/\\w+\\.txtar)`")

// What SECURITY.md says is held by tests that exist.
func TestSecurity_NamesTestsThatExist(t *testing.T) {
	is := is.New(t)
	data, err := os.ReadFile(filepath.Join("..", "SECURITY.md"))
	is.NoErr(err)
	tests, err := goTests("..")
	is.NoErr(err)
	named := securityTest.FindAllStringSubmatch(string(data), -1)
	is.True(len(named) > 20)
	for _, match := range named {
		if name := match[1]; strings.HasSuffix(name, ".txtar") {
			_, err := os.Stat(filepath.Join("testdata", name))
			is.NoErr(err) // the script
		} else if !tests[name] {
			t.Errorf("no test %s", name)
		}
	}
}
