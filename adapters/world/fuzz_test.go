package world_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/changeover/changeover/adapters/claudereg"
	"github.com/changeover/changeover/adapters/claudesettings"
	"github.com/changeover/changeover/adapters/codexhooks"
	"github.com/changeover/changeover/adapters/codexreg"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/adapters/osfs/memfs"
	"github.com/changeover/changeover/adapters/relayconfig"
	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/session"
)

// FuzzRegistries reads a row of Claude Code's registry, and the rollout of a thread of
// Codex that lives: either a session or a row that is unread, and no text that is none.
func FuzzRegistries(f *testing.F) {
	for _, seed := range []string{
		`{"pid":1234,"sessionId":"aaaa1111-0000-4000-8000-000000000001","cwd":"/w","startedAt":1796031472165,"procStart":"99","kind":"interactive","status":"idle"}`,
		`{"pid":"12","sessionId":"s","procStart":1e3,"startedAt":-1}`, `{"sessionId":7}`, "{", "", "[]", "\ufeff{}", `{"sessionId":"s","cwd":"\ud83d"}`,
		`{"type":"session_meta","payload":{"cwd":"/w","source":"cli"}}` + "\n", `{"type":"session_meta","payload":{"cwd":"/w","source":{"subagent":"review"}}}` + "\nx", `{"type":"turn"}` + "\n",
	} {
		f.Add([]byte(seed))
	}
	rows, err := filepath.Glob("../claudereg/testdata/rows/*")
	if err != nil || len(rows) == 0 {
		f.Fatalf("no rows: %v", err)
	}
	for _, name := range rows {
		if data, err := os.ReadFile(name); err == nil {
			f.Add(data)
		}
	}
	const thread = "9c1e5b0a-2222-4333-8444-555566667777"
	home := f.TempDir()
	day, locks := filepath.Join(home, "sessions", "2026", "11", "30"), filepath.Join(home, "thread-writer-locks")
	rollout := filepath.Join(day, "rollout-2026-11-30T10-00-00-"+thread+".jsonl")
	if err := errors.Join(os.MkdirAll(day, 0o700), os.MkdirAll(locks, 0o700), held(f, filepath.Join(locks, thread+".lock"))); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		files := memfs.New()
		for _, dir := range []string{"/sessions"} {
			if err := files.MakeDir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if err := files.Create("/sessions/1.json", data, 0o600, port.Unsynced); err != nil {
			t.Fatal(err)
		}
		listing, err := claudereg.New(files, "/sessions", func(time.Duration) {}).Sessions()
		if err != nil || len(listing.Rows)+len(listing.Unread) != 1 {
			t.Fatalf("%q makes %+v: %v", data, listing, err)
		}
		readable(t, listing)
		for _, row := range listing.Rows {
			if row.SessionID == "" || row.PID < 0 || row.StartedAt.UnixMilli() < 0 && !row.StartedAt.IsZero() {
				t.Fatalf("%q makes the row %+v", data, row)
			}
		}

		if err := os.WriteFile(rollout, data, 0o600); err != nil {
			t.Fatal(err)
		}
		listing, err = codexreg.New(osfs.New(), home).Sessions()
		if err != nil || len(listing.Rows) > 1 || len(listing.Unread) > 1 {
			t.Fatalf("%q makes %+v: %v", data, listing, err)
		}
		readable(t, listing)
		if len(listing.Rows) == 0 && !strings.Contains(string(data), "subagent") && !strings.Contains(string(data), `\u`) {
			t.Fatalf("%q hides a thread that lives", data)
		}
	})
}

// held locks a file until the test ends.
func held(f *testing.F, path string) error {
	fd, err := syscall.Open(path, syscall.O_RDWR|syscall.O_CREAT|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	f.Cleanup(func() { _ = syscall.Close(fd) })
	return syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB)
}

func readable(t *testing.T, l session.Listing) {
	t.Helper()
	for _, row := range l.Rows {
		for _, s := range []string{row.SessionID, row.Name, row.Cwd, row.Kind, row.ProcStart, row.Status} {
			if !utf8.ValidString(s) {
				t.Fatalf("%q in %+v", s, row)
			}
		}
	}
}

// FuzzConfigurations reads the files that other programs and people write: the settings
// of Claude Code, relay's own terms, and the hooks that Codex is told to run with those
// that it trusts.
func FuzzConfigurations(f *testing.F) {
	for _, seed := range []string{
		`{"a": ["x",], /* c */ "enabledPlugins": {"p@m": true}}`, "// c\n{}", "", `"\ud83d"`,
		`{"max_rounds": 7, "lang": "es"}`, `{"max_rounds":"7"}`, `{"max_rounds":1001}`, `{"lang":"fr"}`, `{"other":1}`,
		`{"hooks":{"SessionStart":[{"matcher":"startup","hooks":[{"type":"command","command":"a","timeout":5}]}],"Stop":[7,{"hooks":[{}]}]}}`,
	} {
		f.Add([]byte(seed), "[hooks.state.\"/codex/hooks.json:session_start:0:0\"]\ntrusted_hash = \"sha256:da18\"\nenabled = false\n")
		f.Add([]byte(seed), "[hooks.state.'/codex/hooks.json:stop:0:0' ]\ntrusted_hash='x\n= \n[")
	}
	f.Fuzz(func(t *testing.T, data []byte, toml string) {
		files := memfs.New()
		for _, dir := range []string{"/codex", "/home", "/home/.config", "/home/.config/relay"} {
			if err := files.MakeDir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		for name, content := range map[string]string{
			"/settings.json": string(data), "/home/.config/relay/config.json": string(data), "/codex/hooks.json": string(data), "/codex/config.toml": toml,
		} {
			if err := files.Create(name, []byte(content), 0o600, port.Unsynced); err != nil {
				t.Fatal(err)
			}
		}
		got, err := claudesettings.New(files).Settings("/settings.json")
		if err != nil && (got.Texts != nil || got.Plugins != nil) {
			t.Errorf("content beside the error %v", err)
		}
		if strict, strictErr := jsondoc.Decode(data); strictErr == nil && err != nil {
			t.Errorf("%v is JSON, but: %v", strict, err)
		}
		env := port.Environment{Home: "/home", Lookup: func(string) string { return "" }}
		terms, err := relayconfig.New(files, env).Terms()
		if err == nil && (terms.MaxRounds < 1 || terms.MaxRounds > 1000 || terms.Lang != "en" && terms.Lang != "es") {
			t.Errorf("%q makes the terms %+v", data, terms)
		}
		if err != nil && strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' }) {
			t.Errorf("%q", err)
		}
		hooks, err := codexhooks.New(files, "/codex").Hooks()
		if err != nil && len(hooks.Hooks) > 0 {
			t.Errorf("%d hooks beside %v", len(hooks.Hooks), err)
		}
		for _, h := range hooks.Hooks {
			if h.Trust == exchange.Trusted && !strings.Contains(toml, "sha256:") && !strings.Contains(toml, `\`) {
				t.Errorf("%q trusts %+v", toml, h)
			}
			if h.Trust == exchange.SwitchedOff && !strings.Contains(toml, "false") {
				t.Errorf("%q switches off %+v", toml, h)
			}
		}
		if slices.ContainsFunc(hooks.Hooks, func(h exchange.CodexHook) bool { return !utf8.ValidString(h.Command + h.Event) }) {
			t.Errorf("%+v", hooks.Hooks)
		}
	})
}
