//go:build clients

package clients_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/changeover/changeover/e2e/clients/claude"
	"github.com/changeover/changeover/e2e/clients/pinned"
	"github.com/changeover/changeover/e2e/clients/terminal"
	"github.com/changeover/changeover/e2e/modelserver"
)

// relayWorld is a world in which sessions are paired. Its sessions run a copy of
// the plugin, which nobody builds anew meanwhile.
type relayWorld struct {
	*world
	plugin   string
	sessions []*relaySession
}

// relayStart says how a session of a relayWorld is started.
type relayStart struct {
	// repo is a or b.
	repo string
	// modsOff: the client reads its rollout switch as off.
	modsOff bool
	// plugin stands in for the world's copy of the plugin.
	plugin string
	// more are further plugins.
	more []string
	// args are further arguments of the client.
	args []string
	// env are further variables of its environment.
	env []string
}

// relaySession is a session that takes part in a link, with its own model.
type relaySession struct {
	*modSession
	w     *relayWorld
	label string
	cwd   string
	off   bool
	row   claude.Row
}

func newRelayWorld(t *testing.T) *relayWorld {
	t.Helper()
	w := &relayWorld{world: newWorld(t, "harbour")}
	w.plugin = w.copyPlugin("changeover plugin")
	w.switchMods(false)
	return w
}

// copyPlugin copies the plugin with its programs into a directory of that name.
func (w *relayWorld) copyPlugin(name string) string {
	w.t.Helper()
	source := filepath.Join(w.checkout, "hookd", "plugin")
	to := filepath.Join(filepath.Dir(w.root), name)
	for _, part := range []string{".claude-plugin", "commands", "hooks", "types", "bin"} {
		if err := os.CopyFS(filepath.Join(to, part), os.DirFS(filepath.Join(source, part))); err != nil {
			w.t.Fatal(err)
		}
	}
	return to
}

// copyWithoutMod is a copy of the plugin whose hooks.json names no module.
func (w *relayWorld) copyWithoutMod(name string) string {
	w.t.Helper()
	to := w.copyPlugin(name)
	w.editJSON(filepath.Join(to, "hooks", "hooks.json"), func(doc map[string]any) { delete(doc, "modules") })
	return to
}

// switchMods sets the rollout switch as the client keeps it. Only sessions that
// are started with modsOff look at it.
func (w *relayWorld) switchMods(on bool) {
	w.t.Helper()
	w.editJSON(filepath.Join(filepath.Dir(w.home.ConfigDir()), ".claude.json"), func(doc map[string]any) {
		doc["cachedGrowthBookFeatures"] = map[string]any{"tengu_plugin_hooks_modules": on}
	})
}

func (w *relayWorld) editJSON(path string, edit func(map[string]any)) {
	w.t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	doc := map[string]any{}
	if err := json.Unmarshal(raw, &doc); err != nil {
		w.t.Fatal(err)
	}
	edit(doc)
	if raw, err = json.Marshal(doc); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// stateDir is where relay keeps its links in this world.
func (w *relayWorld) stateDir() string {
	return filepath.Join(filepath.Dir(w.home.ConfigDir()), ".local", "state", "relay")
}

// relay runs the relay program in a plain terminal of the person's: outside of
// every session, in the world's home.
func (w *relayWorld) relay(args ...string) string {
	w.t.Helper()
	return w.run(w.outside, filepath.Join(w.plugin, "bin", "relay"), args...)
}

// quietly runs the same without a line in the test's log, for tests that ask
// again and again.
func (w *relayWorld) quietly(args ...string) string {
	w.t.Helper()
	cmd := exec.CommandContext(w.t.Context(), filepath.Join(w.plugin, "bin", "relay"), args...)
	cmd.Dir, cmd.Env = w.outside, w.home.Env()
	output, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("relay %s: %v\n%s", strings.Join(args, " "), err, output)
	}
	return string(output)
}

// relayFails runs the same where it is to be refused and returns what it said.
func (w *relayWorld) relayFails(args ...string) string {
	w.t.Helper()
	cmd := exec.CommandContext(w.t.Context(), filepath.Join(w.plugin, "bin", "relay"), args...)
	cmd.Dir, cmd.Env = w.outside, w.home.Env()
	output, err := cmd.CombinedOutput()
	w.t.Logf("$ relay %s\n%s", strings.Join(args, " "), output)
	if err == nil {
		w.t.Fatalf("relay %s was not refused", strings.Join(args, " "))
	}
	return string(output)
}

