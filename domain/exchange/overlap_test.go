package exchange_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/session"
)

// side is what one of two sessions claims, and where it stands.
type side struct {
	cwd          string
	repos, paths []string
}

// together is a scene in which the own session and another one, crane, hold claims.
func together(t *testing.T, mine, theirs side) *scene {
	t.Helper()
	s := newScene(t)
	s.peer("crane-1", "crane", "cranes")
	s.peer("buoy-1", "buoy", "notes")
	s.claim(exchange.Claim{SessionID: myID, Name: "me", Cwd: mine.cwd, Repos: mine.repos, Paths: mine.paths})
	s.claim(exchange.Claim{SessionID: "crane-1", Name: "crane", Focus: "winch", Cwd: theirs.cwd, Repos: theirs.repos, Paths: theirs.paths})
	s.claim(exchange.Claim{SessionID: "buoy-1", Name: "buoy", Focus: "paint", Repos: []string{"buoys"}, Paths: []string{"src"}})
	return s
}

// D27: what overlaps, by hand from 7.3.
func TestOverlap_InShowAndAtStart(t *testing.T) {
	dock := root + "/dock" // a repo
	for _, tt := range []struct {
		name         string
		mine, theirs side
		want         string // the paths; empty for none
	}{
		{"one path inside the other", side{dock, nil, []string{"src"}}, side{root, []string{"dock"}, []string{"src/parse/x.go"}}, "src/parse/x.go"},
		{"the other way round", side{dock, nil, []string{"src/parse/x.go"}}, side{root, []string{"dock"}, []string{"src"}}, "src/parse/x.go"},
		{"odd spelling, whole components only", side{root, []string{"./dock/"}, []string{"./src//a/", "srcs"}}, side{dock, nil, []string{"src/a", "src/b"}}, "src/a"},
		{"each pair once, sorted", side{dock, nil, []string{"b", "a"}}, side{dock, nil, []string{"a/2", "b", "a/1"}}, "a/1, a/2, b"},
		{"the whole root of a repo", side{dock, nil, []string{"."}}, side{dock, nil, []string{"a", "."}}, "., a"},
		{"another repo", side{dock, nil, []string{"src"}}, side{root + "/cranes", nil, []string{"src"}}, ""},
		{"no repo at all", side{root, nil, []string{"src"}}, side{root, nil, []string{"src"}}, ""},
		{"one without paths", side{dock, nil, []string{"src"}}, side{dock, nil, nil}, ""},
		{"itself without paths", side{dock, nil, nil}, side{dock, nil, []string{"src"}}, ""},
		{"paths that only begin alike", side{dock, nil, []string{"src"}}, side{dock, nil, []string{"srcs/a"}}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := together(t, tt.mine, tt.theirs)
			shown := strings.Join(show(t, s).Lines(), "\n")
			is.Equal(strings.Contains(shown, "overlaps buoy"), false)
			if tt.want == "" {
				is.True(!strings.Contains(shown, "overlaps"))
			} else {
				is.True(strings.Contains(shown, "\n     overlaps crane: "+tt.want+"\n")) // under the own claim
				is.True(strings.Contains(shown, "\n     overlaps me: "+tt.want+"\n"))    // and under the other one
			}
			is.True(!show(t, s).Faulty())

			lines := s.answer(session.Event{Name: session.SessionStart, SessionID: myID, Source: "resume"}, tt.mine.cwd)
			is.Equal(lines[0], mark+"2 other session(s) under harbour:")
			if tt.want == "" {
				is.Equal(lines[1], "- buoy: paint") // file order
				is.True(!strings.Contains(strings.Join(lines, "\n"), "overlaps"))
				return
			}
			is.Equal(lines[1:3], []string{"- crane: winch", "  overlaps: " + tt.want}) // first, and its first line
		})
	}
}

func TestOverlap_OfWhoIsGoneIsNone(t *testing.T) {
	is := is.New(t)
	s := together(t, side{root + "/dock", nil, []string{"src"}}, side{root + "/dock", nil, []string{"src"}})
	delete(s.processes, s.rows[1].PID)
	is.True(!strings.Contains(strings.Join(show(t, s).Lines(), "\n"), "overlaps"))
	is.True(!strings.Contains(strings.Join(s.start("resume"), "\n"), "overlaps"))
}

func TestOverlap_IsCappedAndStripped(t *testing.T) {
	is := is.New(t)
	s := together(t, side{root + "/dock", nil, []string{"."}}, side{root + "/dock", nil, []string{"b\x1b[31m", "c", "a"}})
	s.mark(`{"name":"harbour","max_hot_paths":2}`)
	is.Equal(s.start("resume")[2], "  overlaps: a, b[31m, +1 more")
}

