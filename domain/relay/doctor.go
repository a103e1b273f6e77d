package relay

import (
	"errors"
	"fmt"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/session"
)

// Transport is how deliveries reach a session.
type Transport string

// The transports, the better one first.
const (
	ByMod   Transport = "mod"
	ByHooks Transport = "hooks"
	NoWay   Transport = "none"
)

// Switches are what is switched off for a session's client.
type Switches struct {
	// NoHooks names the settings file that switches every hook off.
	NoHooks string
	// NoMods: the client has switched mods off.
	NoMods bool
}

// Surroundings are what is known of a live session from outside.
type Surroundings struct {
	// StateDir is where the session keeps relay's state; empty where that is not
	// known, and StateFault says why.
	StateDir   string
	StateFault string
	Switches   Switches
	// SettingsFault says which settings could not be read.
	SettingsFault string
}

// Checkup is what doctor finds out about one live session.
type Checkup struct {
	Session   string
	Label     string
	Cwd       string
	Transport Transport
	// Why says how the transport is known.
	Why string
	// Obstacles stand in the way of a better transport.
	Obstacles []string
	StateDir  string
	// Apart: the session keeps its state elsewhere, so that this program and the
	// session do not see each other.
	Apart bool
	// Unknown are things that could not be looked at.
	Unknown []string

	// wasAttached: a relay attach of the session ended without taking leave.
	wasAttached bool
}

// Examine tells how deliveries reach a live session. own is where this program
// keeps its state.
func (o Operator) Examine(row session.Row, own string, around Surroundings) (Checkup, error) {
	c := Checkup{
		Session: row.SessionID, Label: row.Label(), Cwd: row.Cwd,
		StateDir: around.StateDir, Apart: around.StateDir != "" && around.StateDir != own,
	}
	for _, fault := range []string{around.StateFault, around.SettingsFault} {
		if fault != "" {
			c.Unknown = append(c.Unknown, fault)
		}
	}
	if c.Apart {
		c.Transport, c.Why = NoWay, "it keeps its state elsewhere: nothing is seen of it from here"
		c.Obstacles = []string{"give both the same RELAY_STATE_DIR and XDG_STATE_HOME, or neither"}
		return c, nil
	}
	a, err := o.Store.Attachment(row.SessionID)
	if err != nil && !errors.Is(err, ErrNoSession) {
		return c, err
	}
	if err == nil && o.lives(a.PID, a.Start) {
		c.Transport, c.Why = ByMod, fmt.Sprintf("attached: its mod runs relay attach, process %d", a.PID)
		return c, nil
	}
	c.wasAttached = err == nil
	m, err := o.member(row.SessionID)
	if err != nil {
		return c, err
	}
	if m.PID == row.PID && (m.Start == "" || row.ProcStart == "" || m.Start == row.ProcStart) {
		c.Transport, c.Why = ByHooks, "hooks only: its hooks have run, no relay attach lives"
	} else {
		c.Transport, c.Why = NoWay, "plugin not seen: neither a hook of relay nor its mod has run in it"
	}
	c.Obstacles = obstacles(c.Transport, c.wasAttached, around.Switches)
	return c, nil
}

// obstacles are what stands in the way of the mod, as far as it is known.
func obstacles(t Transport, wasAttached bool, off Switches) []string {
	var all []string
	if off.NoHooks != "" {
		all = append(all, "disableAllHooks is set in "+off.NoHooks)
	}
	if off.NoMods {
		all = append(all, "the client has mods switched off (its rollout switch)")
	}
	switch {
	case len(all) > 0:
	case t == NoWay:
		all = append(all, "the plugin is not installed or enabled, or the session is older than it: "+
			"claude plugin list shows it, a session started anew loads it")
	case wasAttached:
		all = append(all, "relay attach has ended: the mod starts it again within 30 s while the client has mods on")
	default:
		all = append(all, "the client has not loaded the mod: a rollout switch, the organisation's policy, a flag, or "+
			"an older client; claude --debug-file FILE says which")
	}
	return all
}

// WithoutMods is what no program can see where mods do not run.
const WithoutMods = "text that other plugins' hooks add to a prompt cannot be seen without mods; the client labels it as a hook's"

// Lines says it to a person.
func (c Checkup) Lines() []string {
	lines := []string{
		fmt.Sprintf("%s  %s  %s", c.Session, c.Label, c.Cwd),
		fmt.Sprintf("  transport  %s (%s)", c.Transport, c.Why),
	}
	for _, o := range c.Obstacles {
		lines = append(lines, "  in the way "+o)
	}
	if c.Transport != ByMod {
		lines = append(lines, "  not seen   "+WithoutMods)
	}
	state := c.StateDir
	if state == "" {
		state = "not known"
	}
	if c.Apart {
		state += " (not that of this program)"
	}
	lines = append(lines, "  state      "+state)
	for _, fault := range c.Unknown {
		lines = append(lines, "  not known  "+fault)
	}
	return lines
}

// Document says it to a script.
func (c Checkup) Document() jsondoc.Object {
	return jsondoc.Object{
		{Key: "session", Value: c.Session},
		{Key: "name", Value: c.Label},
		{Key: "cwd", Value: c.Cwd},
		{Key: "transport", Value: string(c.Transport)},
		{Key: "why", Value: c.Why},
		{Key: "obstacles", Value: append([]string{}, c.Obstacles...)},
		{Key: "hook_text_seen", Value: c.Transport == ByMod},
		{Key: "state_dir", Value: c.StateDir},
		{Key: "state_apart", Value: c.Apart},
		{Key: "unknown", Value: append([]string{}, c.Unknown...)},
	}
}
