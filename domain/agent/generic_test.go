package agent_test

import (
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/baton/wall"
)

func TestRun_FollowsAGenericAgentByPhrases(t *testing.T) {
	is := is.New(t)
	o, f := judged(agent.Generic, "half way\n", "Error: quota exceeded; try again later\nError: quota exceeded again\n", exit(1), agent.ByItself)
	is.Equal(o.Class, wall.UsageLimit)
	is.Equal(o.Rule, "phrase")
	is.Equal(o.Phrase, "quota exceeded")
	is.Equal(o.Evidence, wall.Evidence{Source: wall.Stderr, Text: "Error: quota exceeded again", Line: 2})
	is.Equal(len(f.hits), 1) // each phrase is told once
	is.Equal(f.logLine(2), "[stderr] Error: quota exceeded again")
}

// Row 24.
func TestRun_AGenericAgentThatEndsWellIsOnlySuspected(t *testing.T) {
	is := is.New(t)
	const said = "Error: quota exceeded; try again later\n"
	o, _ := judged(agent.Generic, said, "", exit(0), agent.ByItself)
	is.Equal(o.Class, wall.None)
	is.True(o.Suspected)
	is.Equal(o.Evidence.Line, 1)
	is.Equal(o.Limit, wall.Limit{}) // nothing to note
	o, _ = judged(agent.Generic, said, "", exit(0), agent.ByItself, func(s *agent.Setup) { s.OnSuccess = phrase.WhenStrong })
	is.Equal(o.Class, wall.UsageLimit)
	is.True(!o.Suspected)
	o, _ = judged(agent.Generic, "did the work\n", "", exit(0), agent.ByItself)
	is.Equal(o.Rule, "exit-code")
	is.True(!o.Suspected)
}
