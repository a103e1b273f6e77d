package exchangekills_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/adapters/toll"
	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/session"
)

// unread are the reasons for which something is not read.
func unread() map[string]error {
	return map[string]error{"a read fails: EIO": syscall.EIO, "a read fails: EACCES": syscall.EACCES}
}

// blind is the real file system but for one call that reads.
func blind(why error, at int) *porttest.Blind {
	return porttest.NewBlind(osfs.New(), at, why)
}

// TestVerbs_ReadsThatFail has each call by which a verb reads fail. What holds of calls
// that write holds of it too: nothing that could not be read is taken for missing.
func TestVerbs_ReadsThatFail(t *testing.T) {
	for _, v := range verbs() {
		t.Run(v.name, func(t *testing.T) {
			for fault, why := range unread() {
				for at := 1; ; at++ {
					g := newGround(t)
					v.prepare(g)
					before := g.look()
					files := blind(why, at)
					err := v.run(g, g.worldOn(files, v.pid))
					if files.Failed() == "" {
						break
					}
					v.judges(t, g, before, err, fault, g.short(files.Failed()))
				}
			}
		})
	}
	check(t)
}

// short is a text without the directory of the ground.
func (g *ground) short(text string) string { return strings.ReplaceAll(text, g.root, "ROOT") }

// views are the verbs that only tell what is there.
func views() map[string]func(g *ground, w exchange.World) (string, error) {
	return map[string]func(g *ground, w exchange.World) (string, error){
		"list": func(g *ground, w exchange.World) (string, error) {
			r, err := exchange.Reader{World: w}.List(exchange.ListRequest{Cwd: g.root, All: true})
			return strings.Join(r.Lines(), "\n"), err
		},
		"list of the archive": func(g *ground, w exchange.World) (string, error) {
			r, err := exchange.Reader{World: w}.List(exchange.ListRequest{Cwd: g.root, All: true, Archived: true})
			return strings.Join(r.Lines(), "\n"), err
		},
		"show": func(g *ground, w exchange.World) (string, error) {
			r, err := exchange.Viewer{World: w}.Show(g.root)
			return strings.Join(r.Lines(), "\n"), err
		},
		"handoff show": func(g *ground, w exchange.World) (string, error) {
			r, err := exchange.Reader{World: w}.Show(g.root, g.theID())
			return strings.Join(r.Lines(), "\n"), err
		},
	}
}

// A verb that only tells what is there says so where it could not look: it fails, it
// says all the same, or it says what stands in the way beside it.
func TestViews_ReadsThatFail(t *testing.T) {
	for name, view := range views() {
		for fault, why := range unread() {
			for at := 1; ; at++ {
				g := newGround(t)
				g.posted()
				if err := g.claims(g.sound(readerPID)); err != nil {
					t.Fatal(err)
				}
				whole, err := view(g, g.sound(senderPID))
				if err != nil {
					t.Fatal(err)
				}
				g.now = g.now.Add(-1)
				files := blind(why, at)
				said, err := view(g, g.worldOn(files, senderPID))
				if files.Failed() == "" {
					break
				}
				c := toll.Counts{Tries: 1, Hit: 1}
				if err == nil && !saysAll(said, whole) && !strings.Contains(said, "could not") && !strings.Contains(said, "problem") {
					c.Lost++
				}
				verb{name: name}.counted(t, fault, c, g.short(fmt.Sprintf("%s at %s: %v\n%s\nof\n%s", name, files.Failed(), err, said, whole)))
			}
		}
	}
	check(t)
}

// saysAll says whether an answer has every line of the whole one.
func saysAll(said, whole string) bool {
	for line := range strings.Lines(whole) {
		if !strings.Contains(said, strings.TrimSpace(line)) {
			return false
		}
	}
	return true
}

// ofRepo reports a look for the repository that the session is in: a hook that cannot
// tell which it is says nothing of it, and the next prompt shows what is for it.
func (g *ground) ofRepo(call string) bool {
	_, path, _ := strings.Cut(g.short(call), " ")
	return path == "ROOT/"+repo || path == "ROOT/"+repo+"/.git"
}

// TestHooks_ReadsThatFail has each call by which a hook reads fail. It shows what waits
// then or by the next prompt, and where it does not it says why.
func TestHooks_ReadsThatFail(t *testing.T) {
	for _, event := range shows {
		for fault, why := range unread() {
			for at := 1; ; at++ {
				g := newGround(t)
				if event == session.UserPromptSubmit {
					g.hook(g.sound(readerPID), session.SessionStart)
				}
				g.posted()
				files := blind(why, at)
				first := g.hook(g.worldOn(files, readerPID), event)
				if files.Failed() == "" {
					break
				}
				if first == "" && !g.ofRepo(files.Failed()) {
					verb{name: "hook " + event}.counted(t, fault, toll.Counts{Lost: 1}, "it says nothing: "+g.short(files.Failed()))
				}
				g.counts(t, event, fault, g.short(files.Failed()+"\n"+first))
			}
		}
	}
	check(t)
}
