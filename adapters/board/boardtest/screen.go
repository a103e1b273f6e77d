// Package boardtest drives a dashboard without a terminal.
package boardtest

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/changeover/changeover/adapters/board"
)

// Screen is a dashboard on a screen that is not there. What the dashboard reads and
// does happens at once, before the call returns.
type Screen struct {
	model *board.Model
	now   time.Time
	// Ended: the dashboard was quit.
	Ended bool
}

// Now is the time at which the screen of a test is opened.
var Now = time.Date(2026, 3, 1, 12, 30, 0, 0, time.UTC)

// Open shows a dashboard in so many cells.
func Open(t testing.TB, source board.Source, width, height int, colour bool) *Screen {
	t.Helper()
	s := &Screen{now: Now}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	s.model = board.NewModel(ctx, source, colour, board.Options{Now: func() time.Time { return s.now }})
	s.Send(tea.WindowSizeMsg{Width: width, Height: height})
	s.run(s.model.Init())
	return s
}

// Send hands a message to the dashboard.
func (s *Screen) Send(msg tea.Msg) {
	_, cmd := s.model.Update(msg)
	s.run(cmd)
}

func (s *Screen) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, each := range msg {
			s.run(each)
		}
	case tea.QuitMsg:
		s.Ended = true
	default:
		s.Send(msg)
	}
}

// Press types keys, named as board.Source.Press has them.
func (s *Screen) Press(keys ...string) {
	for _, name := range keys {
		s.Send(press(name))
	}
}

// press makes the message of a key.
func press(name string) tea.KeyPressMsg {
	known := map[string]rune{
		"up": tea.KeyUp, "down": tea.KeyDown, "enter": tea.KeyEnter, "esc": tea.KeyEscape, "pgup": tea.KeyPgUp,
		"pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd, "tab": tea.KeyTab,
	}
	if code, ok := known[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	switch name {
	case "space":
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	case "ctrl+c":
		return tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// Resize changes the size of the screen.
func (s *Screen) Resize(width, height int) { s.Send(tea.WindowSizeMsg{Width: width, Height: height}) }

// Refresh has the world read again, as the interval does.
func (s *Screen) Refresh() { s.Send(board.Due()) }

// Later has it read again when so much time has passed.
func (s *Screen) Later(passed time.Duration) {
	s.now = s.now.Add(passed)
	s.Refresh()
}

// Text is what the screen shows, without the spaces at the ends of its lines.
// Escape characters read ␛.
func (s *Screen) Text() string {
	var b strings.Builder
	for line := range strings.SplitSeq(s.Raw(), "\n") {
		b.WriteString(strings.TrimRight(strings.ReplaceAll(line, "\x1b", "␛"), " ") + "\n")
	}
	return b.String()
}

// Raw is what the screen shows, as a terminal is sent it.
func (s *Screen) Raw() string { return s.model.View().Content }
