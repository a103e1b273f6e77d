package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// programs are the executables that are measured and used.
type programs struct {
	bare     string
	hookd    string
	exchange string
	relay    string
}

const bareSource = "package main\n\nfunc main() {}\n"

// build makes the programs as they ship: stripped, without cgo.
func build(dir string) (programs, error) {
	bare := filepath.Join(dir, "bare-source")
	if err := os.MkdirAll(bare, 0o755); err != nil {
		return programs{}, fmt.Errorf("make %s: %w", bare, err)
	}
	for name, text := range map[string]string{"main.go": bareSource, "go.mod": "module bare\n\ngo 1.26\n"} {
		if err := os.WriteFile(filepath.Join(bare, name), []byte(text), 0o644); err != nil {
			return programs{}, fmt.Errorf("write the bare program: %w", err)
		}
	}
	p := programs{
		bare:     filepath.Join(dir, "bare"),
		hookd:    filepath.Join(dir, "hookd"),
		exchange: filepath.Join(dir, "exchange"),
		relay:    filepath.Join(dir, "relay"),
	}
	for _, b := range []struct{ source, target string }{
		{bare, p.bare}, {"../hookd", p.hookd}, {"../exchange-cli", p.exchange}, {"../relay-cli", p.relay},
	} {
		cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", b.target, ".")
		cmd.Dir = b.source
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if b.source == bare {
			cmd.Env = append(cmd.Env, "GOWORK=off")
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			return programs{}, fmt.Errorf("build %s: %w\n%s", b.source, err, out)
		}
		if err := install(b.target); err != nil {
			return programs{}, err
		}
	}
	return p, nil
}

// install copies a program, as installing does: one that lies in memory as the
// linker left it, page by page, starts slower.
func install(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	copied := path + ".copy"
	if err := os.WriteFile(copied, data, 0o755); err != nil {
		return fmt.Errorf("copy %s: %w", path, err)
	}
	return os.Rename(copied, path)
}

// ownEnvironment is an environment without what a surrounding session set.
func ownEnvironment(home string) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		for _, prefix := range []string{"CLAUDE", "CODEX", "CC_", "HOME=", "AI_AGENT", "XDG_", "HOOKD_LOG"} {
			if strings.HasPrefix(v, prefix) {
				return true
			}
		}
		return false
	})
	return append(env, "HOME="+home)
}

// timed runs a program once on the given input and returns its wall time.
func timed(path string, args, env []string, input string) (time.Duration, error) {
	in, err := os.Open(input)
	if err != nil {
		return 0, err
	}
	defer func() { _ = in.Close() }() // nothing was written
	cmd := exec.Command(path, args...)
	cmd.Stdin, cmd.Env = in, env
	began := time.Now()
	err = cmd.Run()
	took := time.Since(began)
	if err != nil {
		return 0, fmt.Errorf("run %s: %w", filepath.Base(path), err)
	}
	return took, nil
}

// hookCase is one event that hookd answers.
type hookCase struct{ event, input string }

// measured is one case's time beside that of the bare program.
type measured struct{ bare, hookd time.Duration }

// compare runs hookd on each case in turn, the bare program before each, and
// returns the medians. The bare program runs twice: its first run takes upon
// itself what the case before has left behind.
func (w *world) compare(cases []hookCase, runs int) ([]measured, error) {
	const warmUp = 3 // the first ones fill the caches
	bares, hookds := make([][]time.Duration, len(cases)), make([][]time.Duration, len(cases))
	for i := range runs + warmUp {
		for k, c := range cases {
			if _, err := timed(w.bare, nil, w.env, c.input); err != nil {
				return nil, err
			}
			b, err := timed(w.bare, nil, w.env, c.input)
			if err != nil {
				return nil, err
			}
			h, err := timed(w.hookd, []string{c.event}, w.env, c.input)
			if err != nil {
				return nil, err
			}
			if i >= warmUp {
				bares[k], hookds[k] = append(bares[k], b), append(hookds[k], h)
			}
		}
	}
	results := make([]measured, len(cases))
	for k := range cases {
		results[k] = measured{bare: median(bares[k]), hookd: median(hookds[k])}
	}
	return results, nil
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}
