package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
)

// recordKeys are those of a run's record.
const recordKeys = "n agent role protocol argv promptChars promptVia clientSession startedAt endedAt exitCode signal class kind resetAt " +
	"resetExact rule evidence ignored denied decision next why forced"

// With --json a command that starts agents prints one document: that of the status
// and the last run. What the agents say goes to the error stream.
func TestDocument_OfARun(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.fakeAgent("quota")
	got := s.call("run", "t", "--json")
	is.Equal(got.code, 4)
	is.Equal(strings.Count(got.notice, "half way\n"), 2)
	status := keys(t, s.must("status", "--json").out)
	is.Equal(cmp.Diff(keys(t, got.out), append(status, "run")), "")
	var doc map[string]json.RawMessage
	is.NoErr(json.Unmarshal([]byte(got.out), &doc))
	is.Equal(string(doc["run"]), string(doc["lastRun"]))
	is.Equal(strings.Join(keys(t, string(doc["run"])), " "), recordKeys)
	var run map[string]json.RawMessage
	is.NoErr(json.Unmarshal(doc["run"], &run))
	is.Equal(strings.Join(keys(t, string(run["evidence"])), " "), "source event text file line")
	is.Equal(strings.Join(keys(t, string(run["ignored"])), " "), "count firstLine")
	var limits []json.RawMessage
	is.NoErr(json.Unmarshal(doc["limits"], &limits))
	is.Equal(len(limits), 2)
	is.Equal(strings.Join(keys(t, string(limits[0])), " "), "agent class kind resetAt resetExact seenAt passed")
	is.Equal(strings.Join(keys(t, s.read(".ai-session/runs.jsonl")), " "), recordKeys)
}

func TestDocument_OfEveryCommandThatStartsAgents(t *testing.T) {
	tests := []struct {
		name string
		args []string
		code int
		run  bool
	}{
		{"run", []string{"run", "t"}, 4, true},
		{"a planner that failed", []string{"plan", "t"}, 4, true},
		{"a plan by hand", []string{"plan", "t", "--no-run"}, 0, false},
		{"execute", []string{"execute", "--from", "plan.txt"}, 4, true},
		{"a handoff alone", []string{"handoff", "--to", "claude", "--no-run"}, 0, false},
		{"handoff", []string{"handoff", "--to", "claude"}, 4, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.fakeAgent("quota")
			s.write("plan.txt", goodPlan)
			var doc map[string]any
			is.Equal(s.document(&doc, append(tt.args, "--json")...).code, tt.code)
			is.Equal(doc["run"] != nil, tt.run)
			is.Equal(doc["status"], s.session()["status"])
		})
	}
}

// A command that was called wrongly has nothing to tell.
func TestDocument_NoneOfWrongUse(t *testing.T) {
	s := newScene(t)
	for _, args := range [][]string{
		{"run", "", "--json"},
		{"run", "t", "--json", "--primary", "x"},
		{"plan", "t", "--json", "--diet", "x"},
		{"execute", "--json"},
		{"handoff", "--json"},
	} {
		is := is.New(t)
		got := s.call(args...)
		is.Equal(got.code, 2)
		is.Equal(got.out, "")
	}
}

func TestDocument_OfAnInterruptedRun(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.client("hanging", "echo > begun; exec sleep 600\n")
	s.configure(map[string]any{"agents": map[string]any{"codex": map[string]any{"command": "hanging", "args": []string{}}}})
	var doc struct {
		Status, LastError string
		Run               struct {
			Class    string
			ExitCode int
		}
	}
	is.NoErr(json.Unmarshal([]byte(s.interrupted("begun", "run", "t", "--json")), &doc))
	is.Equal(doc.Status, "failed")
	is.Equal(doc.LastError, "interrupted")
	is.Equal(doc.Run.Class, "killed")
	is.Equal(doc.Run.ExitCode, 130)
}

// The files of a session for other programs, with the keys that they always have.
func TestDocument_OfTheSessionsFiles(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.client("slow", "while [ ! -f go-on ]; do sleep 0.02; done\n")
	s.configure(map[string]any{"agents": map[string]any{"codex": map[string]any{"command": "slow", "args": []string{}}}})
	cmd := s.program("baton", "run", "t")
	is.NoErr(cmd.Start())
	lock := ""
	s.until("the agent's entry in the lock", func() bool {
		data, _ := os.ReadFile(s.at(".ai-session/.lock")) // it may be there in part
		lock = string(data)
		return strings.Contains(lock, `"codex"`)
	})
	is.Equal(strings.Join(keys(t, lock), " "), "pid processStart command startedAt agent")
	var holder struct {
		PID     int
		Command string
		Agent   json.RawMessage
	}
	is.NoErr(json.Unmarshal([]byte(lock), &holder))
	is.Equal(holder.PID, cmd.Process.Pid)
	is.Equal(holder.Command, "run")
	is.Equal(strings.Join(keys(t, string(holder.Agent)), " "), "id pid processStart")
	s.write("go-on", "")
	is.NoErr(cmd.Wait())
	is.Equal(s.read(".ai-session/.lock"), "") // nobody holds it

	is.Equal(strings.Join(keys(t, s.read(".ai-session/git-baseline.json")), " "), "createdAt available branch head clean changed")
	s.must("handoff", "--to", "claude", "--no-run")
	budget := s.read(".ai-session/context-budget.json")
	is.Equal(strings.Join(keys(t, budget), " "), "profile maxHandoffChars maxPlanChars used truncated generatedAt")
	var used struct{ Used json.RawMessage }
	is.NoErr(json.Unmarshal([]byte(budget), &used))
	is.Equal(strings.Join(keys(t, string(used.Used)), " "), "handoff plan repoMap fullDiff commandsLog compactState")
	meta := s.read(".ai-session/session.json")
	is.True(strings.HasPrefix(meta, "{\n  \"schemaVersion\": 1,\n  \"id\": \"")) // two spaces
	is.True(strings.HasSuffix(meta, "\n}\n"))
	uuid := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	is.True(uuid.MatchString(fmt.Sprint(s.session()["id"])))
}
