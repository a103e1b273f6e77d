package main

import (
	"errors"
	"testing"

	"github.com/changeover/changeover/adapters/board/boardtest"
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/plan"
)

func TestTUI_Overlays(t *testing.T) {
	refused := &baton.GateError{What: "the handoff", Failures: []string{"secrets: handoff.md:41 github-token ghp_… (40 chars)"}, Hints: []string{"Mend it."}}
	for name, over := range map[string]*overlay{
		"forecast": forecast(baton.Forecast{
			Plan: ".ai-session/plan.md", Report: plan.Report{Steps: 3, Chars: 2210, Limit: 30000}, Profile: "balanced", Executor: "codex", Agent: "codex",
			Next: "claude", Command: []string{"codex", "exec", "--sandbox", "workspace-write", "--json"}, PromptChars: 900, Stdin: true, Watched: true,
			Notices: []string{"OPENAI_API_KEY is set and kept from the agents; --allow-api-key-env lets it through"},
		}),
		"forecast_refused": forecast(baton.Forecast{Refused: &baton.UsageError{Err: errors.New("there is no plan .ai-session/plan.md: make one with 'baton plan \"TASK\"'")}}),
		"forecast_busy":    forecast(baton.Forecast{Refused: &baton.BusyError{}}),
		"handoff_refused": handedOff(baton.HandedOff{
			To: "claude", Written: baton.Written{File: ".ai-session/handoff.md", Chars: 39000, Limit: 40000, Cut: true}, Notices: []string{"warning: \x1b[31mx"},
		}, refused),
	} {
		t.Run(name, func(t *testing.T) {
			source := showing(wholeView(t, whole))
			source.over = over
			golden(t, name, boardtest.Open(t, source, 80, 24, false).Text())
		})
	}
	help := boardtest.Open(t, showing(wholeView(t, whole)), 80, 24, false)
	help.Press("?")
	golden(t, "help", help.Text())
}
