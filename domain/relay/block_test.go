package relay_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/relay"
)

// reading is a message and what it says to relay.
type reading struct {
	name, message string
	want          relay.Answer
}

func checkReadings(t *testing.T, tests []reading) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, relay.ReadAnswer(tt.message)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func handoff(text string) relay.Answer { return relay.Answer{Handoff: text} }

func TestReadAnswer_TakesTheLastCompleteBlock(t *testing.T) {
	checkReadings(t, []reading{
		{"none", "All done, nothing to send.", relay.Answer{}},
		{"empty message", "", relay.Answer{}},
		{"one", "Plan ready.\n<handoff>Step 1: do it</handoff>", handoff("Step 1: do it")},
		{"over lines", "<handoff>\nStep 1\n\n- a\n- b\n</handoff>\n", handoff("Step 1\n\n- a\n- b")},
		{"with text after it", "<handoff>a</handoff>\nI wait.", handoff("a")},
		{"upper case", "<HANDOFF>a</HANDOFF>", handoff("a")},
		{"mixed case", "<HandOff>a</hANDOFF>", handoff("a")},
		{"attributes", `<handoff to="builder" round='3' urgent>a</handoff>`, handoff("a")},
		{"attributes over lines", "<handoff\n  to=\"builder\"\n>a</handoff>", handoff("a")},
		{"a bracket in an attribute", `<handoff when="a > b">c</handoff>`, handoff("c")},
		{"a tag in an attribute", `<handoff note="<b>x</b>">c</handoff>`, handoff("c")},
		{"a spaced attribute", `<handoff when = "a > b">c</handoff>`, handoff("c")},
		{"a quote that is none", "<handoff note=\"x>a</handoff>", handoff("a")},
		{"an apostrophe in an attribute", "<handoff for=builder's>it's done</handoff>", handoff("it's done")},
		{"a space in the closing tag", "<handoff>a</handoff >", handoff("a")},
		{"CRLF", "x\r\n<handoff>\r\na\r\nb\r\n</handoff>\r\n", handoff("a\r\nb")},
		{"byte order mark", "\ufeff<handoff>a</handoff>", handoff("a")},
		{"two", "<handoff>a</handoff> <handoff>b</handoff>", relay.Answer{Handoff: "b", Left: 1}},
		{"three", "<handoff>a</handoff><handoff>b</handoff>\n<handoff>c</handoff>", relay.Answer{Handoff: "c", Left: 2}},
		{"other tags inside", "<handoff><step>a</step> if b < c</handoff>", handoff("<step>a</step> if b < c")},
		{"a longer name", "<handoffs>a</handoffs> <handoff-x>b</handoff-x>", relay.Answer{}},
		{"a space before the name", "< handoff>a</ handoff>", relay.Answer{}},
		{"closed at once", "<handoff/>", relay.Answer{}},
		{"closed at once, then a block", "<handoff /> <handoff>a</handoff>", handoff("a")},
		{"named in a sentence before", "I end with a <handoff> block.\n<handoff>a</handoff>", handoff("a")},
		{"a closing tag alone", "a</handoff>", relay.Answer{}},
		{"a second closing tag", "<handoff>a</handoff></handoff>", handoff("a")},
		{"the tags of the client", "<handoff>a <system-reminder>b</handoff>", handoff("a <system-reminder>b")},
	})
}

func TestReadAnswer_EmptyBlockIsNoBlock(t *testing.T) {
	checkReadings(t, []reading{
		{"nothing", "<handoff></handoff>", relay.Answer{}},
		{"spaces", "<handoff> \n\t </handoff>", relay.Answer{}},
		{"what cleaning takes away", "<handoff>\x1b[0m\x00</handoff>", relay.Answer{}},
		{"after a full one", "<handoff>a</handoff><handoff> </handoff>", handoff("a")},
		{"before a full one", "<handoff></handoff><handoff>a</handoff>", handoff("a")},
		{"empty done", "<done> </done>", relay.Answer{}},
	})
}

