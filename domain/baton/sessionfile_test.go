package baton_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/wall"
)

var (
	metaNow   = time.Date(2026, 5, 28, 9, 0, 0, 0, time.UTC)
	metaLater = metaNow.Add(90 * time.Second)
)

func metaFixture(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "meta", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func metaRead(t *testing.T, raw []byte) baton.SessionMeta {
	t.Helper()
	m, err := baton.ReadSession(raw)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Row 1: a new session has its status, its agents and no timing.
func TestInit_File(t *testing.T) {
	is := is.New(t)
	m := baton.Init(baton.NewSession{ID: "s-1", RepoRoot: "/repo", Task: "t", PrimaryAgent: "codex", FallbackAgent: "claude", Diet: "balanced"}, metaNow)
	want := `{
  "schemaVersion": 1,
  "id": "s-1",
  "createdAt": "2026-05-28T09:00:00.000Z",
  "updatedAt": "2026-05-28T09:00:00.000Z",
  "repoRoot": "/repo",
  "task": "t",
  "status": "initialized",
  "primaryAgent": "codex",
  "fallbackAgent": "claude",
  "activeAgent": "none",
  "lastAgent": "none",
  "fallbackReason": null,
  "lastError": null,
  "tokenDietProfile": "balanced"
}
`
	is.Equal(cmp.Diff(string(m.Bytes(metaNow)), want), "")
	is.Equal(m.Mode(), baton.FallbackMode)
}

func TestReadSession_Samples(t *testing.T) {
	is := is.New(t)
	fallback := metaRead(t, metaFixture(t, "session.fallback.json"))
	is.Equal(fallback.Status(), baton.FallbackDetected)
	is.Equal(fallback.HandoffCount, 1)
	is.Equal(fallback.LastHandoffAt, metaNow)
	is.Equal(fallback.FallbackReason, `"usage limit reached" on stderr: ERROR: Usage limit reached for this billing period`)
	ready := metaRead(t, metaFixture(t, "session.plan-ready.json"))
	is.Equal(ready.Mode(), baton.PlanExecuteMode)
	is.Equal(ready.PlanAuthor, baton.Some("claude"))
	is.Equal(ready.Executor, baton.Some("")) // null
	is.Equal(ready.ExecuteHead, baton.Optional{})
	is.Equal(ready.PlanFinalizedAt, time.Date(2026, 5, 28, 9, 10, 0, 0, time.UTC))
}

// Row 5.
func TestBytes_LegacyFileKeepsWhatIsNotKnown(t *testing.T) {
	is := is.New(t)
	raw := string(metaFixture(t, "session.legacy.json"))
	got := string(metaRead(t, []byte(raw)).Bytes(metaNow))
	want := strings.ReplaceAll(raw, `"2026-02-01T08:30:00.000Z"`, `"2026-05-28T09:00:00.000Z"`)
	want = strings.ReplaceAll(want, `{"keep": "me"}`, "{\n    \"keep\": \"me\"\n  }")
	is.Equal(cmp.Diff(got, want), "") // only updatedAt changed; no workflowMode, no schemaVersion
}

func TestBytes_UnknownFieldsStayInTheirPlace(t *testing.T) {
	is := is.New(t)
	const head = `{
  "id": "s-1",
  "createdAt": "2026-05-28T07:00:00Z",
  "repoRoot": "/repo",
  "future": [
    1.50,
    {
      "z": null,
      "a": "x"
    }
  ],
`
	const middle = `  "status": "completed",
  "primaryAgent": "codex",
  "fallbackAgent": "claude",
  "activeAgent": "none",
  "lastAgent": "none",
  "fallbackReason": null,
  "lastError": null,
  "tokenDietProfile": "lite",
  "limits": {
    "claude": {
      "class": "usage_limit",
      "confidence": 0.9,
      "kind": `
	const limit = `,
      "resetAt": null,
      "resetExact": false,
      "text": null,
      "seenAt": "2026-05-28T08:00:00.000Z"
    }`
	const tail = `,
  "last": true
}
`
	raw := head + "  \"task\": \"old\",\n" + middle + `"weekly"` + limit + "\n  },\n  \"updatedAt\": \"2026-05-28T08:00:00Z\"" + tail
	m := metaRead(t, []byte(raw))
	m.Task = "new"
	m.Limits["codex"] = wall.Noted{Class: wall.UsageLimit, SeenAt: metaNow}
	noted := m.Limits["claude"]
	noted.Kind = wall.Session
	m.Limits["claude"] = noted
	m.StartedAt = metaNow
	want := head + "  \"task\": \"new\",\n" + middle + `"session"` + limit + `,
    "codex": {
      "class": "usage_limit",
      "kind": null,
      "resetAt": null,
      "resetExact": false,
      "text": null,
      "seenAt": "2026-05-28T09:00:00.000Z"
    }
  },
  "updatedAt": "2026-05-28T09:00:00.000Z"` + tail
	want = strings.Replace(want, "\"lite\",\n", "\"lite\",\n  \"startedAt\": \"2026-05-28T09:00:00.000Z\",\n", 1)
	is.Equal(cmp.Diff(string(m.Bytes(metaNow)), want), "")
}

func TestReadSession_Refuses(t *testing.T) {
	for name, raw := range map[string]string{
		"cut off": string(metaFixture(t, "session.truncated.json")), "empty": "", "a list": "[]", "no status": `{"id":"x"}`, "no id": `{"status":"failed"}`,
		"another status": `{"id":"x","status":"busy"}`, "a later version": `{"schemaVersion":2,"id":"x","status":"failed"}`,
		"a time": `{"id":"x","status":"failed","endedAt":"now"}`, "another type": `{"id":"x","status":"failed","task":7}`,
		"another mode": `{"id":"x","status":"failed","workflowMode":"solo"}`, "limits": `{"id":"x","status":"failed","limits":{"codex":7}}`,
		"fewer than none": `{"id":"x","status":"failed","handoffCount":-1}`,
		"less than empty": `{"id":"x","status":"failed","lastCompression":{"trigger":"auto","before":9,"after":-1}}`,
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			_, err := baton.ReadSession([]byte(raw))
			is.True(errors.Is(err, baton.ErrBadSession))
			is.True(strings.Contains(err.Error(), "move it away"))
		})
	}
}

