package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/clock"
	"github.com/changeover/changeover/adapters/graphemes"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/adapters/proc"
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/port"
)

// lines are the lines of a status by their keys.
func (s said) lines() map[string]string {
	lines := map[string]string{}
	for line := range strings.Lines(s.out) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		lines[key] = value
	}
	return lines
}

// keys are the keys of a JSON object in their order.
func keys(t *testing.T, document string) []string {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(document))
	_, err := decoder.Token()
	is.New(t).NoErr(err)
	var all []string
	for decoder.More() {
		key, err := decoder.Token()
		is.New(t).NoErr(err)
		all = append(all, fmt.Sprint(key))
		var value any
		is.New(t).NoErr(decoder.Decode(&value))
	}
	return all
}

func TestStatus_WithoutASession(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	got := s.must("status")
	is.True(strings.Contains(got.out, "baton init"))
	is.Equal(strings.Join(strings.Fields(s.must("status", "--json").out), ""), `{"session":false}`)
	is.True(!s.has(".ai-session")) // nothing was written
}

func TestStatus_WithoutGit(t *testing.T) {
	is := is.New(t)
	s := newGround(t)
	got := s.must("status")
	is.True(strings.Contains(got.out, "baton init"))
	is.True(strings.Contains(got.notice, "not a git repository"))

	s.write(".ai-session/session.json", `{"id":"1","status":"completed","task":"t"}`)
	got = s.must("status")
	is.Equal(got.lines()["git"], "not available")
	is.Equal(strings.Count(got.notice, "\n"), 1) // once
	is.Equal(got.lines()["status"], "completed")
	var doc struct{ Git map[string]any }
	s.document(&doc, "status", "--json")
	is.Equal(doc.Git, map[string]any{
		"available": false, "branch": nil, "head": nil, "clean": nil, "changed": nil, "staged": nil, "unstaged": nil, "untracked": nil,
	})
}

func TestStatus_WithoutTheGitProgram(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.must("init")
	t.Setenv("PATH", s.home)
	got := s.must("status")
	is.Equal(got.lines()["status"], "initialized")
	is.Equal(got.lines()["git"], "not available")
	is.True(strings.Contains(got.notice, "install git"))
	is.Equal(s.call("init").code, 1) // what changes something does not go on
}

// A run that ends while somebody looks is not stale: it writes its session, then
// gives its lock free.
func TestStatus_ARunThatEndsJustNow(t *testing.T) {
	is := is.New(t)
	s := newGround(t)
	s.write(".ai-session/session.json", `{"id":"1","status":"running"}`)
	w := baton.World{
		Clock: clock.New(), Files: osfs.New(), Processes: proc.New(), Git: nowhere{}, Dir: s.dir, Cut: graphemes.NewCutter(),
		Env: port.Environment{Lookup: os.Getenv, Home: s.home},
		Alarms: func(_ time.Duration, ring func()) port.Alarm {
			s.write(".ai-session/session.json", `{"id":"1","status":"completed"}`)
			ring()
			return nil
		},
	}
	report, err := w.Status(t.Context(), baton.Place{})
	is.NoErr(err)
	is.True(!report.Stale)
	is.Equal(report.Meta.Status(), baton.Completed)
}

// nowhere is a git that knows of no repository.
type nowhere struct{ port.Git }

func (nowhere) Top(context.Context, string) (string, error) { return "", port.ErrNoRepository }

func TestStatus_EveryLine(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.write(".gitignore", ".ai-session/\n")
	s.must("init")
	want := []string{
		"task: (none)",
		"status: initialized",
		"workflowMode: fallback",
		"activeAgent: (none)",
		"lastAgent: (none)",
		"primaryAgent: codex",
		"fallbackAgent: claude",
		"fallbackReason: (none)",
		"tokenDietProfile: balanced",
		"plan: none",
		"planAuthor: (none)",
		"executor: (none)",
		"executeStartedAt: (none)",
		"compression: ratio 0.00, threshold 0.8",
		"limits: (none)",
		"waiting: (none)",
		"handoffCount: 0",
		"startedAt: (none)",
		"endedAt: (none)",
		"durationMs: (none)",
		"changedFiles: .gitignore",
		"git: main, 1 changed",
		"handoff.md: missing",
		"context-budget.json: exists",
		"lastError: (none)",
	}
	got := s.must("status")
	is.Equal(cmp.Diff(want, strings.Split(strings.TrimSuffix(got.out, "\n"), "\n")), "")
	is.Equal(got.notice, "")
}

