package exchange_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/jsondoc"
)

func examine(s *scene) exchange.DoctorReport {
	return exchange.Doctor{World: s.world(), Fold: fold}.Examine(root + "/dock")
}

// installed is a scene with a whole plugin around the program.
func installed(t *testing.T) *scene {
	t.Helper()
	s := newScene(t)
	s.files.file("/plugin/.claude-plugin/plugin.json", `{"name":"changeover","version":"1.2.3"}`)
	for _, file := range []string{"hooks/hooks.json", "commands/exchange.md", "schemas/" + exchange.SchemaName("handoff")} {
		s.files.file("/plugin/"+file, "{}")
	}
	return s
}

func TestDoctor_AHealthyRoot(t *testing.T) {
	is := is.New(t)
	s := installed(t)
	report := examine(s)
	is.True(!report.Faulty()) // exit 0
	lines := report.Lines()
	is.Equal(lines[0], "plugin    1.2.3, running from /plugin")
	is.Equal(lines[1], "root      /harbour  (by marker)")
	is.Equal(lines[2], "marker    valid, name 'harbour'")
	is.True(has(lines, "legacy    0 script(s) on disk, 0 wiring(s) found"))
	is.True(has(lines, "store     0 fault(s)"))
	is.True(has(lines, "next      nothing outstanding"))
	is.Equal(report.Problems(), []string{})
}

func TestDoctor_ThePluginLineComesFirst(t *testing.T) {
	tests := []struct {
		name, manifest string
		pieces         []string
	}{
		{"missing", "", []string{"version unreadable ("}},
		{"not JSON", "{", []string{"version unreadable ("}},
		{"no version", `{"name":"changeover"}`, []string{"version unreadable ("}},
		{"version of another type", `{"version":1}`, []string{"version unreadable ("}},
		{"not an object", `["1.2.3"]`, []string{"version unreadable ("}},
		{"with escapes", `{"version":"1.\u001b2"}`, []string{"1.2, running from /plugin"}},
	}
	for _, tt := range tests {
		for _, dir := range []string{root + "/dock", "/elsewhere"} {
			t.Run(tt.name+" in "+dir, func(t *testing.T) {
				is := is.New(t)
				s := newScene(t)
				if tt.manifest != "" {
					s.files.file("/plugin/.claude-plugin/plugin.json", tt.manifest)
				}
				report := exchange.Doctor{World: s.world()}.Examine(dir)
				lines := report.Lines()
				is.True(strings.HasPrefix(lines[0], "plugin    "))
				is.True(has(lines[:1], append(tt.pieces, "running from /plugin")...))
				is.True(len(lines) > 1)                        // and it goes on
				is.Equal(report.Faulty(), dir == "/elsewhere") // no fault by itself
				is.Equal(has(lines, "no environment root"), dir == "/elsewhere")
			})
		}
	}
}

func TestDoctor_ThePluginThatRuns(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.env["CLAUDE_PLUGIN_ROOT"] = "/other"
	s.files.file("/other/.claude-plugin/plugin.json", `{"version":"9"}`)
	is.Equal(examine(s).Lines()[0], "plugin    9, running from /other")
}

func TestDoctor_StoreFaultsInOrder(t *testing.T) {
	is := is.New(t)
	s := installed(t)
	s.store.claimProblems = []string{"c.json is invalid: x"}
	s.store.shelfProblems = []string{"h.json is invalid: y"}
	s.handoff("tied", 0, toDock, at(4, exchange.Closed), at(4, exchange.Accepted))
	s.store.inspection = exchange.Inspection{
		OldShapes: []exchange.OldShape{{File: "old.json", Keys: []string{"status", "history"}}},
		Orphans:   []exchange.Orphan{{Dir: "lost.d", ID: "lost", Moves: 2}},
		Leftovers: []string{".claude/exchange/sessions/.tmp-4242-x\x1b.json"},
		Writable:  []string{".claude/exchange"},
		Problems:  []string{"archive could not be listed: z"},
	}
	report := examine(s)
	is.True(report.Faulty()) // exit 1
	lines := report.Lines()
	is.True(has(lines, fmt.Sprintf("store     %d fault(s)", 9)))
	order := [][]string{
		{"store     "},
		{"problem   c.json is invalid: x"},
		{"problem   h.json is invalid: y"},
		{"problem   tied: ", "position 4", "cannot be worked out"},
		{"problem   old.json", "status, history", "old.d/0000-<hex>.json", `"after"`},
		{"problem   tied is frozen at position 4", "accepted, closed", "exchange handoff resolve tied "},
		{"problem   lost.d", "2 move(s)", "posted under that id again"},
		{"problem   .claude/exchange/sessions/.tmp-4242-x.json", "Safe to delete"},
		{"steps"},
	}
	last := -1
	for _, pieces := range order {
		at := lineOf(lines, pieces...)
		is.True(at > last) // in this order
		last = at
	}
	is.True(has(lines, "problem   .claude/exchange may be written to by everybody"))
	is.True(has(lines, "problem   archive could not be listed: z"))
}