// startRelay starts a session and waits until it takes a prompt.
func (w *relayWorld) startRelay(label string, start relayStart) *relaySession {
	w.t.Helper()
	s := &relaySession{
		modSession: &modSession{t: w.t, home: w.home, script: new(modelserver.Script), failed: new(atomic.Bool)},
		w:          w, label: label, cwd: w.repo(start.repo), off: start.modsOff,
	}
	server, err := modelserver.Start(w.t.Context(), s.script.Respond, time.Now)
	if err != nil {
		w.t.Fatal(err)
	}
	s.server = server
	w.t.Cleanup(func() { _ = server.Close() })
	s.launch(start)
	w.sessions = append(w.sessions, s)
	return s
}

// launch starts the client of a session; once more after it has ended.
func (s *relaySession) launch(start relayStart) {
	s.t.Helper()
	client, err := pinned.In(s.w.checkout).Claude()
	if err != nil {
		s.t.Fatal(err)
	}
	plugin := start.plugin
	if plugin == "" {
		plugin = s.w.plugin
	}
	args := []string{"--permission-mode", "default", "--plugin-dir", plugin}
	for _, p := range start.more {
		args = append(args, "--plugin-dir", p)
	}
	cmd := exec.CommandContext(s.t.Context(), client, append(args, start.args...)...)
	cmd.Dir = s.cwd
	cmd.Env = append(
		s.home.Env(),
		"PWD="+cmd.Dir,
		"ANTHROPIC_BASE_URL="+s.front(),
		"ANTHROPIC_API_KEY=sk-ant-dummy-0000000000000000000000000000",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"CLAUDE_CODE_MAX_RETRIES=0",
		"DISABLE_AUTOUPDATER=1",
		"DISABLE_TELEMETRY=1",
	)
	if start.modsOff {
		cmd.Env = append(cmd.Env, "CLAUDE_CODE_GB_DISK_CACHE_WHEN_TELEMETRY_OFF=1")
		s.w.switchMods(false)
	}
	cmd.Env = append(cmd.Env, start.env...)
	term, err := terminal.Start(cmd)
	if err != nil {
		s.t.Fatal(err)
	}
	s.term, s.off = term, start.modsOff || start.plugin != "" && !namesMod(s.t, start.plugin)
	s.t.Cleanup(s.end)
	s.t.Cleanup(func() { s.save(term) })
	s.waitScreen("the prompt of "+s.label, "❯")
	s.row = s.waitRow("idle after the start of "+s.label, func(r claude.Row) bool { return r.Status == "idle" })
	s.t.Logf("%s: session %s, named %s, process %d", s.label, s.row.SessionID, s.row.Name, s.row.PID)
	if s.off {
		return
	}
	s.waitAttached()
}

func namesMod(t *testing.T, plugin string) bool {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(plugin, "hooks", "hooks.json"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(raw), `"modules"`)
}

// save keeps what a session saw, if the test has failed.
func (s *relaySession) save(term *terminal.Terminal) {
	if !s.t.Failed() {
		return
	}
	dir := filepath.Join(s.w.checkout, "e2e", "artifacts", s.t.Name())
	var lines bytes.Buffer
	for _, r := range s.server.Turns() {
		line, err := json.Marshal(map[string]any{"at": r.At.Format("15:04:05.000"), "body": r.Body})
		if err != nil {
			s.t.Error(err)
			return
		}
		lines.Write(append(line, '\n'))
	}
	err := os.MkdirAll(dir, 0o755)
	for name, content := range map[string][]byte{"screen.txt": []byte(term.Screen()), "output.bin": term.Raw(), "requests.jsonl": lines.Bytes()} {
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, s.label+"-"+name), content, 0o600)
		}
	}
	if err == nil {
		_ = os.RemoveAll(filepath.Join(dir, "state")) // of an earlier run
		err = os.CopyFS(filepath.Join(dir, "state"), os.DirFS(s.w.stateDir()))
	}
	if err != nil {
		s.t.Logf("save artifacts: %v", err)
	}
}

// id is the session's id as the registry showed it last.
func (s *relaySession) id() string { return s.row.SessionID }

// attachFile is where relay notes that the session's mod is attached.
func (s *relaySession) attachFile() string {
	return filepath.Join(s.w.stateDir(), "attached", s.id()+".json")
}

func (s *relaySession) waitAttached() {
	s.t.Helper()
	s.await("attach of "+s.label, func() bool {
		_, err := os.Stat(s.attachFile())
		return err == nil
	})
}

// seen is what a fault shows: the screen and the state of relay.
func (s *relaySession) seen() string { return s.term.Screen() + "\n" + s.w.state() }

// await waits until cond holds, and shows the screen where it never does.
func (s *relaySession) await(what string, cond func() bool) {
	s.t.Helper()
	waitFor(s.t, s.label+": "+what, cond, s.seen)
}

