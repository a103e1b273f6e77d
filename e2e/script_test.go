package e2e_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptCommands returns the commands that scripts have besides testscript's own.
//
// Some are prefixes of a command and can be combined:
//
//	exits N CMD      the command must end with exit code N (0 if not said) or any
//	as ID CMD        run it as a child of that session's process
//	deep N CMD       with N shells in between
//	nobody CMD       as a user without privileges, when the test has any
//	with K=V CMD     with a variable set
//	raw CMD          arguments are Go string escapes: \x1b, ÿ
//	in FILE CMD      with the file as standard input
//	held FILE CMD    the same, with the input never ending
//	noinput CMD      with descriptor 0 closed
//	tty CMD          with a terminal as standard input
//	nooutput CMD     with descriptor 1 closed
//	goneoutput CMD   with a pipe as standard output whose reader went away
//	fulloutput CMD   with a full device as standard output
//
// The commands that they take:
//
//	exchange ARG...      the CLI
//	hookd ARG...         the hook with a raw payload; stdout is its answer
//	hook EVENT K=V...    the hook with a payload as the client sends it, K:=JSON
//	                     for other types, -K to leave a member out; stdout is
//	                     the text of the answer, hook.json the answer itself
//	relay ARG...         the program
//	baton ARG...         the program
//	event EVENT K=V...   the hook of either tool; stdout has a line for each thing
//	                     that it says: block, person, model, watch, wake
func scriptCommands() map[string]func(ts *testscript.TestScript, neg bool, args []string) {
	cmds := map[string]func(ts *testscript.TestScript, neg bool, args []string){
		"session":      cmdSession,
		"dead-session": cmdDeadSession,
		"kill-session": cmdKillSession,
		"end-session":  cmdEndSession,
		"thread":       cmdThread,
		"end-thread":   cmdEndThread,
		"update-row":   cmdUpdateRow,
		"row":          cmdRow,
		"fill":         cmdFill,
		"layout":       cmdLayout,
		"inorder":      cmdInOrder,
		"json":         cmdJSON,
		"keys":         cmdKeys,
		"capture":      cmdCapture,
		"snapshot":     cmdSnapshot,
		"unchanged":    cmdUnchanged,
		"mode":         cmdMode,
		"files":        cmdFiles,
		"mkfifo":       cmdMkfifo,
		"repeat":       cmdRepeat,
		"give":         cmdGive,
		"large":        cmdLarge,
		"manykeys":     cmdManyKeys,
		"widest":       cmdWidest,
		"copytree":     cmdCopyTree,
		"manyclaims":   cmdManyClaims,
		"astral":       cmdAstral,
		"envfact": func(ts *testscript.TestScript, _ bool, args []string) {
			ts.Setenv(args[0], facts(ts, args[1]))
		},
	}
	for _, name := range append(slices.Clone(prefixes), "exchange", "relay", "hookd", "hook", "event", "baton") {
		cmds[name] = func(ts *testscript.TestScript, neg bool, args []string) {
			cmdPrefixed(ts, neg, append([]string{name}, args...))
		}
	}
	return cmds
}

var prefixes = []string{
	"exits", "as", "deep", "nobody", "with", "raw", "in", "held", "noinput", "tty",
	"nooutput", "goneoutput", "fulloutput",
}

// passed are the variables of a script that the commands under test see. The
// caller's own are never among them: a script starts with a fresh environment.
var passed = []string{
	"HOME", "PATH", "TMPDIR", "LANG", "CC_EXCHANGE_ROOT", "CLAUDE_CONFIG_DIR", "CLAUDE_PLUGIN_ROOT", "HOOKD_LOG", "RELAY_STATE_DIR",
	"RELAY_LANG", "RELAY_MAX_ROUNDS", "AI_AGENT", "CLAUDE_CODE_CHILD_SESSION",
	"CLAUDE_PID", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT", "GOCOVERDIR", "TZ",
	"CODEX_HOME", "CODEX_THREAD_ID", "CODEX_SESSION_ID",
	"SCRIPTED_AGENTS", "FAKE_MODE", "FAKE_MODE_FILE", "FAKE_PROMPTS", "FAKE_LINES", "FAKE_FIRST",
}

