package agent

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/port"
)

// Protocol is how an agent talks to who started it.
type Protocol string

// The protocols. The two clients are judged by their own events or, without
// them, by the texts they end with; a generic agent by phrases.
const (
	CodexJSON   Protocol = "codex-json"
	CodexPlain  Protocol = "codex-plain"
	ClaudeJSON  Protocol = "claude-json"
	ClaudePlain Protocol = "claude-plain"
	Generic     Protocol = "generic"
)

// Auto is what a configuration writes for the protocol that the arguments tell.
const Auto = "auto"

// defaultSilence leaves an agent time for a long thought.
const defaultSilence = 15 * time.Minute

// Protocols returns every protocol.
func Protocols() []Protocol {
	return []Protocol{CodexJSON, CodexPlain, ClaudeJSON, ClaudePlain, Generic}
}

// ChooseProtocol returns the protocol that a configuration names for an agent,
// or the one that its arguments tell where it names none or Auto. The error
// lists the names there are.
func ChooseProtocol(configured, agent string, args []string) (Protocol, error) {
	if configured == "" || configured == Auto {
		return ProtocolOf(agent, args), nil
	}
	if p := Protocol(configured); slices.Contains(Protocols(), p) {
		return p, nil
	}
	names := []string{Auto}
	for _, p := range Protocols() {
		names = append(names, string(p))
	}
	return "", fmt.Errorf("no protocol is called %q: %s are known", configured, strings.Join(names, ", "))
}

// ProtocolOf tells the protocol of an agent by the arguments it is run with.
func ProtocolOf(agent string, args []string) Protocol {
	has := func(names ...string) bool {
		return slices.ContainsFunc(args, func(arg string) bool { return slices.Contains(names, arg) })
	}
	switch {
	case agent == "codex" && has("exec"):
		if has("--json") {
			return CodexJSON
		}
		return CodexPlain
	case agent == "claude" && has("-p", "--print"):
		if format := outputFormat(args); format == "stream-json" || format == "json" {
			return ClaudeJSON
		}
		return ClaudePlain
	}
	return Generic
}

// outputFormat returns the value of claude's option; the last one counts.
func outputFormat(args []string) string {
	const option = "--output-format"
	format := ""
	for i, arg := range args {
		switch value, joined := strings.CutPrefix(arg, option+"="); {
		case joined:
			format = value
		case arg == option && i+1 < len(args):
			format = args[i+1]
		}
	}
	return format
}

// Structured reports a client whose own end says what happened.
func (p Protocol) Structured() bool { return p != Generic && p != "" }

// JSON reports a client that writes one JSON event a line.
func (p Protocol) JSON() bool { return p == CodexJSON || p == ClaudeJSON }

// Client returns the name of the client that speaks the protocol; empty for a
// generic agent.
func (p Protocol) Client() string {
	switch p {
	case CodexJSON, CodexPlain:
		return "codex"
	case ClaudeJSON, ClaudePlain:
		return "claude"
	case Generic:
	}
	return ""
}

// Stop is the signal at which such an agent ends its own children too.
func (p Protocol) Stop() port.Request {
	if p.Client() == "claude" {
		return port.Terminate
	}
	return port.Interrupt
}

// Silence returns how long such an agent may say nothing where nothing else is
// configured; 0 is for ever. Plain clients, and claude where its arguments ask
// for a single object, are silent until their end.
func (p Protocol) Silence(args []string) time.Duration {
	if !p.JSON() || p == ClaudeJSON && outputFormat(args) == "json" {
		return 0
	}
	return defaultSilence
}

// Warnings says what is likely to go wrong with a client's arguments.
func (p Protocol) Warnings(args []string) []string {
	switch {
	case p == CodexPlain:
		return []string{"codex runs without --json: its own errors and what its tools print look alike"}
	case p == ClaudePlain:
		return []string{"claude runs without --output-format stream-json: it shows nothing until its end, and limits are read from text"}
	case p == ClaudeJSON && outputFormat(args) == "stream-json" && !slices.Contains(args, "--verbose"):
		return []string{"claude refuses --output-format stream-json without --verbose"}
	}
	return nil
}
