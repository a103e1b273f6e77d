package agent

import (
	"maps"
	"slices"
	"strings"
)

// ofSession are the variables that name the session which the caller runs in.
// No other one of these programs is among them: logins and settings are.
func ofSession() []string {
	return []string{
		"CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_PID",
		"CLAUDE_PROJECT_DIR", "CODEX_THREAD_ID", "CODEX_SESSION_ID", "CODEX_TOOL_CALL_ID",
	}
}

// WithoutSession returns an environment without what names the session that the
// caller runs in.
func WithoutSession(environ []string) []string { return without(environ, ofSession()) }

func without(environ, names []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(setting string) bool {
		return slices.Contains(names, nameOf(setting))
	})
}

func nameOf(setting string) string {
	name, _, _ := strings.Cut(setting, "=")
	return name
}

// KeyPolicy says what an agent is given of the caller's environment.
type KeyPolicy struct {
	// Blocked are the variables that an agent does not get.
	Blocked []string
	// Allow gives them to it all the same.
	Allow bool
	// Add are variables that it gets where the environment has none of that
	// name.
	Add map[string]string
}

// Environment is what an agent is given. Only names of variables may be shown.
type Environment struct {
	Environ []string
	// Removed are the set variables that were blocked, Passed those that were
	// not because the policy allows them.
	Removed, Passed []string
}

// Apply returns the environment of an agent: the caller's without the keys that
// the policy blocks and without what names the caller's own session.
func (p KeyPolicy) Apply(environ []string) Environment {
	set := map[string]bool{}
	for _, setting := range environ {
		set[nameOf(setting)] = true
	}
	var keys []string
	for _, name := range p.Blocked {
		if set[name] && !slices.Contains(keys, name) {
			keys = append(keys, name)
		}
	}
	e := Environment{Environ: WithoutSession(environ), Passed: keys}
	if !p.Allow {
		e.Environ = without(e.Environ, p.Blocked)
		e.Removed, e.Passed = keys, nil
	}
	for _, name := range slices.Sorted(maps.Keys(p.Add)) {
		if set[name] || !p.Allow && slices.Contains(p.Blocked, name) {
			continue
		}
		e.Environ = append(e.Environ, name+"="+p.Add[name])
	}
	return e
}
