package board_test

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/board"
	"github.com/changeover/changeover/adapters/board/boardtest"
)

func last(s *boardtest.Screen) string {
	lines := strings.Split(strings.TrimRight(s.Text(), "\n"), "\n")
	return lines[len(lines)-1]
}

func TestUpdate_KeepsTheLastGoodFrame(t *testing.T) {
	is := is.New(t)
	h := ships("Anna")
	s := boardtest.Open(t, h, 80, 24, false)
	h.read = func() ([]string, error) { return nil, errFog }
	s.Refresh()
	is.True(strings.Contains(s.Text(), "stale, of 12:30:00Z: read harbour: fog")) // said
	is.True(strings.Contains(s.Text(), "› Anna"))                                 // and kept
	boardtest.Golden(t, "stale", s.Text())
	h.read = func() ([]string, error) { return []string{"Berta"}, nil }
	s.Press("r")
	is.True(!strings.Contains(s.Text(), "fog"))
	is.True(strings.Contains(s.Text(), "› Berta"))
}

func TestUpdate_ShowsWhatWasReadBesideWhatWasNot(t *testing.T) {
	is := is.New(t)
	h := &harbour{read: func() ([]string, error) { return []string{"Anna"}, errFog }}
	s := boardtest.Open(t, h, 80, 24, false)
	is.True(strings.Contains(s.Text(), "not all could be read: read harbour: fog"))
	is.True(strings.Contains(s.Text(), "› Anna"))
}

func TestUpdate_FollowsTheChosenLine(t *testing.T) {
	is := is.New(t)
	var names []string
	for i := range 60 {
		names = append(names, strings.Repeat("x", i+1))
	}
	s := boardtest.Open(t, ships(names...), 80, 24, false)
	for range 40 {
		s.Press("down")
		is.True(strings.Contains(s.Text(), "› x")) // always on the screen
	}
	boardtest.Golden(t, "chosen", s.Text())
}

func TestUpdate_Resizes(t *testing.T) {
	s := boardtest.Open(t, ships("Anna", "Berta"), 160, 48, false)
	for _, size := range []board.Size{{Width: 80, Height: 24}, {Width: 20, Height: 5}, {Width: 3, Height: 1}, {Width: 200, Height: 60}} {
		s.Resize(size.Width, size.Height)
		boardtest.Fills(t, s.Raw(), size)
	}
}

func TestUpdate_Scrolls(t *testing.T) {
	is := is.New(t)
	h := ships(strings.Repeat("word ", 2000))
	s := boardtest.Open(t, h, 40, 10, false)
	s.Press("enter")
	is.True(strings.Contains(s.Text(), "↑0 ↓"))
	s.Press("down", "pgdown")
	is.True(strings.Contains(s.Text(), "↑8 ↓")) // one row and a page of seven
	s.Press("end")
	is.True(strings.Contains(s.Text(), "↓0"))
	s.Press("end", "home")
	is.True(strings.Contains(s.Text(), "↑0"))
}

func TestUpdate_Help(t *testing.T) {
	is := is.New(t)
	s := boardtest.Open(t, ships("Anna"), 80, 24, false)
	is.True(strings.HasSuffix(last(s), "? help · q quit"))
	s.Press("?")
	boardtest.Golden(t, "help", s.Text())
	s.Press("l") // a key of the dashboard means nothing here
	is.True(strings.Contains(s.Text(), "── Keys"))
	s.Press("esc")
	is.True(!strings.Contains(s.Text(), "── Keys"))
	s.Press("?", "?")
	is.True(!strings.Contains(s.Text(), "── Keys"))
}

func TestUpdate_Quits(t *testing.T) {
	for _, key := range []string{"q", "ctrl+c"} {
		is := is.New(t)
		s := boardtest.Open(t, ships("Anna"), 80, 24, false)
		s.Press(key)
		is.True(s.Ended)
	}
}

func TestUpdate_AsksBeforeItActs(t *testing.T) {
	is := is.New(t)
	h := ships("Anna")
	acted := 0
	h.act = func(context.Context) board.Result {
		acted++
		return board.Result{Message: "loaded", Style: board.Good}
	}
	s := boardtest.Open(t, h, 80, 24, false)
	s.Press("l")
	is.Equal(last(s), "load Anna? [y/n]")
	s.Press("n")
	is.Equal(last(s), "nothing was done")
	is.Equal(acted, 0)
	s.Press("l", "enter")
	is.Equal(acted, 0) // only y is a yes
	s.Press("l", "y")
	is.Equal(last(s), "loaded")
	is.Equal(acted, 1)
	s.Press("z")
	is.True(strings.Contains(last(s), "? help")) // the message is gone with the next key
}

// A message stands where the keys are named: not for ever.
func TestUpdate_AMessageFades(t *testing.T) {
	is := is.New(t)
	h := ships("Anna")
	h.act = func(context.Context) board.Result { return board.Result{Message: "loaded", Style: board.Good} }
	s := boardtest.Open(t, h, 80, 24, false)
	s.Press("l")
	s.Later(time.Second)
	s.Later(time.Hour)
	is.Equal(last(s), "load Anna? [y/n]") // a question waits
	s.Press("y")
	s.Later(time.Second)
	s.Later(14 * time.Second)
	is.Equal(last(s), "loaded") // 14 s after it was first seen
	s.Later(time.Second)
	is.True(strings.Contains(last(s), "? help"))
}

func TestUpdate_MessagesAreOneCleanLine(t *testing.T) {
	is := is.New(t)
	h := ships("An\x1b[2Jna\nBerta")
	h.act = func(context.Context) board.Result { return board.Result{} }
	s := boardtest.Open(t, h, 80, 24, false)
	s.Press("l")
	is.Equal(last(s), "load Anna Berta? [y/n]")
}

func TestUpdate_AKeyLooksAgainWhereNothingWasReadYet(t *testing.T) {
	is := is.New(t)
	h := &harbour{read: func() ([]string, error) { return nil, errFog }}
	s := boardtest.Open(t, h, 80, 24, false)
	h.read = func() ([]string, error) { return []string{"Anna"}, nil }
	s.Press("enter")
	is.True(strings.Contains(s.Text(), "› Anna"))
}

// However often the world is read between, one interval is running.
func TestUpdate_HasOneIntervalAtATime(t *testing.T) {
	is := is.New(t)
	m := board.NewModel(t.Context(), ships("Anna"), false, board.Options{Interval: time.Millisecond, Now: time.Now})
	begun := func(msg tea.Msg) tea.Msg {
		_, look := m.Update(msg)
		_, interval := m.Update(look())
		return interval()
	}
	first := begun(board.Due())
	second := begun(tea.KeyPressMsg{Code: 'r', Text: "r"})
	_, cmd := m.Update(first)
	is.True(cmd == nil) // the second took its place
	_, cmd = m.Update(second)
	is.True(cmd != nil)
}