// world is what a script has besides its files.
type world struct {
	sessions  *sessions
	snapshots map[string]string
	vars      map[string]string
}

type worldKey struct{}

func setup(env *testscript.Env) error {
	s, err := newSessions()
	if err != nil {
		return err
	}
	env.Defer(s.stop)
	env.Values[worldKey{}] = &world{sessions: s, snapshots: map[string]string{}, vars: map[string]string{}}
	home := filepath.Join(env.WorkDir, "home")
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	env.Vars = slices.DeleteFunc(env.Vars, func(kv string) bool { return strings.HasPrefix(kv, "HOME=") })
	fixtures, err := filepath.Abs(filepath.Join("testdata", "earlier"))
	if err != nil {
		return err
	}
	plugin, err := filepath.Abs(filepath.Join("..", "hookd", "plugin"))
	if err != nil {
		return err
	}
	env.Setenv("FIXTURES", fixtures)
	env.Setenv("PLUGIN", plugin)
	env.Setenv("BIN", binDir())
	env.Setenv("HOME", home)
	env.Setenv("PATH", binDir()+string(os.PathListSeparator)+env.Getenv("PATH"))
	return nil
}

func worldOf(ts *testscript.TestScript) *world {
	w, ok := ts.Value(worldKey{}).(*world)
	if !ok {
		ts.Fatalf("this script was not set up")
	}
	return w
}