func TestOverlap_Document(t *testing.T) {
	is := is.New(t)
	s := together(t, side{root + "/dock", nil, []string{"src"}}, side{root + "/dock", nil, []string{"src/a"}})
	value, err := jsondoc.Decode(jsondoc.Shown(show(t, s).Document()))
	is.NoErr(err)
	doc, ok := value.(map[string]any)
	is.True(ok)
	claims, ok := doc["claims"].([]any)
	is.True(ok)
	var met []any
	for _, claim := range claims {
		members, ok := claim.(map[string]any)
		is.True(ok)
		met = append(met, members["overlaps"])
	}
	want := []any{ // buoy, crane, me
		[]any{},
		[]any{map[string]any{"session_id": myID, "name": "me", "paths": []any{"src/a"}}},
		[]any{map[string]any{"session_id": "crane-1", "name": "crane", "paths": []any{"src/a"}}},
	}
	if diff := cmp.Diff(want, met); diff != "" {
		t.Error(diff)
	}
}

// Every pair by the rule of 7.3, and the longer spelling of each that overlaps.
func TestOverlap_ManyPathsAgreeWithTheRule(t *testing.T) {
	dock := root + "/dock"
	rapid.Check(t, func(rt *rapid.T) {
		path := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "ab", ".", ""}), 1, 4)
		draw := func(label string) (paths []string) {
			for _, parts := range rapid.SliceOfN(path, 1, 6).Draw(rt, label) {
				paths = append(paths, strings.TrimLeft(strings.Join(parts, "/")+"/.", "/"))
			}
			return paths
		}
		mine, theirs := draw("mine"), draw("theirs")
		want := map[string]bool{}
		for _, left := range mine {
			for _, right := range theirs {
				l, r := plain(left), plain(right)
				if long := max(l, r); strings.HasPrefix(long, min(l, r)) { // each ends with a slash
					want[long] = true
				}
			}
		}
		s := together(t, side{dock, nil, mine}, side{dock, nil, theirs})
		s.mark(`{"name":"harbour","max_hot_paths":99}`)
		got := map[string]bool{}
		for _, line := range show(t, s).Lines() {
			if _, paths, ok := strings.Cut(line, "overlaps crane: "); ok {
				for p := range strings.SplitSeq(paths, ", ") {
					got[plain(p)] = true
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatal(diff)
		}
	})
}

// plain spells a path with a slash after each of its components, by hand.
func plain(path string) string {
	spelled := ""
	for part := range strings.SplitSeq(path, "/") {
		if part != "" && part != "." {
			spelled += part + "/"
		}
	}
	return spelled
}

// Two long lists are not taken apart once for each pair.
func TestOverlap_OfLongListsIsCheap(t *testing.T) {
	is := is.New(t)
	var mine, theirs []string
	for i := range 300 {
		mine, theirs = append(mine, fmt.Sprintf("a/%d", i)), append(theirs, fmt.Sprintf("b/%d", i))
	}
	s := together(t, side{root + "/dock", nil, mine}, side{root + "/dock", nil, theirs})
	is.True(testing.AllocsPerRun(1, func() { show(t, s).Lines() }) < 20_000) // of 90,000 pairs
}

// An overlap of which nobody took the text is new again.
func TestOverlap_TextThatWasNotTakenIsSaidAgain(t *testing.T) {
	is := is.New(t)
	s := together(t, side{root + "/dock", nil, []string{"src"}}, side{root + "/dock", nil, []string{"src"}})
	h := exchange.Hook{World: s.world()}
	e := session.Event{Name: session.UserPromptSubmit}
	for range 2 {
		r := s.reply(e)
		is.True(has(r.Lines, "crane works on the same paths"))
		is.True(h.HandedOver(r, false) != nil)
	}
	r := s.reply(session.Event{Name: session.SessionStart, Source: "resume"})
	is.True(has(r.Lines, "  overlaps: src"))
	is.True(h.HandedOver(r, false) != nil)
	is.True(has(s.prompt(), "crane works on the same paths"))
	is.Equal(s.prompt(), nil)
}

// What the budget cuts from a start is said by the next prompt.
func TestOverlap_WhatAStartCutsComesWithThePrompt(t *testing.T) {
	is := is.New(t)
	s := together(t, side{root + "/dock", nil, []string{"src"}}, side{root + "/dock", nil, []string{"src"}})
	s.mark(`{"name":"harbour","max_focus_chars":900}`)
	for i := range 20 {
		id := fmt.Sprintf("z-%02d", i)
		s.peer(id, id, "dock")
		s.claim(exchange.Claim{SessionID: id, Name: id, Focus: strings.Repeat("x", 800), Cwd: root + "/dock", Paths: []string{"src"}})
	}
	is.True(!has(s.start("resume"), "- z-19"))
	s.now = s.now.Add(time.Minute)
	is.True(has(s.prompt(), "z-19 works on the same paths"))
	is.Equal(s.prompt(), nil)
}

