package board_test

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/changeover/changeover/adapters/board"
)

// harbour is a small dashboard: ships, one of which can be chosen and opened.
type harbour struct {
	read   func() ([]string, error)
	act    func(ctx context.Context) board.Result
	ships  []string
	chosen int
	open   bool
}

func (h *harbour) Read(context.Context) (func(), error) {
	ships, err := h.read()
	if ships == nil {
		return nil, err
	}
	return func() { h.ships = ships }, err
}

func (h *harbour) Frame(board.Size) board.Frame {
	f := board.Frame{Title: "harbour", State: board.Styled(board.Good, "open")}
	if h.open {
		f.Panels = []board.Panel{{Title: "Ship", Lines: board.Block(board.Plain, h.ships[h.chosen]), Wrap: true}}
		return f
	}
	ships := board.Panel{Title: "Ships", Flex: true, Focus: h.chosen + 1, Empty: "no ship"}
	for i, name := range h.ships {
		line := board.Line{{Text: "  "}, {Text: name}}
		if i == h.chosen {
			line = board.Line{{Text: "› ", Style: board.Highlight}, {Text: name, Style: board.Highlight}}
		}
		ships.Lines = append(ships.Lines, line)
	}
	log := board.Panel{Title: "Log", Tail: true, Right: true, Style: board.Highlight}
	for i := range 30 {
		log.Lines = append(log.Lines, board.Text(fmt.Sprintf("entry %d", i+1)))
	}
	f.Panels = []board.Panel{
		ships,
		{Title: "Weather", Lines: []board.Line{
			board.Fact("wind", "north"), board.FactIn(board.Warn, "tide", "low"), board.Bar(20, 15, 20, 12),
		}},
		log,
	}
	f.Sidebar = []board.Panel{{Title: "Port", Lines: []board.Line{board.Styled(board.Dim, "three berths")}}}
	return f
}

func (h *harbour) Keys() []board.Key {
	return []board.Key{
		{Names: []string{"up", "down"}, Label: "↑↓", Does: "choose"},
		{Names: []string{"enter"}, Does: "open"},
		{Names: []string{"l"}, Does: "load the chosen ship, which takes a while"},
		{Names: []string{"r"}, Does: "look again", Hidden: true},
	}
}

func (h *harbour) Press(key string) board.Reaction {
	done := board.Reaction{Handled: true, Top: true}
	switch key {
	case "up":
		h.chosen = max(0, h.chosen-1)
		return board.Reaction{Handled: !h.open}
	case "down":
		h.chosen = min(len(h.ships)-1, h.chosen+1)
		return board.Reaction{Handled: !h.open}
	case "enter":
		h.open = true
		return done
	case "esc":
		h.open = false
		return done
	case "r":
		return board.Reaction{Handled: true, Refresh: true}
	case "l":
		return board.Reaction{Handled: true, Ask: "load " + h.ships[h.chosen] + "?", Act: h.act}
	case "d":
		return board.Reaction{Handled: true, Message: "dived"}
	}
	return board.Reaction{}
}

func ships(names ...string) *harbour {
	return &harbour{read: func() ([]string, error) { return slices.Clone(names), nil }}
}

var errFog = errors.New("read harbour: fog")

// hostile are texts that a terminal would obey, or that break a layout.
var hostile = []string{
	"plain\x1b[31mred\x1b]0;title\x07\x1b[2J",
	"bell\a back\b\b carriage\rreturn\nsecond\ttab\x00",
	"bidi \u202egpj.exe\u202c \u2066isolate\u2069",
	"wide 日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語",
	"marks e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301 end",
	"family 👨\u200d👩\u200d👧 flag 🇩🇪 sign ☃\ufe0f",
	"invalid \xff\xfe bytes",
	"long " + string(make([]byte, 10)) + longText,
}

var longText = func() string {
	var b []byte
	for i := range 500 {
		b = fmt.Appendf(b, "%d,", i)
	}
	return string(b)
}()
