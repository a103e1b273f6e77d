package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/flock"
)

// check is one line of doctor.
type check struct{ mark, value string }

// checks are the lines of doctor by their labels; of several with one label the
// last.
func (s said) checks() map[string]check {
	all := map[string]check{}
	for line := range strings.Lines(s.out) {
		mark, rest, _ := strings.Cut(strings.TrimSpace(line), "  ")
		label, value, ok := strings.Cut(strings.TrimSpace(rest), ": ")
		if ok {
			all[label] = check{mark, value}
		}
	}
	return all
}

// clients makes both clients there, each answering for its version.
func (s *scene) clients() {
	s.t.Helper()
	for _, name := range []string{"codex", "claude"} {
		s.client(name, `[ "$1" = --version ] && echo "`+name+` 1.2.3"`+"\n")
	}
}

func TestDoctor_WhereAllIsWell(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.clients()
	s.must("init")
	s.write("AGENTS.md", "x")
	before := s.files()
	got := s.must("doctor")
	lines := strings.Split(strings.TrimSuffix(got.out, "\n"), "\n")
	is.True(strings.HasPrefix(lines[0], "ok    git command: git version "))
	is.Equal(cmp.Diff([]string{
		"ok    git repository: " + s.dir,
		"ok    codex: codex 1.2.3",
		"ok    claude: claude 1.2.3",
		"info  OPENAI_API_KEY: not set",
		"info  ANTHROPIC_API_KEY: not set",
		"ok    session directory: .ai-session",
		"ok    configuration: the defaults; there is no relay-baton.config.json",
		"info  AGENTS.md: there",
		"info  CLAUDE.md: missing",
		"6 ok, 0 warnings, 0 failures, 4 for information",
	}, lines[1:]), "")
	is.Equal(cmp.Diff(before, s.files()), "") // nothing was written
}

func TestDoctor_WhatIsMissingIsAWarning(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.client("claude", "exit 3\n")
	t.Setenv("OPENAI_API_KEY", "a-very-secret-value")
	got := s.must("doctor")
	checks := got.checks()
	is.Equal(checks["codex"], check{"warn", "codex is missing, or its --version fails: install it and put it on PATH"})
	is.Equal(checks["claude"].mark, "warn")
	is.Equal(checks["session directory"].mark, "warn")
	is.Equal(checks["OPENAI_API_KEY"], check{"warn", "set, and kept from the agents; --allow-api-key-env lets it through"})
	is.True(!strings.Contains(got.out+got.notice, "a-very-secret-value"))

	s.configure(map[string]any{"authPolicy": map[string]any{"allowApiKeyEnv": true}})
	is.Equal(s.must("doctor").checks()["OPENAI_API_KEY"].mark, "info")
}

func TestDoctor_AProgramThatDoesNotAnswer(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.clients()
	s.client("claude", "exec sleep 60\n")
	begun := time.Now()
	is.Equal(s.must("doctor").checks()["claude"], check{"warn", "claude --version gave no answer within 5s"})
	is.True(time.Since(begun) < 30*time.Second)
}

func TestDoctor_Fails(t *testing.T) {
	tests := []struct {
		name  string
		scene func(*testing.T) *scene
		label string
		says  string
	}{
		{"outside of a repository", newGround, "git repository", "not a git repository"},
		{"with a broken configuration", func(t *testing.T) *scene {
			s := newScene(t)
			s.write("relay-baton.config.json", "{")
			return s
		}, "configuration", "relay-baton.config.json"},
		{"with a configuration that breaks a rule", func(t *testing.T) *scene {
			s := newScene(t)
			s.configure(map[string]any{"contextCompression": map[string]any{"threshold": 3}})
			return s
		}, "configuration", "contextCompression.threshold"},
		{"where the active project is gone", func(t *testing.T) *scene {
			s := newScene(t)
			gone := s.repository("gone")
			s.must("project", "add", gone)
			is.New(t).NoErr(os.RemoveAll(gone))
			return s
		}, "git repository", "'baton project remove gone'"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := tt.scene(t)
			got := s.call("doctor")
			is.Equal(got.code, 1)
			is.Equal(got.checks()[tt.label].mark, "fail")
			is.True(strings.Contains(got.checks()[tt.label].value, tt.says))
		})
	}
}

func TestDoctor_WithoutGit(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	t.Setenv("PATH", s.home)
	got := s.call("doctor")
	is.Equal(got.code, 1)
	is.Equal(got.checks()["git command"].mark, "fail")
	is.Equal(got.checks()["git repository"].mark, "fail")
}

func TestDoctor_RefusesFlagsThatLeadNowhere(t *testing.T) {
	for _, args := range [][]string{{"--project", "x"}, {"--path", "gone"}} {
		is := is.New(t)
		is.Equal(newScene(t).call(append([]string{"doctor"}, args...)...).code, 2)
	}
}

