package relay_test

import (
	"slices"

	"github.com/changeover/changeover/domain/relay"
)

// turnRow is a turn as the client writes it down.
type turnRow struct {
	id, prompt string
	// program: it was no person who typed it.
	program bool
	answer  string
	ended   bool
}

// transcript is what a client has written down.
type transcript struct{ turns []turnRow }

// Turn implements relay.Transcript.
func (t *transcript) Turn(isOwn func(id, prompt string) bool, _ bool) (string, bool) {
	for _, turn := range slices.Backward(t.turns) {
		if turn.program && isOwn(turn.id, turn.prompt) {
			return turn.id, true
		}
	}
	return "", false
}

// Endings implements relay.Transcript.
func (t *transcript) Endings(id string) []relay.Turn {
	i := slices.IndexFunc(t.turns, func(turn turnRow) bool { return turn.id == id })
	if i < 0 {
		return nil
	}
	var endings []relay.Turn
	for _, turn := range t.turns[i:] {
		if turn.ended {
			endings = append(endings, relay.Turn{Prompt: turn.id, Message: turn.answer})
		}
	}
	return endings
}

// enters begins a turn.
func (t *transcript) enters(id, prompt string, program bool) {
	t.turns = append(t.turns, turnRow{id: id, prompt: prompt, program: program})
}

// ends ends the turn that runs.
func (t *transcript) ends(answer string) {
	last := &t.turns[len(t.turns)-1]
	last.answer, last.ended = answer, true
}
