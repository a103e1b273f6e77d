package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/changeover/changeover/adapters/linkstore"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/e2e/fakeregistry"
)

const (
	// idleProcessor is what an idle attach may take of the processor in idleTime.
	idleProcessor = 50 * time.Millisecond
	idleTime      = 10 * time.Minute

	// growth is the memory by which an idle attach still counts as flat: what the
	// runtime may hold between two collections.
	growth = 1 << 20

	// farewell is how long an attach may outlive its client.
	farewell = 5 * time.Second

	// attachPatience is how long anything of an attach's start may take.
	attachPatience = 30 * time.Second

	// calm is given to an attach to finish its start.
	calm = 3 * time.Second
)

// clientArgument makes this program stand for a client that runs an attach.
const clientArgument = "client"

// attachedSession is the session of the client that stands in.
const attachedSession = "attached-session"

// runAttach is that client. It waits to be told to start, prints the process id of
// the attach and then what that says, and ends when its input does.
func runAttach(program, session string) error {
	in := bufio.NewReader(os.Stdin)
	if _, err := in.ReadString('\n'); err != nil {
		return fmt.Errorf("wait to be told: %w", err)
	}
	go func() {
		_, _ = io.Copy(io.Discard, in) // until the parent goes
		os.Exit(0)
	}()
	cmd := exec.Command(program, "attach", "--session", session)
	cmd.Stderr = os.Stderr
	said, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start an attach: %w", err)
	}
	fmt.Println(cmd.Process.Pid)
	if _, err := io.Copy(os.Stdout, said); err != nil {
		return fmt.Errorf("pass on what the attach says: %w", err)
	}
	return cmd.Wait()
}

// attached is an attach under a client that stands in.
type attached struct {
	client *exec.Cmd
	life   io.Closer
	lines  chan string
	pid    int
	start  string
}

// benchAttach measures an attach that has nothing to do for that long.
func benchAttach(ctx context.Context, t *table, dir string, built programs, idle time.Duration) error {
	w, err := newWorld(filepath.Join(dir, "world"), built)
	if err != nil {
		return err
	}
	defer w.end()
	a, err := w.attach(ctx)
	if err != nil {
		return err
	}
	defer a.end()
	if err := wait(ctx, calm); err != nil {
		return err
	}
	started, err := used(a.pid)
	if err != nil {
		return err
	}
	a.takeLines()
	if err := wait(ctx, idle); err != nil {
		return err
	}
	ended, err := used(a.pid)
	if err != nil {
		return err
	}
	if lines := a.takeLines(); len(lines) > 0 {
		return fmt.Errorf("the attach was not idle, it said:\n%s", strings.Join(lines, "\n"))
	}
	limit := time.Duration(float64(idleProcessor) * float64(idle) / float64(idleTime))
	took := ended.processor - started.processor
	fmt.Printf("relay attach, its start beside %d live sessions and a link: %.1f ms on the processor\n", sessionCount, ms(started.processor))
	t.line(took < limit, "relay attach, idle for %s: %.1f ms on the processor (less than %.1f ms: %.0f ms in 10 minutes)",
		idle, ms(took), ms(limit), ms(idleProcessor))
	t.line(ended.resident-started.resident <= growth, "relay attach, memory: %.2f MB at first, %.2f MB at last (flat: at most %d MB more)",
		float64(started.resident)/(1<<20), float64(ended.resident)/(1<<20), growth>>20)
	lasted, err := a.outlives()
	if err != nil {
		return err
	}
	t.line(lasted <= farewell, "relay attach, gone after kill -9 of its client: %.2f s (at most %.0f s)", lasted.Seconds(), farewell.Seconds())
	return nil
}