func environment(ts *testscript.TestScript) []string {
	var env []string
	for _, name := range passed {
		if value := ts.Getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// anyCode stands for an exit code that the test leaves open.
const anyCode = -1

// invocation is a command with its prefixes worked off.
type invocation struct {
	order order
	by    *fakeSession
	deep  int
	raw   bool
	code  int
}

func cmdPrefixed(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("name the exit code: exits 1 %s", strings.Join(args, " "))
	}
	for i, a := range args {
		args[i] = facts(ts, a)
	}
	inv := invocation{order: order{Dir: ts.MkAbs("."), Env: environment(ts)}}
	for len(args) > 0 && slices.Contains(prefixes, args[0]) {
		args = inv.prefix(ts, args)
	}
	if len(args) == 0 {
		ts.Fatalf("no command")
	}
	if inv.order.Nobody {
		inv.ownRelay(ts)
	}
	switch args[0] {
	case "hook":
		inv.hook(ts, args[1:])
		return
	case "event":
		inv.event(ts, args[1:])
		return
	}
	out := inv.run(ts, args)
	_, _ = ts.Stdout().Write(out.Stdout) // a buffer
	_, _ = ts.Stderr().Write(out.Stderr)
	if out.Code != inv.code && inv.code != anyCode {
		ts.Fatalf("exit code %d, want %d\nstdout: %s\nstderr: %s", out.Code, inv.code, out.Stdout, out.Stderr)
	}
	var err error
	switch args[0] {
	case "exchange":
		err = checkReport(out)
	case "hookd":
		err = checkAnswer(out, "")
	}
	if inv.order.Out == outputKept {
		err = errors.Join(err, checkPrinted(args, out))
	}
	if err != nil {
		ts.Fatalf("%v\nstdout: %s\nstderr: %s", err, out.Stdout, out.Stderr)
	}
}

func (inv *invocation) prefix(ts *testscript.TestScript, args []string) []string {
	value := func() string {
		if len(args) < 2 {
			ts.Fatalf("%s wants a value", args[0])
		}
		return args[1]
	}
	number := func() int {
		n, err := strconv.Atoi(value())
		ts.Check(err)
		return n
	}
	switch args[0] {
	case "exits":
		if value() == "any" {
			inv.code = anyCode
			break
		}
		inv.code = number()
	case "as":
		inv.by = sessionOf(ts, value())
	case "deep":
		inv.deep = number()
	case "with":
		inv.order.Env = append(inv.order.Env, inv.text(ts, value()))
	case "in":
		inv.order.Input = []byte(ts.ReadFile(value()))
	case "held":
		inv.order.In = inputHeld
		inv.order.Input = []byte(ts.ReadFile(value()))
	default:
		inv.flag(args[0])
		return args[1:]
	}
	return args[2:]
}

// ownRelay gives another user a state of relay's own: the state is per user.
func (inv *invocation) ownRelay(ts *testscript.TestScript) {
	dir := ts.MkAbs(ts.Getenv("WORK") + "/nobody-relay")
	ts.Check(os.MkdirAll(dir, 0o700))
	if os.Geteuid() == 0 {
		ts.Check(os.Chown(dir, nobody, nobody))
	}
	inv.order.Env = append(inv.order.Env, "RELAY_STATE_DIR="+dir)
}

func (inv *invocation) flag(name string) {
	switch name {
	case "nobody":
		inv.order.Nobody = true
	case "raw":
		inv.raw = true
	case "noinput":
		inv.order.In = inputClosed
	case "tty":
		inv.order.In = inputTTY
	case "nooutput":
		inv.order.Out = outputClosed
	case "goneoutput":
		inv.order.Out = outputGone
	case "fulloutput":
		inv.order.Out = outputFull
	}
}

func (inv *invocation) run(ts *testscript.TestScript, args []string) outcome {
	var argv [][]byte
	for range inv.deep {
		argv = append(argv, words("sh", "-c", `"$@"; exit $?`, "sh")...)
	}
	for _, a := range args {
		argv = append(argv, []byte(inv.text(ts, a)))
	}
	inv.order.Argv = argv
	var out outcome
	if inv.by != nil {
		out = inv.by.run(inv.order)
	} else {
		out = inv.order.run()
	}
	if out.Err != "" {
		ts.Fatalf("%s\nstdout: %s\nstderr: %s", out.Err, out.Stdout, out.Stderr)
	}
	return out
}

// text is an argument with its escapes read, after the prefix raw.
func (inv *invocation) text(ts *testscript.TestScript, arg string) string {
	if !inv.raw {
		return arg
	}
	text, err := strconv.Unquote(`"` + arg + `"`)
	ts.Check(err)
	return text
}

func sessionOf(ts *testscript.TestScript, id string) *fakeSession {
	s, ok := worldOf(ts).sessions.byID[id]
	if !ok {
		ts.Fatalf("no session %s", id)
	}
	return s
}

func registryDir(ts *testscript.TestScript) string {
	if dir := ts.Getenv("CLAUDE_CONFIG_DIR"); strings.TrimSpace(dir) != "" {
		return filepath.Join(dir, "sessions")
	}
	return filepath.Join(ts.Getenv("HOME"), ".claude", "sessions")
}

// cmdSession starts a live session: session ID CWD [K=V]... with members of
// its row (K:=JSON for other types, -K to leave one out) and in=ID for a
// session below another, file=NAME for its row, norow for none at all.
func cmdSession(ts *testscript.TestScript, _ bool, args []string) {
	startSession(ts, args)
}

// cmdDeadSession leaves what a killed session leaves: its row.
func cmdDeadSession(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(startSession(ts, args).kill())
}

func startSession(ts *testscript.TestScript, args []string) *fakeSession {
	if len(args) < 2 {
		ts.Fatalf("usage: session ID CWD [env:K=V]... [K=V]...")
	}
	var parent *fakeSession
	rest := slices.DeleteFunc(slices.Clone(args[2:]), func(a string) bool {
		id, ok := strings.CutPrefix(a, "in=")
		if ok {
			parent = sessionOf(ts, id)
		}
		return ok
	})
	sessions := worldOf(ts).sessions
	sessions.env = nil
	rest = slices.DeleteFunc(rest, func(a string) bool {
		setting, ok := strings.CutPrefix(a, "env:")
		if ok {
			sessions.env = append(sessions.env, setting)
		}
		return ok
	})
	s, err := sessions.start(args[0], ts.MkAbs(args[1]), parent)
	ts.Check(err)
	hidden := slices.Contains(rest, "norow")
	setRow(ts, s, slices.DeleteFunc(rest, func(a string) bool { return a == "norow" }))
	if !hidden {
		ts.Check(s.row.Write(registryDir(ts), s.file))
	}
	return s
}

func setRow(ts *testscript.TestScript, s *fakeSession, args []string) {
	for _, a := range args {
		if file, ok := strings.CutPrefix(a, "file="); ok {
			s.file = file
			continue
		}
		name, value, drop := member(ts, facts(ts, a))
		if drop {
			s.row = s.row.Without(name)
			continue
		}
		s.row = s.row.With(name, value)
	}
}

// member reads K=TEXT, K:=JSON or -K.
func member(ts *testscript.TestScript, arg string) (name string, value any, drop bool) {
	if name, ok := strings.CutPrefix(arg, "-"); ok {
		return name, nil, true
	}
	if name, text, ok := strings.Cut(arg, ":="); ok && !strings.Contains(name, "=") {
		return name, json.RawMessage(text), false
	}
	name, text, ok := strings.Cut(arg, "=")
	if !ok {
		ts.Fatalf("%q is neither K=TEXT nor K:=JSON nor -K", arg)
	}
	return name, text, false
}

// cmdKillSession kills a session's process and leaves its row.
func cmdKillSession(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(sessionOf(ts, args[0]).kill())
}

// cmdEndSession ends a session as a clean exit does: its row goes too.
func cmdEndSession(ts *testscript.TestScript, _ bool, args []string) {
	s := sessionOf(ts, args[0])
	ts.Check(os.Remove(filepath.Join(registryDir(ts), s.file)))
	ts.Check(s.kill())
}

// cmdUpdateRow rewrites members of a session's row: update-row ID K=V...
func cmdUpdateRow(ts *testscript.TestScript, _ bool, args []string) {
	s := sessionOf(ts, args[0])
	setRow(ts, s, args[1:])
	ts.Check(s.row.Write(registryDir(ts), s.file))
}

// cmdRow writes a registry file as it is: row FILE TEXT.
func cmdRow(ts *testscript.TestScript, _ bool, args []string) {
	dir := registryDir(ts)
	ts.Check(os.MkdirAll(dir, 0o700))
	ts.Check(os.WriteFile(filepath.Join(dir, args[0]), []byte(expand(ts, args[1])), 0o644))
}

// cmdCopyTree makes a directory the copy of another: copytree FROM TO.
func cmdCopyTree(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.RemoveAll(ts.MkAbs(args[1])))
	ts.Check(os.CopyFS(ts.MkAbs(args[1]), os.DirFS(args[0])))
}

// cmdGive hands files to the user that nobody runs as.
func cmdGive(ts *testscript.TestScript, _ bool, args []string) {
	if os.Geteuid() != 0 {
		return
	}
	for _, a := range args {
		ts.Check(filepath.Walk(ts.MkAbs(a), func(path string, _ os.FileInfo, err error) error {
			if err != nil {
				return err
			}
			return os.Lchown(path, nobody, nobody)
		}))
	}
}

// cmdRepeat runs hook-like commands for numbered files: repeat N FILE TEXT
// writes N files, with %d replaced in name and text.
func cmdRepeat(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	for i := range n {
		number := fmt.Sprintf("%05d", i)
		file := ts.MkAbs(strings.ReplaceAll(args[1], "%d", number))
		text := strings.ReplaceAll(expand(ts, args[2]), "%d", number)
		ts.Check(os.MkdirAll(filepath.Dir(file), 0o755))
		ts.Check(os.WriteFile(file, []byte(text), 0o644))
	}
}
