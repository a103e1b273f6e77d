package exchange_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/session"
)

func watch(s *scene, cwd string) exchange.WatchReport {
	return exchange.Watcher{World: s.world()}.Look(cwd)
}

// whoIs lists the sessions of a report.
func whoIs(r exchange.WatchReport) []string {
	ids := []string{}
	for _, s := range r.Sessions {
		ids = append(ids, s.SessionID)
	}
	return ids
}

// markOther marks a second root with a session in it.
func (s *scene) markOther() {
	s.files.dir("/elsewhere/.claude")
	s.files.file(exchange.MarkerPath("/elsewhere"), `{"name":"other"}`)
	s.join(session.Row{SessionID: "other-1", PID: 400, Name: "other", Cwd: "/elsewhere"})
}

func TestWatch_ShowsWhoWorksWhere(t *testing.T) {
	is := is.New(t)
	s := crowd(t)
	s.markOther()
	r := watch(s, root+"/dock")
	if diff := cmp.Diff([]string{"crane-1", "me-1", "other-1", "nobody-1"}, whoIs(r)); diff != "" { // by name; neither jobs nor scripted runs
		t.Error(diff)
	}
	is.Equal(r.Sessions[1].Root, root)
	is.True(r.Sessions[1].Own)
	is.Equal(r.Sessions[2].Root, "/elsewhere")
	is.True(!r.Sessions[2].Own)
}

func TestWatch_BeginsWithTheRootThatWasAskedAbout(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.markOther()
	roots := func(cwd string) (names []string) {
		for _, w := range watch(s, cwd).Roots {
			names = append(names, w.Name())
		}
		return names
	}
	is.Equal(roots(root), []string{"harbour", "other"})
	is.Equal(roots("/elsewhere"), []string{"other", "harbour"})
}

// The override holds for every session, as it does for the hooks that inherit it.
func TestWatch_UnderAnOverrideThereIsOneRoot(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.markOther()
	s.env["CC_EXCHANGE_ROOT"] = root
	r := watch(s, "/elsewhere")
	is.Equal(len(r.Roots), 1)
	is.Equal(r.Roots[0].Root(), root)
}

func TestWatch_CountsAScriptedRunWhereTheMarkerSaysSo(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.join(session.Row{SessionID: "script-1", PID: 302, Entrypoint: "sdk-cli", Cwd: root})
	is.Equal(whoIs(watch(s, root)), []string{myID})
	s.mark(`{"name":"harbour","scripted":true}`)
	is.Equal(whoIs(watch(s, root)), []string{myID, "script-1"})
}

func TestWatch_TellsEachClaimWithWhomItMeets(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.peer("crane-1", "crane", "dock")
	s.claim(exchange.Claim{SessionID: myID, Name: "me", Repos: []string{"dock"}, Paths: []string{"winch"}})
	s.claim(exchange.Claim{SessionID: "crane-1", Name: "crane", Repos: []string{"dock"}, Paths: []string{"winch/drum"}})
	s.claim(exchange.Claim{SessionID: "gone-1", Name: "ghost"})
	claims := watch(s, root).Roots[0].Claims
	standings := map[string]string{}
	for _, c := range claims {
		standings[c.SessionID] = c.Standing
	}
	is.Equal(standings, map[string]string{myID: "live", "crane-1": "live", "gone-1": "gone"})
	is.Equal(claims[0].Overlaps, []exchange.Overlap{{SessionID: myID, Label: "me", Paths: []string{"winch/drum"}}})
}

// "Could not look" is never "nobody is here".
func TestWatch_SaysWhatItCouldNotLookAt(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.rowsFault = errors.New("no such disk")
	s.rows = nil
	r := watch(s, root)
	is.True(strings.Contains(r.RegistryErr.Error(), "no such disk"))
	is.Equal(len(r.Problems()), 1) // once, though each root says it
	is.Equal(len(r.Roots), 1)

	s = newScene(t)
	s.markOther()
	s.openFault = errors.New("not to be opened")
	r = watch(s, root)
	is.True(has(r.Problems(), "not to be opened"))
	is.True(has(r.Problems(), "/elsewhere: ", "not to be opened"))
}

// Outside of a root too a script learns that there are more than could be read.
func TestWatch_CountsTheRowsThatCouldNotBeRead(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.rows, s.unread = nil, []string{"5.json"}
	r := watch(s, "/elsewhere")
	is.Equal(len(r.Roots), 0)
	registry, _ := r.Document().Find("registry")
	if diff := cmp.Diff(jsondoc.Object{{Key: "unread", Value: 1}, {Key: "files", Value: []string{"5.json"}}}, registry); diff != "" {
		t.Error(diff)
	}
}

func TestWatch_WithoutARootShowsTheSessionsAllTheSame(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	r := watch(s, "/elsewhere")
	is.True(strings.Contains(r.Here.Error(), "no environment root here or above"))
	is.Equal(whoIs(r), []string{myID})
	is.Equal(len(r.Roots), 1) // that of the session
}

func TestWatch_DocumentHoldsThoseOfShowAndList(t *testing.T) {
	s := crowd(t)
	r := watch(s, root+"/dock")
	var at struct{ show, list any }
	for _, m := range r.Document() {
		if m.Key == "roots" {
			roots, _ := m.Value.([]jsondoc.Object)
			at.show, at.list = roots[0][0].Value, roots[0][1].Value
		}
	}
	list, err := exchange.Reader{World: s.world()}.List(exchange.ListRequest{Cwd: root})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(any(show(t, s).Document()), at.show); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(any(list.Document()), at.list); diff != "" {
		t.Error(diff)
	}
}
