package codexreg_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/codexreg"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/session"
)

// Two threads that began on 30 November 2026 at 18:16 UTC, and one whose id does not
// tell.
const (
	threadA = "01a22dac-2cc6-7e81-8bd2-ec8efe8bd682"
	threadB = "01a22daf-00e0-7231-9042-efab39ad881b"
	threadC = "9c1e5b0a-2222-4333-8444-555566667777"
)

// holdVariable names the lock that a second process of this test holds.
const holdVariable = "CODEXREG_TEST_HOLD"

func TestMain(m *testing.M) {
	path := os.Getenv(holdVariable)
	if path == "" {
		os.Exit(m.Run())
	}
	fmt.Println(lockFile(path))
	_, _ = bufio.NewReader(os.Stdin).ReadByte() // until the parent has seen enough
}

// lockFile locks a file as Codex does, until this process ends.
func lockFile(path string) error {
	fd, err := syscall.Open(path, syscall.O_RDWR|syscall.O_CREAT|syscall.O_CLOEXEC, 0o644)
	if err != nil {
		return err
	}
	return syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB)
}

// codex is a home of Codex.
type codex struct {
	t   *testing.T
	dir string
}

func newCodex(t *testing.T) codex {
	t.Helper()
	c := codex{t: t, dir: t.TempDir()}
	c.write("thread-writer-locks/.coordination.lock", "")
	return c
}

func (c codex) at(name string) string { return filepath.Join(c.dir, filepath.FromSlash(name)) }

