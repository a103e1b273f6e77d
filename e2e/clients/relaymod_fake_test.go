//go:build clients

package clients_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fakeProgram stands for relay: it writes down what it was run for, prints
// what the test puts into files, and ends when such a file says `exit`.
const fakeProgram = `#!/bin/sh
d=$(dirname "$0")/../fake
case $1 in
attach)
  echo "attach $3 $$" >>"$d/log"
  cat "$d/hello" 2>/dev/null
  while kill -0 $PPID 2>/dev/null; do
    for f in "$d"/out-*; do
      mv "$f" "$d/taken-$$" 2>/dev/null || continue
      read -r first rest <"$d/taken-$$"
      if [ "$first" = exit ]; then echo "ended $$ $rest" >>"$d/log"; exit "$rest"; fi
      cat "$d/taken-$$"
    done
    if [ -e "$d/cleared-$3" ]; then echo "ended $$ 0" >>"$d/log"; exit 0; fi
    sleep 0.1
  done ;;
event)
  printf 'event %s %s %s\n' "$2" "$4" "$(cat)" >>"$d/log"
  cat "$d/answer-$2" 2>/dev/null || true ;;
esac
`

// fakeRelay is a copy of the plugin in which fakeProgram is its relay.
type fakeRelay struct {
	t      *testing.T
	plugin string
	said   int
}

// fakeEvent is one run of `relay event`.
type fakeEvent struct {
	name    string
	session string
	body    map[string]any
}

func newFakeRelay(w *world) *fakeRelay {
	w.t.Helper()
	source := filepath.Join(w.checkout, "hookd", "plugin")
	f := &fakeRelay{t: w.t, plugin: filepath.Join(filepath.Dir(w.root), "mod plugin")}
	for _, part := range []string{".claude-plugin", "commands", "hooks", "types"} {
		if err := os.CopyFS(filepath.Join(f.plugin, part), os.DirFS(filepath.Join(source, part))); err != nil {
			w.t.Fatal(err)
		}
	}
	f.write("hooks/hooks.json", `{"modules":["./register.tsx"]}`)
	f.write("fake/hello", `{"kind":"band","text":"planner ⇄ quay · ▰▱ 1/10","tone":"running"}`+"\n")
	f.write("bin/relay", fakeProgram)
	program, err := os.ReadFile(w.exchange())
	if err != nil {
		w.t.Fatal(err)
	}
	f.write("bin/exchange", string(program))
	return f
}

// write puts a file of the plugin in place at once.
func (f *fakeRelay) write(name, content string) {
	f.t.Helper()
	path := filepath.Join(f.plugin, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		f.t.Fatal(err)
	}
	fresh := filepath.Join(filepath.Dir(path), ".new")
	if err := os.WriteFile(fresh, []byte(content), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.Rename(fresh, path); err != nil {
		f.t.Fatal(err)
	}
}

// say has the running `relay attach` print one line.
func (f *fakeRelay) say(line any) {
	f.t.Helper()
	raw, err := json.Marshal(line)
	if err != nil {
		f.t.Fatal(err)
	}
	f.order(string(raw))
}

// exit ends the running `relay attach` with that code.
func (f *fakeRelay) exit(code int) {
	f.t.Helper()
	f.order(fmt.Sprintf("exit %d", code))
}

func (f *fakeRelay) order(line string) {
	f.t.Helper()
	f.said++
	f.write(fmt.Sprintf("fake/out-%03d", f.said), line+"\n")
	waitFor(f.t, "the order "+line, func() bool {
		_, err := os.Stat(filepath.Join(f.plugin, "fake", fmt.Sprintf("out-%03d", f.said)))
		return err != nil
	}, f.log)
}

// answer sets what `relay event name` prints.
func (f *fakeRelay) answer(name, answer string) {
	f.t.Helper()
	f.write("fake/answer-"+name, answer)
}

func (f *fakeRelay) log() string {
	f.t.Helper()
	raw, err := os.ReadFile(filepath.Join(f.plugin, "fake", "log"))
	if err != nil && !os.IsNotExist(err) {
		f.t.Fatal(err)
	}
	return string(raw)
}

// attached lists the sessions for which `relay attach` was run, in order.
func (f *fakeRelay) attached() []string {
	f.t.Helper()
	var sessions []string
	for line := range strings.Lines(f.log()) {
		if words := strings.Fields(line); words[0] == "attach" {
			sessions = append(sessions, words[1])
		}
	}
	return sessions
}

func (f *fakeRelay) waitAttached(count int) []string {
	f.t.Helper()
	waitFor(f.t, fmt.Sprintf("attach number %d", count), func() bool { return len(f.attached()) >= count }, f.log)
	return f.attached()
}

// waitEvent returns the first event of that name that cond accepts.
func (f *fakeRelay) waitEvent(name string, cond func(fakeEvent) bool) fakeEvent {
	f.t.Helper()
	var found fakeEvent
	waitFor(f.t, "the event "+name, func() bool {
		events := f.events(name)
		at := slices.IndexFunc(events, cond)
		if at >= 0 {
			found = events[at]
		}
		return at >= 0
	}, f.log)
	return found
}

func (f *fakeRelay) events(name string) []fakeEvent {
	f.t.Helper()
	var events []fakeEvent
	for line := range strings.Lines(f.log()) {
		words := strings.SplitN(strings.TrimSpace(line), " ", 4)
		if len(words) < 4 || words[0] != "event" || words[1] != name {
			continue
		}
		e := fakeEvent{name: words[1], session: words[2]}
		if err := json.Unmarshal([]byte(words[3]), &e.body); err != nil {
			f.t.Fatalf("%v: %s", err, line)
		}
		events = append(events, e)
	}
	return events
}

func (e fakeEvent) is(member string, value any) bool { return e.body[member] == value }

func anyEvent(fakeEvent) bool { return true }