func TestStatus_EveryKey(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.must("init")
	got := s.must("status", "--json")
	is.Equal(strings.Join(keys(t, got.out), " "), "session task status workflowMode activeAgent lastAgent primaryAgent fallbackAgent "+
		"fallbackReason tokenDietProfile changedFiles handoffExists contextBudgetExists lastError timing plan compression limits waiting "+
		"lastRun stale git")
	var doc map[string]json.RawMessage
	is.NoErr(json.Unmarshal([]byte(got.out), &doc))
	for key, want := range map[string]string{
		"timing":      "startedAt endedAt durationMs handoffCount lastHandoffAt",
		"plan":        "exists state failures steps planAuthor executor planFinalizedAt executeStartedAt",
		"compression": "total budget ratio threshold enabled auto active rotatedLogs last",
		"git":         "available branch head clean changed staged unstaged untracked",
	} {
		is.Equal(strings.Join(keys(t, string(doc[key])), " "), want)
	}
	is.Equal(string(doc["lastRun"]), "null")
	is.Equal(string(doc["waiting"]), "null")
	is.Equal(string(doc["limits"]), "[]")
}

func TestStatus_ADamagedSession(t *testing.T) {
	for _, args := range [][]string{{"status"}, {"status", "--json"}} {
		is := is.New(t)
		s := newScene(t)
		s.write(".ai-session/session.json", `{"id":`)
		before := s.files()
		got := s.call(args...)
		is.Equal(got.code, 2)
		is.Equal(got.out, "")
		is.True(strings.Contains(got.notice, ".ai-session/session.json: session.json cannot be read: move it away"))
		is.Equal(cmp.Diff(before, s.files()), "")
	}
}

// A session directory that is none is not the same as no session.
func TestStatus_ASessionDirectoryThatIsNone(t *testing.T) {
	elsewhere := func(s *scene) error {
		s.must("init")
		other := filepath.Join(s.home, "elsewhere")
		return errors.Join(os.Rename(".ai-session", other), os.Symlink(other, ".ai-session"))
	}
	for name, lay := range map[string]func(s *scene) error{
		"a file":         func(*scene) error { return os.WriteFile(".ai-session", nil, 0o600) },
		"a link to one":  elsewhere,
		"a link nowhere": func(*scene) error { return os.Symlink("nowhere", ".ai-session") },
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			is.NoErr(lay(s))
			for _, verb := range [][]string{
				{"status"},
				{"status", "--json"},
				{"explain"},
				{"review"},
				{"receipt", "list"},
				{"handoff", "history"},
				{"plan", "--check"},
				{"compress-context", "--dry-run"},
				{"run", "t"},
			} {
				got := s.call(verb...)
				is.Equal(got.code, 1)
				is.True(strings.Contains(got.notice, ".ai-session: it is no directory"))
				is.Equal(got.out, "")
			}
			is.True(strings.Contains(s.must("budget").notice, ".ai-session: it is no directory"))
		})
	}
}

func TestStatus_AStaleSession(t *testing.T) {
	const running = `{"id":"1","status":"running","activeAgent":"codex"}`
	own := fmt.Sprintf(`{"pid":%d,"processStart":null,"command":"run","startedAt":"2026-05-28T09:00:00.000Z","agent":null}`, os.Getpid())
	tests := []struct {
		name, lock string
		stale      bool
	}{
		{"no lock file", "", true},
		{"its holder has ended", `{"pid":4194303,"command":"run"}`, true},
		{"its holder's number is somebody else's", strings.Replace(own, "null", `"some other start"`, 1), true},
		{"the lock file is damaged", "{", true},
		{"its holder lives", own, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.write(".ai-session/session.json", running)
			if tt.lock != "" {
				s.write(".ai-session/.lock", tt.lock)
			}
			before := s.files()
			want := "running"
			if tt.stale {
				want += " (stale)"
			}
			is.Equal(s.must("status").lines()["status"], want)
			var doc struct {
				Stale  bool
				Status string
			}
			s.document(&doc, "status", "--json")
			is.Equal(doc.Stale, tt.stale)
			is.Equal(doc.Status, "running")
			is.Equal(cmp.Diff(before, s.files()), "") // it neither locks nor writes
		})
	}
}

