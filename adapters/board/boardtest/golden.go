package boardtest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/changeover/changeover/adapters/board"
)

var update = flag.Bool("update-screens", false, "write the golden screens anew")

// Golden compares what a screen shows with testdata/NAME.golden of the package under
// test; -update-screens writes that file.
func Golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// Fills checks that a screen takes exactly its size, and that it holds nothing for
// a terminal to obey but colours.
func Fills(t interface{ Errorf(string, ...any) }, screen string, size board.Size) {
	rows := strings.Split(screen, "\n")
	if len(rows) != size.Height {
		t.Errorf("%d rows on a screen of %d", len(rows), size.Height)
	}
	for _, row := range rows {
		plain := ansi.Strip(row)
		if w := ansi.StringWidth(plain); w != size.Width {
			t.Errorf("a row of %d cells on a screen of %d: %q", w, size.Width, plain)
		}
		if strings.ContainsFunc(plain, obeyed) {
			t.Errorf("a control character in %q", plain)
		}
	}
}

// obeyed reports control characters and those that turn text around.
func obeyed(r rune) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
