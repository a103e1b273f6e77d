package batonkills_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/changeover/changeover/adapters/proc"
	"github.com/changeover/changeover/adapters/toll"
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/e2e/killing"
	"github.com/changeover/changeover/e2e/scripted"
)

// patience is how long anything may take.
const patience = 60 * time.Second

// plot is what agents do in a run, by their names. The last step of the last agent
// goes on until somebody ends it.
type plot struct {
	name          string
	codex, claude string
	// took is how long it takes until the last step.
	took time.Duration
}

// lastStep makes a file that tells of the last step. It prints nothing: an agent
// that prints to a baton that is no more ends by itself.
const lastStep = "fork 0 last-step"

// hangs says whether the last agent does not end by itself.
func (p *plot) hangs() bool { return strings.HasSuffix(p.codex+p.claude, "hang") }

func plots() []*plot {
	return []*plot{
		{name: "an agent at work", codex: "say at work\nappend .ai-session/state.md - In Progress: LINE\\n\ntool make => fine\n" + lastStep + "\nhang"},
		{
			name: "a wall and on", codex: "say at work\nappend .ai-session/state.md - Done: LINE\\n\nwall usage",
			claude: "say going on\nappend .ai-session/state.md - In Progress: LINE too\\n\n" + lastStep + "\nhang",
		},
		{
			name: "much to log", codex: "lines 400 a line of what the agent has to say for itself, number\nappend .ai-session/state.md - Done: LINE\\n\n" +
				"lines 400 and another one, number\n" + lastStep + "\nhang",
		},
		{name: "an agent that ends", codex: "say at work\nappend .ai-session/state.md - Done: LINE\\n\n" + lastStep + "\nsay done"},
	}
}

// stage is a repository in which baton is killed.
type stage struct {
	t                  *testing.T
	repo, agents, home string
	rng                *rand.Rand
	count              *tally
	plots              []*plot
	lines              []string
	n                  int
}

func newStage(t *testing.T, rng *rand.Rand, count *tally) *stage {
	t.Helper()
	return newStageOf(t, rng, count, plots())
}

// newStageOf is a stage on which these plots are played.
func newStageOf(t *testing.T, rng *rand.Rand, count *tally, plots []*plot) *stage {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{
		t: t, rng: rng, count: count, plots: plots,
		repo: filepath.Join(dir, "repo"), agents: filepath.Join(dir, "agents"), home: filepath.Join(dir, "home"),
	}
	for _, name := range []string{s.repo, s.agents, s.home} {
		s.must(os.Mkdir(name, 0o755))
	}
	s.must(os.WriteFile(filepath.Join(s.repo, "app.go"), []byte("package app\n"), 0o644))
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "begin"}} {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@localhost"}, args...)...)
		cmd.Dir, cmd.Env = s.repo, s.environ()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	t.Cleanup(func() {
		for _, pid := range s.living() {
			p, err := os.FindProcess(pid)
			if err == nil {
				_ = p.Kill() // it may have ended meanwhile
			}
		}
	})
	for _, p := range s.plots {
		s.measure(p)
	}
	return s
}

func (s *stage) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) environ() []string {
	return append(killing.Environ(),
		"HOME="+s.home, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "TZ=UTC", "GIT_CONFIG_GLOBAL="+os.DevNull,
		scripted.Variable+"="+s.agents,
	)
}

func (s *stage) command(args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(bin, "baton"), args...)
	cmd.Dir, cmd.Env = s.repo, s.environ()
	return cmd
}

