package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/jsondoc"
)

// A colour in the middle of a word hides nothing.
func TestOutcome_CountsAPhraseInColour(t *testing.T) {
	is := is.New(t)
	const event = `{"type":"item.completed","item":{"type":"agent_message","text":"one\nqu\u001b[1mota exc\u001b[0meeded\n"}}`
	o, _ := judged(agent.CodexJSON, event, "", exit(0), agent.ByItself)
	is.Equal(o.Ignored, wall.Ignored{Count: 1, FirstLine: "[agent] quota exceeded"})
}

// However the lines are found, those are counted that hold a phrase.
func TestOutcome_CountsEachLineWithAPhrase(t *testing.T) {
	lists := []phrase.List{
		phrase.Defaults(),
		phrase.NewList(nil),
		phrase.NewList([]string{"ab"}),
		phrase.NewList([]string{"aba", "bab ca"}),
		phrase.NewList([]string{"quota limit", "429"}),
		phrase.NewList([]string{"한도 초과", "quota"}),
		phrase.NewList([]string{"É"}), // of a phrase without a stem each line is looked at
		phrase.NewList([]string{"x", "quota limit"}),
	}
	piece := rapid.SampledFrom([]string{
		"quota", "Quota ", "QUOTA\tLIMIT", "limit", " ", "\n", "\r\n", "\r", "a", "b", "aba", "bab", "c", "x", "é", "É", "429", "한도", "초과",
		"exceed", "exceeded", "rate limit exceeded", "exceeds the  context window", "prompt is too long", "\x1b[31m", "qu\x1b[0mota", "K",
	})
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SampledFrom(lists).Draw(t, "list")
		said := strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "said"), "")
		var want wall.Ignored
		for line := range strings.FieldsFuncSeq(said, func(r rune) bool { return r == '\n' || r == '\r' }) {
			if _, ok := list.Find(line); ok {
				want.Count++
			}
		}
		event := fmt.Sprintf(`{"type":"item.completed","item":{"type":"agent_message","text":%s}}`, jsondoc.Line(said))
		o, _ := judged(agent.CodexJSON, event, "", exit(0), agent.ByItself, func(s *agent.Setup) { s.Phrases = list })
		if o.Ignored.Count != want.Count {
			t.Fatalf("%d lines of %q, not %d", o.Ignored.Count, said, want.Count)
		}
		if (o.Ignored.FirstLine != "") != (want.Count > 0) {
			t.Fatalf("the first line is %q", o.Ignored.FirstLine)
		}
	})
}
