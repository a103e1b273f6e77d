package exchange_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/changeover/changeover/domain/exchange"
)

// seeds adds the fixtures and the full documents of one schema.
func seeds(f *testing.F, pattern, full string) {
	f.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		f.Fatalf("no fixture is called %s: %v", pattern, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(full))
	f.Add([]byte("\ufeff{}"))
	f.Add([]byte(`{"name":"a\ud83d","after":7.0,"to":{"repo":"","session_id":1}}`))
}

// refused checks that what is not accepted is a problem that a terminal can
// show.
func refused(t *testing.T, err error) {
	t.Helper()
	var fault *exchange.FileError
	if !errors.As(err, &fault) {
		t.Fatalf("%v is no problem of a file", err)
	}
	if strings.ContainsFunc(err.Error(), func(r rune) bool { return !unicode.IsPrint(r) }) {
		t.Fatalf("%q", err.Error())
	}
}

// stable checks that what was read is written, and read again the same.
func stable[T interface{ Encode(string) ([]byte, error) }](t *testing.T, read func(string, []byte) (T, error), data []byte) {
	t.Helper()
	value, err := read("f.json", data)
	if err != nil {
		refused(t, err)
		return
	}
	first, err := value.Encode("f.json")
	if err != nil {
		t.Fatalf("%s is read, but not written: %v", data, err)
	}
	again, err := read("f.json", first)
	if err != nil {
		t.Fatalf("%s is written, but not read: %v", first, err)
	}
	second, err := again.Encode("f.json")
	if err != nil || !bytes.Equal(first, second) {
		t.Fatalf("%s becomes %s: %v", first, second, err)
	}
}

func FuzzParseMarker(f *testing.F) {
	seeds(f, "testdata/marker-*.json", schemas["marker"].full)
	f.Fuzz(func(t *testing.T, data []byte) {
		cfg, err := exchange.ParseMarker("/srv/x", data)
		if err != nil {
			refused(t, err)
		}
		if cfg.Name == "" || cfg.StaleDays < 1 || cfg.MaxFocusChars < 1 || cfg.MaxHotPaths < 0 || cfg.MaxHandoffsListed < 1 {
			t.Fatalf("%s gives unusable values: %+v", data, cfg)
		}
		if cfg.Deliver != exchange.DeliverAtStart && cfg.Deliver != exchange.DeliverAtPrompt && cfg.Deliver != exchange.DeliverByWaking {
			t.Fatalf("%s gives %q", data, cfg.Deliver)
		}
	})
}

func FuzzParseClaim(f *testing.F) {
	seeds(f, "testdata/marker-broken.json", schemas["claim"].full)
	f.Fuzz(func(t *testing.T, data []byte) { stable(t, exchange.ParseClaim, data) })
}

func FuzzParseHandoff(f *testing.F) {
	seeds(f, "testdata/store/handoffs/*.json", schemas["handoff"].full)
	f.Fuzz(func(t *testing.T, data []byte) { stable(t, exchange.ParseHandoff, data) })
}

func FuzzParseMove(f *testing.F) {
	seeds(f, "testdata/store/handoffs/*.d/*.json", schemas["move"].full)
	f.Fuzz(func(t *testing.T, data []byte) { stable(t, exchange.ParseMove, data) })
}
