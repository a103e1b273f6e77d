//go:build clients

package clients_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRelayEdge_PluginLoadedTwiceAndHooksInTheSettings(t *testing.T) {
	w, second := newTwiceWorld(t)
	planner := w.startRelay("planner", relayStart{repo: "a", more: []string{second}})
	builder := w.startRelay("builder", relayStart{repo: "b", more: []string{second}})
	w.wantOnce(planner, builder)
	for _, s := range []*relaySession{planner, builder} {
		if n := strings.Count(s.term.Screen(), "⇄"); n != 1 {
			t.Errorf("%s: the band is drawn %d times\n%s", s.label, n, s.term.Screen())
		}
	}
}

func TestRelayEdge_PluginLoadedTwiceAndHooksInTheSettingsWithModsOff(t *testing.T) {
	w, second := newTwiceWorld(t)
	planner := w.startRelay("planner", relayStart{repo: "a", modsOff: true, more: []string{second}})
	builder := w.startRelay("builder", relayStart{repo: "b", modsOff: true, more: []string{second}})
	w.wantOnce(planner, builder)
}

// newTwiceWorld is a world with the plugin under a second name and its hooks in
// the settings of the person too.
func newTwiceWorld(t *testing.T) (w *relayWorld, second string) {
	t.Helper()
	w = newRelayWorld(t)
	second = w.copyPlugin("second plugin")
	w.editJSON(filepath.Join(second, ".claude-plugin", "plugin.json"), func(doc map[string]any) { doc["name"] = "handover" })
	raw, err := os.ReadFile(filepath.Join(w.plugin, "hooks", "hooks.json"))
	if err != nil {
		t.Fatal(err)
	}
	var wiring map[string]any
	if err := json.Unmarshal([]byte(strings.ReplaceAll(string(raw), "${CLAUDE_PLUGIN_ROOT}", w.plugin)), &wiring); err != nil {
		t.Fatal(err)
	}
	settings, err := json.Marshal(fields{"hooks": wiring["hooks"]})
	if err != nil {
		t.Fatal(err)
	}
	w.put(filepath.Join(w.home.ConfigDir(), "settings.json"), string(settings))
	return w, second
}

func (w *relayWorld) wantOnce(planner, builder *relaySession) {
	w.t.Helper()
	w.scriptRounds(planner, builder, 3)
	w.pairUp(planner, builder, "")
	planner.goal(relayGoal)
	planner.await("done", func() bool { return planner.status().Phase == "done" })
	w.wantThreeRounds(planner, builder)
	if st := planner.status(); st.Round != 3 || st.sends("planner") != 3 || st.sends("builder") != 3 {
		w.t.Errorf("the link stands at %+v", st)
	}
}
