package e2e_test

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/claudereg"
	"github.com/changeover/changeover/adapters/claudesettings"
	"github.com/changeover/changeover/adapters/clock"
	"github.com/changeover/changeover/adapters/entropy"
	"github.com/changeover/changeover/adapters/environ"
	"github.com/changeover/changeover/adapters/fsstore"
	"github.com/changeover/changeover/adapters/graphemes"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/adapters/proc"
	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/port"
)

// moverProgram is the name under which the test binary moves a handoff the
// way the CLI does, but stops between reading it and writing the move.
const moverProgram = "e2e-mover"

// heldFS is the real file system with a stop before a name is claimed.
type heldFS struct {
	port.FS
	hold func()
}

func (h heldFS) Create(path string, data []byte, perm fs.FileMode, sync port.Sync) error {
	h.hold()
	return h.FS.Create(path, data, perm, sync)
}

// moverMain is e2e-mover DIR ID STATUS: it says "read" when it has decided,
// and writes when it is told anything.
func moverMain() {
	files := heldFS{FS: osfs.New(), hold: func() {
		fmt.Println("read")
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n') // its end is a word too
	}}
	status, err := exchange.ParseStatus(os.Args[3])
	if err != nil {
		fmt.Println(err)
		os.Exit(2)
	}
	report, err := exchange.Mail{World: newWorld(files)}.Move(exchange.MoveRequest{Cwd: os.Args[1], ID: os.Args[2], Status: status})
	if err != nil {
		fmt.Println("problem: " + err.Error())
		os.Exit(1)
	}
	fmt.Println(strings.Join(report.Lines(), "\n"))
}

// newWorld is the world of the CLI over the given files.
func newWorld(files port.FS) exchange.World {
	environment := environ.New()
	table := proc.New()
	return exchange.World{
		Files:     files,
		Clock:     clock.New(),
		Random:    entropy.New(),
		Sessions:  claudereg.Open(files, environment),
		Processes: table,
		Machine:   table,
		Settings:  claudesettings.Open(files),
		Open:      fsstore.NewOpener(files),
		Env:       environment,
		Cutter:    graphemes.NewCutter(),
	}
}

// mover is a moverMain as its parent holds it.
type mover struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startMover(t *testing.T, p place, id, status string) *mover {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Args = []string{moverProgram, p.path("harbour"), id, status}
	cmd.Env = p.env()
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return &mover{cmd: cmd, in: in, out: bufio.NewReader(out)}
}

// awaitRead returns when the process has read the handoff and not yet written.
func (m *mover) awaitRead(t *testing.T) {
	t.Helper()
	line, err := m.out.ReadString('\n')
	if line != "read\n" {
		t.Fatalf("mover said %q: %v", line, err)
	}
}

// finish lets it write and returns what it said.
func (m *mover) finish(t *testing.T) string {
	t.Helper()
	if err := m.in.Close(); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(m.out)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.cmd.Wait(); err != nil {
		t.Fatalf("mover: %v: %s", err, rest)
	}
	return string(rest)
}

const record = `{"id": "%[1]s", "from": {"cwd": "/tmp/harbour"}, "to": {"repo": "dock"}, "created": "2026-11-01T10:00:00Z", "body": "body of %[1]s"}
`

func (p place) handoffs(root string, n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf("h%04d", i)
		p.write(filepath.Join(root, ".claude/exchange/handoffs", ids[i]+".json"), fmt.Sprintf(record, ids[i]))
	}
	return ids
}

