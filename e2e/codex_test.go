package e2e_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/changeover/changeover/e2e/fakeregistry"
)

func codexHome(ts *testscript.TestScript) string {
	if dir := ts.Getenv("CODEX_HOME"); dir != "" {
		return dir
	}
	return filepath.Join(ts.Getenv("HOME"), ".codex")
}

// cmdThread starts a live thread of Codex: thread ID CWD [in=ID] [of=ID] [unasked].
// It runs below another session, or in the process of another thread; one that was
// asked nothing yet has no rollout. The path of the rollout is in $ROLLOUT.
func cmdThread(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: thread ID CWD [in=ID] [of=ID] [unasked]")
	}
	id, cwd := args[0], ts.MkAbs(args[1])
	sessions := worldOf(ts).sessions
	var parent, process *fakeSession
	for _, a := range args[2:] {
		if id, ok := strings.CutPrefix(a, "in="); ok {
			parent = sessionOf(ts, id)
		}
		if id, ok := strings.CutPrefix(a, "of="); ok {
			process = sessionOf(ts, id)
		}
	}
	if process == nil {
		var err error
		process, err = sessions.start(id, cwd, parent)
		ts.Check(err)
		process.codex = true
	}
	sessions.byID[id] = process
	_, err := process.ask(message{Lock: fakeregistry.ThreadLock(codexHome(ts), id)})
	ts.Check(err)
	if slices.Contains(args, "unasked") {
		return
	}
	rollout, err := fakeregistry.WriteRollout(codexHome(ts), id, cwd, time.Now())
	ts.Check(err)
	ts.Setenv("ROLLOUT", rollout)
}

// cmdEndThread ends a thread's process as a clean exit does: its lock goes too.
func cmdEndThread(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.Remove(fakeregistry.ThreadLock(codexHome(ts), args[0])))
	ts.Check(sessionOf(ts, args[0]).kill())
}
