package main

import (
	"fmt"
	"strings"
)

// task is what the two agents are asked for.
const task = "Print the tide table in metres"

// tide.py before, half-way and at the end.
const (
	tideBefore = "def table(rows):\n    return [f\"{t} {feet} ft\" for t, feet in rows]\n"
	tideHalf   = "def metres(feet):\n    return round(feet * 0.3048, 1)\n\n\n" + tideBefore
	tideAfter  = "def metres(feet):\n    return round(feet * 0.3048, 1)\n\n\n" +
		"def table(rows):\n    return [f\"{t} {metres(feet)} m\" for t, feet in rows]\n"
)

// tidePlan is what the planner writes.
const tidePlan = `# relay-baton plan

## Goal
The tide table shows metres.

## Scope (in)
- tide.py

## Out of scope
- the station list

## Approach
Convert in one place, then use it.

## Steps
1. Add metres(feet) to tide.py
2. Use it in table() of tide.py

## Risks
- none known

## Verification
python3 -m unittest

## Next step
- Add metres(feet) to tide.py
`

// tideState is what the executor notes before it is stopped. What it has done it
// forgets to take out of what is in progress.
const tideState = `# Current State

## Goal
- The tide table shows metres

## Done
- metres() in tide.py

## In Progress
- metres() in tide.py

## Remaining

## Decisions

## Risks

## Next Step
- Use metres() in table()
`

// scripts are what each run of an agent does. Files beside them are copied.
func scripts() map[string]string {
	var tests strings.Builder
	for n := range 280 {
		fmt.Fprintf(&tests, `test_row_%03d (tide.TestTable) ... ok\n`, n+1)
	}
	tests.WriteString(`Ran 280 tests: OK`)
	return map[string]string{
		"plan.md": tidePlan, "state.md": tideState, "half.py": tideHalf, "whole.py": tideAfter,
		"claude.1": "say I read tide.py.\ncopy plan.md .ai-session/plan.md\nsay The plan stands.\n",
		"codex.1": "say I begin with step 1.\ncopy half.py tide.py\n" +
			"sh baton receipt done 1 --note \"metres(), not used yet\"\ncopy state.md .ai-session/state.md\n" +
			"tool python3 -m unittest -v => " + tests.String() + "\n" +
			"say Now step 2.\nwall usage +5400\n",
		"claude.2": "say I read the handoff: step 1 is done, step 2 is left.\ncopy whole.py tide.py\n" +
			"sh baton receipt done 2\nsay The table stands.\n",
	}
}