func TestDoctor_DeepWhereAllIsWell(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.clients()
	is.NoErr(os.Mkdir(filepath.Join(s.home, ".codex"), 0o700))
	s.write(".gitignore", ".ai-session\n")
	s.must("project", "add", ".")
	s.must("plan", "t", "--no-run")
	s.write(".ai-session/plan.md", goodPlan)
	s.must("handoff", "--to", "claude", "--no-run")
	s.write(".ai-session/commands.log.full.2026-05-28T09-00-00-000Z", "12345")
	before := s.files()
	got := s.must("doctor", "--deep").checks()
	size := len([]rune(s.read(".ai-session/handoff.md")))
	for label, want := range map[string]check{
		"git repository":      {"ok", s.dir + ", project repo"},
		"codex arguments":     {"ok", "the default ones"},
		"claude arguments":    {"ok", "the default ones"},
		"codex protocol":      {"ok", "codex-json"},
		"claude protocol":     {"ok", "claude-json"},
		"codex home":          {"ok", filepath.Join(s.home, ".codex")},
		"project registry":    {"ok", s.registry() + ", 1 registered"},
		"configuration rules": {"ok", "kept"},
		"session.json":        {"ok", "status handoff_ready"},
		"session lock":        {"ok", "free"},
		"latest handoff":      {"ok", fmt.Sprintf("%d of 40000 chars, profile balanced", size)},
		"plan.md":             {"ok", "passes its gate, 3 steps"},
		"rotated logs":        {"info", "1, 5 bytes"},
		"ignored by git":      {"ok", ".ai-session"},
	} {
		is.Equal(label+": "+got[label].mark+" "+got[label].value, label+": "+want.mark+" "+want.value)
	}
	is.Equal(cmp.Diff(before, s.files()), "") // nothing was written
}

// Row 17: a forbidden argument fails, other custom ones are a warning.
func TestDoctor_DeepLooksAtTheArguments(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.configure(map[string]any{"agents": map[string]any{
		"codex":  map[string]any{"args": []string{"exec", "--full-auto", "--json"}},
		"claude": map[string]any{"args": []string{"-p", "--model", "opus"}},
	}})
	got := s.call("doctor", "--deep")
	is.Equal(got.code, 1)
	is.Equal(got.checks()["codex arguments"], check{"fail", "the forbidden --full-auto is among them: take it out of relay-baton.config.json"})
	is.Equal(got.checks()["claude arguments"], check{"warn", "not the default ones, which is right where you mean them: -p --model opus"})
	is.Equal(got.checks()["configuration rules"].mark, "fail")
	for _, args := range [][]string{{"run", "t"}, {"plan", "t"}, {"execute"}, {"handoff", "--to", "claude"}} {
		is.Equal(s.call(args...).code, 2)
	}

	s.configure(map[string]any{"agents": map[string]any{"codex": map[string]any{"args": []string{"exec", "-c", "key=sk-" + strings.Repeat("a1B2c3", 5)}}}})
	got = s.must("doctor", "--deep")
	is.Equal(got.checks()["codex arguments"], check{"warn", "not the default ones, which is right where you mean them: (not shown: they hold a secret)"})
}

func TestDoctor_DeepTellsTheProtocols(t *testing.T) {
	tests := []struct {
		agent string
		args  []string
		want  check
	}{
		{"codex", []string{"exec"}, check{"warn", "codex-plain: "}},
		{"claude", []string{"-p"}, check{"warn", "claude-plain: "}},
		{"claude", []string{"-p", "--output-format", "stream-json"}, check{"warn", "claude-json: claude refuses"}},
		{"codex", []string{}, check{"info", "generic: "}},
	}
	for _, tt := range tests {
		is := is.New(t)
		s := newScene(t)
		s.configure(map[string]any{"agents": map[string]any{tt.agent: map[string]any{"args": tt.args}}})
		got := s.must("doctor", "--deep").checks()[tt.agent+" protocol"]
		is.Equal(got.mark, tt.want.mark)
		is.True(strings.HasPrefix(got.value, tt.want.value))
	}
}

func TestDoctor_DeepFindsWhatIsWrong(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.must("init")
	s.configure(map[string]any{"fallbackPatterns": []string{}, "tokenDiet": map[string]any{"profil": "x"}})
	s.write(".ai-session/handoff.md", strings.Repeat("x", 40_001))
	s.write(".ai-session/plan.md", "# relay-baton plan\n")
	got := s.must("doctor", "--deep")
	for _, line := range []string{
		"warn  codex home: " + filepath.Join(s.home, ".codex") + " is missing: codex does not start without it\n",
		"warn  configuration rules: fallbackPatterns is empty",
		"warn  configuration rules: nothing reads tokenDiet.profil\n",
		"warn  latest handoff: 40001 of 40000 chars, profile balanced\n",
		"warn  plan.md: its gate finds 8 failures; 'baton plan --check' lists them\n",
		"warn  ignored by git: .ai-session is not: add the line \".ai-session/\" to .gitignore, or run 'baton init --gitignore'\n",
	} {
		is.True(strings.Contains(got.out, line))
	}
	t.Setenv("CODEX_HOME", s.at("relay-baton.config.json"))
	is.True(strings.Contains(s.must("doctor", "--deep").checks()["codex home"].value, "is no directory"))
}

