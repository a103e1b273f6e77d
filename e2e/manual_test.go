package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// Every page is whole and holds no request that man does not know; where groff is
// there, it has nothing to say about it.
func TestManual_EveryPageIsWhole(t *testing.T) {
	p := newPlace(t)
	for _, program := range []string{"relay", "baton", "exchange"} {
		is := is.New(t)
		is.Equal(p.order(".", program, "man-pages", p.path("man")).run().Code, 0)
	}
	page, err := os.ReadFile(filepath.Join("..", "hookd", "hookd.1"))
	is.New(t).NoErr(err)
	p.write("man/hookd.1", string(page))
	for _, name := range p.names("man") {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(p.path("man/" + name))
			is.New(t).NoErr(err)
			wellFormed(t, string(data))
			groffTakes(t, p, name)
		})
	}
}

// requests are those that a page may use.
var requests = map[string]bool{
	".TH": true, ".nh": true, ".ad": true, ".SH": true, ".B": true, ".BR": true, ".br": true, ".PP": true, ".TP": true, ".nf": true, ".fi": true,
}

func wellFormed(t *testing.T, page string) {
	t.Helper()
	is := is.New(t)
	is.True(strings.HasPrefix(page, ".TH "))
	after := page
	for _, section := range []string{"NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "NEXT", "SEE ALSO"} {
		_, rest, found := strings.Cut(after, "\n.SH "+section+"\n")
		is.True(found) // the sections in their order
		after = rest
	}
	is.Equal(strings.Count(page, "\n.nf\n"), strings.Count(page, "\n.fi\n"))
	for line := range strings.Lines(page) {
		is.True(!strings.HasPrefix(line, "'")) // a request by the other sign
		if strings.HasPrefix(line, ".") {
			request, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			is.True(requests[request]) // a request of man's
		}
	}
}

func groffTakes(t *testing.T, p place, name string) {
	t.Helper()
	if _, err := exec.LookPath("groff"); err != nil {
		return // its structure was looked at all the same
	}
	is := is.New(t)
	got := p.order("man", "groff", "-man", "-ww", "-Tutf8", name).run()
	is.Equal(got.Code, 0)
	is.Equal(string(got.Stderr), "")
	is.True(len(got.Stdout) > 0)
}

// The page of hookd says what the program says of itself.
func TestManual_HookdsPageHasItsHelp(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	page, err := os.ReadFile(filepath.Join("..", "hookd", "hookd.1"))
	is.NoErr(err)
	plain := strings.NewReplacer(`\-`, "-", `\(aq`, "'").Replace(string(page))
	for line := range strings.Lines(string(p.order(".", "hookd", "--help").run().Stdout)) {
		line = strings.TrimSpace(line)
		if line == "Example:" || line == "Next:" {
			continue
		}
		is.True(strings.Contains(plain, line)) // a line of the help
	}
}

// Two runs make the same bytes, and the day is that of SOURCE_DATE_EPOCH.
func TestManual_IsTheSameEachTime(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	title := func(dir string, env ...string) string {
		o := p.order(".", "relay", "man-pages", p.path(dir))
		o.Env = append(o.Env, env...)
		is.Equal(o.run().Code, 0)
		page, err := os.ReadFile(p.path(dir + "/relay-status.1"))
		is.NoErr(err)
		first, _, _ := strings.Cut(string(page), "\n")
		return first
	}
	is.True(strings.HasPrefix(title("a"), `.TH "RELAY\-STATUS" 1 "" "relay `))
	title("b")
	is.True(strings.ReplaceAll(tree(p.path("a")), p.path("a"), p.path("b")) == tree(p.path("b"))) // the same bytes
	is.True(strings.HasPrefix(title("c", "SOURCE_DATE_EPOCH=1772323200"), `.TH "RELAY\-STATUS" 1 "2026\-03\-01" "relay `))
	o := p.order(".", "relay", "man-pages", p.path("d"))
	o.Env = append(o.Env, "SOURCE_DATE_EPOCH=today")
	got := o.run()
	is.Equal(got.Code, 1)
	is.True(strings.Contains(string(got.Stderr), "unset it"))
}
