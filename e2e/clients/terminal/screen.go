package terminal

import (
	"io"
	"regexp"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/hinshun/vt10x"
)

// screen turns a program's output into the text that a person would see. Its
// methods may be called from several goroutines at once.
type screen struct {
	keyboard   *regexp.Regexp
	unfinished *regexp.Regexp

	mu       sync.Mutex
	emulator vt10x.Terminal
	rest     []byte
}

// newScreen makes an empty screen that writes what a terminal would answer to
// the program's questions to replies.
func newScreen(replies io.Writer) *screen {
	return &screen{
		keyboard:   regexp.MustCompile(`\x1b\[[?<=>][0-9;]*u`),
		unfinished: regexp.MustCompile(`\x1b(\[([?<=>][0-9;]*)?)?$`),
		emulator:   vt10x.New(vt10x.WithSize(columns, rows), vt10x.WithWriter(replies)),
	}
}

// String is the text on the screen, a line per row.
func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.emulator.String()
}

// Write draws output, whichever way it was cut into pieces. The emulator would
// take the halves of a character for two broken ones, and a question about
// the keyboard (`CSI ? u` and its like) for the order to restore the cursor:
// it gets whole characters, and no such question.
func (s *screen) Write(output []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	pending := slices.Concat(s.rest, output)
	whole := len(pending) - cutCharacter(pending)
	if at := s.unfinished.FindIndex(pending[:whole]); at != nil {
		whole = at[0]
	}
	// The emulator's Write cannot fail.
	_, _ = s.emulator.Write(s.keyboard.ReplaceAll(pending[:whole], nil))
	s.rest = append([]byte(nil), pending[whole:]...)
	return len(output), nil
}

// cutCharacter is the length of the unfinished character at the end of data.
func cutCharacter(data []byte) int {
	for back := 1; back < utf8.UTFMax && back <= len(data); back++ {
		tail := data[len(data)-back:]
		if !utf8.RuneStart(tail[0]) {
			continue
		}
		if utf8.FullRune(tail) {
			return 0
		}
		return back
	}
	return 0
}
