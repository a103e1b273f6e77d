package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// fixture reads a table of testdata/earlier.
func fixture[T any](t *testing.T, name string) T {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "earlier", name))
	if err != nil {
		t.Fatal(err)
	}
	var out T
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func (p place) writeJSON(name string, doc any) {
	p.t.Helper()
	data, err := json.Marshal(doc)
	if err != nil {
		p.t.Fatal(err)
	}
	p.write(name, string(data))
}

// hook sends a payload and returns the text of the answer.
func (p place) hook(event string, payload map[string]any) string {
	p.t.Helper()
	payload["hook_event_name"] = eventName(event)
	data, err := json.Marshal(payload)
	if err != nil {
		p.t.Fatal(err)
	}
	o := p.order(".", "hookd", event)
	o.Input = data
	out := o.run()
	if err := checkAnswer(out, eventName(event)); err != nil || out.Err != "" {
		p.t.Fatalf("hookd %s: %v %s\n%s%s", event, err, out.Err, out.Stdout, out.Stderr)
	}
	if len(out.Stdout) == 0 {
		return ""
	}
	var a answer
	if err := json.Unmarshal(out.Stdout, &a); err != nil {
		p.t.Fatal(err)
	}
	return a.text()
}

// Untrusted text reaches show, list and hook as the table says.
func TestPrintable_Table(t *testing.T) {
	for _, tt := range fixture[[]struct{ In, Out string }](t, "printable.json") {
		t.Run(tt.Out, func(t *testing.T) {
			is := is.New(t)
			p := newPlace(t)
			p.write("harbour/.claude/exchange.json", `{"name": "harbour"}`)
			p.write("harbour/dock/.git/HEAD", "ref: refs/heads/main\n")
			p.writeJSON("harbour/.claude/exchange/sessions/s.json", map[string]any{
				"session_id": "s", "name": "sam", "cwd": "/x", "focus": tt.In, "tickets": []string{tt.In}, "updated_at": "2099-01-01T00:00:00Z",
			})
			p.writeJSON("harbour/.claude/exchange/handoffs/h.json", map[string]any{
				"id": "h", "from": map[string]any{"cwd": "/x", "name": tt.In}, "to": map[string]any{"repo": "dock"},
				"created": "2099-01-01T00:00:00Z", "body": "x",
			})
			show := string(p.exchange("harbour", "show").Stdout)
			is.True(strings.Contains(show, " sam  "+tt.Out+"\n"))         // focus
			is.True(strings.Contains(show, "     tickets: "+tt.Out+"\n")) // list element
			list := string(p.exchange("harbour", "handoff", "list").Stdout)
			is.True(strings.Contains(list, "    to dock, from "+tt.Out+", 2099")) // sender
			hook := p.hook("session-start", map[string]any{"session_id": "z", "cwd": p.path("harbour/dock"), "source": "startup"})
			is.True(strings.Contains(hook, "- h (open) from "+tt.Out+", to dock: x")) // sender in the hook
		})
	}
}

// Scopes are accepted or refused as the table says, by claim and by post.
func TestScope_FaultTable(t *testing.T) {
	type row struct {
		Value string
		Fault *string
	}
	for _, tt := range fixture[[]row](t, "scope-faults.json") {
		for _, flags := range [][]string{
			{"claim", "--session", "s", "--repo"},
			{"claim", "--session", "s", "--path"},
			{"claim", "--session", "s", "--set-path"},
			{"handoff", "post", "--body", "x", "--repo"},
			{"handoff", "post", "--body", "x", "--repo", "dock", "--path"},
		} {
			t.Run(fmt.Sprintf("%s %q", strings.Join(flags, " "), tt.Value), func(t *testing.T) {
				is := is.New(t)
				p := newPlace(t)
				p.write("harbour/.claude/exchange.json", `{"name": "harbour"}`)
				before := tree(p.path("harbour"))
				got := p.exchange("harbour", append(flags, tt.Value)...)
				if tt.Fault == nil {
					is.Equal(got.Code, 0) // exit code
					is.True(tree(p.path("harbour")) != before)
					return
				}
				is.Equal(got.Code, 1) // exit code
				is.Equal(tree(p.path("harbour")), before)
				problems := lines(got.Stdout, "problem: ")
				is.Equal(len(problems), 1)
				is.True(strings.Contains(problems[0], flags[len(flags)-1])) // names the flag
				if points, ok := strings.CutPrefix(*tt.Fault, "invisible:"); ok {
					is.True(strings.Contains(problems[0], points))
					is.True(strings.Contains(problems[0], "cannot hold characters a terminal does not show"))
				}
			})
		}
	}
}