func TestReadAnswer_UnclosedTagSendsNothing(t *testing.T) {
	checkReadings(t, []reading{
		{"alone", "<handoff>Step 1: do", relay.Answer{Unclosed: true}},
		{"after a complete one", "<handoff>a</handoff>\n<handoff>b", relay.Answer{Unclosed: true}},
		{"named in a sentence after", "<handoff>a</handoff>\nThat was my <handoff>.", relay.Answer{Unclosed: true}},
		{"closed by another tag", "<handoff>a</done>", relay.Answer{Unclosed: true}},
		{"closed in code alone", "<handoff>a `</handoff>`", relay.Answer{Unclosed: true}},
		{"closed in an unended fence", "<handoff>\n```sh\nmake\n</handoff>", relay.Answer{Unclosed: true}},
		{"a tag cut off", "<handoff", relay.Answer{}},
		{"a closing tag cut off", "<handoff>a</handoff", relay.Answer{Unclosed: true}},
		{"done", "<done>all", relay.Answer{DoneUnclosed: true}},
		{"done after a done", "<done>a</done><done>b", relay.Answer{DoneUnclosed: true}},
		{"handoff, beside a done", "<done>a</done><handoff>b", relay.Answer{Done: "a", HasDone: true, Unclosed: true}},
		{"done, beside a handoff", "<handoff>a</handoff><done>b", relay.Answer{Handoff: "a", DoneUnclosed: true}},
	})
}

func TestReadAnswer_CodeIsNoBlock(t *testing.T) {
	checkReadings(t, []reading{
		{"inline", "End with `<handoff>a</handoff>`.", relay.Answer{}},
		{"inline, doubled", "End with ``<handoff>`a`</handoff>``.", relay.Answer{}},
		{"inline over a line end", "End with `<handoff>a\n</handoff>`.", relay.Answer{}},
		{"only the opening tag", "`<handoff>` then a</handoff>", relay.Answer{}},
		{"backticks that do not match", "`` <handoff>a</handoff> `", handoff("a")},
		{"an escaped backtick", "\\` <handoff>a</handoff> \\`", handoff("a")},
		{"a lone backtick in another paragraph", "a ` b\n\n<handoff>run `make`</handoff>", handoff("run `make`")},
		{"inline code beside a block", "`<handoff>` <handoff>a</handoff> `</handoff>`", handoff("a")},
		{"fence", "```\n<handoff>a</handoff>\n```", relay.Answer{}},
		{"fence with a language", "```xml\n<handoff>a</handoff>\n```\n", relay.Answer{}},
		{"tilde fence", "~~~\n<handoff>a</handoff>\n~~~", relay.Answer{}},
		{"tilde fence with backticks in its info", "~~~ a`b\n<handoff>a</handoff>\n~~~", relay.Answer{}},
		{"long fence with a short one inside", "````\n```\n<handoff>a</handoff>\n```\n````", relay.Answer{}},
		{"backtick fence with tildes inside", "```\n~~~\n<handoff>a</handoff>\n```\n<handoff>b</handoff>", handoff("b")},
		{"fence closed by a longer one", "```\n<handoff>a</handoff>\n`````\n<handoff>b</handoff>", handoff("b")},
		{"a closing fence takes no info", "```\n``` x\n<handoff>a</handoff>\n```", relay.Answer{}},
		{"indented by three", "   ```\n<handoff>a</handoff>\n   ```", relay.Answer{}},
		{"indented by four is no fence", "x\n\n    ```\n<handoff>a</handoff>", handoff("a")},
		{"two backticks are no fence", "``\n\n<handoff>a</handoff>\n\n``", handoff("a")},
		{"an unended fence runs to the end", "```\n<handoff>a</handoff>", relay.Answer{}},
		{"CRLF fence", "```\r\n<handoff>a</handoff>\r\n```\r\n<handoff>b</handoff>", handoff("b")},
		{"code before a block", "```go\nx := 1\n```\n<handoff>a</handoff>", handoff("a")},
		{"done in code", "`<done>x</done>` and\n```\n<done>y</done>\n```", relay.Answer{}},
	})
}

