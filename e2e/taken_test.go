package e2e_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/domain/exchange"
)

// always is a clock that stands still and a source of one suffix.
type always struct{}

func (always) Now() time.Time { return time.Date(2026, 3, 1, 10, 15, 0, 0, time.UTC) }

func (always) Hex(n int) (string, error) { return strings.Repeat("0a", n), nil }

const takenID = "20260301T101500Z-0a0a0a"

// A name that exists is never written to, and what it holds is untouched.
func TestPost_TakenID(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	t.Setenv("HOME", p.path("home"))
	t.Setenv("CC_EXCHANGE_ROOT", "")
	p.write("harbour/.claude/exchange.json", `{"name": "harbour"}`)
	world := newWorld(osfs.New())
	world.Clock, world.Random = always{}, always{}
	request := exchange.PostRequest{Cwd: p.path("harbour"), Repo: "dock", Body: "the first"}
	first, err := exchange.Mail{World: world}.Post(request)
	is.NoErr(err)
	is.Equal(first.Handoff.ID, takenID)
	before := tree(p.path("harbour"))
	request.Body = "the second"
	_, err = exchange.Mail{World: world}.Post(request)
	is.True(err != nil)                                                      // refused
	is.True(strings.Contains(err.Error(), takenID+".json already exists; ")) // says why
	is.Equal(tree(p.path("harbour")), before)
}

// An id whose moves are still there is not given to another handoff.
func TestPost_OrphanMoves(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	t.Setenv("HOME", p.path("home"))
	t.Setenv("CC_EXCHANGE_ROOT", "")
	p.write("harbour/.claude/exchange.json", `{"name": "harbour"}`)
	p.write("harbour/.claude/exchange/handoffs/"+takenID+".d/0000-1aaaaa.json", `{"at": "2026-03-01T10:00:00Z", "status": "closed", "after": 0}`)
	world := newWorld(osfs.New())
	world.Clock, world.Random = always{}, always{}
	before := tree(p.path("harbour"))
	_, err := exchange.Mail{World: world}.Post(exchange.PostRequest{Cwd: p.path("harbour"), Repo: "dock", Body: "x"})
	is.True(err != nil)                                  // refused
	is.True(strings.Contains(err.Error(), takenID+".d")) // says why
	is.Equal(tree(p.path("harbour")), before)
	listed := p.exchange("harbour", "handoff", "list", "--all")
	is.Equal(listed.Code, 0)                                   // exit code
	is.True(!strings.Contains(string(listed.Stdout), takenID)) // list is silent
	doctor := p.exchange("harbour", "doctor")
	is.Equal(doctor.Code, 1)                                                 // exit code
	is.True(strings.Contains(string(doctor.Stdout), "1 move(s)"))            // doctor counts
	is.True(strings.Contains(string(doctor.Stdout), "posted under that id")) // and says what it means
}

// A post moves at most 200 old handoffs on its way, tidy all of them.
func TestPost_TidiesAtMost200(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	p.write("harbour/.claude/exchange.json", `{"name": "harbour"}`)
	p.mkdir("harbour/dock")
	for _, id := range p.handoffs("harbour", 250) {
		p.write("harbour/.claude/exchange/handoffs/"+id+".d/0000-1aaaaa.json", `{"at": "2026-03-01T10:00:00Z", "status": "closed", "after": 0}`)
	}
	is.Equal(p.exchange("harbour", "handoff", "post", "--repo", "dock", "--body", "x").Code, 0) // exit code
	is.Equal(len(p.names("harbour/.claude/exchange/handoffs")), 2*50+1)
	is.Equal(len(p.names("harbour/.claude/exchange/archive/2026")), 2*200)
	is.Equal(p.exchange("harbour", "tidy", "--apply").Code, 0) // exit code
	is.Equal(len(p.names("harbour/.claude/exchange/handoffs")), 1)
	is.Equal(len(p.names("harbour/.claude/exchange/archive/2026")), 2*250)
	archived := p.exchange("harbour", "handoff", "list", "--archived", "--json")
	is.Equal(archived.Code, 0) // exit code
	is.Equal(strings.Count(string(archived.Stdout), `"id": "h`), 250)
}

// Two runs of tidy at once move each handoff once, and neither complains.
func TestTidy_TwoAtOnce(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	p.write("harbour/.claude/exchange.json", `{"name": "harbour"}`)
	for _, id := range p.handoffs("harbour", 300) {
		p.write("harbour/.claude/exchange/handoffs/"+id+".d/0000-1aaaaa.json", `{"at": "2026-03-01T10:00:00Z", "status": "closed", "after": 0}`)
	}
	const runs = 3
	results := make(chan outcome, runs)
	for range runs {
		go func() { results <- p.order("harbour", "exchange", "tidy", "--apply").run() }()
	}
	for range runs {
		out := <-results
		is.Equal(out.Err, "")
		is.Equal(out.Code, 0) // exit code
		is.Equal(len(lines(out.Stdout, "problem")), 0)
	}
	entries, err := os.ReadDir(p.path("harbour/.claude/exchange/handoffs"))
	is.NoErr(err)
	is.Equal(len(entries), 0)
	is.Equal(len(p.names("harbour/.claude/exchange/archive/2026")), 2*300)
}
