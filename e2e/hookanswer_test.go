package e2e_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/changeover/changeover/e2e/fakeregistry"
	"github.com/rogpeppe/go-internal/testscript"
)

// answer is the one document that hookd prints.
type answer struct {
	SystemMessage      *string `json:"systemMessage"`
	HookSpecificOutput *struct {
		HookEventName     *string `json:"hookEventName"`
		AdditionalContext *string `json:"additionalContext"`
		// WatchPaths is relay's: the session's bell.
		WatchPaths []string `json:"watchPaths"`
	} `json:"hookSpecificOutput"`
}

func (a answer) text() string {
	if a.SystemMessage != nil {
		return *a.SystemMessage
	}
	if a.HookSpecificOutput != nil && a.HookSpecificOutput.AdditionalContext != nil {
		return *a.HookSpecificOutput.AdditionalContext
	}
	return ""
}

// hook sends a payload as the client does and shows the text of the answer.
func (inv *invocation) hook(ts *testscript.TestScript, args []string) {
	event := inv.payload(ts, args)
	out := inv.run(ts, []string{"hookd", args[0]})
	ts.Check(os.WriteFile(ts.MkAbs(ts.Getenv("WORK")+"/hook.json"), out.Stdout, 0o644))
	if err := checkAnswer(out, event); err != nil {
		ts.Fatalf("%v\nexit code %d\nstdout: %s\nstderr: %s", err, out.Code, out.Stdout, out.Stderr)
	}
	var a answer
	if len(out.Stdout) > 0 {
		ts.Check(json.Unmarshal(out.Stdout, &a))
	}
	stdout := ts.Stdout()
	if text := a.text(); text != "" {
		fmt.Fprintln(stdout, text)
	}
}

// payload makes the input of a hook as the client does and returns the event
// that it names.
func (inv *invocation) payload(ts *testscript.TestScript, args []string) string {
	if len(args) == 0 {
		ts.Fatalf("usage: hook EVENT [K=V]...")
	}
	event := eventName(args[0])
	payload := fakeregistry.Row{{Name: "hook_event_name", Value: event}}
	for _, a := range args[1:] {
		name, value, drop := member(ts, a)
		if drop {
			payload = payload.Without(name)
			continue
		}
		payload = payload.With(name, value)
		if text, ok := value.(string); ok && name == "hook_event_name" && text != "" {
			event = text
		}
		if text, ok := value.(string); ok && name == "session_id" && inv.by != nil && !inv.by.codex {
			inv.order.Env = append(inv.order.Env, clientEnvironment(inv.by, text)...)
		}
	}
	data, err := json.Marshal(payload)
	ts.Check(err)
	inv.order.Input = data
	return event
}

// clientEnvironment is what the client sets for the hooks of a session.
func clientEnvironment(s *fakeSession, id string) []string {
	return []string{
		"CLAUDECODE=1",
		"CLAUDE_CODE_CHILD_SESSION=1",
		"CLAUDE_CODE_ENTRYPOINT=cli",
		"CLAUDE_CODE_SESSION_ID=" + id,
		fmt.Sprintf("CLAUDE_PID=%d", s.pid),
	}
}

// eventName turns session-start into SessionStart.
func eventName(arg string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(arg, "-") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

// checkAnswer holds an answer of hookd to what is true of each: exit 0, no
// stderr, one document or nothing, the right envelope, within the limits. An
// empty event leaves the envelope's event open.
func checkAnswer(out outcome, event string) error {
	if out.Code != 0 || len(out.Stderr) > 0 {
		return fmt.Errorf("a hook must exit 0 with an empty stderr")
	}
	if len(out.Stdout) == 0 {
		return nil
	}
	if n := bytes.Count(bytes.TrimRight(out.Stdout, "\n"), []byte("\n")); n > 0 {
		return fmt.Errorf("the answer is not one line")
	}
	dec := json.NewDecoder(bytes.NewReader(out.Stdout))
	dec.DisallowUnknownFields()
	var a answer
	if err := dec.Decode(&a); err != nil {
		return fmt.Errorf("the answer: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("more than one document")
	}
	if err := a.checkEnvelope(event); err != nil {
		return err
	}
	if a.HookSpecificOutput != nil && a.HookSpecificOutput.AdditionalContext == nil {
		return nil // a watch alone says nothing
	}
	return checkText(a.text())
}

func (a answer) checkEnvelope(event string) error {
	if (a.SystemMessage == nil) == (a.HookSpecificOutput == nil) {
		return fmt.Errorf("want exactly one of systemMessage and hookSpecificOutput")
	}
	if a.HookSpecificOutput == nil {
		if event == "SessionStart" || event == "UserPromptSubmit" {
			return fmt.Errorf("%s answers with additionalContext", event)
		}
		return nil
	}
	h := a.HookSpecificOutput
	if h.HookEventName == nil || h.AdditionalContext == nil && len(h.WatchPaths) == 0 {
		return fmt.Errorf("hookSpecificOutput lacks a member")
	}
	if len(h.WatchPaths) > 0 && event != "SessionStart" {
		return fmt.Errorf("a watch is asked for at %s", event)
	}
	if name := *h.HookEventName; name != "SessionStart" && name != "UserPromptSubmit" || event != "" && name != event {
		return fmt.Errorf("hookEventName is %q", name)
	}
	return nil
}

func checkText(text string) error {
	if text == "" {
		return fmt.Errorf("an answer that says nothing")
	}
	if n := len(utf16.Encode([]rune(text))); n > 8000 {
		return fmt.Errorf("%d UTF-16 units", n)
	}
	for line := range strings.SplitSeq(text, "\n") {
		if n := utf8.RuneCountInString(line); n > 1000 {
			return fmt.Errorf("a line of %d characters", n)
		}
	}
	return checkPrintable(text)
}

func checkPrintable(text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("not UTF-8")
	}
	for _, r := range text {
		if r != '\n' && !unicode.IsPrint(r) {
			return fmt.Errorf("%U in the output", r)
		}
	}
	return nil
}

// checkReport holds what the CLI printed to what is true of each command:
// usage errors go to stderr, everything else to stdout, nothing invisible.
func checkReport(out outcome) error {
	switch out.Code {
	case 0, 1:
		if len(out.Stderr) > 0 {
			return fmt.Errorf("stderr is for usage errors")
		}
	case 2:
		if len(out.Stdout) > 0 || len(out.Stderr) == 0 {
			return fmt.Errorf("a usage error goes to stderr")
		}
	default:
		return fmt.Errorf("exit code %d", out.Code)
	}
	return checkPrintable(string(out.Stdout))
}