// see waits until the screen shows each of these texts.
func (s *relaySession) see(texts ...string) {
	s.t.Helper()
	s.await(fmt.Sprintf("%q on the screen", texts), func() bool {
		screen := s.term.Screen()
		for _, text := range texts {
			if !holdsText(screen, text) {
				return false
			}
		}
		return true
	})
}

// holdsText looks for text on a screen, however its lines were broken, and in
// the toasts that lie over its right half.
func holdsText(screen, text string) bool {
	toasts := regexp.MustCompile(`│([^│\n]*)│ *(?:\n|$)`).FindAllStringSubmatch(screen, -1)
	var toasted strings.Builder
	for _, line := range toasts {
		toasted.WriteString(line[1])
	}
	return strings.Contains(squeezed(screen), squeezed(text)) || strings.Contains(squeezed(toasted.String()), squeezed(text))
}

// squeezed leaves everything out that a line break or a frame may put between
// words.
func squeezed(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \u00a0\t\n\r│⎿", r) {
			return -1
		}
		return r
	}, text)
}

// relay types a slash command of relay's, as it is spelt in this session.
func (s *relaySession) relay(args string) {
	s.t.Helper()
	command := "/relay"
	if s.off {
		command = "/changeover:relay"
	}
	s.submit(strings.TrimSpace(command + " " + args))
}

// submit types a line and presses Enter.
func (s *relaySession) submit(line string) {
	s.t.Helper()
	s.typed(line)
	s.keys("\r")
}

// typed types a line and leaves it in the prompt.
func (s *relaySession) typed(line string) {
	s.t.Helper()
	s.keys(line)
	s.see(line)
}

// goal has the person set the goal.
func (s *relaySession) goal(text string) {
	s.t.Helper()
	s.relay("goal " + text)
}

// whenTold has the model answer a turn whose new text holds cue with text.
func (s *relaySession) whenTold(cue, text string) {
	s.script.On(cue, modelserver.Say(modelserver.Text(text)))
}

// whenToldHeld is the same with an answer that is kept back until the function
// that it returns is called.
func (s *relaySession) whenToldHeld(cue, text string) (release func()) {
	hold := make(chan struct{})
	s.script.On(cue, modelserver.Answer{Blocks: []modelserver.AnswerBlock{modelserver.Text(text)}, Hold: hold})
	return func() { close(hold) }
}

// whenToldRun has the model call the Bash tool first; what it says after the
// tool's result is for another cue, which that result must hold.
func (s *relaySession) whenToldRun(cue, tool, command string) {
	input, err := json.Marshal(map[string]string{"command": command, "description": "Run " + tool})
	if err != nil {
		s.t.Fatal(err)
	}
	s.script.On(cue, modelserver.Say(modelserver.ToolUse("toolu_"+tool, "Bash", input)))
}

// waitRequest returns the session's first turn that cond accepts.
func (s *relaySession) waitRequest(what string, cond func(modelserver.Request) bool) modelserver.Request {
	s.t.Helper()
	return waitRequest(s.t, s.server, s.label+": "+what, cond, s.seen)
}

// told waits for the turn whose new text holds text.
func (s *relaySession) told(text string) modelserver.Request {
	s.t.Helper()
	return s.waitRequest(fmt.Sprintf("%q", text), lastHolds(text))
}

// toldResult waits for the result of the Bash call that whenToldRun named.
func (s *relaySession) toldResult(tool string) string {
	s.t.Helper()
	r := s.waitRequest("the result of "+tool, func(r modelserver.Request) bool {
		_, ok := r.ToolResult("toolu_" + tool)
		return ok
	})
	result, _ := r.ToolResult("toolu_" + tool)
	return result
}

// idleAfter waits until the turn that made a request is over.
func (s *relaySession) idleAfter(r modelserver.Request) {
	s.t.Helper()
	s.row = s.waitRow("the end of the turn of "+s.label, func(row claude.Row) bool {
		return row.Status == "idle" && row.StatusUpdatedAt >= r.At.UnixMilli()
	})
}

// round is what a delivery of that round looks like to the model.
func round(n int, from, text string) string {
	return fmt.Sprintf("[relay round %d · from %s]\n\n%s", n, from, text)
}

// count is how often the model reads text in the whole conversation so far, the
// names and arguments of commands left out.
func (s *relaySession) count(text string) int {
	turns := s.server.Turns()
	if len(turns) == 0 {
		return 0
	}
	n := 0
	for _, m := range turns[len(turns)-1].Messages() {
		if m.Role == "assistant" {
			continue
		}
		for _, b := range m.Blocks {
			n += strings.Count(withoutCommands(b.Text), text)
		}
	}
	return n
}

// withoutCommands leaves out the lines that the client makes of a typed command.
func withoutCommands(text string) string {
	return regexp.MustCompile(`(?s)<command-(name|message|args)>.*?</command-(name|message|args)>`).ReplaceAllString(text, "")
}

