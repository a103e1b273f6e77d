package e2e_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

// unwireKills is how many runs of step 7 are killed.
const unwireKills = 12

// Killed at any moment, retiring the hooks leaves each settings file old or new,
// never a part of one, and each script in one of both places; the next run
// finishes.
func TestUnwire_KilledLeavesEachFileWhole(t *testing.T) {
	is := is.New(t)
	before := `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/x/dock-session-lane.sh"}]}]}, "keep": "` + strings.Repeat("x", 1<<15) + `"}`
	after := `{"keep": "` + strings.Repeat("x", 1<<15) + `"}`
	const files, scripts = 4, 4
	var whole time.Duration
	cut := 0
	for run := range unwireKills + 1 {
		p := newPlace(t)
		p.write("harbour/.claude/exchange.json", `{"name": "harbour"}`)
		for n := range files {
			p.write(fmt.Sprintf("harbour/repo%d/.claude/settings.local.json", n), before)
		}
		for n := range scripts {
			p.write(fmt.Sprintf("home/.claude/hooks/s%d-session-lane.sh", n), "#!/bin/sh\n")
		}
		cmd := exec.Command(filepath.Join(binDir(), "exchange"), "migrate", "--step", "7", "--apply")
		cmd.Dir, cmd.Env = p.path("harbour"), p.env()
		begun := time.Now()
		is.NoErr(cmd.Start())
		if run == 0 { // how long it takes when nobody kills it
			is.NoErr(cmd.Wait())
			whole = time.Since(begun)
			continue
		}
		kill := time.AfterFunc(time.Duration(rand.Int64N(int64(whole))), func() { _ = cmd.Process.Kill() }) // it may have ended
		if cmd.Wait() != nil {
			cut++
		}
		kill.Stop()

		edited := 0
		for n := range files {
			dir := fmt.Sprintf("harbour/repo%d/.claude", n)
			data, err := os.ReadFile(p.path(dir + "/settings.local.json"))
			is.NoErr(err)
			switch string(data) {
			case before:
				continue
			case after:
				edited++
			default:
				t.Fatalf("run %d: a part of a file: %d bytes", run, len(data))
			}
			copies, err := filepath.Glob(p.path(dir + "/settings.local.json.bak-*"))
			is.NoErr(err)
			is.Equal(len(copies), 1) // the old one beside it
			old, err := os.ReadFile(copies[0])
			is.NoErr(err)
			is.True(bytes.Equal(old, []byte(before)))
		}
		is.Equal(len(p.scripts("home/.claude/hooks")), scripts)
		is.True(edited == files || len(p.names("home/.claude/hooks")) == scripts) // no script goes before all that runs it

		again := p.exchange("harbour", "migrate", "--step", "7", "--apply")
		is.Equal(again.Code, 0)
		is.True(len(lines(p.exchange("harbour", "migrate", "--step", "7").Stdout, "nothing   ")) == 1)
		is.Equal(len(p.scripts("home/.claude/hooks")), scripts)
	}
	t.Logf("%d of %d runs were cut off", cut, unwireKills)
}

// scripts returns the scripts anywhere below a directory.
func (p place) scripts(dir string) []string {
	p.t.Helper()
	var names []string
	err := filepath.WalkDir(p.path(dir), func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return names
}