func (c codex) write(name, content string) {
	c.t.Helper()
	if err := os.MkdirAll(filepath.Dir(c.at(name)), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(c.at(name), []byte(content), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

func lockName(thread string) string { return "thread-writer-locks/" + thread + ".lock" }

func rolloutName(day, thread string) string {
	return fmt.Sprintf("sessions/%s/rollout-%sT18-16-28-%s.jsonl", day, strings.ReplaceAll(day, "/", "-"), thread)
}

// rollout writes a thread's rollout as Codex begins it.
func (c codex) rollout(day, thread, cwd string) {
	c.t.Helper()
	c.write(rolloutName(day, thread), fmt.Sprintf(
		`{"timestamp":"2026-11-30T18:16:28.176Z","ordinal":0,"type":"session_meta","payload":{"session_id":%q,"id":%q,"cwd":%q,`+
			`"originator":"codex_exec","cli_version":"0.171.0","source":"exec","thread_source":"user","base_instructions":{"text":%q}}}`+"\n"+
			`{"type":"turn_context"}`+"\n", thread, thread, cwd, strings.Repeat("You are careful. ", 6000)))
}

// hold has another process lock a thread, and returns it.
func (c codex) hold(thread string) *exec.Cmd {
	c.t.Helper()
	is := is.New(c.t)
	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), holdVariable+"="+c.at(lockName(thread)))
	_, err := other.StdinPipe()
	is.NoErr(err)
	out, err := other.StdoutPipe()
	is.NoErr(err)
	is.NoErr(other.Start())
	c.t.Cleanup(func() {
		_ = other.Process.Kill()
		_ = other.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	is.NoErr(err)
	is.Equal(line, "<nil>\n")
	return other
}

func (c codex) registry(inside ...string) codexreg.Registry {
	return codexreg.New(osfs.New(), c.dir, inside...)
}

func (c codex) listing(inside ...string) session.Listing {
	c.t.Helper()
	listing, err := c.registry(inside...).Sessions()
	if err != nil {
		c.t.Fatal(err)
	}
	return listing
}

func wantRows(t *testing.T, got session.Listing, want ...session.Row) {
	t.Helper()
	if diff := cmp.Diff(want, got.Rows, cmpopts.IgnoreFields(session.Row{}, "StartedAt"), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// rowOf is the row of a thread that a process holds. Where the system does not tell
// which process, it has none.
func rowOf(thread, cwd string, holder *exec.Cmd) session.Row {
	row := session.Row{File: thread + ".lock", SessionID: thread, Name: "codex-" + thread[:8], Cwd: cwd, Held: true}
	if runtime.GOOS == "linux" {
		row.PID = holder.Process.Pid
	}
	return row
}

// Row of section 16: a held and a left-over lock.
func TestSessions_ListsTheThreadsWhoseLockIsHeld(t *testing.T) {
	is := is.New(t)
	c := newCodex(t)
	c.rollout("2026/11/30", threadA, "/harbour/dock")
	c.rollout("2026/11/30", threadB, "/harbour/cranes")
	c.write(lockName(threadB), "") // left over
	holder := c.hold(threadA)
	before := time.Now().Add(-time.Minute)

	listing := c.listing("x", "y")
	wantRows(t, listing, rowOf(threadA, "/harbour/dock", holder))
	is.Equal(len(listing.Unread), 0)
	is.Equal(listing.Inside, []string{"x", "y"})
	is.True(listing.Rows[0].StartedAt.After(before)) // when the lock was made

	is.NoErr(holder.Process.Kill()) // the file stays
	_ = holder.Wait()
	wantRows(t, c.listing())
}

func TestSessions_TakesNoLock(t *testing.T) {
	is := is.New(t)
	c := newCodex(t)
	c.write(lockName(threadB), "")
	wantRows(t, c.listing())
	is.NoErr(lockFile(c.at(lockName(threadB)))) // nobody holds it now
	is.Equal(len(c.listing().Rows), 1)
}

func TestSessions_NoHomeIsNothing(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	for _, home := range []string{filepath.Join(dir, "gone"), dir} {
		listing, err := codexreg.New(osfs.New(), home).Sessions()
		is.NoErr(err)
		is.Equal(len(listing.Rows)+len(listing.Unread), 0)
	}
}

func TestSessions_CouldNotLookIsAnError(t *testing.T) {
	is := is.New(t)
	c := codex{t: t, dir: t.TempDir()}
	c.write("thread-writer-locks", "a file")
	_, err := c.registry().Sessions()
	is.True(err != nil)
	_, err = codexreg.New(osfs.New(), "").Sessions()
	is.True(errors.Is(err, port.ErrNoHome))
}

func TestSessions_FindsTheRolloutOfAnotherDay(t *testing.T) {
	c := newCodex(t)
	for i := range 20 { // days after it
		c.rollout(fmt.Sprintf("2026/12/%02d", i+1), "01a29000-0000-7000-8000-0000000000"+fmt.Sprintf("%02d", i), "/elsewhere")
	}
	// The directory is named in local time: here it is a day behind.
	c.rollout("2026/11/29", threadA, "/harbour/dock")
	c.rollout("2026/12/18", threadC, "/harbour/cranes")
	c.write("sessions/notes.txt", "not a year")
	a, other := c.hold(threadA), c.hold(threadC)
	wantRows(t, c.listing(), rowOf(threadA, "/harbour/dock", a), rowOf(threadC, "/harbour/cranes", other))
}

func TestSessions_AThreadBeforeItsFirstPromptHasNoDirectory(t *testing.T) {
	is := is.New(t)
	c := newCodex(t)
	holder := c.hold(threadA)
	for _, begun := range []string{"", `{"type":"session_meta","payl`} {
		if begun != "" {
			c.write(rolloutName("2026/11/30", threadA), begun)
		}
		listing := c.listing()
		wantRows(t, listing, rowOf(threadA, "", holder))
		is.Equal(len(listing.Unread), 0)
	}
}

func TestSessions_AnUnreadableRolloutIsNamed(t *testing.T) {
	day := "2026/11/30"
	for name, spoil := range map[string]func(c codex){
		"no JSON":          func(c codex) { c.write(rolloutName(day, threadA), "rollout\n") },
		"something else":   func(c codex) { c.write(rolloutName(day, threadA), `{"type":"turn_context"}`+"\n") },
		"no end of a line": func(c codex) { c.write(rolloutName(day, threadA), strings.Repeat("x", 2<<20)) },
		"a directory":      func(c codex) { c.write(rolloutName(day, threadA)+"/x", "") },
		"a link": func(c codex) {
			c.write("sessions/"+day+"/x", "")
			if err := os.Symlink(c.at("sessions/"+day+"/x"), c.at(rolloutName(day, threadA))); err != nil {
				c.t.Fatal(err)
			}
		},
		"a day that is no directory": func(c codex) { c.write("sessions/"+day, "") },
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			c := newCodex(t)
			holder := c.hold(threadA)
			spoil(c)
			listing := c.listing()
			wantRows(t, listing, rowOf(threadA, "", holder)) // it lives all the same
			is.Equal(listing.Unread, []string{threadA + ".lock"})
		})
	}
}

func TestSessions_PassesOverWhatIsNoThread(t *testing.T) {
	is := is.New(t)
	c := newCodex(t)
	for _, name := range []string{"x y", ".hidden", ""} {
		c.hold(name)
	}
	c.write("thread-writer-locks/note.txt", "")
	is.NoErr(os.Mkdir(c.at(lockName("directory")), 0o755))
	is.NoErr(syscall.Mkfifo(c.at(lockName("fifo")), 0o600)) // nobody waits for its other end
	listing := c.listing()
	wantRows(t, listing)
	is.Equal(len(listing.Unread), 0)
}

func TestSessions_ASubAgentsThreadIsNoSession(t *testing.T) {
	c := newCodex(t)
	c.write(rolloutName("2026/11/30", threadA),
		`{"type":"session_meta","payload":{"session_id":"`+threadB+`","id":"`+threadA+`","cwd":"/x","source":{"subagent":{"thread_spawn":{}}}}}`+"\n")
	c.write(rolloutName("2026/11/30", threadB),
		`{"type":"session_meta","payload":{"id":"`+threadB+`","cwd":"/x","source":"exec","thread_source":"subagent"}}`+"\n")
	c.hold(threadA)
	c.hold(threadB)
	wantRows(t, c.listing())
}
