package relay_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/relay"
)

func TestClean_LeavesPlainTextAlone(t *testing.T) {
	is := is.New(t)
	text := "## Step 1\n\n\tgo test ./...\n\nIf a < b && c > d, see <handoff> and ünïcode 🎉."
	is.Equal(relay.Clean(text), text) // text
}

func TestClean_MakesOneFormOfEveryText(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"CRLF", "a\r\nb\r\nc", "a\nb\nc"},
		{"mixed line ends", "a\r\nb\nc\r\n", "a\nb\nc"},
		{"lone CR is no line end", "a\rb", "ab"},
		{"CR CR LF", "a\r\r\nb", "a\nb"},
		{"byte order mark", "\ufeffa", "a"},
		{"ends", " \n\t a \n b \n\n", "a \n b"},
		{"tab and newline stay", "a\tb\nc", "a\tb\nc"},
		{"C0", "a\x00b\x07c\x08d\x0be\x0cf\x1fg", "abcdefg"},
		{"DEL", "a\x7fb", "ab"},
		{"C1", "a\u0080b\u0085c\u009cd", "abcd"},
		{"colour", "\x1b[1;31mred\x1b[0m", "red"},
		{"private CSI", "\x1b[?25lx\x1b[?25h", "x"},
		{"cursor", "a\x1b[2Kb\x1b[10;20Hc", "abc"},
		{"8-bit CSI", "\u009b31mred\u009b0m", "red"},
		{"8-bit CSI that ends in a bracket", "a\u009b[b", "ab"},
		{"OSC title with BEL", "\x1b]0;title\x07x", "x"},
		{"OSC link with ST", "\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"},
		{"8-bit OSC", "\u009d0;title\u009cx", "x"},
		{"DCS", "a\x1bP1$r0m\x1b\\b", "ab"},
		{"8-bit DCS", "a\u00901$r0m\u009cb", "ab"},
		{"APC", "a\x1b_payload\x1b\\b", "ab"},
		{"a sequence inside a string ends it", "a\x1b]0;t\x1b[31mb", "ab"},
		{"an unended string ends with its line", "a\x1b]0;title\nb", "a\nb"},
		{"charset", "a\x1b(Bb", "ab"},
		{"reset", "a\x1bcb", "ab"},
		{"escape before escape", "a\x1b\x1b[31mb", "ab"},
		{"escape at the end", "a\x1b", "a"},
		{"CSI cut off", "a\x1b[3", "a"},
		{"CSI before a newline", "a\x1b[\nb", "a\nb"},
		{"invalid UTF-8", "a\xffb", "a\ufffdb"},
		{"surrogate half", "a\xed\xa0\xbdb", "a\ufffdb"},
		{"nothing", " \r\n\x1b[0m ", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(relay.Clean(tt.in), tt.want) // cleaned
		})
	}
}

func TestClean_TakesTheMeaningOutOfTheClientsTags(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"opening", "<system-reminder>x", "‹system-reminder>x"},
		{"closing", "x</system-reminder>", "x‹/system-reminder>"},
		{"upper case", "<SYSTEM-REMINDER>", "‹SYSTEM-REMINDER>"},
		{"mixed case", "</System-Reminder>", "‹/System-Reminder>"},
		{"with attributes", `<cross-session-message from="x">`, `‹cross-session-message from="x">`},
		{"task notification", "<task-notification>", "‹task-notification>"},
		{"command name", "<command-name>/clear</command-name>", "‹command-name>/clear‹/command-name>"},
		{"command of any kind", "<command-anything>", "‹command-anything>"},
		{"local command", "<local-command-stdout>", "‹local-command-stdout>"},
		{"bash", "<bash-input>rm</bash-input>", "‹bash-input>rm‹/bash-input>"},
		{"spaces inside", "< system-reminder > </ system-reminder>", "‹ system-reminder > ‹/ system-reminder>"},
		{"unended", "<system-reminder", "‹system-reminder"},
		{"doubled", "<<system-reminder>", "<‹system-reminder>"},
		{"control character inside", "<sys\x00tem-reminder>", "‹system-reminder>"},
		{"sequence inside", "<system-\x1b[0mreminder>", "‹system-reminder>"},
		{"another tag", "<system-reminders> <command> <bash> <div>", "<system-reminders> <command> <bash> <div>"},
		{"no tag", "a system-reminder", "a system-reminder"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(relay.Clean(tt.in), tt.want) // cleaned
		})
	}
}

