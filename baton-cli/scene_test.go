package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/agentproc"
	"github.com/changeover/changeover/domain/baton"
)

// asProgram makes the test's own binary the program.
const asProgram = "BATON_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	agentproc.PassGate()
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// scene is a repository and a home directory, in which the program is called.
type scene struct {
	t         *testing.T
	dir, home string
}

// newScene makes a repository, which becomes the working directory.
func newScene(t *testing.T) *scene {
	t.Helper()
	s := newGround(t)
	git(t, s.dir, "init", "-q", "-b", "main")
	return s
}

// newGround is newScene without git.
func newGround(t *testing.T) *scene {
	t.Helper()
	ground, err := filepath.EvalSymlinks(t.TempDir())
	is.New(t).NoErr(err)
	s := &scene{t: t, dir: filepath.Join(ground, "repo"), home: filepath.Join(ground, "home")}
	for _, dir := range []string{s.dir, s.home} {
		is.New(t).NoErr(os.Mkdir(dir, 0o755))
	}
	for name, value := range map[string]string{
		"HOME": s.home, "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "NO_COLOR": "1", "TZ": "UTC",
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org",
	} {
		t.Setenv(name, value)
	}
	for _, name := range []string{"RELAY_BATON_PROJECTS_FILE", "CODEX_HOME", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"} {
		t.Setenv(name, "") // so that it is set again afterwards
		is.New(t).NoErr(os.Unsetenv(name))
	}
	t.Chdir(s.dir)
	return s
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", args, err, out)
	}
}

// said is what a call of the program came to.
type said struct {
	code        int
	out, notice string
}

// call calls the program.
func (s *scene) call(args ...string) said {
	s.t.Helper()
	var out, errs bytes.Buffer
	ctx, cancel := context.WithCancelCause(s.t.Context())
	defer cancel(nil)
	code := run(baton.Signals{Stop: ctx, Hurry: ctx}, args, strings.NewReader(""), &out, &errs)
	return said{code, out.String(), errs.String()}
}

// must calls the program, which has to end well.
func (s *scene) must(args ...string) said {
	s.t.Helper()
	got := s.call(args...)
	if got.code != 0 {
		s.t.Fatalf("baton %s: exit code %d\n%s%s", strings.Join(args, " "), got.code, got.out, got.notice)
	}
	return got
}

// document calls the program, which has to print one JSON document.
func (s *scene) document(to any, args ...string) said {
	s.t.Helper()
	got := s.call(args...)
	if err := json.Unmarshal([]byte(got.out), to); err != nil {
		s.t.Fatalf("baton %s: %v\n%s%s", strings.Join(args, " "), err, got.out, got.notice)
	}
	return got
}

// program is a command that runs the program in a process of its own.
func (s *scene) program(name string, args ...string) *exec.Cmd {
	s.t.Helper()
	own, err := os.Executable()
	is.New(s.t).NoErr(err)
	link := filepath.Join(s.home, name)
	if _, err := os.Lstat(link); err != nil {
		is.New(s.t).NoErr(os.Symlink(own, link))
	}
	cmd := exec.Command(link, args...)
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), asProgram+"=1")
	return cmd
}

// at is the path of a file of the repository.
func (s *scene) at(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

func (s *scene) write(name, content string) {
	s.t.Helper()
	is.New(s.t).NoErr(os.MkdirAll(filepath.Dir(s.at(name)), 0o755))
	is.New(s.t).NoErr(os.WriteFile(s.at(name), []byte(content), 0o644))
}

func (s *scene) read(name string) string {
	s.t.Helper()
	data, err := os.ReadFile(s.at(name))
	is.New(s.t).NoErr(err)
	return string(data)
}

func (s *scene) has(name string) bool {
	_, err := os.Lstat(s.at(name))
	return err == nil
}

// session is session.json as it stands.
func (s *scene) session() map[string]any {
	s.t.Helper()
	var meta map[string]any
	is.New(s.t).NoErr(json.Unmarshal([]byte(s.read(".ai-session/session.json")), &meta))
	return meta
}

// files are all files of the repository but git's own, with what they hold.
func (s *scene) files() map[string]string {
	s.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(s.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == ".git" {
			return filepath.SkipDir
		}
		name, err := filepath.Rel(s.dir, path)
		if err != nil || d.IsDir() {
			all[name+"/"] = ""
			return err
		}
		data, err := os.ReadFile(path)
		all[name] = string(data)
		return err
	})
	is.New(s.t).NoErr(err)
	return all
}

// fakeAgent makes both agents generic ones that do as FAKE_MODE says.
func (s *scene) fakeAgent(mode string) {
	s.t.Helper()
	data, err := os.ReadFile(filepath.Join(testdata, "fake-agent.sh"))
	is.New(s.t).NoErr(err)
	script := filepath.Join(s.home, "fake-agent.sh")
	is.New(s.t).NoErr(os.WriteFile(script, data, 0o755))
	s.t.Setenv("FAKE_MODE", mode)
	s.configure(map[string]any{"agents": map[string]any{
		"codex": map[string]any{"command": script, "args": []string{}}, "claude": map[string]any{"command": script, "args": []string{}},
	}})
}

// client makes an executable that an agent is found as on the PATH.
func (s *scene) client(name, script string) {
	s.t.Helper()
	bin := filepath.Join(s.home, "bin")
	is.New(s.t).NoErr(os.MkdirAll(bin, 0o755))
	is.New(s.t).NoErr(os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script), 0o755))
	if path := os.Getenv("PATH"); !strings.HasPrefix(path, bin+":") {
		s.t.Setenv("PATH", bin+":"+path)
	}
}

// configure writes the configuration.
func (s *scene) configure(doc any) {
	s.t.Helper()
	data, err := json.Marshal(doc)
	is.New(s.t).NoErr(err)
	s.write("relay-baton.config.json", string(data))
}

// testdata is where the samples lie, wherever a test works.
var testdata = func() string {
	dir, err := filepath.Abs("testdata")
	if err != nil {
		panic(err)
	}
	return dir
}()

// goodPlan passes the gate.
const goodPlan = `# relay-baton plan

## Goal
Show import progress.

## Scope (in)
- docs/import.md

## Out of scope
- the upload form

## Approach
Count rows, expose the count.

## Steps
1. Add the column in src/model.go
2. Serve the counter in src/server.go
3. Talk to the users

## Risks
- drift on retries

## Verification
go test ./...

## Next step
- Add the column
`

// replace changes a text in a file.
func replace(t *testing.T, file, old, changed string) {
	t.Helper()
	data, err := os.ReadFile(file)
	is.New(t).NoErr(err)
	is.New(t).True(strings.Contains(string(data), old)) // the text to change
	is.New(t).NoErr(os.WriteFile(file, []byte(strings.Replace(string(data), old, changed, 1)), 0o600))
}

// until waits for a condition.
func (s *scene) until(what string, so func() bool) {
	s.t.Helper()
	deadline := time.NewTimer(time.Minute)
	defer deadline.Stop()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !so() {
		select {
		case <-tick.C:
		case <-deadline.C:
			s.t.Fatalf("%s did not come", what)
		}
	}
}
