package kills_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/changeover/changeover/e2e/fakeregistry"
	"github.com/changeover/changeover/e2e/killing"
)

// odds is how seldom a process is killed: one in that many.
const odds = 3

// programs is a machine that runs the programs themselves and ends some with kill
// -9, after a part of the time that such a run takes.
type programs struct {
	t    *testing.T
	home string
	bin  string
	rng  *rand.Rand

	mu      sync.Mutex
	moments *killing.Moments
	tally   *tally
	rows    map[*client]fakeregistry.Row
	both    []*client
	told    []string
}

func newPrograms(t *testing.T, bin string, rng *rand.Rand, tally *tally) *programs {
	t.Helper()
	return &programs{t: t, home: t.TempDir(), bin: bin, rng: rng, tally: tally, moments: killing.NewMoments(rng), rows: map[*client]fakeregistry.Row{}}
}

func (r *programs) opens(id string) *client {
	r.t.Helper()
	c := &client{id: id, pid: r.process(id), hasMod: id == plannerID, entered: map[string]int{}, transcript: filepath.Join(r.home, id+".jsonl")}
	r.both = append(r.both, c)
	r.rows[c] = fakeregistry.New(c.pid, id, r.home, time.Now().UnixMilli())
	r.register(c, time.Now())
	r.untouched(c, event{name: "SessionStart"})
	return c
}

// process is the process of a session: that of the planner's is the test itself, for an
// attached process is a child of its client.
func (r *programs) process(id string) int {
	r.t.Helper()
	if id == plannerID {
		return os.Getpid()
	}
	process := exec.Command("sleep", "3600")
	if err := process.Start(); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() {
		_ = process.Process.Kill() // it may be dead already
		_ = process.Wait()
	})
	return process.Process.Pid
}

// register has the client tell what it does.
func (r *programs) register(c *client, since time.Time) {
	status := "idle"
	if c.busy {
		status = "busy"
	}
	row := r.rows[c].With("status", status).With("statusUpdatedAt", since.UnixMilli())
	if err := row.Write(filepath.Join(r.home, ".claude", "sessions"), strconv.Itoa(c.pid)+".json"); err != nil {
		r.t.Fatal(err)
	}
}

func (r *programs) pair(again bool) {
	r.t.Helper()
	commands := [][]string{{"planner", builderID, "--session", plannerID}, {"builder", plannerID, "--session", builderID}}
	if again {
		commands = append([][]string{{"unlink", "--session", plannerID}}, commands...)
	}
	for _, args := range commands {
		what := "relay " + args[0]
		out := r.run(r.command(nil, "relay", args...), what, "", r.draws(what))
		if out.Killed { // whoever typed it types it again; it may be done already
			r.run(r.command(nil, "relay", args...), "", "", killing.Never)
		} else if out.Code != 0 {
			r.t.Fatalf("relay %v: %+v", args, out)
		}
	}
}

func (r *programs) state() string { return filepath.Join(r.home, "state") }

func (r *programs) story() []string {
	told := r.told
	r.told = nil
	return told
}

// command is a program with the environment of a hook of that session's client.
func (r *programs) command(c *client, program string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(r.bin, program), args...)
	cmd.Dir = r.home
	cmd.Env = append(killing.Environ(), "HOME="+r.home, "PATH=/usr/bin:/bin", "RELAY_STATE_DIR="+r.state())
	if program == "hookd" {
		cmd.Env = append(cmd.Env, "CLAUDE_CODE_SESSION_ID="+c.id, "CLAUDE_PID="+strconv.Itoa(c.pid), "CLAUDE_CODE_ENTRYPOINT=cli")
	}
	return cmd
}

func (r *programs) payload(c *client, e event) string {
	fields := map[string]any{"session_id": c.id, "hook_event_name": e.name, "cwd": r.home, "transcript_path": c.transcript}
	switch e.name {
	case "FileChanged":
		fields["file_path"], fields["event"] = filepath.Join(r.state(), "bells", c.id), "change"
	case "UserPromptSubmit":
		fields["prompt_id"], fields["prompt"] = e.promptID, e.prompt
	case "Stop":
		fields["prompt_id"], fields["last_assistant_message"] = e.promptID, e.message
	}
	raw, err := json.Marshal(fields)
	if err != nil {
		r.t.Fatal(err)
	}
	return string(raw)
}

