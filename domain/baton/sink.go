package baton

import "github.com/changeover/changeover/domain/agent"

// Sink is where a person follows what goes on. Its methods may be called from
// several goroutines; they never fail: when nobody reads any more, the work goes
// on.
type Sink interface {
	// Pass hands on what an agent without a JSON protocol wrote, unchanged.
	Pass(stream agent.Stream, p []byte)

	// Show shows a line of the readable stream of a JSON protocol.
	Show(stream agent.Stream, line agent.Line)

	// Notice tells what baton itself does, or warns.
	Notice(line string)

	// Progress replaces the last line that it wrote where the person looks at a
	// terminal, and is a notice elsewhere.
	Progress(line string)

	// Terminal reports that the person looks at a terminal.
	Terminal() bool
}
