// Package agent knows the coding-agent programs that can be run without a
// terminal: how each is started and resumed, what it says while it runs, how
// that is logged and shown, and what its end means.
package agent

import (
	"fmt"
	"strings"

	"github.com/changeover/changeover/domain/port"
)

// Client is one such program.
type Client struct {
	name string
	argv func(Turn) []string
	// protocol is the one that a turn is run with.
	protocol Protocol
}

// clients are the known ones.
func clients() []Client { return []Client{claude(), codex()} }

// Names returns the names of the known clients.
func Names() []string {
	var names []string
	for _, c := range clients() {
		names = append(names, c.name)
	}
	return names
}

// ByName returns the client of that name. The error names those there are.
func ByName(name string) (Client, error) {
	for _, c := range clients() {
		if c.name == name {
			return c, nil
		}
	}
	return Client{}, fmt.Errorf("no agent is called %q: %s are known", name, strings.Join(Names(), " and "))
}

// Name is how people call the client, and the name of its executable.
func (c Client) Name() string { return c.name }

// Stop is the signal at which the client ends its own children too.
func (c Client) Stop() port.Request { return c.protocol.Stop() }

// Turn says what one run is to do.
type Turn struct {
	Prompt string
	// Conversation is the client's id of what the turn goes on with; empty for
	// a new one.
	Conversation string
	// Writes allows the agent to change files.
	Writes bool
}

// Command returns what runs a turn in dir. The prompt goes in by the standard
// input: it may be longer than an argument, and begin like an option.
func (c Client) Command(t Turn, dir string, environ []string) port.Command {
	return port.Command{
		Argv:  append([]string{c.name}, c.argv(t)...),
		Dir:   dir,
		Env:   WithoutSession(environ),
		Input: port.TextInput([]byte(c.protocol.asText(t.Prompt))),
	}
}
