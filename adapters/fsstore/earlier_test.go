package fsstore_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/claudereg/regtest"
	"github.com/changeover/changeover/adapters/claudesettings"
	"github.com/changeover/changeover/adapters/clock/clocktest"
	"github.com/changeover/changeover/adapters/entropy/entropytest"
	"github.com/changeover/changeover/adapters/fsstore"
	"github.com/changeover/changeover/adapters/graphemes"
	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/adapters/proc/proctest"
	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/port"
)

// expected is what the earlier tool's store must give.
type expected struct {
	Load         [][]string                   `json:"load"`
	LoadProblems []finding                    `json:"load_problems"`
	DoctorExtra  []finding                    `json:"doctor_extra"`
	Moves        map[string]map[string]string `json:"moves"`
}

type finding struct {
	About string `json:"about"`
	Kind  string `json:"kind"`
}

func expectation(t *testing.T) expected {
	t.Helper()
	data, err := os.ReadFile("testdata/store.expected.json")
	ok(t, err)
	var want expected
	ok(t, json.Unmarshal(data, &want))
	return want
}

// earlier is a root with the store of the earlier tool.
func earlier(t *testing.T, h porttest.FSHarness) place {
	t.Helper()
	p := newPlace(t, h)
	dir := filepath.Join("testdata", "store")
	ok(t, filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		p.write(t, string(data), strings.Split(filepath.ToSlash(below), "/")...)
		return nil
	}))
	return p
}

func TestStore_LoadsTheEarlierStore(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		want := expectation(t)
		p := earlier(t, h)
		before := p.tree(t, p.root)
		shelf := p.store(t).Handoffs()
		got := [][]string{}
		for _, item := range shelf.Items {
			got = append(got, []string{item.ID, string(item.Status())})
		}
		if diff := cmp.Diff(want.Load, got); diff != "" {
			t.Errorf("handoffs (-want +got):\n%s", diff)
		}
		problems := shelf.Problems()
		if len(problems) != len(want.LoadProblems) {
			t.Fatalf("got %d problems, want %d:\n%s", len(problems), len(want.LoadProblems), strings.Join(problems, "\n"))
		}
		for i, f := range want.LoadProblems {
			one(t, problems[i:i+1], append(f.says(t), f.About)...)
		}
		same(t, before, p.tree(t, p.root))
	})
}

// says returns what a problem line must hold.
func (f finding) says(t *testing.T) []string {
	t.Helper()
	for pattern, says := range map[string][]string{
		`^invalid: unexpected keys (\w+), (\w+)$`: {"is invalid", "unexpected key"},
		`^disagreeing moves at position (\d+)$`:   {"cannot be worked out"},
		`^unreadable move (\S+)$`:                 {"could not be read"},
		`^holds id (\S+)$`:                        {"holds the id"},
	} {
		if found := regexp.MustCompile(pattern).FindStringSubmatch(f.Kind); found != nil {
			if strings.HasPrefix(f.Kind, "disagreeing") {
				found[1] = "position " + found[1]
			}
			return append(says, found[1:]...)
		}
	}
	t.Fatalf("the fixture has a new kind of problem: %s", f.Kind)
	return nil
}

func TestStore_InspectsTheEarlierStore(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		s := earlier(t, h).store(t)
		var got []finding
		found := s.Inspect()
		for _, old := range found.OldShapes {
			is.Equal(old.Keys, []string{"status", "history"})
			got = append(got, finding{old.File, "old shape, with conversion advice"})
		}
		for _, item := range s.Handoffs().Items {
			if tied := item.Tied(); len(tied) > 0 && len(item.Unread) == 0 {
				got = append(got, finding{item.ID, fmt.Sprintf("frozen at position %d: %s and %s", item.Next()-1, tied[0], tied[1])})
			}
		}
		for _, orphan := range found.Orphans {
			is.True(!orphan.Archived)
			got = append(got, finding{orphan.Dir, fmt.Sprintf("%d move, no record beside it", orphan.Moves)})
		}
		for _, leftover := range found.Leftovers {
			is.Equal(path.Dir(leftover), ".claude/exchange/handoffs")
			got = append(got, finding{path.Base(leftover), "half-written leftover"})
		}
		if diff := cmp.Diff(expectation(t).DoctorExtra, got); diff != "" {
			t.Errorf("findings (-want +got):\n%s", diff)
		}
		is.Equal(len(found.Problems), 0)
	})
}

func TestStore_PendingOfTheEarlierStore(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		s := earlier(t, h).store(t)
		covers(t, s, "20260301T100500Z-aaaa06")
		pending := ids(s.Pending())
		if slices.Contains(pending, "20260301T100100Z-aaaa02 closed") {
			t.Errorf("a plainly closed handoff is pending: %q", pending)
		}
	})
}

// mail makes the verbs that move handoffs, on a made-up machine.
func mail(p place) exchange.Mail {
	machine := proctest.New(100, "")
	machine.Run(100, proctest.Process{Parent: 1})
	return exchange.Mail{World: exchange.World{
		Files:     p.FS,
		Clock:     clocktest.New(noon),
		Random:    &entropytest.Source{},
		Sessions:  regtest.New(),
		Processes: machine,
		Machine:   machine,
		Settings:  claudesettings.New(p.FS),
		Open:      fsstore.NewOpener(p.FS),
		Env:       port.Environment{Lookup: func(string) string { return "" }, Home: "/home/dev"},
		Cutter:    graphemes.NewCutter(),
	}}
}

func TestMail_MovesOfTheEarlierStore(t *testing.T) {
	verbs := map[string]func(m exchange.Mail, cwd, id string) (exchange.MoveReport, error){
		"accept": func(m exchange.Mail, cwd, id string) (exchange.MoveReport, error) {
			return m.Move(exchange.MoveRequest{Cwd: cwd, ID: id, Status: exchange.Accepted})
		},
		"close": func(m exchange.Mail, cwd, id string) (exchange.MoveReport, error) {
			return m.Move(exchange.MoveRequest{Cwd: cwd, ID: id, Status: exchange.Closed})
		},
		"resolve": func(m exchange.Mail, cwd, id string) (exchange.MoveReport, error) {
			return m.Resolve(exchange.MoveRequest{Cwd: cwd, ID: id, Status: exchange.Closed, Note: "agreed"})
		},
	}
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		n := 0
		for id, wants := range expectation(t).Moves {
			for verb, want := range wants {
				n++
				sub := h
				sub.Dir = path.Join(h.Dir, fmt.Sprint(n))
				h.Mkdir(t, sub.Dir)
				t.Run(id+" "+verb, func(t *testing.T) {
					is := is.New(t)
					p := earlier(t, sub)
					before := p.tree(t, p.in("handoffs", id+".d"))
					report, err := verbs[verb](mail(p), p.root, id)
					after := p.tree(t, p.in("handoffs", id+".d"))
					if position, allowed := strings.CutPrefix(want, "allowed at after="); allowed {
						is.NoErr(err)
						is.Equal(fmt.Sprint(report.Position), position)
						is.Equal(len(after), len(before)+1)
						for name := range before {
							delete(after, name)
						}
						for name := range after {
							is.True(regexp.MustCompile(`^000` + position + `-[0-9a-f]{6}\.json$`).MatchString(name))
						}
						return
					}
					is.True(err != nil)
					if _, why, ok := strings.Cut(want, "refused: "); ok {
						is.True(strings.Contains(err.Error(), why))
					}
					same(t, before, after) // nothing is written
				})
			}
		}
	})
}