func TestDoctor_DeepWithADamagedSessionOrRegistry(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.write(".ai-session/session.json", `{"id":"1","status":"asleep"}`)
	is.NoErr(os.Mkdir(filepath.Dir(s.registry()), 0o755))
	is.NoErr(os.WriteFile(s.registry(), []byte("{"), 0o600))
	got := s.call("doctor", "--deep")
	is.Equal(got.code, 1)
	is.Equal(got.checks()["session.json"].mark, "fail")
	is.True(strings.Contains(got.checks()["session.json"].value, "status"))
	is.Equal(got.checks()["project registry"].mark, "fail")
	data, err := os.ReadFile(s.registry())
	is.NoErr(err)
	is.Equal(string(data), "{") // doctor mends nothing
}

func TestDoctor_DeepTellsWhoWorks(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.write(".ai-session/session.json", `{"id":"1","status":"running"}`)
	s.write(".ai-session/.lock", `{"pid":4194303,"command":"run","startedAt":"2026-05-28T09:00:00.000Z"}`)
	got := s.must("doctor", "--deep").checks()
	is.Equal(got["session.json"], check{"warn", "status running, and nobody works on it; the next command puts that in order"})
	is.Equal(got["session lock"], check{"warn", "left by 'baton run', process 4194303, which has ended; the next command takes it"})

	lock, err := flock.Locker{}.TryLock(s.at(".ai-session/.lock"), 0o600)
	is.NoErr(err)
	is.NoErr(lock.Note(fmt.Appendf(nil, `{"pid":%d,"command":"run","startedAt":"2026-05-28T09:00:00.000Z"}`, os.Getpid())))
	got = s.must("doctor", "--deep").checks()
	is.Equal(got["session.json"], check{"ok", "status running"})
	is.Equal(got["session lock"].mark, "info")
	is.NoErr(lock.Release())
}

func TestDoctor_JSON(t *testing.T) {
	is := is.New(t)
	s := newGround(t)
	var doc struct {
		Passed               bool
		OK, Warn, Fail, Info int
		Checks               []struct{ Mark, Label, Value string }
	}
	got := s.document(&doc, "doctor", "--json")
	is.Equal(got.code, 1)
	is.True(!doc.Passed)
	is.Equal(doc.Fail, 1)
	is.Equal(doc.OK+doc.Warn+doc.Fail+doc.Info, len(doc.Checks))
	is.True(json.Valid([]byte(got.out)))
	is.Equal(doc.Checks[1].Label, "git repository")
}

// Each agent that is missing is a warning, as verify needs none; without any the
// last line says that nothing can run.
func TestDoctor_NoAgentAtAll(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.client("codex", "exit 3\n")
	s.client("claude", "exit 3\n")
	advice := "Neither agent answers here, and without one nothing runs: install Codex CLI or Claude Code and put it on PATH, or name another program as agents.codex.command or " +
		"agents.claude.command in relay-baton.config.json; then 'baton doctor' again."
	is.True(strings.HasSuffix(s.must("doctor").out, " for information\n"+advice+"\n"))
	var doc struct {
		Passed bool
		Advice *string
	}
	s.document(&doc, "doctor", "--json")
	is.True(doc.Passed)
	is.Equal(*doc.Advice, advice)
	s.client("claude", `[ "$1" = --version ] && echo "claude 1.2.3"`+"\n")
	is.True(!strings.Contains(s.must("doctor").out, "Neither agent answers"))
	s.document(&doc, "doctor", "--json")
	is.True(doc.Advice == nil)
}

// One thing is counted as one.
func TestDoctor_CountsOneAsOne(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.clients()
	is.True(strings.HasSuffix(s.must("doctor").out, "5 ok, 1 warning, 0 failures, 4 for information\n"))
	s.write("relay-baton.config.json", "{")
	is.True(strings.HasSuffix(s.call("doctor").out, "4 ok, 1 warning, 1 failure, 4 for information\n"))
	s.write("relay-baton.config.json", "{}")
	s.write(".ai-session/plan.md", strings.Replace(goodPlan, "- Add the column\n", "\n", 1))
	is.Equal(s.call("doctor", "--deep").checks()["plan.md"], check{"warn", "its gate finds 1 failure; 'baton plan --check' lists them"})
}

// The arguments that the guide recommends are the person's own, which is all that
// doctor has to say of them.
func TestDoctor_TheArgumentsOfTheGuide(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.clients()
	guide, err := os.ReadFile(filepath.Join(filepath.Dir(testdata), "..", "docs", "baton.md"))
	is.NoErr(err)
	_, rest, found := strings.Cut(string(guide), "```json\n")
	is.True(found)
	recommended, _, _ := strings.Cut(rest, "```")
	s.write("relay-baton.config.json", recommended)
	got := s.must("doctor", "--deep").checks()
	is.Equal(got["claude arguments"].mark, "warn") // as every list that is not the default one
	is.True(strings.HasPrefix(got["claude arguments"].value, "not the default ones, which is right where you mean them: "))
	is.Equal(got["claude protocol"], check{"ok", "claude-json"})
	is.Equal(got["configuration rules"], check{"ok", "kept"})
	is.True(strings.Contains(string(guide), "not the default ones, which is right where you mean them"))
}
