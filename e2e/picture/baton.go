package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/changeover/changeover/e2e/document"
	"github.com/changeover/changeover/e2e/modelserver"
)

// The paths by which the services of the two clients are told apart.
const (
	codexPath  = "/v1/responses"
	claudePath = "/v1/messages"
)

// plan is what the planner writes.
const plan = `# relay-baton plan

## Goal
tide.py takes the height as argument.

## Scope (in)
- tide.py

## Out of scope
- the harbour chart

## Approach
Read it first, then print it.

## Steps
1. Read the height from the arguments in tide.py
2. Print it in tide.py

## Risks
- none known

## Verification
python3 tide.py 10.2

## Next step
- Read the height from the arguments in tide.py
`

// What the two agents make of tide.py.
const (
	halfDone  = "import sys\n\nheight = float(sys.argv[1])\nprint(\"high water: 10.2 ft\")\n"
	wholeDone = "import sys\n\nheight = float(sys.argv[1])\nprint(\"high water:\", height, \"ft\")\n"
)

// baton has one agent plan and the other execute, which meets its limit half-way.
func (s *stage) baton(ctx context.Context, tour document.Tour) ([]shot, error) {
	sh, err := s.shell(ctx, "baton", s.agents().respond)
	if err != nil {
		return nil, err
	}
	wanted := map[string]string{
		"baton init":    "created .ai-session/session.json",
		"baton plan":    "go on with 'baton execute'",
		"baton execute": "tide.py prints what it is given.",
		"baton status":  "status: completed",
	}
	for _, line := range tour.Into("sh") {
		if strings.HasPrefix(line, "baton execute") { // what came before would fill the picture
			if err := sh.clears(ctx); err != nil {
				return nil, err
			}
		}
		if err := sh.types(ctx, line); err != nil {
			return nil, err
		}
		if err := sh.prompted(ctx); err != nil {
			return nil, err
		}
		words := strings.Fields(line)
		if text := wanted[strings.Join(words[:min(2, len(words))], " ")]; text != "" {
			if err := sh.shows(ctx, text); err != nil {
				return nil, err
			}
		}
		s.say("%s", line)
	}
	return []shot{{"baton.svg", "~/harbour/tides", sh.terminal.cells()}}, nil
}

// pair answers the turns of both agents, each in its order.
type pair struct {
	mu      sync.Mutex
	answers map[string][]modelserver.Answer
}

// agents says what the two agents do.
func (s *stage) agents() *pair {
	tides := filepath.Join(s.dir, "harbour", "tides")
	write := func(id, name, content string) modelserver.AnswerBlock {
		return use(id, "Write", map[string]string{"file_path": filepath.Join(tides, name), "content": content})
	}
	shell := func(id, command string) modelserver.AnswerBlock {
		return use(id, "exec_command", map[string]string{"cmd": command})
	}
	return &pair{answers: map[string][]modelserver.Answer{
		claudePath: {
			modelserver.Say(modelserver.Text("I have read tide.py."), write("toolu_1", ".ai-session/plan.md", plan)),
			modelserver.Say(modelserver.Text("The plan stands.")),
			modelserver.Say(modelserver.Text("I read the handoff: step 1 is done, step 2 is left."), use("toolu_2", "Read", map[string]string{"file_path": filepath.Join(tides, "tide.py")})),
			modelserver.Say(write("toolu_3", "tide.py", wholeDone)),
			modelserver.Say(modelserver.Text("tide.py prints what it is given.")),
		},
		codexPath: {
			modelserver.Say(modelserver.Text("I begin with step 1."), shell("call_1", "printf '"+strings.ReplaceAll(halfDone, "\n", `\n`)+"' > tide.py")),
			modelserver.Refuse(429, map[string]any{"error": map[string]any{
				"type": "usage_limit_reached", "message": "The usage limit has been reached", "plan_type": "plus",
				"resets_at": time.Now().Add(90 * time.Minute).Truncate(time.Minute).Unix(),
			}}, nil),
		},
	}}
}

func (p *pair) respond(r modelserver.Request) modelserver.Answer {
	p.mu.Lock()
	defer p.mu.Unlock()
	left := p.answers[r.Path]
	if len(left) == 0 {
		return modelserver.Say(modelserver.Text("Understood."))
	}
	p.answers[r.Path] = left[1:]
	return left[0]
}

// use is the call of a tool.
func use(id, tool string, input map[string]string) modelserver.AnswerBlock {
	object, err := json.Marshal(input)
	if err != nil {
		panic(fmt.Errorf("texts are always JSON: %w", err))
	}
	return modelserver.ToolUse(id, tool, object)
}