func TestStatus_AWaitThatNobodyWaitsAnyMore(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	until := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	s.write(".ai-session/session.json", `{"id":"1","status":"fallback_detected","waitingFor":"codex","waitingUntil":"`+until+`"}`)
	is.Equal(s.must("status").lines()["waiting"], "(none)")
	s.write(".ai-session/.lock", fmt.Sprintf(`{"pid":%d,"command":"run"}`, os.Getpid()))
	is.True(regexp.MustCompile(`^for codex until .*\d\d:\d\d .*(59 min|1 h)`).MatchString(s.must("status").lines()["waiting"]))
	var doc struct{ Waiting map[string]string }
	s.document(&doc, "status", "--json")
	is.Equal(doc.Waiting["agent"], "codex")
}

func TestStatus_ThePlan(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.must("init")
	s.write(".ai-session/plan.md", "# relay-baton plan\n\n## Goal\nx\n")
	is.Equal(s.must("status").lines()["plan"], "draft, 7 failures; 'baton plan --check' lists them")
	var doc struct {
		Plan struct {
			State    string
			Failures []string
			Steps    int
		}
	}
	s.document(&doc, "status", "--json")
	is.Equal(doc.Plan.State, "draft")
	is.Equal(len(doc.Plan.Failures), 7)
	is.Equal(doc.Plan.Failures[0], "section:Scope (in)")
	s.write(".ai-session/plan.md", goodPlan)
	is.Equal(s.must("status").lines()["plan"], "ready")
	replace(t, s.at(".ai-session/session.json"), `"status"`, `"planFinalizedAt": "2026-05-28T09:00:00.000Z", "status"`)
	is.Equal(s.must("status").lines()["plan"], "ready, finalized at 2026-05-28T09:00:00.000Z")
	s.document(&doc, "status", "--json")
	is.Equal(doc.Plan.State, "finalized")
	is.Equal(doc.Plan.Steps, 3)
}

func TestStatus_CompressingNow(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.write(".ai-session/session.json", `{"id":"1","status":"compressing","statusBeforeCompress":"running"}`)
	s.write(".ai-session/.lock", fmt.Sprintf(`{"pid":%d,"command":"run"}`, os.Getpid()))
	is.Equal(s.must("status").lines()["compression"], "compressing now")
	s.write(".ai-session/session.json", `{"id":"1","status":"completed","lastCompression":{"at":"2026-05-28T09:00:00.000Z","trigger":"auto",`+
		`"before":9000,"after":4000,"ratioBefore":0.9,"ratioAfter":0.4}}`)
	is.Equal(s.must("status").lines()["compression"], "ratio 0.00, threshold 0.8, last 2026-05-28T09:00:00.000Z: 9000 -> 4000 chars (auto)")
}

func TestStatus_ADietThatIsGone(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.must("init")
	replace(t, s.at(".ai-session/session.json"), `"balanced"`, `"vegan"`)
	got := s.must("status")
	is.Equal(got.lines()["tokenDietProfile"], "vegan")
	is.True(strings.Contains(got.notice, `"vegan"`))
}

func TestStatus_TextOfOthersIsCleaned(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.write(".ai-session/session.json", `{"id":"1","status":"failed","task":"two\nlines\u001b[31m red","lastError":"bad\u0007"}`)
	got := s.must("status").lines()
	is.Equal(got["task"], "two lines[31m red")
	is.Equal(got["lastError"], "bad")
}

// Row 89: a wall with a reset time is noted until the agent has run well again.
func TestStatus_ALimitUntilAGoodRun(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	reset := time.Now().Add(2 * time.Hour).Truncate(time.Second)
	s.client("claude", `if [ -f good ]; then
echo '{"type":"result","subtype":"success","is_error":false,"result":"done","num_turns":1,"usage":{"input_tokens":1,"output_tokens":1}}'
exit 0
fi
echo '{"type":"assistant","error":"rate_limit","is_api_error_message":true,"api_error_params":{"rate_limit_info":{"resetsAt":`+
		fmt.Sprint(reset.Unix())+`,"rateLimitType":"five_hour"}},"message":{"content":[{"type":"text","text":"limit"}]}}'
echo '{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"api_error":"usage_limit_reached","result":"You'"'"'ve hit your 5-hour limit"}'
exit 1
`)
	is.Equal(s.call("run", "do it", "--primary", "claude", "--no-fallback").code, 4)
	line := s.must("status").lines()["limits"]
	is.True(regexp.MustCompile(`^claude: usage_limit \(session\), resets .*` + reset.UTC().Format("15:04") + ` .*(1 h 59 min|2 h)`).MatchString(line))
	var doc struct {
		Limits []map[string]any
	}
	s.document(&doc, "status", "--json")
	is.Equal(len(doc.Limits), 1)
	is.True(doc.Limits[0]["seenAt"] != nil)
	delete(doc.Limits[0], "seenAt")
	is.Equal(cmp.Diff(map[string]any{
		"agent": "claude", "class": "usage_limit", "kind": "session", "resetAt": reset.UTC().Format("2006-01-02T15:04:05.000Z"),
		"resetExact": true, "passed": false,
	}, doc.Limits[0]), "")

	s.write("good", "")
	s.must("run", "do it", "--primary", "claude", "--no-fallback")
	is.Equal(s.must("status").lines()["limits"], "(none)")
	s.document(&doc, "status", "--json")
	is.Equal(doc.Limits, []map[string]any{})
}

