// Package logs reads and writes commands.log: its lines, what a handoff takes from
// it, and the short form that a cycle of compression leaves of it. A log is read as
// a stream, in memory that does not grow with it.
package logs

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/baton/stamp"
	"github.com/changeover/changeover/domain/text"
)

// Tag says where a line of the log comes from.
type Tag string

// The tags. A line of a client's plain output has StdoutTag or
// StderrTag; those of a client's events have one of the others, and BatonTag marks
// what baton itself says.
const (
	StdoutTag  Tag = "stdout"
	StderrTag  Tag = "stderr"
	SessionTag Tag = "session"
	AgentTag   Tag = "agent"
	ThinkTag   Tag = "think"
	ToolTag    Tag = "tool"
	OutTag     Tag = "out"
	EditTag    Tag = "edit"
	RetryTag   Tag = "retry"
	NoteTag    Tag = "note"
	APITag     Tag = "api"
	ErrorTag   Tag = "error"
	ResultTag  Tag = "result"
	BatonTag   Tag = "relay-baton"
)

// tags holds them all.
var tags = [...]Tag{
	StdoutTag, StderrTag, SessionTag, AgentTag, ThinkTag, ToolTag, OutTag,
	EditTag, RetryTag, NoteTag, APITag, ErrorTag, ResultTag, BatonTag,
}

// Line returns a line of the log, without its end.
func (t Tag) Line(text string) string { return "[" + string(t) + "] " + text }

// Cut splits a line of the log into its tag and its text. The tag is empty where the
// line has none that the log knows.
func Cut(line string) (tag Tag, text string) {
	inner, text, ok := strings.Cut(line, "] ")
	if !ok || !strings.HasPrefix(inner, "[") {
		return "", line
	}
	for _, known := range tags {
		if inner[1:] == string(known) {
			return known, text
		}
	}
	return "", line
}

// Start is the beginning of one agent run.
type Start struct {
	At      time.Time
	Command string
	Args    []string
	// PromptChars is the length of the prompt, which is not logged itself; Stdin
	// says that it went there and not into the arguments.
	PromptChars int
	Stdin       bool
}

// Line returns the line that opens the run. The blank line before it is not part of
// it.
func (s Start) Line() string {
	called := text.Printable(strings.Join(append([]string{s.Command}, s.Args...), " "))
	via := ""
	if s.Stdin {
		via = " on stdin"
	}
	return fmt.Sprintf("--- %s START %s <prompt %d chars%s> ---", stamp.Text(s.At), called, s.PromptChars, via)
}

// IsStart reports that a line opens an agent run, and when that was.
func IsStart(line string) (at time.Time, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSuffix(line, "\r"), "--- ")
	if !ok || !strings.HasSuffix(rest, " ---") {
		return time.Time{}, false
	}
	when, _, ok := strings.Cut(rest, " START ")
	if !ok {
		return time.Time{}, false
	}
	at, err := stamp.Parse(when)
	return at, err == nil
}

// Exit returns the line that ends an agent run.
func Exit(code int) string { return "--- exit " + strconv.Itoa(code) + " ---" }

// IsExit reports that a line ends an agent run, and with which code. More text may
// stand before the closing dashes.
func IsExit(line string) (code int, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSuffix(line, "\r"), "--- exit ")
	if !ok {
		return 0, false
	}
	rest, ok = strings.CutSuffix(rest, " ---")
	if !ok {
		return 0, false
	}
	number, _, _ := strings.Cut(rest, " ")
	code, err := strconv.Atoi(number)
	return code, err == nil && number[0] != '+'
}

// Blocked returns the line that names the variables which the agent does not see.
func Blocked(names []string) string {
	return BatonTag.Line("blocked env vars: " + strings.Join(names, ", "))
}

// Passed returns the line that names the variables which the agent sees though they
// are blocked by default.
func Passed(names []string) string {
	return BatonTag.Line("passed env vars: " + strings.Join(names, ", "))
}

// notice is what a cycle of compression leaves in the log.
const notice = "[relay-baton] context compressed: "

// Compressed returns the line that tells of a cycle of compression: the total weight
// before and after it.
func Compressed(before, after int) string {
	return fmt.Sprintf("%s%d -> %d chars", notice, before, after)
}

// Elided returns the line that stands for so many lines.
func Elided(lines int) string { return "[" + strconv.Itoa(lines) + elided }

const elided = " lines elided]"

// longestCount bounds the number that is read from a marker, in digits.
const longestCount = 15

// IsElided reports that a line stands for others, and for how many.
func IsElided(line string) (lines int, ok bool) {
	digits, ok := strings.CutSuffix(line, elided)
	if !ok || len(digits) < 2 || len(digits) > 1+longestCount || digits[0] != '[' || digits[1] < '1' || digits[1] > '9' {
		return 0, false
	}
	lines, err := strconv.Atoi(digits[1:])
	return lines, err == nil
}
