package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/changeover/changeover/adapters/graphemes"
	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/logs"
	"github.com/changeover/changeover/domain/baton/phrase"
)

// usage is what one run of a program took: time, and peak memory in KiB.
type usage struct {
	wall time.Duration
	peak int64
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// repeat runs a program several times and returns the median of each measure.
func repeat(runs int, run func() (usage, error)) (usage, error) {
	walls, peaks := make([]time.Duration, runs), make([]int64, runs)
	for i := range runs {
		used, err := run()
		if err != nil {
			return usage{}, err
		}
		walls[i], peaks[i] = used.wall, used.peak
	}
	slices.Sort(walls)
	slices.Sort(peaks)
	return usage{wall: walls[runs/2], peak: peaks[runs/2]}, nil
}

// timed runs a command to its end.
func timed(cmd *exec.Cmd) (usage, error) {
	cmd.Stderr = os.Stderr
	start := time.Now()
	err := cmd.Run()
	used := usage{wall: time.Since(start)}
	if err != nil {
		return usage{}, fmt.Errorf("run %s: %w", cmd.Path, err)
	}
	if rusage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		used.peak = rusage.Maxrss
	}
	return used, nil
}

// own runs this program for itself.
func own(args ...string) (usage, error) {
	self, err := os.Executable()
	if err != nil {
		return usage{}, err
	}
	return timed(exec.Command(self, args...))
}

// ripgrep counts the lines with a phrase.
func ripgrep(log string, phrases []string) (usage, error) {
	args := []string{"-c", "-i", "--no-config", "-F"}
	for _, text := range phrases {
		args = append(args, "-e", text)
	}
	return timed(exec.Command("rg", append(args, log)...))
}

// compression is a program that compresses a log.
type compression interface {
	run(log string) (usage, error)
}

// ourselves is this program, with the domain's code.
type ourselves struct{ dir string }

func (o ourselves) run(log string) (usage, error) {
	return own(compressArgument, log, filepath.Join(o.dir, "compressed"))
}

// compress writes the short form of a log as a cycle does.
func compress(log, to string) error {
	file, err := os.Open(log)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	info, err := file.Stat()
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	compressor := logs.Compressor{Phrases: phrase.Defaults(), Cutter: graphemes.NewCutter()}
	raw := io.NewSectionReader(file, 0, info.Size())
	if _, err = compressor.Fit(out, raw, compact.Profile{MaxLogTailChars: 5000}); err != nil {
		return err
	}
	if err := out.Sync(); err != nil {
		return err
	}
	return out.Close()
}

// program is a baton executable in a repository of its own.
type program struct{ path, repo string }

func newProgram(path, dir string) (program, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return program{}, err
	}
	p := program{path: path, repo: filepath.Join(dir, "repository")}
	if err := os.Mkdir(p.repo, 0o755); err != nil {
		return program{}, err
	}
	for _, args := range [][]string{{"git", "init", "--quiet"}, {p.path, "init", "--gitignore"}} {
		if _, err := timed(p.command(args...)); err != nil {
			return program{}, err
		}
	}
	return p, nil
}

func (p program) command(args ...string) *exec.Cmd {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = p.repo
	cmd.Env = append(os.Environ(), "RELAY_BATON_PROJECTS_FILE="+filepath.Join(p.repo, "..", "projects.json"))
	return cmd
}

// run compresses a log that takes the place of the session's: under a second name,
// so that nothing is copied and the log itself stays.
func (p program) run(log string) (usage, error) {
	at := filepath.Join(p.repo, ".ai-session", "commands.log")
	if err := os.Remove(at); err != nil {
		return usage{}, err
	}
	if err := os.Link(log, at); err != nil {
		return usage{}, err
	}
	used, err := timed(p.command(p.path, "compress-context", "--force"))
	if err != nil {
		return used, err
	}
	return used, p.again()
}

// exitGate is baton's exit code where a gate refuses.
const exitGate = 3

// again compresses what was compressed: the gate refuses that, and no byte changes.
func (p program) again() error {
	before, err := p.session()
	if err != nil {
		return err
	}
	var exit *exec.ExitError
	out, err := p.command(p.path, "compress-context", "--force").CombinedOutput()
	if !errors.As(err, &exit) || exit.ExitCode() != exitGate {
		return fmt.Errorf("a second pass was not refused: %w\n%s", err, out)
	}
	after, err := p.session()
	if err != nil {
		return err
	}
	if !maps.Equal(before, after) {
		return errors.New("a second pass that was refused has changed the session")
	}
	return nil
}

// session is what the files of the session hold, and of the raw log, which is long
// and has another name outside, how long it is.
func (p program) session() (map[string]string, error) {
	dir := filepath.Join(p.repo, ".ai-session")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(e.Name(), "commands.log.full.") {
			all[e.Name()] = fmt.Sprint(info.Size(), info.ModTime())
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		all[e.Name()] = string(data)
	}
	return all, nil
}

// generateSized writes a log of so many bytes.
func generateSized(path, size string) error {
	bytes, err := strconv.ParseInt(size, 10, 64)
	if err != nil {
		return err
	}
	return generate(path, bytes)
}
