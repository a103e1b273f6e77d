package exchange_test

import (
	"os"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
)

// loaded reads the fixture's directory as the specification says: *.json in
// byte order, names of unfinished files passed over.
func loaded(t *testing.T) (shelf exchange.Shelf) {
	t.Helper()
	const dir = "testdata/store/handoffs"
	for _, name := range jsonNames(t, dir) {
		h, err := exchange.ParseHandoff(name, content(t, path.Join(dir, name)))
		if err != nil {
			shelf.Unread = append(shelf.Unread, err.Error())
			continue
		}
		var moves []exchange.Move
		var unread []string
		for _, file := range jsonNames(t, path.Join(dir, h.ID+".d")) {
			m, err := exchange.ParseMove(file, content(t, path.Join(dir, h.ID+".d", file)))
			if err != nil {
				unread = append(unread, h.ID+": "+err.Error())
				continue
			}
			moves = append(moves, m)
		}
		shelf.Items = append(shelf.Items, exchange.NewFiled(name, h, moves, unread))
	}
	return shelf
}

func jsonNames(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".json") && !exchange.IsTemporary(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names
}

func content(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

type storeExpectation struct {
	Load         [][2]string
	LoadProblems []struct{ About, Kind string } `json:"load_problems"`
	Moves        map[string]map[string]string
}

func TestStoreFixture_StatusesInFileOrder(t *testing.T) {
	var want storeExpectation
	fixture(t, "store.expected.json", &want)
	var got [][2]string
	for _, item := range loaded(t).Items {
		got = append(got, [2]string{item.ID, string(item.Status())})
	}
	if diff := cmp.Diff(want.Load, got); diff != "" {
		t.Error(diff)
	}
}

func TestStoreFixture_Problems(t *testing.T) {
	is := is.New(t)
	var want storeExpectation
	fixture(t, "store.expected.json", &want)
	problems := loaded(t).Problems()
	is.Equal(len(problems), len(want.LoadProblems))
	tokens := map[string][]string{
		"20260301T100700Z-aaaa08.json": {"is invalid: ", "unexpected key 'status'", "unexpected key 'history'"},
		"20260301T100200Z-aaaa03":      {"position 0", "accepted", "closed", "cannot be worked out"},
		"20260301T100300Z-aaaa04":      {"position 0", "accepted", "closed", "cannot be worked out"},
		"20260301T100500Z-aaaa06":      {": 0001-2bbbbb.json could not be read: "},
		"20260301T100600Z-bbbb07.json": {"holds the id 20260301T100600Z-aaaa07"},
	}
	for i, expected := range want.LoadProblems {
		is.True(len(tokens[expected.About]) > 0)                // known to this test
		is.True(strings.HasPrefix(problems[i], expected.About)) // in this order
		is.True(has(problems[i:i+1], tokens[expected.About]...))
	}
}

func TestStoreFixture_NextPositions(t *testing.T) {
	want := map[string]int{
		"20260301T100000Z-aaaa01": 0, "20260301T100100Z-aaaa02": 2, "20260301T100200Z-aaaa03": 1,
		"20260301T100300Z-aaaa04": 2, "20260301T100400Z-aaaa05": 1,
	}
	for _, item := range loaded(t).Items {
		if next, ok := want[item.ID]; ok {
			is := is.New(t)
			is.Equal(item.Next(), next)
		}
	}
}

// What may be done to the fixture's handoffs, through the verbs themselves.
func TestStoreFixture_Moves(t *testing.T) {
	var want storeExpectation
	fixture(t, "store.expected.json", &want)
	for id, verbs := range want.Moves {
		for verb, outcome := range verbs {
			t.Run(id+" "+verb, func(t *testing.T) {
				is := is.New(t)
				s := newScene(t)
				for _, item := range loaded(t).Items {
					s.store.shelf[item.File] = item
				}
				mail := exchange.Mail{World: s.world()}
				req := exchange.MoveRequest{Cwd: root, ID: id, Status: exchange.Closed, Note: "why"}
				move := mail.Move
				switch verb {
				case "accept":
					req.Status = exchange.Accepted
				case "resolve":
					move = mail.Resolve
				}
				report, err := move(req)
				position, allowed := strings.CutPrefix(outcome, "allowed at after=")
				is.Equal(err == nil, allowed)
				if allowed {
					is.Equal(position, string(rune('0'+report.Position)))
				}
				if _, reason, ok := strings.Cut(outcome, "refused: "); ok {
					is.True(strings.Contains(err.Error(), reason))
				}
			})
		}
	}
}