// An accept and a close by two processes that have both read the handoff
// before either writes leave two files at one position and a reported tie,
// whoever writes first.
func TestMove_TieOfTwoProcesses(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	p.write("harbour/.claude/exchange.json", `{"name": "harbour"}`)
	for i, id := range p.handoffs("harbour", 20) {
		accepting, closing := startMover(t, p, id, "accepted"), startMover(t, p, id, "closed")
		accepting.awaitRead(t)
		closing.awaitRead(t)
		first, second := accepting, closing
		want := []string{id + " is now accepted\n", id + " is now closed\n"}
		if i%2 == 1 {
			first, second = second, first
			slices.Reverse(want)
		}
		is.Equal([]string{first.finish(t), second.finish(t)}, want)

		moves := p.names("harbour/.claude/exchange/handoffs/" + id + ".d")
		is.Equal(len(moves), 2) // both files
		for _, name := range moves {
			is.True(strings.HasPrefix(name, "0000-")) // at one position
		}
		shown := p.exchange("harbour", "handoff", "show", id)
		is.Equal(shown.Code, 1) // exit code
		is.Equal(len(lines(shown.Stdout, "problem   ")), 1)
		is.True(strings.Contains(string(shown.Stdout), "position 0"))
		is.True(strings.Contains(string(shown.Stdout), "cannot be worked out"))
	}
	listed := p.exchange("harbour", "handoff", "list", "--all")
	is.Equal(listed.Code, 1)                              // exit code
	is.Equal(len(lines(listed.Stdout, "problem   ")), 20) // one tie each
}

// 1,000 unheld pairs each end as a tie or as one after the other: every exit 0
// has its file, and nothing else changes.
func TestMove_ThousandPairs(t *testing.T) {
	is := is.New(t)
	const roots, each = 20, 50
	p := newPlace(t)
	ties := 0
	for r := range roots {
		root := fmt.Sprintf("harbour%02d", r)
		p.write(root+"/.claude/exchange.json", `{"name": "harbour"}`)
		tied := 0
		for _, id := range p.handoffs(root, each) {
			if movedAtOnce(t, p, root, id) {
				tied++
			}
		}
		listed := p.exchange(root, "handoff", "list", "--all")
		is.Equal(len(lines(listed.Stdout, "problem   ")), tied) // each tie is reported, and nothing else
		is.Equal(listed.Code != 0, tied > 0)                    // exit code
		is.Equal(len(p.names(root+"/.claude/exchange/handoffs")), 2*each)
		ties += tied
	}
	t.Logf("%d of %d pairs tied", ties, roots*each)
}

// movedAtOnce accepts and closes a handoff at once, checks what is left, and
// reports a tie.
func movedAtOnce(t *testing.T, p place, root, id string) bool {
	t.Helper()
	is := is.New(t)
	var wg sync.WaitGroup
	said := map[string]*outcome{"accept": {}, "close": {}}
	for verb, out := range said {
		wg.Go(func() { *out = p.order(root, "exchange", "handoff", verb, id).run() })
	}
	wg.Wait()
	for verb, out := range said {
		if out.Err != "" || out.Code != 0 {
			t.Fatalf("%s %s: exit code %d %s\n%s%s", verb, id, out.Code, out.Err, out.Stdout, out.Stderr)
		}
	}
	dir := root + "/.claude/exchange/handoffs/"
	data, err := os.ReadFile(p.path(dir + id + ".json"))
	is.NoErr(err)
	is.Equal(string(data), fmt.Sprintf(record, id)) // the record is left alone
	var found []string
	for _, name := range p.names(dir + id + ".d") {
		data, err := os.ReadFile(p.path(dir + id + ".d/" + name))
		is.NoErr(err)
		for _, status := range []string{"accepted", "closed"} {
			if strings.Contains(string(data), `"status": "`+status+`"`) {
				found = append(found, name[:4]+" "+status)
			}
		}
	}
	is.Equal(len(found), 2) // a file for each exit 0, nothing else
	slices.Sort(found)
	if slices.Equal(found, []string{"0000 accepted", "0000 closed"}) {
		return true
	}
	oneAfterOther := slices.Equal(found, []string{"0000 accepted", "0001 closed"}) ||
		slices.Equal(found, []string{"0000 closed", "0001 accepted"})
	is.True(oneAfterOther) // neither a tie nor one after the other
	return false
}
