package exchange_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
)

const (
	userSettings  = home + "/.claude/settings.json"
	localSettings = root + "/.claude/settings.local.json"
	dockSettings  = root + "/dock/.claude/settings.local.json"
)

func TestIsLegacyName(t *testing.T) {
	tests := map[string]bool{
		"session_exchange_render.py":  true,
		"session_exchange_.py":        true,
		"session-exchange-start.sh":   true,
		"harbour-handoff-check.sh":    true,
		"-handoff-check.sh":           true,
		"harbour-session-lane.sh":     true,
		"Session_exchange_render.py":  false,
		"harbour-Session-Lane.sh":     false,
		"session_exchange.py":         false,
		"handoff-check.sh":            false,
		"session-lane.sh":             false,
		"session-exchange-start.sh.x": false,
		"x-session-exchange-a.sh":     false,
		"hookd":                       false,
		"":                            false,
	}
	for name, want := range tests {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(exchange.IsLegacyName(name), want)
		})
	}
}

// Section 9.2 with D16: what in a string is the name of a script.
func TestLegacy_Tokens(t *testing.T) {
	tests := []struct {
		text  string
		wired bool
	}{
		{`bash $HOME/.claude/hooks/session-exchange-x.sh`, true},
		{`bash "$HOME/.claude/hooks/session-exchange-x.sh" crane`, true},
		{`bash '/h/First Last/session-exchange-x.sh'`, true},
		{`session-exchange-x.sh`, true},
		{`session-exchange-x.sh;echo`, true},
		{`(session-exchange-x.sh)`, true},
		{`a&&session-exchange-x.sh||b`, true},
		{`cat<session-exchange-x.sh>out`, true},
		{"`session-exchange-x.sh`", true},
		{`HOOK=session-exchange-x.sh`, true},
		{"a\nsession-exchange-x.sh\tb", true},
		{`session-exchange-x.sh.bak`, false},
		{`session-exchange-x.sh,y`, false},
		{`echo session-exchange-x`, false},
		{`/session-exchange-x.sh/run`, false},
		{`SESSION-EXCHANGE-X.SH`, false},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.wired[localSettings] = exchange.Settings{Texts: []string{"echo keep me", tt.text}}
			lines := s.start("startup")
			is.Equal(has(lines, mark, "still wired", "session-exchange-x.sh"), tt.wired)
			is.Equal(len(lines) > 0, tt.wired)
			is.True(!has(lines, "bash")) // never a command
		})
	}
}

func TestLegacy_WhereItLooks(t *testing.T) {
	const lane = "bash x-session-lane.sh"
	tests := []struct {
		file         string
		scoped, wide bool
	}{
		{userSettings, false, true},
		{localSettings, true, false},
		{dockSettings, true, false},
		{root + "/.claude/settings.json", false, false},
		{root + "/dock/deep/.claude/settings.local.json", false, false},
		{home + "/.claude/settings.local.json", false, false},
		{"/.claude/settings.local.json", false, false}, // nothing above the root
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.files.dir(root + "/dock/deep")
			s.wired[tt.file] = exchange.Settings{Texts: []string{lane}}
			lines := s.start("startup")
			is.Equal(has(lines, "still wired"), tt.scoped)
			is.Equal(has(lines, "wired machine-wide", "another root"), tt.wide)
		})
	}
}

func TestLegacy_UnderAnotherConfigurationDirectory(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.env["CLAUDE_CONFIG_DIR"] = "/cfg"
	s.files.file("/cfg/hooks/a-session-lane.sh", "")
	s.files.file(home+"/.claude/hooks/b-session-lane.sh", "")
	s.wired["/cfg/settings.json"] = exchange.Settings{Texts: []string{"c-session-lane.sh"}}
	s.wired[userSettings] = exchange.Settings{Texts: []string{"d-session-lane.sh"}}
	lines := examine(s).Lines()
	is.True(has(lines, "on disk: a-session-lane.sh"))
	is.True(has(lines, "wired:   c-session-lane.sh  in /cfg/settings.json  (machine-wide)"))
	is.True(!has(lines, "b-session-lane.sh"))
	is.True(!has(lines, "d-session-lane.sh"))
}

func TestLegacy_NamesEachOnceAndSorted(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	texts := []string{"z-session-lane.sh a-session-lane.sh", "sh /x/z-session-lane.sh"}
	s.wired[localSettings] = exchange.Settings{Texts: texts}
	s.wired[dockSettings] = exchange.Settings{Texts: texts[1:]}
	lines := s.start("startup")
	is.Equal(len(lines), 1)
	is.True(has(lines, "3 ", "(a-session-lane.sh, z-session-lane.sh)"))
	found := examine(s).Lines()
	is.True(has(found, "legacy    0 script(s) on disk, 3 wiring(s) found"))
	is.True(has(found, "DOUBLE FIRE: a-session-lane.sh, z-session-lane.sh"))
}

