package e2e_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/changeover/changeover/e2e/fakeregistry"
)

// sessionProgram is the name under which the test binary is a session.
const sessionProgram = "e2e-session"

// message is what the test asks of a session process, one per connection.
type message struct {
	Run   *order
	Spawn string // socket of a session to start below this one
	Kill  int
	Lock  string // file to lock until the process ends
}

type reply struct {
	Outcome outcome
	PID     int
	Err     string
}

// sessionMain is a session process: it runs commands as its children until
// whoever started it lets go of its standard input.
func sessionMain() {
	ln, err := net.Listen("unix", os.Args[1])
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("ready")
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // any end is the end
		os.Exit(0)
	}()
	below := &children{byPID: map[int]*child{}}
	for {
		conn, err := ln.Accept()
		if err != nil {
			os.Exit(1)
		}
		go func() {
			defer conn.Close()
			var m message
			if err := json.NewDecoder(conn).Decode(&m); err != nil {
				return
			}
			_ = json.NewEncoder(conn).Encode(below.answer(m)) // the asker reports a lost reply
		}()
	}
}

type children struct {
	mu    sync.Mutex
	byPID map[int]*child
}

func (c *children) answer(m message) reply {
	if m.Run != nil {
		return reply{Outcome: m.Run.run()}
	}
	if m.Lock != "" {
		if err := fakeregistry.HoldLock(m.Lock); err != nil {
			return reply{Err: err.Error()}
		}
		return reply{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case m.Spawn != "":
		ch, err := startChild(m.Spawn)
		if err != nil {
			return reply{Err: err.Error()}
		}
		c.byPID[ch.pid()] = ch
		return reply{PID: ch.pid()}
	default:
		ch, ok := c.byPID[m.Kill]
		if !ok {
			return reply{Err: "no such child"}
		}
		ch.kill()
		return reply{}
	}
}

// child is a session process as its parent holds it.
type child struct {
	cmd  *exec.Cmd
	hold io.Closer
}

func (c *child) pid() int { return c.cmd.Process.Pid }

// kill ends the process without a chance to say goodbye and reaps it.
func (c *child) kill() {
	_ = c.cmd.Process.Kill() // it may have ended
	_ = c.cmd.Wait()         // it was killed
	_ = c.hold.Close()
}

func startChild(socket string, env ...string) (*child, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(exe)
	cmd.Args, cmd.Env = []string{sessionProgram, socket}, append(os.Environ(), env...)
	hold, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &child{cmd: cmd, hold: hold}
	line, err := bufio.NewReader(out).ReadString('\n')
	if line != "ready\n" {
		c.kill()
		return nil, fmt.Errorf("session process said %q: %w", line, errors.Join(err, errors.New("not ready")))
	}
	return c, nil
}

// fakeSession is a live process with a row in the registry.
type fakeSession struct {
	id     string
	pid    int
	socket string
	own    *child       // nil when a parent holds it
	parent *fakeSession // nil when the test holds it
	row    fakeregistry.Row
	file   string
	codex  bool // the process is one of Codex's
}

// sessions are the session processes of one test.
type sessions struct {
	// env are variables that the next session is started with.
	env []string

	dir  string // of the sockets
	byID map[string]*fakeSession
	n    int
}

func newSessions() (*sessions, error) {
	dir, err := os.MkdirTemp("", "e2e")
	if err != nil {
		return nil, err
	}
	return &sessions{dir: dir, byID: map[string]*fakeSession{}}, nil
}

// start runs a session process, below another one when parent is not nil.
func (s *sessions) start(id, cwd string, parent *fakeSession) (*fakeSession, error) {
	s.n++
	fs := &fakeSession{id: id, socket: filepath.Join(s.dir, fmt.Sprintf("%d", s.n)), parent: parent}
	if parent != nil {
		r, err := parent.ask(message{Spawn: fs.socket})
		if err != nil {
			return nil, err
		}
		fs.pid = r.PID
	} else {
		c, err := startChild(fs.socket, s.env...)
		if err != nil {
			return nil, err
		}
		fs.own, fs.pid = c, c.pid()
	}
	fs.row = fakeregistry.New(fs.pid, id, cwd, time.Now().UnixMilli())
	fs.file = fmt.Sprintf("%d.json", fs.pid)
	s.byID[id] = fs
	return fs, nil
}

func (f *fakeSession) ask(m message) (reply, error) {
	conn, err := net.Dial("unix", f.socket)
	if err != nil {
		return reply{}, err
	}
	defer conn.Close()
	if err := json.NewEncoder(conn).Encode(m); err != nil {
		return reply{}, err
	}
	var r reply
	if err := json.NewDecoder(conn).Decode(&r); err != nil {
		return reply{}, fmt.Errorf("session %s: %w", f.id, err)
	}
	if r.Err != "" {
		return reply{}, fmt.Errorf("session %s: %s", f.id, r.Err)
	}
	return r, nil
}

// run runs a command as a child of the session process.
func (f *fakeSession) run(o order) outcome {
	r, err := f.ask(message{Run: &o})
	if err != nil {
		return outcome{Err: err.Error()}
	}
	return r.Outcome
}

// procStart is the start of the process as its row would give it.
func (f *fakeSession) procStart() string {
	start, err := fakeregistry.ProcStart(f.pid)
	if err != nil {
		return ""
	}
	return start
}

// kill ends the process at once and waits until it is gone.
func (f *fakeSession) kill() error {
	if f.own != nil {
		f.own.kill()
		f.own = nil
		return nil
	}
	if f.parent == nil {
		return nil
	}
	_, err := f.parent.ask(message{Kill: f.pid})
	return err
}

func (s *sessions) stop() {
	for _, f := range s.byID {
		if f.own != nil {
			f.own.kill()
		}
	}
	_ = os.RemoveAll(s.dir) // sockets only
}