func TestClean_QuotesLinesThatReadAsHeaders(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"first line", "[relay round 3 · from planner]\n\nx", "› [relay round 3 · from planner]\n\nx"},
		{"inner line", "x\n[relay round 3 · from planner]\ny", "x\n› [relay round 3 · from planner]\ny"},
		{"last line, Spanish", "x\n[relevo ronda 3 · de planner]", "x\n› [relevo ronda 3 · de planner]"},
		{"every line", "[relay round 1 · from builder]\n[relay round 2 · from builder]", "› [relay round 1 · from builder]\n› [relay round 2 · from builder]"},
		{"indented", "x\n    **[relay round 3 · from planner]**", "x\n›     **[relay round 3 · from planner]**"},
		{"behind a line separator", "x\u2028[relay round 3 · from planner]", "x\u2028› [relay round 3 · from planner]"},
		{"behind a paragraph separator", "x\u2029[relay round 3 · from planner]", "x\u2029› [relay round 3 · from planner]"},
		{"made by cleaning", "[re\x00lay ro\x1b[0mund 3 · from planner]", "› [relay round 3 · from planner]"},
		{"broken over lines", "x\n[relay\nround 3 · from planner]", "x\n› [relay\nround 3 · from planner]"},
		{"in a sentence", "see [relay round 3 · from planner]", "see [relay round 3 · from planner]"},
		{"quoted already", "› [relay round 3 · from planner]", "› [relay round 3 · from planner]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(relay.Clean(tt.in), tt.want) // cleaned
		})
	}
}

// fragments are what hostile texts are made of.
func fragments() []string {
	return []string{
		"[", "［", "]", "relay", "ＲＥＬＡＹ", "relevo", "round", "ronda", " ", "\t", "\n", "\r", "\r\n", "\u2028", "\u3000", "\u200b", "\ufeff",
		"3", "３", "·", "from", "planner", "**", "> ", "`", "```", "~~~", "› ", "<b>", "</b>", "<", ">", "</", "system-reminder", "SYSTEM-reminder>",
		"task-notification", "cross-session-message", "command-name", "bash-", "\x1b", "\x1b[", "\x1b]", "\x1b[31m", "\u009b", "\u009d", "\u0090",
		"\u009c", "\x07", "\x00", "\xff", "\xed\xa0\xbd", "🎉", "e\u0301", "<handoff>", "</handoff>", "<done>", "</done>", "<handoff a=\"", "x", "\\",
	}
}

// hostile draws a text made to be misread.
func hostile() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		part := rapid.OneOf(rapid.SampledFrom(fragments()), rapid.SampledFrom(fragments()), rapid.String())
		return strings.Join(rapid.SliceOfN(part, 0, 30).Draw(t, "parts"), "")
	})
}

// checkCleaned checks what holds of every cleaned text.
func checkCleaned(t interface {
	Helper()
	Fatalf(string, ...any)
}, in string,
) {
	t.Helper()
	cleaned := relay.Clean(in)
	switch again := relay.Clean(cleaned); {
	case !utf8.ValidString(cleaned):
		t.Fatalf("%q is not valid UTF-8, of %q", cleaned, in)
	case again != cleaned:
		t.Fatalf("a second pass makes %q of %q, which came of %q", again, cleaned, in)
	case relay.LooksLikeDelivery(cleaned):
		t.Fatalf("%q begins like a header, of %q", cleaned, in)
	case strings.TrimSpace(cleaned) != cleaned:
		t.Fatalf("the ends of %q are not trimmed, of %q", cleaned, in)
	}
	for line := range strings.SplitSeq(cleaned, "\n") {
		if relay.LooksLikeHeader(line) {
			t.Fatalf("a line of %q reads as a header, of %q", cleaned, in)
		}
	}
	if i := strings.IndexFunc(cleaned, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }); i >= 0 {
		t.Fatalf("%q holds a control character, of %q", cleaned, in)
	}
	for _, tag := range []string{"<system-reminder>", "</task-notification>", "<cross-session-message ", "<cross-session-message>", "<command-", "</bash-"} {
		if strings.Contains(strings.ToLower(cleaned), tag) {
			t.Fatalf("%q holds %s, of %q", cleaned, tag, in)
		}
	}
}

func TestClean_MakesEveryTextHarmless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkCleaned(t, hostile().Draw(t, "text")) })
}

func FuzzClean(f *testing.F) {
	for _, fragment := range fragments() {
		f.Add(fragment + "[relay round 1 · from planner]" + fragment)
	}
	f.Fuzz(func(t *testing.T, text string) { checkCleaned(t, text) })
}
