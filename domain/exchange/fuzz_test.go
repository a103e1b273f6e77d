package exchange_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

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

// FuzzParseRecord reads a claim, a handoff, a move or a receipt.
func FuzzParseRecord(f *testing.F) {
	kinds := []string{"claim", "handoff", "move", "receipt"}
	for kind, pattern := range []string{
		"testdata/marker-broken.json", "testdata/store/handoffs/*.json", "testdata/store/handoffs/*.d/*.json", "testdata/marker-broken.json",
	} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			f.Fatalf("no fixture is called %s: %v", pattern, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(uint8(kind), data)
		}
		f.Add(uint8(kind), []byte(schemas[kinds[kind]].full))
		f.Add(uint8(kind), []byte(`{"at":"2026-03-01T10:00:00Z","how":"prompt","name":"n"}`))
		f.Add(uint8(kind), []byte("\ufeff{}"))
		f.Add(uint8(kind), []byte(`{"name":"a\ud83d","after":7.0,"to":{"repo":"","session_id":1}}`))
	}
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) {
		switch kinds[int(kind)%len(kinds)] {
		case "claim":
			stable(t, exchange.ParseClaim, data)
		case "handoff":
			stable(t, exchange.ParseHandoff, data)
		case "move":
			stable(t, exchange.ParseMove, data)
		case "receipt":
			stable(t, exchange.ParseReceipt, data)
		}
	})
}

// What a repository says of itself names no place that is not there and no branch
// that would break a line.
func FuzzGitTrees(f *testing.F) {
	for _, dotGit := range []string{
		"gitdir: /r/plain/.git/worktrees/wt\n", "gitdir: ../plain/.git/worktrees/wt", "gitdir: \n", "what is this", "gitdir: \xff\n", "gitdir: ../../..\n",
	} {
		for _, head := range []string{"ref: refs/heads/main\n", "0123456789abcdef0123456789abcdef01234567\n", "ref: refs/tags/v1\n", "ref: refs/heads/m\xff\n"} {
			f.Add(dotGit, head)
		}
	}
	f.Fuzz(func(t *testing.T, dotGit, head string) {
		files := newFiles()
		files.file("/r/plain/.git/worktrees/wt/HEAD", head)
		files.file("/r/tree/.git", dotGit)
		files.dir("/r/tree/src")
		trees := exchange.NewGitTrees(files)
		if root := trees.Root("/r/tree/src"); root != "/r/tree" {
			t.Fatalf("%q makes %q the root", dotGit, root)
		}
		repo := trees.Repo("/r", "/r/tree/src")
		if repo != "tree" && repo != "plain" && repo != "" {
			t.Fatalf("%q makes it the repository %q", dotGit, repo)
		}
		if repo != "" && exchange.CheckScope(repo) != nil {
			t.Fatalf("%q makes the scope %q", dotGit, repo)
		}
		branch := trees.Branch("/r/tree/src")
		if !utf8.ValidString(branch) || branch != "" && !strings.Contains(head, "ref: refs/heads/"+branch) {
			t.Fatalf("%q makes the branch %q", head, branch)
		}
	})
}
