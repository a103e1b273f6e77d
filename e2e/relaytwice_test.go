package e2e_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/changeover/changeover/e2e/fakeregistry"
)

const (
	twiceTimes = 200
	// twicePerLink bounds a link's log, which every hook reads.
	twicePerLink = 25
)

// relayPair are two sessions of a fake registry whose hooks are run by hand.
type relayPair struct {
	t        *testing.T
	home     string
	sessions map[string]int // process by id
}

const (
	plannerID = "aaaa1111-0000-4000-8000-000000000001"
	builderID = "bbbb2222-0000-4000-8000-000000000002"
)

func newRelayPair(t *testing.T) *relayPair {
	t.Helper()
	stamp.Read(t)
	p := &relayPair{t: t, home: t.TempDir(), sessions: map[string]int{}}
	for i, id := range []string{plannerID, builderID} {
		process := exec.Command("sleep", "600")
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = process.Process.Kill() // it may be dead already
			_ = process.Wait()
		})
		pid := process.Process.Pid
		p.sessions[id] = pid
		cwd := filepath.Join(p.home, strconv.Itoa(i))
		if err := os.MkdirAll(cwd, 0o755); err != nil {
			t.Fatal(err)
		}
		row := fakeregistry.New(pid, id, cwd, 1796031472165)
		if err := row.Write(filepath.Join(p.home, ".claude", "sessions"), strconv.Itoa(pid)+".json"); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func (p *relayPair) run(program, stdin string, env []string, args ...string) (stdout, stderr string, code int) {
	cmd := exec.Command(filepath.Join(binDir(), program), args...)
	cmd.Dir = p.home
	cmd.Env = append([]string{"HOME=" + p.home, "PATH=/usr/bin:/bin"}, env...)
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Error(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// relay runs a command of a person's for a session.
func (p *relayPair) relay(session string, args ...string) string {
	p.t.Helper()
	stdout, stderr, code := p.run("relay", "", nil, append(args, "--session", session)...)
	if code != 0 {
		p.t.Fatalf("relay %v: exit %d: %s", args, code, stderr)
	}
	return stdout
}

// hookOutcome is how a hook ended.
type hookOutcome struct {
	stdout, stderr string
	code           int
}

// hook runs the hook of an event at once that many times.
func (p *relayPair) hook(times int, session, event string, payload map[string]any) []hookOutcome {
	p.t.Helper()
	payload["session_id"], payload["hook_event_name"], payload["cwd"] = session, event, p.home
	raw, err := json.Marshal(payload)
	if err != nil {
		p.t.Fatal(err)
	}
	env := []string{"CLAUDE_CODE_SESSION_ID=" + session, "CLAUDE_PID=" + strconv.Itoa(p.sessions[session]), "CLAUDE_CODE_ENTRYPOINT=cli"}
	outcomes := make([]hookOutcome, times)
	var all sync.WaitGroup
	for i := range outcomes {
		all.Go(func() {
			stdout, stderr, code := p.run("hookd", string(raw), env)
			outcomes[i] = hookOutcome{stdout, stderr, code}
		})
	}
	all.Wait()
	for _, o := range outcomes {
		if o.code != 0 && o.code != 2 || strings.Contains(o.stdout, "fault") || strings.Contains(o.stdout, "[relay]") {
			p.t.Fatalf("%s of %s: %+v", event, session[:4], o)
		}
	}
	return outcomes
}

// take claims what waits for a session, with the same hook twice at once, and
// lets it through the gate, twice as well.
func (p *relayPair) take(session, promptID, want string) {
	p.t.Helper()
	bell := filepath.Join(p.home, ".local", "state", "relay", "bells", session)
	woken := 0
	for _, o := range p.hook(2, session, "FileChanged", map[string]any{"file_path": bell, "event": "change"}) {
		if o.code != 2 {
			continue
		}
		woken++
		if strings.TrimSpace(o.stderr) != want {
			p.t.Fatalf("woken with %q, want %q", o.stderr, want)
		}
	}
	if woken != 1 {
		p.t.Fatalf("%q woke %d times", want, woken)
	}
	for _, o := range p.hook(2, session, "UserPromptSubmit", map[string]any{"prompt": want, "prompt_id": promptID}) {
		if strings.Contains(o.stdout, `"block"`) {
			p.t.Fatalf("the gate blocked a delivery: %s", o.stdout)
		}
	}
}

func (p *relayPair) stop(session, promptID, message string) {
	p.t.Helper()
	p.hook(2, session, "Stop", map[string]any{"prompt_id": promptID, "last_assistant_message": message, "stop_hook_active": true})
}

// standing is what the tests look at of `relay status --json`.
type standing struct {
	Round      int `json:"round"`
	Deliveries []struct {
		From    string `json:"from"`
		Round   int    `json:"round"`
		Receipt string `json:"receipt"`
	} `json:"deliveries"`
	Pauses []struct {
		Reason string `json:"reason"`
	} `json:"pauses"`
}

func (p *relayPair) standing() standing {
	p.t.Helper()
	var s standing
	if err := json.Unmarshal([]byte(p.relay(plannerID, "status", "--json")), &s); err != nil {
		p.t.Fatal(err)
	}
	return s
}

func (s standing) from(role string) int {
	n := 0
	for _, d := range s.Deliveries {
		if d.From == role {
			n++
		}
	}
	return n
}

// link pairs the two and sets a goal that the planner's model was shown.
func (p *relayPair) link(goal, promptID string) {
	p.t.Helper()
	p.relay(plannerID, "planner", builderID, "--max-rounds", "1000")
	p.relay(builderID, "builder", plannerID, "--max-rounds", "1000")
	p.relay(plannerID, "goal", goal)
	p.take(plannerID, promptID, goal)
}

// Every hook is started twice at once. One delivery, one round raised.
func TestRelay_HooksStartedTwiceAtOnceActOnce(t *testing.T) {
	p := newRelayPair(t)
	for i := range twiceTimes {
		n := i%twicePerLink + 1
		if n == 1 {
			if i > 0 {
				p.relay(plannerID, "unlink")
			}
			p.link("map the coast", fmt.Sprintf("goal-%d", i))
		}
		turn := fmt.Sprintf("p-%d", i-1)
		if n == 1 {
			turn = fmt.Sprintf("goal-%d", i)
		}
		step, report := fmt.Sprintf("chart bay %d", i), fmt.Sprintf("bay %d is charted", i)
		p.stop(plannerID, turn, "<handoff>"+step+"</handoff>")
		if s := p.standing(); s.Round != n || s.from("planner") != n || len(s.Pauses) != 0 {
			t.Fatalf("after the planner's stop %d: %+v", i, s)
		}
		p.take(builderID, fmt.Sprintf("b-%d", i), fmt.Sprintf("[relay round %d · from planner]\n\n%s", n, step))
		p.stop(builderID, fmt.Sprintf("b-%d", i), "<handoff>"+report+"</handoff>")
		p.take(plannerID, fmt.Sprintf("p-%d", i), fmt.Sprintf("[relay round %d · from builder]\n\n%s", n, report))
		if s := p.standing(); s.Round != n || s.from("builder") != n || len(s.Pauses) != 0 {
			t.Fatalf("after the builder's stop %d: %+v", i, s)
		}
	}
}

// Both models answer the same for ever, and stop_hook_active stays true.
func TestRelay_RunawayEndsInOnePass(t *testing.T) {
	p := newRelayPair(t)
	p.link("map the coast", "p0")
	p.stop(plannerID, "p0", "ok <handoff>go on</handoff>")
	p.take(builderID, "b1", "[relay round 1 · from planner]\n\ngo on")
	p.stop(builderID, "b1", "ok <handoff>go on</handoff>")
	s := p.standing()
	if s.Round != 1 || s.from("builder") != 0 || len(s.Pauses) != 1 || s.Pauses[0].Reason != "echo" {
		t.Fatalf("the link stands at %+v", s)
	}
	wantIn(t, p.relay(plannerID, "status"), "the same handoff again")
	// By a person's word it goes once, and stops at the planner's same block.
	p.relay(plannerID, "resume")
	p.take(plannerID, "p1", "[relay round 1 · from builder]\n\ngo on")
	p.stop(plannerID, "p1", "ok <handoff>go on</handoff>")
	s = p.standing()
	if s.Round != 1 || s.from("planner") != 1 || s.from("builder") != 1 || len(s.Pauses) != 1 || s.Pauses[0].Reason != "echo" {
		t.Fatalf("the link stands at %+v", s)
	}
}

// A wall inside the loop: the turn that failed sends nothing and ends nothing.
func TestRelay_FailedStopSendsNothing(t *testing.T) {
	p := newRelayPair(t)
	p.link("map the coast", "p0")
	p.hook(2, plannerID, "StopFailure", map[string]any{"prompt_id": "p0", "error": "rate_limit", "last_assistant_message": "<handoff>API Error</handoff>"})
	if s := p.standing(); s.Round != 0 || s.from("planner") != 0 {
		t.Fatalf("the link stands at %+v", s)
	}
	p.stop(plannerID, "p1", "<handoff>chart the bay</handoff>")
	if s := p.standing(); s.Round != 1 || s.from("planner") != 1 {
		t.Fatalf("the link stands at %+v", s)
	}
}

// The order that the client has, and the registry's row late.
func TestRelay_ClearMovesTheLinkWhateverTheRegistrySays(t *testing.T) {
	const after = "bbbb3333-0000-4000-8000-000000000003"
	for _, tt := range []struct {
		name    string
		rewrite bool
	}{{"the row still names the old id", false}, {"the row names the new id", true}} {
		t.Run(tt.name, func(t *testing.T) {
			p := newRelayPair(t)
			p.link("map the coast", "p0")
			p.hook(1, builderID, "SessionEnd", map[string]any{"reason": "clear"})
			pid := p.sessions[builderID]
			p.sessions[after] = pid
			row := fakeregistry.New(pid, after, filepath.Join(p.home, "1"), 1796031472165)
			write := func() {
				t.Helper()
				if err := row.Write(filepath.Join(p.home, ".claude", "sessions"), strconv.Itoa(pid)+".json"); err != nil {
					t.Fatal(err)
				}
			}
			if tt.rewrite {
				write()
			}
			p.hook(2, after, "SessionStart", map[string]any{"source": "clear"})
			write()
			p.stop(plannerID, "p0", "<handoff>chart the bay</handoff>")
			p.take(after, "b1", "[relay round 1 · from planner]\n\nchart the bay")
			p.stop(after, "b1", "<handoff>it is charted</handoff>")
			if s := p.standing(); s.from("builder") != 1 || len(s.Pauses) != 0 {
				t.Fatalf("the link stands at %+v", s)
			}
			if _, err := os.Stat(filepath.Join(p.home, ".local", "state", "relay", "sessions", builderID+".json")); !os.IsNotExist(err) {
				t.Errorf("the old id is still known: %v", err)
			}
		})
	}
}

func wantIn(t *testing.T, text, want string) {
	t.Helper()
	if !strings.Contains(text, want) {
		t.Errorf("%q lacks %q", text, want)
	}
}