func TestReadAnswer_KeepsTheCodeInsideABlock(t *testing.T) {
	checkReadings(t, []reading{
		{"fence", "<handoff>\nRun\n```sh\nmake\n```\n</handoff>", handoff("Run\n```sh\nmake\n```")},
		{"inline", "<handoff>Run `make`</handoff>", handoff("Run `make`")},
		{
			"a fence that shows a block", "<handoff>\nAnswer like\n```\n<handoff>report</handoff>\n```\n</handoff>",
			handoff("Answer like\n```\n<handoff>report</handoff>\n```"),
		},
		{
			"tildes around backticks", "<handoff>\n~~~\n```\n</handoff>\n```\n~~~\nend\n</handoff>",
			handoff("~~~\n```\n</handoff>\n```\n~~~\nend"),
		},
		{"inline closing tag", "<handoff>do not write `</handoff>` there</handoff>", handoff("do not write `</handoff>` there")},
	})
}

func TestReadAnswer_Done(t *testing.T) {
	done := func(summary string) relay.Answer { return relay.Answer{Done: summary, HasDone: true} }
	checkReadings(t, []reading{
		{"one", "Met.\n<done>\nParser written, tests pass.\n</done>", done("Parser written, tests pass.")},
		{"upper case and attributes", `<DONE ok="yes">a</Done>`, done("a")},
		{"two", "<done>a</done><done>b</done>", done("b")},
		{"beside a handoff", "<handoff>a</handoff><done>b</done>", relay.Answer{Handoff: "a", Done: "b", HasDone: true}},
		{"a longer name", "<done-x>a</done-x>", relay.Answer{}},
	})
}

// checkAnswer checks what holds of every message.
func checkAnswer(t interface {
	Helper()
	Fatalf(string, ...any)
}, message string,
) {
	t.Helper()
	a := relay.ReadAnswer(message)
	for _, block := range []string{a.Handoff, a.Done} {
		switch {
		case !strings.Contains(message, block):
			t.Fatalf("%q is no part of %q", block, message)
		case strings.TrimSpace(block) != block:
			t.Fatalf("the ends of %q are not trimmed, of %q", block, message)
		case utf8.ValidString(message) && !utf8.ValidString(block):
			t.Fatalf("%q is cut through a character of %q", block, message)
		}
	}
	switch {
	case a.Unclosed && a.Handoff != "":
		t.Fatalf("an unclosed block of %q goes", message)
	case a.HasDone != (a.Done != ""):
		t.Fatalf("done %v with summary %q, of %q", a.HasDone, a.Done, message)
	case a.Handoff == "" && a.Left != 0:
		t.Fatalf("%d blocks left before none, of %q", a.Left, message)
	}
}

func TestReadAnswer_StandsAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkAnswer(t, hostile().Draw(t, "message")) })
}

// A block that follows anything which is complete by itself is found whole.
func TestReadAnswer_FindsTheBlockAfterAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.SampledFrom([]string{
			"", "Plan:\n- a\n- b", "```\n<handoff>no</handoff>\n```", "~~~~\n```\n~~~~", "`<handoff>`", "<handoff>first</handoff>",
			"a ` lone backtick", "<done", "a < b", "</handoff>",
		}).Draw(t, "before")
		text := rapid.StringMatching(`[a-z][a-z .\n-]{0,40}[a-z]`).Draw(t, "text")
		tag := rapid.SampledFrom([]string{"<handoff>", "<Handoff>", `<handoff a="b">`, "<handoff\n>"}).Draw(t, "tag")
		if got := relay.ReadAnswer(before + "\n\n" + tag + text + "</handoff>\n").Handoff; got != text {
			t.Fatalf("%q, not %q", got, text)
		}
	})
}

func FuzzReadAnswer(f *testing.F) {
	for _, fragment := range fragments() {
		f.Add(fragment + "<handoff>a</handoff>" + fragment)
	}
	f.Add("```\n<handoff>a</handoff>\n```\n~~~\n</handoff>")
	f.Fuzz(func(t *testing.T, message string) { checkAnswer(t, message) })
}