func TestStatus_LimitsThatPassedAndThoseWithoutATime(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.write(".ai-session/session.json", `{"id":"1","status":"failed","limits":{`+
		`"claude":{"class":"usage_limit","kind":"weekly","resetAt":"2026-01-01T00:00:00.000Z","resetExact":true,"text":"x","seenAt":"2025-12-31T00:00:00.000Z"},`+
		`"codex":{"class":"rate_limit","kind":null,"resetAt":null,"resetExact":false,"text":"x","seenAt":"2025-12-31T00:00:00.000Z"}}}`)
	out := s.must("status").out
	is.True(strings.Contains(out, "limits: claude: usage_limit (weekly), passed\nlimits: codex: rate_limit, no reset time given\n"))
}

// What nobody else would see stands in one line each.
func TestStatus_SaysWhatWasLost(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.fakeAgent("ok")
	s.must("run", "t")
	is.Equal(s.must("status").notice, "")
	runs := s.read(".ai-session/runs.jsonl")

	s.write(".ai-session/runs.jsonl", runs+"{\"n\":2,")
	is.Equal(s.must("status").notice, "") // somebody writes it just now
	s.write(".ai-session/runs.jsonl", "?\n"+runs)
	one := prefix + "warning: .ai-session/runs.jsonl: line 1 holds no record and cannot be read; what is told of the runs leaves it out\n"
	is.Equal(s.must("status").notice, one)
	is.Equal(s.must("explain").notice, one)
	s.write(".ai-session/runs.jsonl", runs+"?\n?\n")
	is.True(strings.Contains(s.must("explain").notice, "2 lines hold no record, the first of them line 2"))
	s.write(".ai-session/runs.jsonl", runs)

	is.NoErr(os.Remove(s.at(".ai-session/.lock")))
	is.True(strings.HasPrefix(s.must("status").notice, prefix+"warning: .ai-session/.lock is missing, and baton never removes it: "))
	s.must("compact")
	is.Equal(s.must("status").notice, "")
}

func TestRun_AnAgentThatRemovesTheLock(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.client("agent", "rm .ai-session/.lock\n")
	s.configure(map[string]any{"agents": map[string]any{"codex": map[string]any{"command": "agent", "args": []string{}}}})
	got := s.call("run", "t")
	is.Equal(got.code, 1)
	is.True(strings.Contains(got.notice, ".ai-session/.lock was removed while baton worked, perhaps by the agent"))
	is.Equal(s.session()["status"], "completed")
	is.True(strings.Contains(s.must("status").notice, ".ai-session/.lock is missing"))
}

func TestStatus_WarnsOfTheConfiguration(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.must("init")
	s.write("relay-baton.config.json", `{"nobodyReadsThis":1}`)
	is.Equal(s.must("status").notice, "") // which doctor --deep alone tells
	s.write("relay-baton.config.json", `{"fallbackPatterns":[]}`)
	is.Equal(strings.Count(s.must("status").notice, "\n"), 1)
	is.True(strings.HasPrefix(s.must("status").notice, prefix+"warning: relay-baton.config.json: "))
	s.write("relay-baton.config.json", `{"fallbackPatterns":[],"authPolicy":{"blockedEnvVars":[]}}`)
	got := s.must("status").notice
	is.Equal(strings.Count(got, "\n"), 1)
	is.True(strings.Contains(got, "'baton doctor --deep' lists "))
}

// A limit of which nobody knows more is told in words.
func TestStatus_ALimitOfWhichNothingIsKnown(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.fakeAgent("quota")
	got := s.call("run", "t", "--no-fallback")
	is.Equal(got.code, 4)
	lines := s.must("status").lines()
	is.Equal(lines["limits"], "codex: usage_limit, no reset time given")
	is.True(!strings.Contains(s.must("status").out+s.must("explain").out+got.notice, "(unknown)"))
}