// Rows 108, 109: a mark, CRLF and a lone surrogate do not keep a session from
// being read.
func TestReadSession_AnySpelling(t *testing.T) {
	is := is.New(t)
	raw := strings.ReplaceAll(string(metaFixture(t, "session.fallback.json")), "\n", "\r\n")
	is.Equal(string(metaRead(t, []byte("\ufeff"+raw)).Bytes(metaNow)), string(metaRead(t, metaFixture(t, "session.fallback.json")).Bytes(metaNow)))
	is.Equal(metaRead(t, []byte(`{"id":"x","status":"failed","task":"a\ud83d"}`)).Task, "a\ufffd")
}

func TestBytes_OptionalFields(t *testing.T) {
	is := is.New(t)
	m := baton.Init(baton.NewSession{ID: "s-1"}, metaNow)
	m.StartedAt, m.EndedAt, m.Duration, m.HandoffCount = metaNow, metaLater, 90*time.Second, 2
	m.LastHandoffAt, m.PlanFinalizedAt, m.ExecuteStartedAt = metaNow, metaNow, metaLater
	m.WorkflowMode, m.PlanAuthor, m.Executor, m.ExecuteHead = baton.PlanExecuteMode, baton.Some("claude"), baton.Some(""), baton.Some("")
	m.SuspectedFallback = "quota"
	m.LastCompression = &baton.LastCompression{At: metaNow, Trigger: "auto", Before: 30000, After: 12000, RatioBefore: 1.153846, RatioAfter: 0.5}
	m = m.WaitFor(wall.Waiting{Agent: "codex", Until: metaLater})
	got := string(m.Bytes(metaNow))
	_, tail, _ := strings.Cut(got, `"tokenDietProfile": "",`)
	want := `
  "startedAt": "2026-05-28T09:00:00.000Z",
  "endedAt": "2026-05-28T09:01:30.000Z",
  "durationMs": 90000,
  "handoffCount": 2,
  "workflowMode": "plan-execute",
  "planAuthor": "claude",
  "executor": null,
  "planFinalizedAt": "2026-05-28T09:00:00.000Z",
  "executeStartedAt": "2026-05-28T09:01:30.000Z",
  "executeHead": null,
  "lastHandoffAt": "2026-05-28T09:00:00.000Z",
  "lastCompression": {
    "at": "2026-05-28T09:00:00.000Z",
    "trigger": "auto",
    "before": 30000,
    "after": 12000,
    "ratioBefore": 1.1538,
    "ratioAfter": 0.5
  },
  "suspectedFallback": "quota",
  "waitingFor": "codex",
  "waitingUntil": "2026-05-28T09:01:30.000Z"
}
`
	is.Equal(cmp.Diff(tail, want), "")
	back := metaRead(t, []byte(got))
	is.Equal(string(back.Bytes(metaNow)), got) // reads what it wrote
	m.EndedAt, m.Duration, m.SuspectedFallback = time.Time{}, 0, ""
	less := string(m.StopWaiting().Bytes(metaNow))
	for _, gone := range []string{"endedAt", "durationMs", "suspectedFallback", "waitingFor", "waitingUntil"} {
		is.True(!strings.Contains(less, gone)) // removed from the file
	}
}

func TestBytes_StaleMarkOfACompressionGoes(t *testing.T) {
	is := is.New(t)
	m := metaAt(t, baton.Completed, `,"statusBeforeCompress":"running"`)
	is.True(!strings.Contains(string(m.Bytes(metaNow)), "statusBeforeCompress"))
}

// Whatever a file holds beside what is known, rewriting it changes updatedAt and
// nothing else, and a second time nothing at all.
func TestBytes_RewriteIsStable(t *testing.T) {
	keys := []string{"a", "limits2", "Status", "zz", "plan", "é"}
	rapid.Check(t, func(t *rapid.T) {
		raw := `{`
		for _, key := range rapid.SliceOfDistinct(rapid.SampledFrom(keys), rapid.ID).Draw(t, "before") {
			raw += `"` + key + `":` + rapid.SampledFrom([]string{"1e5", "null", `{"b":1,"a":[]}`, `"x"`}).Draw(t, key) + `,`
		}
		raw += `"id":"s","status":` + rapid.SampledFrom([]string{`"failed"`, `"completed"`}).Draw(t, "status") + `,"startedAt":null,"end":7}`
		m, err := baton.ReadSession([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		once := m.Bytes(metaNow)
		again, err := baton.ReadSession(once)
		if err != nil || string(again.Bytes(metaNow)) != string(once) {
			t.Fatalf("%v: %s became %s", err, once, again.Bytes(metaNow))
		}
		if !strings.Contains(string(once), `"end": 7`) || !strings.Contains(string(once), `"startedAt": null`) {
			t.Fatalf("%s", once)
		}
	})
}
