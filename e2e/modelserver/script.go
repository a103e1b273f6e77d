package modelserver

import (
	"strings"
	"sync"
)

// Script answers a turn by what was said last: the first cue found in the
// text since the assistant's last message decides. A turn without a cue, such
// as one that brings a tool's result, is answered with a short text.
type Script struct {
	mu   sync.Mutex
	cues []cue
}

type cue struct {
	text   string
	answer Answer
}

// On adds a cue. The texts of cues should not be part of one another.
func (s *Script) On(text string, answer Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cues = append(s.cues, cue{text: text, answer: answer})
}

// Respond is the script as a Responder.
func (s *Script) Respond(r Request) Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	said := r.LastText()
	for _, c := range s.cues {
		if strings.Contains(said, c.text) {
			return c.answer
		}
	}
	return Say(Text("Understood."))
}