// call runs baton to its end.
func (s *stage) call(args ...string) (code int, out, told string) {
	s.t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := s.command(args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

// play tells the agents what to do.
func (s *stage) play(p *plot) {
	s.t.Helper()
	s.n++
	line := fmt.Sprintf("step of plot %d", s.n)
	for name, script := range map[string]string{"codex": p.codex, "claude": p.claude} {
		s.must(os.WriteFile(filepath.Join(s.agents, name), []byte(strings.ReplaceAll(script, "LINE", line)), 0o600))
	}
}

// measure runs a plot to its last step.
func (s *stage) measure(p *plot) {
	s.t.Helper()
	s.play(p)
	p.took = s.toLastStep("run", "Mend it", "--diet", "ultra")
}

// toLastStep runs a command until the last step of its agents, and says how long that
// took.
func (s *stage) toLastStep(args ...string) time.Duration {
	s.t.Helper()
	s.forget("last-step")
	began := time.Now()
	cmd := s.command(args...)
	s.must(cmd.Start())
	s.until("its last step", func() bool {
		_, err := os.Stat(filepath.Join(s.repo, "last-step"))
		return err == nil
	})
	took := time.Since(began)
	s.must(cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait() // it was interrupted, or had ended
	return took
}

func (s *stage) forget(name string) {
	s.t.Helper()
	if err := os.Remove(filepath.Join(s.repo, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.t.Fatal(err)
	}
}

func (s *stage) until(what string, so func() bool) {
	s.t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	late := time.After(patience)
	for !so() {
		select {
		case <-tick.C:
		case <-late:
			s.t.Fatalf("%s does not come", what)
		}
	}
}

// kill kills one run, and recovers from that.
func (s *stage) kill() {
	s.t.Helper()
	p := s.plots[s.rng.IntN(len(s.plots))]
	s.play(p)
	s.forget("last-step")
	if s.rng.IntN(5) == 0 {
		s.must(os.RemoveAll(s.artifact("")))
		s.lines = nil
	}
	after := time.Duration(s.rng.Int64N(int64(p.took) * 5 / 4))
	where := fmt.Sprintf("plot %d, %s, killed after %s", s.n, p.name, after)
	verb := agentVerbs[s.rng.IntN(len(agentVerbs))]
	if verb[0] != "run" && !s.hasSession() {
		verb = agentVerbs[0]
	}
	if verb[0] == "execute" {
		s.must(os.WriteFile(s.artifact(baton.PlanFile), []byte(aPlan), 0o644))
	}
	where += " in " + verb[0]
	ending, err := killing.Run(s.command(verb...), after)
	s.must(err)
	failed := s.t.Failed()
	defer func() { s.counted(verb[0], ending.Killed, s.t.Failed() && !failed) }()

	meta, ended := s.goesOn(where, p.hangs(), []string{"run", "Go on", "--diet", "ultra"}, plot{codex: "say fine", claude: "say fine"}, baton.Completed)
	s.score(meta, ended)
}

// agentVerbs are the commands that run an agent. Each gets the same plot.
var agentVerbs = [][]string{
	{"run", "Mend it", "--diet", "ultra"}, {"handoff", "--to", "claude", "--diet", "ultra"}, {"execute", "--diet", "ultra"},
}

func (s *stage) hasSession() bool {
	_, err := os.Stat(s.artifact(baton.MetaFile))
	return err == nil
}

func (s *stage) counted(verb string, killed, failed bool) {
	c := toll.Counts{Tries: 1}
	if killed {
		c.Hit++
	}
	if failed {
		c.Stuck++ // what it was stands in what the test says
	}
	count.Add(toll.Key{Tool: "baton", Verb: verb, Fault: "kill -9"}, c)
}

// read reads an artifact, which may not be there yet.
func (s *stage) read(name string) []byte {
	s.t.Helper()
	data, err := os.ReadFile(s.artifact(name))
	if !errors.Is(err, fs.ErrNotExist) {
		s.must(err)
	}
	return data
}

// standing is the session as its file tells.
func (s *stage) standing(where string) (m baton.SessionMeta, active bool) {
	s.t.Helper()
	data := s.read(baton.MetaFile)
	if data == nil {
		return m, false
	}
	m, err := baton.ReadSession(data)
	if err != nil {
		s.t.Fatalf("%s: %v\n%s", where, err, data)
	}
	return m, m.Status().Active()
}

func (s *stage) artifact(name string) string { return filepath.Join(s.repo, baton.SessionDir, name) }

// noted says whether the lock tells of an agent that hangs.
func (s *stage) noted() bool {
	s.t.Helper()
	holder, err := baton.ReadHolder(s.read(baton.LockFile))
	s.must(err)
	if holder == nil || holder.Agent == nil {
		return false
	}
	_, err = os.Stat(filepath.Join(s.repo, "last-step"))
	return err == nil && proc.New().Alive(holder.Agent.PID)
}

// tells asks for the status.
func (s *stage) tells(where string, active bool) {
	s.t.Helper()
	var status struct{ Stale bool }
	code, out, told := s.call("status", "--json")
	if err := json.Unmarshal([]byte(out), &status); code != 0 || err != nil || status.Stale != active {
		s.t.Errorf("%s: status ended with %d, stale is %t: %v\n%s", where, code, status.Stale, err, told)
	}
}

// remembers notes what agents have written to the state.
func (s *stage) remembers() {
	s.t.Helper()
	data := s.read(baton.StateFile)
	if line := fmt.Sprintf("step of plot %d", s.n); strings.Contains(string(data), line) {
		s.lines = append(s.lines, line)
	}
	s.lines = s.lines[max(0, len(s.lines)-10):] // a compression leaves the last twelve
}

// remembered looks whether it still stands.
func (s *stage) remembered(where string) {
	s.t.Helper()
	data := s.read(baton.StateFile)
	for _, line := range s.lines {
		if !strings.Contains(string(data), line) {
			s.t.Errorf("%s: %q is lost:\n%s", where, line, data)
		}
	}
	for line := range strings.Lines(string(s.read(baton.RunsFile))) {
		if !json.Valid([]byte(line)) {
			s.t.Errorf("%s: %s has the line %q", where, baton.RunsFile, line)
		}
	}
}

// tidy looks for what was left half-done.
func (s *stage) tidy(where string) {
	s.t.Helper()
	for _, dir := range []string{s.repo, s.artifact("")} {
		names, err := filepath.Glob(filepath.Join(dir, ".tmp-*"))
		s.must(err)
		if len(names) > 0 {
			s.t.Errorf("%s: %v are left", where, names)
		}
	}
	if lock := s.read(baton.LockFile); len(bytes.TrimSpace(lock)) > 0 {
		s.t.Errorf("%s: the lock holds %q", where, lock)
	}
}

// inTheEnd looks at what has piled up.
func (s *stage) inTheEnd() {
	s.t.Helper()
	sets := map[string]bool{}
	raw, err := filepath.Glob(s.artifact("*.full.*"))
	s.must(err)
	for _, name := range raw {
		sets[name[strings.LastIndex(name, ".full."):]] = true
	}
	if len(sets) > 2 { // one that held, one of a cycle that was killed
		s.t.Errorf("%d sets of raw copies are left: %v", len(sets), raw)
	}
}

// living are the agents that run, found by what they were started with.
func (s *stage) living() (pids []int) {
	for _, pid := range allProcesses() {
		values, err := proc.New().Variables(pid, scripted.Variable)
		if err == nil && values[scripted.Variable] == s.agents && proc.New().Alive(pid) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// allProcesses are the numbers of all processes.
func allProcesses() (pids []int) {
	names, _ := filepath.Glob("/proc/[0-9]*") // the pattern is good
	if len(names) == 0 {
		out, err := exec.Command("ps", "-A", "-o", "pid=").Output()
		if err != nil {
			panic(err)
		}
		names = strings.Fields(string(out))
	}
	for _, name := range names {
		if pid, err := strconv.Atoi(filepath.Base(name)); err == nil && pid != os.Getpid() {
			pids = append(pids, pid)
		}
	}
	return pids
}

func (s *stage) score(meta baton.SessionMeta, ended bool) {
	s.count.mu.Lock()
	defer s.count.mu.Unlock()
	s.count.kills++
	switch _, err := os.Stat(filepath.Join(s.repo, "last-step")); {
	case meta.Status().Active() && ended:
		s.count.stale++
		s.count.ended++
	case meta.Status().Active():
		s.count.stale++
		s.count.lost++
	case err == nil:
		s.count.late++
	default:
		s.count.early++
	}
}
