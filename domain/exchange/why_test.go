package exchange_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/jsondoc"
)

const pluginHook = "/plugin/bin/hookd"

// wiredScene is a scene whose client runs the plugin's hook.
func wiredScene(t *testing.T) *scene {
	t.Helper()
	s := newScene(t)
	s.wired[userSettings] = exchange.Settings{Plugins: []string{"changeover@changeover"}}
	s.files.file("/plugin/.claude-plugin/plugin.json", `{"name": "changeover", "version": "1"}`)
	s.files.put(pluginHook, node{mode: 0o755})
	return s
}

// asks is a question about a session; the own one where it names none.
type asks struct {
	*scene
	session, cwd string
	why          exchange.Why
}

func (s *scene) asks() *asks {
	return &asks{scene: s, cwd: root + "/dock", why: exchange.Why{World: s.world()}}
}

func (a *asks) answer(t *testing.T) exchange.WhyReport {
	t.Helper()
	req := exchange.WhyRequest{Cwd: a.cwd}
	if a.session != "" {
		req.Session = &a.session
	}
	a.why.World = a.world()
	r, err := a.why.Explain(req)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// of returns the finding with a cause, about a thing with that id where one is given.
func of(r exchange.WhyReport, cause exchange.Cause, id string) (exchange.Finding, bool) {
	for _, f := range r.Findings {
		if f.Cause == cause && (id == "" || f.ID == id) {
			return f, true
		}
	}
	return exchange.Finding{}, false
}

// left stores a handoff that was posted just now.
func (s *scene) left(id string, from exchange.Sender, to exchange.Address, moves ...exchange.Move) {
	if from.Cwd == "" {
		from.Cwd = root
	}
	s.store.file(exchange.Handoff{ID: id, From: from, To: to, Created: s.now, Body: "body of " + id}, moves...)
}

func TestWhy_NamesTheRule(t *testing.T) {
	for _, tt := range silences {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			a := wiredScene(t).asks()
			tt.make(a)
			r := a.answer(t)
			f, found := of(r, tt.cause, tt.about)
			if !found {
				t.Fatalf("%s is not named:\n%s", tt.cause, strings.Join(r.Lines(), "\n"))
			}
			lines := r.Lines()
			for _, piece := range tt.says {
				if !has(lines, piece) {
					t.Errorf("nothing says %q:\n%s", piece, strings.Join(lines, "\n"))
				}
			}
			is.Equal(r.Faulty(), tt.faulty) // exit code
			is.True(!strings.Contains(f.Says()+f.Do(), "{"))
			is.True(strings.HasPrefix(lines[len(lines)-1], "next      "))
			is.True(!has(lines, "%!"))
			doc := string(jsondoc.Line(r.Document()))
			is.True(strings.Contains(doc, `"cause":"`+string(tt.cause)+`"`))
		})
	}
}

func TestWhy_EveryCauseIsMadeToHappen(t *testing.T) {
	for _, r := range exchange.Readings() {
		if !slices.ContainsFunc(silences, func(x silence) bool { return x.cause == r.Cause }) {
			t.Errorf("no test makes %s happen", r.Cause)
		}
	}
}
