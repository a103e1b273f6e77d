package text_test

import (
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/text"
)

func TestWithoutSequences(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "a\tb\nc \u00fc", "a\tb\nc \u00fc"},
		{"colour", "\x1b[1;31mred\x1b[0m", "red"},
		{"8-bit CSI", "\u009b31mred\u009b0m", "red"},
		{"title", "\x1b]0;title\x07x", "x"},
		{"link with its end", "\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"},
		{"charset", "a\x1b(Bb", "ab"},
		{"cut off", "a\x1b[3", "a"},
		{"a bare escape", "a\x1b", "a"},
		{"other control characters stay", "a\x07b", "a\x07b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(text.WithoutSequences(tt.in), tt.want)
		})
	}
}

// ECMA-48, 5.4: parameters and intermediates are 0x20 to 0x3f, the final byte is 0x40
// to 0x7e; 5.3 and ECMA-35, 13.2: intermediates of a short one 0x20 to 0x2f, its
// final byte 0x30 to 0x7e.
func TestWithoutSequences_TakesExactlyTheBytesOfASequence(t *testing.T) {
	tests := []struct{ in, want string }{
		{"a\x1b[ @b", "ab"},
		{"a\x1b[?~b", "ab"},
		{"a\x1b[0~b", "ab"},
		{"a\x1b[@b", "ab"},
		{"a\x1b[\x1fb", "a\x1fb"},
		{"a\x1b[1\x7fb", "a\x7fb"},
		{"a\x1b 0b", "ab"},
		{"a\x1b/~b", "ab"},
		{"a\x1b0b", "ab"},
		{"a\x1b~b", "ab"},
		{"a\x1b\x1fb", "a\x1fb"},
		{"a\x1b\x7fb", "a\x7fb"},
		{"a\x1b[?", "a"},
		{"a\x1b/", "a"},
		{"a\x1b[", "a"},
		{"a\x1b", "a"},
	}
	for _, tt := range tests {
		if got := text.WithoutSequences(tt.in); got != tt.want {
			t.Errorf("%q becomes %q, want %q", tt.in, got, tt.want)
		}
	}
}