// What is frozen and cannot be read besides is not to be resolved yet.
func TestDoctor_FrozenOnlyWhereAllMovesAreReadable(t *testing.T) {
	is := is.New(t)
	s := installed(t)
	s.store.shelf["h.json"] = exchange.NewFiled("h.json", exchange.Handoff{ID: "h"},
		[]exchange.Move{at(0, exchange.Closed), at(0, exchange.Open)}, []string{"h: 0001-x.json could not be read: y"})
	is.True(!has(examine(s).Lines(), "h is frozen"))
}

func TestDoctor_AnOrphanWhoseRecordIsArchived(t *testing.T) {
	is := is.New(t)
	s := installed(t)
	s.store.inspection.Orphans = []exchange.Orphan{{Dir: "h.d", ID: "h", Moves: 1, Archived: true}}
	is.True(has(examine(s).Lines(), "problem   h.d", "exchange tidy --apply"))
}

func TestDoctor_Faults(t *testing.T) {
	tests := []struct {
		name    string
		prepare func(*scene)
		pieces  []string
		faulty  bool
	}{
		{"a broken marker", func(s *scene) { s.mark("{") }, []string{"problem   ", "exchange.json could not be read"}, true},
		{"scoped legacy wiring", func(s *scene) {
			s.wired[localSettings] = exchange.Settings{Texts: []string{"x-session-lane.sh"}}
		}, []string{"DOUBLE FIRE: "}, true},
		{"machine-wide legacy wiring", func(s *scene) {
			s.wired[userSettings] = exchange.Settings{Texts: []string{"x-session-lane.sh"}}
		}, []string{"CROSS ROOT: "}, true},
		{"unreadable settings", func(s *scene) { s.unset[userSettings] = errors.New("x") }, []string{"problem   ", userSettings}, true},
		{"unreadable rows", func(s *scene) { s.unread = []string{"1.json"} }, []string{"registry  1 row(s) could not be read: 1.json"}, false},
		{"unreadable registry", func(s *scene) { s.rowsFault = errors.New("x") }, []string{"problem   ", "registry"}, true},
		{"stale claims", func(s *scene) { s.claim(exchange.Claim{SessionID: "gone"}) }, []string{"store     0 fault(s)"}, false},
		{"a store elsewhere", func(s *scene) { s.store.strays = []string{"the store lies elsewhere"} }, []string{"problem   the store lies elsewhere"}, true},
		{"a store that may not be read", func(s *scene) { s.openFault = exchange.ErrForeignStore }, []string{"problem   ", "another root"}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := installed(t)
			tt.prepare(s)
			report := examine(s)
			is.Equal(report.Faulty(), tt.faulty)
			is.True(has(report.Lines(), tt.pieces...))
		})
	}
}

func TestDoctor_BothWiringsEachWithItsScope(t *testing.T) {
	is := is.New(t)
	s := installed(t)
	s.wired[localSettings] = exchange.Settings{Texts: []string{"x-session-lane.sh"}}
	s.wired[userSettings] = exchange.Settings{Texts: []string{"y-handoff-check.sh"}}
	lines := examine(s).Lines()
	is.True(has(lines, "DOUBLE FIRE: ", "x-session-lane.sh"))
	is.True(has(lines, "CROSS ROOT: ", "y-handoff-check.sh"))
	is.True(has(lines, "wired:   x-session-lane.sh  in "+localSettings+"  (this root)"))
	is.True(has(lines, "wired:   y-handoff-check.sh  in "+userSettings+"  (machine-wide)"))
}