// wantCount fails the test unless the model read text that often.
func (s *relaySession) wantCount(text string, want int) {
	s.t.Helper()
	if got := s.count(text); got != want {
		s.t.Errorf("%s: the model read %q %d times, want %d\n%s", s.label, text, got, want, s.conversation())
	}
}

// wantDeliveries fails the test unless that many texts with a round's header, of
// whatever round, are in the conversation.
func (s *relaySession) wantDeliveries(want int) {
	s.t.Helper()
	got := 0
	turns := s.server.Turns()
	if len(turns) == 0 {
		if want != 0 {
			s.t.Errorf("%s: the model was never asked, want %d headers", s.label, want)
		}
		return
	}
	header := regexp.MustCompile(`\[relay round \d+ · from (planner|builder)\]`)
	for _, m := range turns[len(turns)-1].Messages() {
		for _, b := range m.Blocks {
			if m.Role != "assistant" {
				got += len(header.FindAllString(withoutCommands(b.Text), -1))
			}
		}
	}
	if got != want {
		s.t.Errorf("%s: the model read %d headers, want %d\n%s", s.label, got, want, s.conversation())
	}
}

// prompts are the texts that stood as a user's turn before the model's answers,
// in order: what the client adds to a turn is left out.
func (s *relaySession) prompts() []string {
	turns := s.server.Turns()
	if len(turns) == 0 {
		return nil
	}
	var all []string
	for _, m := range turns[len(turns)-1].Messages() {
		if m.Role != "user" {
			continue
		}
		for _, b := range m.Blocks {
			text := strings.TrimSpace(withoutCommands(b.Text))
			woken := strings.Contains(text, "<task-notification>")
			added := strings.HasPrefix(text, "<system-reminder>") || strings.HasPrefix(text, "<local-command")
			if b.Kind == "text" && text != "" && (woken || !added) {
				all = append(all, text)
			}
		}
	}
	return all
}

// conversation is the last request as the model reads it, shortened.
func (s *relaySession) conversation() string {
	turns := s.server.Turns()
	if len(turns) == 0 {
		return "(no request)"
	}
	var b strings.Builder
	for _, m := range turns[len(turns)-1].Messages() {
		for _, block := range m.Blocks {
			text := block.Text
			if len(text) > 600 {
				text = text[:600] + "…"
			}
			fmt.Fprintf(&b, "--- %s %s\n%s\n", m.Role, block.Kind, text)
		}
	}
	return b.String()
}

// pairUp has the planner's person ask for the link and the builder's accept it.
func (w *relayWorld) pairUp(planner, builder *relaySession, flags string) {
	w.t.Helper()
	planner.relay(strings.TrimSpace("planner " + builder.id() + " " + flags))
	planner.see("asked " + builder.row.Name + " to be the builder")
	builder.relay("builder " + planner.id())
	builder.see("linked with " + planner.row.Name)
}

// wantNoSecrets fails the test when any request of any session holds a nonce or
// a path of relay's state.
func (w *relayWorld) wantNoSecrets() {
	w.t.Helper()
	secrets := append(w.nonces(), w.stateDir(), ".local/state/relay")
	for _, s := range w.sessions {
		for _, r := range s.server.Requests() {
			for _, secret := range secrets {
				if bytes.Contains(r.Body, []byte(secret)) {
					w.t.Errorf("a request of %s holds %s", s.label, secret)
				}
			}
		}
	}
}

// nonces are the nonces of all links there are.
func (w *relayWorld) nonces() []string {
	w.t.Helper()
	var found []string
	nonce := regexp.MustCompile(`"nonce": ?"([^"]+)"`)
	w.eachState(func(_ string, content []byte) {
		if match := nonce.FindSubmatch(content); len(match) == 2 && !slices.Contains(found, string(match[1])) {
			found = append(found, string(match[1]))
		}
	})
	if len(found) == 0 {
		w.t.Fatal("no link has a nonce")
	}
	return found
}

func (w *relayWorld) eachState(visit func(name string, content []byte)) {
	_ = filepath.WalkDir(w.stateDir(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil //nolint:nilerr // it may have been moved meanwhile
		}
		if content, err := os.ReadFile(path); err == nil {
			name, _ := filepath.Rel(w.stateDir(), path)
			visit(name, content)
		}
		return nil
	})
}

// state is everything that relay keeps, for the report of a failed test.
func (w *relayWorld) state() string {
	var b strings.Builder
	w.eachState(func(name string, content []byte) {
		if len(content) > 700 {
			content = append(content[:700:700], "…"...)
		}
		fmt.Fprintf(&b, "%s %s\n", name, bytes.TrimSpace(content))
	})
	return b.String()
}
