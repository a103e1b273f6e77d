package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/matryer/is"
)

// rooted is an empty root, with a home of its own.
func rooted(t *testing.T) (root string) {
	t.Helper()
	is := is.New(t)
	root = t.TempDir()
	for name, value := range map[string]string{
		"HOME": t.TempDir(), "CLAUDE_CONFIG_DIR": "", "CC_EXCHANGE_ROOT": "", "CLAUDE_PLUGIN_ROOT": "", "CLAUDE_CODE_SESSION_ID": "", "CODEX_HOME": "",
	} {
		t.Setenv(name, value)
	}
	is.NoErr(os.MkdirAll(filepath.Join(root, ".claude", "exchange", "handoffs", "h1.d"), 0o700))
	is.NoErr(os.WriteFile(filepath.Join(root, ".claude", "exchange.json"), []byte(`{"name":"x"}`), 0o600))
	return root
}

func exchangeIn(root string, args ...string) (out string, code int) {
	var stdout, stderr bytes.Buffer
	code = run(context.Background(), append([]string{"--cwd", root}, args...), strings.NewReader(""), &stdout, &stderr)
	return stdout.String() + stderr.String(), code
}

// D3: no line is longer than 1,000, a body's apart.
func TestRun_PrintsNoLongLines(t *testing.T) {
	long := strings.Repeat("word ", 2000)
	moves := func(t *testing.T, root string) {
		is := is.New(t)
		dir := filepath.Join(root, ".claude", "exchange", "handoffs")
		record := `{"id":"h1","from":{"cwd":"/x"},"to":{"repo":"."},"created":"2026-01-01T00:00:00Z","body":"b"}`
		is.NoErr(os.WriteFile(filepath.Join(dir, "h1.json"), []byte(record), 0o600))
		for i := range 100 {
			name := filepath.Join(dir, "h1.d", strings.Repeat("m", 50+i)+".json")
			is.NoErr(os.WriteFile(name, []byte("x"), 0o600))
		}
	}
	tests := []struct {
		name    string
		prepare func(t *testing.T, root string)
		args    []string
		code    int
	}{
		{"claim", nil, []string{"claim", "--session", "s", "--focus", long, "--ticket", long}, 0},
		{"refused scope", nil, []string{"claim", "--session", "s", "--path", strings.Repeat("\u200b", 3000)}, 1},
		{"refused scope of many kinds", nil, []string{"handoff", "post", "--body", "b", "--repo", private(2000)}, 1},
		{"unreadable moves", moves, []string{"handoff", "accept", "h1"}, 1},
		{"tie to resolve", moves, []string{"handoff", "resolve", "h1", "--status", "open", "--note", "n"}, 1},
		{"unknown id", nil, []string{"handoff", "close", strings.Repeat("a", 5000)}, 1},
		{"restore", nil, []string{"handoff", "restore", strings.Repeat("a", 5000)}, 1},
		{"show", moves, []string{"show"}, 1},
		{"doctor", moves, []string{"doctor"}, 1},
		{"init", nil, []string{"init", long}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			root := rooted(t)
			if tt.prepare != nil {
				tt.prepare(t, root)
			}
			out, code := exchangeIn(root, tt.args...)
			is.Equal(code, tt.code)
			longest := 0
			for line := range strings.SplitSeq(out, "\n") {
				longest = max(longest, utf8.RuneCountInString(line))
			}
			is.True(longest <= 1000)
		})
	}
}

// private are n code points that no terminal shows.
func private(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteRune(0xe000 + rune(i))
	}
	return b.String()
}

func TestRun_ABodyIsShownWhole(t *testing.T) {
	is := is.New(t)
	root := rooted(t)
	body := strings.Repeat("a", 3000)
	out, code := exchangeIn(root, "handoff", "post", "--repo", ".", "--body", body)
	is.Equal(code, 0)
	out, code = exchangeIn(root, "handoff", "show", strings.Fields(out)[1])
	is.Equal(code, 0)
	is.True(strings.Contains(out, "    "+body+"\n"))
}