// D30.
func TestBranch_SwitchedUnderASession(t *testing.T) {
	dock := root + "/dock"
	for _, tt := range []struct {
		name   string
		source string
		was    string
		peers  []string // directories of the others
		want   string
	}{
		{"by another session in the same tree", "resume", "old", []string{"dock/inside"}, "branch changed from old to main: p0 works in the same tree"},
		{"after /clear", "clear", "old", []string{"dock"}, "branch changed from old to main: p0 works in the same tree"},
		{"by one of several", "compact", "old", []string{"dock", "cranes", "dock/inside"}, "branch changed from old to main: p0 and 1 more work in the same tree"},
		{"from none", "resume", "", []string{"dock"}, "branch changed from no branch to main: p0 works in the same tree"},
		{"with nobody else in the tree", "resume", "old", []string{"cranes"}, ""},
		{"not at all", "resume", "main", []string{"dock"}, ""},
		{"before the session was started anew", "startup", "old", []string{"dock"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.files.dir(dock + "/inside")
			for i, dir := range tt.peers {
				s.peer(fmt.Sprintf("p%d", i), "", dir)
			}
			s.claim(exchange.Claim{SessionID: myID, Name: "me", Cwd: dock, GitBranch: tt.was})
			said := strings.Join(s.start(tt.source), "\n")
			is.Equal(strings.Contains(said, "branch changed"), tt.want != "")
			is.True(tt.want == "" || strings.Contains(said, mark+tt.want))
			is.Equal(s.store.claims[myID].GitBranch, "main")                                    // the claim takes it,
			is.True(!strings.Contains(strings.Join(s.start("resume"), "\n"), "branch changed")) // so it is said once
		})
	}
}

// 15.1: new overlaps come at the next prompt, once for each set of paths.
func TestOverlap_AtThePromptOncePerSetOfPaths(t *testing.T) {
	is := is.New(t)
	dock := root + "/dock"
	s := together(t, side{dock, nil, []string{"src"}}, side{dock, nil, []string{"docs"}})
	s.start("startup")
	is.Equal(s.prompt(), nil)

	theirs := s.store.claims["crane-1"]
	theirs.Paths = []string{"src/b", "src/a"}
	s.change(theirs)
	is.Equal(s.prompt(), []string{mark + "crane works on the same paths; overlaps: src/a, src/b"})
	is.Equal(s.prompt(), nil) // once

	theirs.Paths = []string{"src/a", "docs", "src/b"} // the same set
	s.change(theirs)
	is.Equal(s.prompt(), nil)

	theirs.Paths = []string{"src/a"} // another set
	s.change(theirs)
	is.Equal(s.prompt(), []string{mark + "crane works on the same paths; overlaps: src/a"})

	// After /clear the other one has another id, and it is the same overlap.
	theirs.SessionID, theirs.Was = "crane-2", []string{"crane-1"}
	s.join(session.Row{SessionID: "crane-2", PID: 700, Cwd: dock})
	delete(s.store.claims, "crane-1")
	s.change(theirs)
	is.Equal(s.prompt(), nil)

	// What a start shows is not said again at the prompt.
	theirs.Paths = []string{"src/c"}
	s.change(theirs)
	is.True(strings.Contains(strings.Join(s.start("resume"), "\n"), "overlaps: src/c"))
	is.Equal(s.prompt(), nil)
}

func TestBranch_AtThePrompt(t *testing.T) {
	is := is.New(t)
	dock := root + "/dock"
	s := newScene(t)
	s.start("startup")
	is.Equal(s.prompt(), nil)
	s.files.file(dock+"/.git/HEAD", "ref: refs/heads/mine\n") // alone: the session did it itself
	is.Equal(s.prompt(), nil)
	is.Equal(s.store.claims[myID].GitBranch, "mine")

	s.peer("p0", "", "dock")
	is.Equal(s.prompt(), nil) // nobody switched it since
	s.files.file(dock+"/.git/HEAD", "ref: refs/heads/theirs\n")
	is.Equal(s.prompt(), []string{mark + "branch changed from mine to theirs: p0 works in the same tree"})
	is.Equal(s.prompt(), nil) // once
	is.Equal(s.store.claims[myID].GitBranch, "theirs")

	s.mark(`{"name": "harbour", "deliver": "start"}`)
	s.files.file(dock+"/.git/HEAD", "ref: refs/heads/more\n")
	is.Equal(s.prompt(), nil)
}

// change stores another session's claim some minutes later.
func (s *scene) change(c exchange.Claim) {
	s.now = s.now.Add(5 * time.Minute)
	c.UpdatedAt = s.now
	s.store.claims[c.SessionID] = c
	s.store.sight.Sessions = s.now
}
