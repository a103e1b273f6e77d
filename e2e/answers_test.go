package e2e_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/changeover/changeover/adapters/outputs"
)

// publishedOutputs holds the schemas of what the programs print with --json.
var publishedOutputs = filepath.Join("..", "docs", "schemas")

// answers are the schemas by command, and how often what a command printed was held
// to one in this run.
var answers = struct {
	once    sync.Once
	schemas map[string]*jsonschema.Schema
	err     error

	mu   sync.Mutex
	seen map[string]int
}{seen: map[string]int{}}

func answerSchemas() (map[string]*jsonschema.Schema, error) {
	answers.once.Do(func() {
		compiler := jsonschema.NewCompiler()
		compiler.AssertFormat()
		answers.schemas = map[string]*jsonschema.Schema{}
		for _, command := range outputs.Commands() {
			schema, err := compiler.Compile(filepath.Join(publishedOutputs, outputs.FileOf(command)))
			if err != nil {
				answers.err = err
				return
			}
			answers.schemas[command] = schema
		}
	})
	return answers.schemas, answers.err
}

// commandOf is the command of a line that asks for JSON; empty for any other line.
func commandOf(argv []string) string {
	if !slices.Contains(argv, "--json") {
		return ""
	}
	best := ""
	for _, command := range outputs.Commands() {
		if len(command) > len(best) && within(argv, strings.Fields(command)) {
			best = command
		}
	}
	return best
}

// within reports that a line begins with the first word and holds the others in
// their order.
func within(argv, words []string) bool {
	if argv[0] != words[0] {
		return false
	}
	rest := argv[1:]
	for _, word := range words[1:] {
		at := slices.Index(rest, word)
		if at < 0 {
			return false
		}
		rest = rest[at+1:]
	}
	return true
}

// checkPrinted holds what a command printed with --json to its schema. A command that
// was refused may print nothing there.
func checkPrinted(argv []string, out outcome) error {
	command := commandOf(argv)
	if command == "" || len(out.Stdout) == 0 && out.Code != 0 {
		return nil
	}
	schemas, err := answerSchemas()
	if err != nil {
		return err
	}
	printed := [][]byte{out.Stdout}
	if slices.Contains(outputs.Streams(), command) {
		printed = bytes.Split(bytes.TrimSuffix(out.Stdout, []byte("\n")), []byte("\n"))
	}
	for _, document := range printed {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
		if err != nil {
			return fmt.Errorf("%s --json: %w", command, err)
		}
		if err := schemas[command].Validate(value); err != nil {
			return fmt.Errorf("%s --json is not as docs/schemas has it: %w", command, err)
		}
	}
	answers.mu.Lock()
	answers.seen[command]++
	answers.mu.Unlock()
	return nil
}

// Every command that has --json is run in several states, and each document is as
// its schema says.
func TestAnswers(t *testing.T) {
	t.Run("scripts", func(t *testing.T) {
		runScripts(t, filepath.Join("testdata", "json"), kit{setup: setupBaton, commands: batonCommands()})
	})
	answers.mu.Lock()
	defer answers.mu.Unlock()
	for _, command := range outputs.Commands() {
		if answers.seen[command] < 2 {
			t.Errorf("%s --json was held to its schema %d times: testdata/json has to run it in two states at least", command, answers.seen[command])
		}
	}
}

// A member that the schema does not know is a fault, and so is one that is missing.
func TestAnswers_TheSchemasAreStrict(t *testing.T) {
	line := []string{"relay", "sessions", "--json"}
	for doc, right := range map[string]bool{
		`{"sessions":[]}`: true,
		`{"sessions":[{"session_id":"a","name":"","cwd":"/"}]}`: true,
		`{"sessions":[],"more":1}`:                              false,
		`{}`:                                                    false,
		`{"sessions":[{"session_id":"a","name":"","cwd":"/","pid":1}]}`: false,
		`{"sessions":[]} {}`: false,
	} {
		if err := checkPrinted(line, outcome{Stdout: []byte(doc)}); (err == nil) != right {
			t.Errorf("%s: %v", doc, err)
		}
	}
}

// relay watch prints a document a line, as things happen.
func TestAnswers_RelayWatch(t *testing.T) {
	pair := newRelayPair(t)
	pair.relay(plannerID, "planner", builderID)
	watch := exec.Command(filepath.Join(binDir(), "relay"), "watch", "--json", "--session", plannerID)
	watch.Dir, watch.Env = pair.home, []string{"HOME=" + pair.home, "PATH=/usr/bin:/bin"}
	out, err := watch.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = watch.Process.Kill() // it may have ended
		_ = watch.Wait()
	})
	lines := bufio.NewScanner(out)
	next := func() string {
		t.Helper()
		if !lines.Scan() {
			t.Fatalf("the watch ended: %v", lines.Err())
		}
		if err := checkPrinted([]string{"relay", "watch", "--json"}, outcome{Stdout: lines.Bytes()}); err != nil {
			t.Fatal(err)
		}
		return lines.Text()
	}
	if first := next(); !strings.Contains(first, `"stands"`) {
		t.Errorf("it began with %s", first)
	}
	pair.relay(builderID, "builder", plannerID)
	if accepted := next(); !strings.Contains(accepted, `"accepted"`) {
		t.Errorf("then came %s", accepted)
	}
}