func TestLegacy_OnDisk(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	hooks := home + "/.claude/hooks"
	s.files.file(hooks+"/b-session-lane.sh", "")
	s.files.file(hooks+"/a-handoff-check.sh", "")
	s.files.file(hooks+"/other.sh", "")
	s.files.dir(hooks + "/dir-session-lane.sh")
	s.files.file(hooks+"/retired-1/c-session-lane.sh", "")
	s.files.symlink(hooks+"/link-session-lane.sh", "b-session-lane.sh")
	is.Equal(s.start("startup"), nil) // merely on disk it is inert
	report := examine(s)
	is.True(!report.Faulty())
	lines := report.Lines()
	is.True(has(lines, "legacy    2 script(s) on disk, 0 wiring(s) found"))
	first := lineOf(lines, "on disk: a-handoff-check.sh")
	is.True(first >= 0)
	is.Equal(lineOf(lines, "on disk: b-session-lane.sh"), first+1)
}

func TestLegacy_Problems(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.unset[dockSettings] = errors.New("not JSON, even with comments")
	s.files.dir(home + "/.claude/hooks")
	s.files.unlistable[home+"/.claude/hooks"] = true
	s.wired[localSettings] = exchange.Settings{Texts: []string{"x-session-lane.sh"}}
	lines := s.start("startup")
	is.True(has(lines, mark, dockSettings, "not JSON"))
	is.True(has(lines, mark, home+"/.claude/hooks", "permission denied"))
	is.True(has(lines, "still wired")) // what could be read counts
	report := examine(s)
	is.True(report.Faulty())
	is.True(has(report.Lines(), "problem   ", dockSettings))
}

// D29.
func TestHookWirings(t *testing.T) {
	byHand := exchange.Settings{Texts: []string{`"/opt/First Last/hookd" session-start`}}
	enabled := exchange.Settings{Plugins: []string{"changeover@changeover"}}
	both := exchange.Settings{Texts: byHand.Texts, Plugins: enabled.Plugins}
	tests := []struct {
		name     string
		settings map[string]exchange.Settings
		plugin   string // CLAUDE_PLUGIN_ROOT
		files    []string
	}{
		{"nowhere", nil, "", nil},
		{"the plugin that runs", nil, "/plugins/changeover", []string{"/plugins/changeover/hooks/hooks.json"}},
		{"the plugin that is enabled", map[string]exchange.Settings{userSettings: enabled}, "", []string{userSettings}},
		{"the running plugin counts once", map[string]exchange.Settings{userSettings: enabled}, "/p", []string{"/p/hooks/hooks.json"}},
		{"another plugin", map[string]exchange.Settings{userSettings: {Plugins: []string{"other@changeover", "changeovers@x"}}}, "", nil},
		{"enabled elsewhere than in the user settings", map[string]exchange.Settings{localSettings: enabled}, "", nil},
		{"by hand", map[string]exchange.Settings{dockSettings: byHand}, "", []string{dockSettings}},
		{"by hand twice in one file", map[string]exchange.Settings{dockSettings: {Texts: append(byHand.Texts, "hookd session-end")}}, "", []string{dockSettings}},
		{"another name", map[string]exchange.Settings{dockSettings: {Texts: []string{"hookd.sh", "xhookd", "hookd,"}}}, "", nil},
		{"plugin and by hand", map[string]exchange.Settings{dockSettings: byHand}, "/p", []string{"/p/hooks/hooks.json", dockSettings}},
		{"both in one file", map[string]exchange.Settings{userSettings: both}, "", []string{userSettings, userSettings}},
		{"user and local", map[string]exchange.Settings{userSettings: byHand, localSettings: byHand}, "", []string{userSettings, localSettings}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.env["CLAUDE_PLUGIN_ROOT"] = tt.plugin
			for name, found := range tt.settings {
				s.wired[name] = found
			}
			report := examine(s)
			lines := report.Lines()
			heading := lineOf(lines, "hooks     ", " wiring(s) of hookd")
			is.Equal(strings.Fields(lines[heading])[1], string(rune('0'+len(tt.files))))
			for i, file := range tt.files {
				is.True(has(lines[heading+1+i:heading+2+i], "          "+file))
			}
			twice := len(tt.files) > 1
			is.Equal(has(lines, "WIRED TWICE: "+strings.Join(tt.files, " and ")), twice)
			is.Equal(report.Faulty(), twice)
			is.Equal(has(s.start("startup"), append(tt.files, mark, "hookd")...), twice)
		})
	}
}

func TestHookWirings_ShowThePluginsExactCommand(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.env["CLAUDE_PLUGIN_ROOT"] = "/tmp/First Last/changeover" // F13
	is.True(has(examine(s).Lines(), "/tmp/First Last/changeover/hooks/hooks.json", `"/tmp/First Last/changeover/bin/hookd"`))
	s = newScene(t)
	s.wired[dockSettings] = exchange.Settings{Texts: []string{"/opt/hookd --token=secret"}}
	lines := examine(s).Lines()
	is.True(has(lines, dockSettings))
	is.True(!has(lines, "secret")) // a settings file's command is never shown
	is.True(!has(lines, "/opt/hookd"))
}

func TestHookWirings_ALinkedRepositoryIsSearched(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.files.put(root+"/linked", node{mode: fs.ModeSymlink, link: "/elsewhere"})
	s.wired[root+"/linked/.claude/settings.local.json"] = exchange.Settings{Texts: []string{"x-session-lane.sh"}}
	is.True(has(s.start("startup"), "still wired"))
}
