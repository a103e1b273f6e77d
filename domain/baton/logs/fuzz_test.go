package logs_test

import (
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"
)

// FuzzCompress shortens a log as the rules one by one do, in bounded memory, and twice
// is as once.
func FuzzCompress(f *testing.F) {
	names, err := filepath.Glob("testdata/log/*.log")
	if err != nil || len(names) == 0 {
		f.Fatalf("no fixtures: %v", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data[:min(len(data), 8<<10)]), uint8(20))
	}
	f.Add("[stdout] a\n[relay-baton] context compressed: 1 -> 2\n[… 3 lines elided]\n--- exit 1 ---\n\n[stderr] Error: quota exceeded\n", uint8(1))
	f.Fuzz(func(t *testing.T, log string, tail uint8) {
		got, result := compress(t, log, int(tail)+1)
		if want := naive(log, int(tail)+1); got != want {
			t.Fatalf("%q becomes %q, by the rules %q", log, got, want)
		}
		if result.Changed != (got != log) || utf8.ValidString(log) && result.Weight != utf8.RuneCountInString(got) {
			t.Fatalf("%q becomes %q: %+v", log, got, result)
		}
		if again, _ := compress(t, got, int(tail)+1); again != got {
			t.Fatalf("%q becomes %q, then %q", log, got, again)
		}
	})
}