// attach starts a client that stands in, registers and links it, and waits until
// its attach has said how the link stands.
func (w *world) attach(ctx context.Context) (*attached, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	state := filepath.Join(w.dir, "relay-state")
	client := exec.Command(self, clientArgument, w.relay, attachedSession)
	client.Dir, client.Env, client.Stderr = w.dir, slices.Concat(w.env, []string{"RELAY_STATE_DIR=" + state}), os.Stderr
	life, err := client.StdinPipe()
	if err != nil {
		return nil, err
	}
	said, err := client.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := client.Start(); err != nil {
		return nil, fmt.Errorf("start a client: %w", err)
	}
	a := &attached{client: client, life: life, lines: make(chan string, 1000)}
	go a.read(said)
	if err := errors.Join(w.enrol(client.Process.Pid, state), a.begin(ctx, life)); err != nil {
		a.end()
		return nil, err
	}
	return a, nil
}

// enrol registers a process as the session that is attached, and links it with the
// first of the world's sessions, whose turn it is.
func (w *world) enrol(pid int, state string) error {
	file := func(pid int) string { return fmt.Sprintf("%d.json", pid) }
	row := fakeregistry.New(pid, attachedSession, w.dir, w.now.UnixMilli())
	peer := w.sessions[0].Process.Pid
	busy := fakeregistry.New(peer, sessionID(0), w.dir, w.now.UnixMilli()).With("status", "busy")
	party := func(session string, pid int) relay.Party {
		start, err := fakeregistry.ProcStart(pid)
		if err != nil {
			start = "" // its number alone must do
		}
		return relay.Party{Session: session, Name: session, Cwd: w.dir, PID: pid, Start: start}
	}
	return errors.Join(
		row.Write(w.registry, file(pid)), busy.Write(w.registry, file(peer)),
		link(linkstore.New(osfs.New(), state), party(attachedSession, pid), party(sessionID(0), peer)),
	)
}

func (a *attached) read(said io.Reader) {
	defer close(a.lines)
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		select {
		case a.lines <- lines.Text():
		default: // so many that it is not idle anyway
		}
	}
}

// begin has the client start its attach and waits for the band.
func (a *attached) begin(ctx context.Context, life io.Writer) error {
	if _, err := io.WriteString(life, "\n"); err != nil {
		return fmt.Errorf("tell the client to start: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, attachPatience)
	defer cancel()
	var seen []string
	for {
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the attach, which said %q: %w", seen, ctx.Err())
		case line, ok := <-a.lines:
			if !ok {
				return fmt.Errorf("the attach ended and said %q", seen)
			}
			seen = append(seen, line)
			if len(seen) == 1 {
				var err error
				if a.pid, err = strconv.Atoi(line); err != nil {
					return fmt.Errorf("read the attach's process id: %w", err)
				}
				if a.start, err = fakeregistry.ProcStart(a.pid); err != nil {
					return errors.Join(errNoTable, err)
				}
			}
			if strings.Contains(line, `"band"`) && strings.Contains(line, fmt.Sprintf("%d/10", roundsBefore+1)) {
				return nil
			}
		}
	}
}

// takeLines returns what the attach has said since it was last asked.
func (a *attached) takeLines() []string {
	var lines []string
	for {
		select {
		case line, ok := <-a.lines:
			if !ok {
				return append(lines, "(its end)")
			}
			lines = append(lines, line)
		default:
			return lines
		}
	}
}

// outlives kills the client, so that it can tell nobody, and returns how long the
// attach went on.
func (a *attached) outlives() (time.Duration, error) {
	const step, give = 10 * time.Millisecond, 6 * farewell
	began := time.Now()
	if err := a.client.Process.Kill(); err != nil {
		return 0, fmt.Errorf("kill the client: %w", err)
	}
	_ = a.client.Wait() // it was killed
	for time.Since(began) < give {
		if over(a.pid, a.start) {
			return time.Since(began), nil
		}
		time.Sleep(step)
	}
	return give, nil
}

// end ends the client and what it left.
func (a *attached) end() {
	_ = a.client.Process.Kill() // it may have ended before
	_ = a.client.Wait()         // as may this
	_ = a.life.Close()          // nobody reads it any more
	if a.pid == 0 || over(a.pid, a.start) {
		return
	}
	if left, err := os.FindProcess(a.pid); err == nil {
		_ = left.Kill() // it may end by itself just now
	}
}

// wait lets time pass.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