func (r *programs) hook(c *client, e event, times int) []answer {
	r.register(c, time.Now())
	ran := make([]*answer, times)
	var all sync.WaitGroup
	for i := range ran {
		at := r.draws("hook " + e.name)
		all.Go(func() {
			out := r.run(r.command(c, "hookd"), "hook "+e.name, r.payload(c, e), at)
			if !out.Killed {
				a := r.read(e, out)
				ran[i] = &a
			}
		})
	}
	all.Wait()
	var answers []answer
	for _, a := range ran {
		if a != nil {
			answers = append(answers, *a)
		}
	}
	return answers
}

// untouched runs a hook that is not killed.
func (r *programs) untouched(c *client, e event) {
	if out := r.run(r.command(c, "hookd"), "", r.payload(c, e), killing.Never); out.Code != 0 {
		r.t.Fatalf("%s: %+v", e.name, out)
	}
}

// read makes out what a hook answered.
func (r *programs) read(e event, out killing.Ending) answer {
	if out.Code == 2 && e.name == "FileChanged" {
		return answer{wake: strings.TrimSpace(out.Stderr)}
	}
	if out.Code != 0 || strings.Contains(out.Stdout, "[relay]") || strings.Contains(out.Stdout, "fault") {
		r.t.Errorf("%s: %+v", e.name, out)
	}
	return answer{block: strings.Contains(out.Stdout, `"decision":"block"`)}
}

func (r *programs) types(c *client, args ...string) {
	r.run(r.command(c, "relay", append(args, "--session", c.id)...), "relay "+args[0], "", r.draws("relay "+args[0]))
}

func (r *programs) stands() standing {
	var s standing
	out := r.run(r.command(nil, "relay", "status", "--json", "--session", plannerID), "", "", killing.Never)
	if err := json.Unmarshal([]byte(out.Stdout), &s); err != nil {
		r.t.Fatalf("relay status: %v: %+v", err, out)
	}
	return s
}

// passes makes both rows, and everything that a client was given, an hour older.
func (r *programs) passes() {
	const hour = time.Hour
	for _, c := range r.both {
		r.register(c, time.Now().Add(-hour))
	}
	boxes, err := filepath.Glob(filepath.Join(r.state(), "links", "*", "*", "taken", "*.json"))
	if err != nil {
		r.t.Fatal(err)
	}
	for _, box := range boxes {
		parts := strings.Split(strings.TrimSuffix(filepath.Base(box), ".json"), "-")
		if len(parts) != 6 {
			continue // nobody was given it
		}
		at, err := strconv.ParseInt(parts[5], 10, 64)
		if err != nil {
			r.t.Fatal(err)
		}
		parts[5] = strconv.FormatInt(at-hour.Milliseconds(), 10)
		if err := os.Rename(box, filepath.Join(filepath.Dir(box), strings.Join(parts, "-")+".json")); err != nil {
			r.t.Fatal(err)
		}
	}
}

// draws returns the moment at which a run is killed: any of what such a run takes.
func (r *programs) draws(what string) time.Duration {
	r.mu.Lock()
	wants := r.tally.wants(what)
	r.mu.Unlock()
	if !wants || !r.moments.Chance(odds) {
		return killing.Never
	}
	return r.moments.Draw(what)
}

func (r *programs) run(cmd *exec.Cmd, what, stdin string, at time.Duration) killing.Ending {
	cmd.Stdin = strings.NewReader(stdin)
	out, err := killing.Run(cmd, at)
	if err != nil {
		panic(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.told = append(r.told, fmt.Sprintf("%s %s took %s, killed %v: %q %q", strings.Join(cmd.Args[1:], " "), stdin, out.Took.Round(10*time.Microsecond),
		out.Killed, out.Stdout, out.Stderr))
	switch {
	case out.Killed:
		r.tally.met(what)
	case what != "":
		r.moments.Took(what, out.Took)
	}
	return out
}

// row is a line of a transcript.
func row(kind, id, origin, text string) string {
	doc := map[string]any{"type": kind, "isSidechain": false}
	switch kind {
	case "assistant":
		doc["message"] = map[string]any{
			"id": "msg-" + id, "role": kind, "model": "m", "stop_reason": "end_turn", "content": []any{map[string]any{"type": "text", "text": text}},
		}
	default:
		doc["promptId"], doc["origin"], doc["message"] = id, map[string]any{"kind": origin}, map[string]any{"role": kind, "content": text}
	}
	raw, err := json.Marshal(doc)
	if err != nil {
		panic(fmt.Sprint("a row of a transcript: ", err))
	}
	return string(raw)
}

func TestKills_ByKillMinus9(t *testing.T) {
	kill(t, "kill -9", fewReal, func(rng *rand.Rand, tally *tally) machine { return newPrograms(t, bin, rng, tally) })
}