// Section 9.4.
func TestDoctor_Steps(t *testing.T) {
	withLedger := `{"name":"x","legacy_ledger":{"path":"notes/h.md"}}`
	override := func(s *scene) {
		s.env[exchange.RootVariable] = "/elsewhere"
	}
	tests := []struct {
		name    string
		prepare func(*scene)
		marks   string
		next    string
	}{
		{"all is well", func(*scene) {}, "?xx-x?x", "nothing outstanding"},
		{"a ledger is named", func(s *scene) { s.mark(withLedger) }, "?xx?x?x", "nothing outstanding"},
		{"a broken marker", func(s *scene) { s.mark(`{}`) }, "?xx?x?x", "nothing outstanding"},
		{"no marker", override, "?xx? ?x", "step 5"},
		{"no plugin around it", func(s *scene) { delete(s.files.nodes, "/plugin/hooks/hooks.json") }, "?x -x?x", "step 3"},
		{"no command", func(s *scene) { delete(s.files.nodes, "/plugin/commands/exchange.md") }, "?x -x?x", "step 3"},
		{"a script on disk", func(s *scene) { s.files.file(home+"/.claude/hooks/x-session-lane.sh", "") }, "?xx-x? ", "step 7"},
		{"wired under the root", func(s *scene) {
			s.wired[localSettings] = exchange.Settings{Texts: []string{"x-session-lane.sh"}}
		}, "?xx-x? ", "step 7"},
		{"wired machine-wide", func(s *scene) {
			s.wired[userSettings] = exchange.Settings{Texts: []string{"x-session-lane.sh"}}
		}, "?xx-x? ", "step 7"},
		{"two outstanding: the first is next", func(s *scene) {
			override(s)
			s.files.file(home+"/.claude/hooks/x-session-lane.sh", "")
		}, "?xx? ? ", "step 5"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := installed(t)
			tt.prepare(s)
			lines := examine(s).Lines()
			first := lineOf(lines, "steps") + 1
			got := ""
			for number := 1; number <= 7; number++ {
				at := lineOf(lines[first:], fmt.Sprintf("] %d. ", number))
				is.True(at >= 0)
				line := lines[first+at]
				is.True(strings.HasPrefix(line, "  ["))
				got += line[3:4]
				reason := lines[first+at+1]
				switch line[3:4] {
				case "?":
					is.True(strings.HasPrefix(reason, "        not checkable here: "))
				case "-":
					is.True(strings.HasPrefix(reason, "        not applicable: "))
				}
			}
			is.Equal(got, tt.marks)
			is.True(has(lines[len(lines)-1:], "next      "+tt.next))
		})
	}
}

func TestDoctor_WithoutAMarker(t *testing.T) {
	is := is.New(t)
	s := installed(t)
	s.env[exchange.RootVariable] = "/elsewhere"
	report := examine(s)
	is.True(!report.Faulty()) // exit 0
	is.True(has(report.Lines(), "root      /elsewhere  (by override)"))
	is.True(has(report.Lines(), "marker    absent, "))
}

func TestDoctor_Document(t *testing.T) {
	is := is.New(t)
	s := installed(t)
	s.store.claimProblems = []string{"c\x1b.json is invalid: x"}
	data := jsondoc.Shown(examine(s).Document())
	is.True(strings.Contains(string(data), `c\u001b.json`))
	value, err := jsondoc.Decode(data)
	is.NoErr(err)
	doc, ok := value.(map[string]any)
	is.True(ok)
	is.Equal(doc["root"], root)
	is.Equal(doc["problems"], []any{"c\x1b.json is invalid: x"}) // as stored
	is.Equal(doc["store"], map[string]any{"faults": jsondoc.Number("1")})
	value, err = jsondoc.Decode(jsondoc.Shown(exchange.Doctor{World: s.world()}.Examine("/elsewhere").Document()))
	is.NoErr(err)
	doc, ok = value.(map[string]any)
	is.True(ok)
	root, present := doc["root"]
	is.True(present && root == nil)
	problems, ok := doc["problems"].([]any)
	is.True(ok && len(problems) == 1)
}