// Handoffs reach a session as the table says.
func TestScope_MatchingTable(t *testing.T) {
	type row struct {
		Case      string
		To        map[string]any
		SessionID *string `json:"session_id"`
		Repos     []string
		Paths     []string
		Match     bool
	}
	for _, tt := range fixture[[]row](t, "scope-matching.json") {
		t.Run(tt.Case, func(t *testing.T) {
			is := is.New(t)
			p := newPlace(t)
			p.write("harbour/.claude/exchange.json", `{"name": "harbour"}`)
			p.writeJSON("harbour/.claude/exchange/handoffs/h.json", map[string]any{
				"id": "h", "from": map[string]any{"cwd": "/x"}, "to": tt.To, "created": "2099-01-01T00:00:00Z", "body": "x",
			})
			payload := map[string]any{"cwd": p.path("harbour"), "source": "startup"}
			if tt.SessionID != nil {
				payload["session_id"] = *tt.SessionID
				p.writeJSON("harbour/.claude/exchange/sessions/"+*tt.SessionID+".json", map[string]any{
					"session_id": *tt.SessionID, "cwd": "/x", "repos": tt.Repos, "paths": tt.Paths, "updated_at": "2099-01-01T00:00:00Z",
				})
			}
			is.Equal(strings.Contains(p.hook("session-start", payload), "\n- h (open) "), tt.Match)
		})
	}
}

// Rows that an earlier client wrote are read as the table says.
func TestRegistry_EarlierRows(t *testing.T) {
	is := is.New(t)
	want := fixture[struct {
		Rows   [][]string
		Unread []string `json:"could_not_be_read"`
	}](t, "registry.expected.json")
	p := newPlace(t)
	p.write("harbour/.claude/exchange.json", `{"name": "harbour"}`)
	s, err := newSessions()
	is.NoErr(err)
	t.Cleanup(s.stop)
	live, err := s.start("any", p.path("harbour"), nil)
	is.NoErr(err)
	dir := filepath.Join("testdata", "earlier", "registry")
	entries, err := os.ReadDir(dir)
	is.NoErr(err)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		is.NoErr(err)
		number := strings.TrimSuffix(e.Name(), ".json")
		text := strings.ReplaceAll(string(data), number, fmt.Sprint(live.pid))
		p.write("home/.claude/sessions/"+e.Name(), text)
	}
	marks := map[string]string{"live": " ", "not live": "!"}
	for _, row := range want.Rows {
		got := p.exchange("harbour", "claim", "--session", row[1], "--focus", "focus of "+row[1])
		is.Equal(got.Code, 0)                                                    // exit code
		is.Equal(lines(got.Stdout, "claimed"), []string{"claimed as " + row[0]}) // found by its id, any kind
	}
	show := string(p.exchange("harbour", "show").Stdout)
	for _, row := range want.Rows {
		is.True(strings.Contains(show, "\n "+marks[row[3]]+" "+row[0]+"  focus of "+row[1]+"\n"))
	}
	is.True(strings.Contains(show, fmt.Sprintf("\nregistry  %d row(s) could not be read: %s\n", len(want.Unread), strings.Join(want.Unread, ", "))))
	hook := p.hook("session-start", map[string]any{"session_id": "z", "cwd": p.path("harbour"), "source": "startup"})
	for _, row := range want.Rows {
		shown := row[2] == "peer" && row[3] == "live"
		is.Equal(strings.Contains(hook, "\n- "+row[0]+": focus of "+row[1]+"\n"), shown) // current claims only
	}
}
