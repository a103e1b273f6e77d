package exchange

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/domain/text"
)

// codexEvents are the events of Codex that our hook answers.
var codexEvents = []string{session.SessionStart, session.UserPromptSubmit, session.Stop, session.SessionEnd}

// CodexReader reads how Codex's hooks are wired.
type CodexReader interface {
	// Hooks returns the hooks of Codex's home. A home that does not exist is
	// fs.ErrNotExist; a missing file of hooks is none of them.
	Hooks() (CodexHooks, error)
}

// CodexHooks are the hooks that Codex's home names.
type CodexHooks struct {
	// File is where hooks are named, there or not.
	File  string
	Hooks []CodexHook
	// TrustFault is why nobody can tell which of them are trusted; empty where that
	// is known.
	TrustFault string
}

// CodexHook is one hook.
type CodexHook struct {
	Event   string
	Command string
	Trust   CodexTrust
}

// CodexTrust says whether Codex runs a hook. It skips others without a word.
type CodexTrust int

// What can be told of a hook's trust.
const (
	// Untrusted: nobody has trusted it yet.
	Untrusted CodexTrust = iota
	// Trusted as it stands.
	Trusted
	// Altered since it was trusted.
	Altered
	// TrustedOnce: whether as it stands cannot be told.
	TrustedOnce
	// SwitchedOff by hand.
	SwitchedOff
)

// codexCheck is what the doctor sees of Codex; nil where there is no home of it.
type codexCheck struct {
	CodexHooks
	problem string
}

// codex looks at Codex's hooks, keeping those of ours.
func (d Doctor) codex() *codexCheck {
	if d.Codex == nil {
		return nil
	}
	found, err := d.Codex.Hooks()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	check := &codexCheck{CodexHooks: found}
	if err != nil {
		check.problem = fmt.Sprintf("the hooks of Codex could not be read: %s", err)
	} else if found.TrustFault != "" {
		check.problem = fmt.Sprintf("which hooks Codex trusts could not be read: %s", found.TrustFault)
	}
	check.Hooks = slices.DeleteFunc(slices.Clone(found.Hooks), func(h CodexHook) bool {
		return !slices.Contains(scriptNames([]string{h.Command}), hookExecutable)
	})
	return check
}

// events returns those of our events that some hook of that trust answers.
func (c codexCheck) events(trust CodexTrust) []string {
	return slices.DeleteFunc(slices.Clone(codexEvents), func(event string) bool {
		return !slices.ContainsFunc(c.Hooks, func(h CodexHook) bool { return h.Event == event && h.Trust == trust })
	})
}

// unwired returns those of our events that no hook of ours answers.
func (c codexCheck) unwired() []string {
	return slices.DeleteFunc(slices.Clone(codexEvents), func(event string) bool {
		return slices.ContainsFunc(c.Hooks, func(h CodexHook) bool { return h.Event == event })
	})
}

// codexStates words what is said of the hooks of one trust, in their order.
var codexStates = []struct {
	trust CodexTrust
	name  string
	words string
}{
	{Trusted, "trusted", "trusted"},
	{Untrusted, "untrusted", "not trusted, so Codex skips it without a word: start codex, review and trust it (later: /hooks)"},
	{Altered, "altered", "altered since it was trusted, so Codex skips it without a word: start codex, review and trust it (later: /hooks)"},
	{TrustedOnce, "trusted_once", "trusted once; whether still for this content cannot be told from here"},
	{SwitchedOff, "off", "switched off in Codex: /hooks there switches it on"},
}

func (r DoctorReport) codexLines(p *page) {
	c := r.codex
	if c == nil {
		return
	}
	if c.File != "" {
		p.row("codex", "%d hook(s) of hookd in %s", len(c.Hooks), text.Printable(c.File))
	}
	for _, state := range codexStates {
		if events := c.events(state.trust); len(events) > 0 && c.TrustFault == "" {
			p.line("          %s: %s", strings.Join(events, ", "), state.words)
		}
	}
	if events := c.unwired(); len(events) > 0 && c.problem == "" {
		p.line("          %s: not wired; `exchange codex-hooks` prints what goes there", strings.Join(events, ", "))
	}
	p.problems(c.problems())
}

func (c *codexCheck) problems() []string {
	if c == nil || c.problem == "" {
		return nil
	}
	return []string{c.problem}
}

// codexDocument renders the same for a script; null where there is no Codex.
func (r DoctorReport) codexDocument() any {
	if r.codex == nil {
		return nil
	}
	doc := jsondoc.Object{{Key: "file", Value: r.codex.File}}
	for _, state := range codexStates {
		doc.Add(state.name, append([]string{}, r.codex.events(state.trust)...))
	}
	doc.Add("not_wired", append([]string{}, r.codex.unwired()...))
	return doc
}

// CodexWirer says how Codex is made to run our hook.
type CodexWirer struct{ World }

// Hooks returns the file of hooks that wires it, for a person to put in place. An
// error means that the hook does not lie beside this program.
func (w CodexWirer) Hooks() (string, error) {
	program := path.Join(path.Dir(w.Env.Executable()), hookExecutable)
	if found, err := isRegular(w.Files, program); err != nil || !found {
		return "", fmt.Errorf("there is no %s beside this program (%s): run the exchange of the plugin", hookExecutable, text.Printable(program))
	}
	var events jsondoc.Object
	for _, event := range codexEvents {
		hook := jsondoc.Object{{Key: "type", Value: "command"}, {Key: "command", Value: shellWord(program) + " " + session.EventWords(event, '-')}}
		events.Add(event, []jsondoc.Object{{{Key: "hooks", Value: []jsondoc.Object{hook}}}})
	}
	return strings.TrimSuffix(string(jsondoc.Stored(jsondoc.Object{{Key: "hooks", Value: events}})), "\n"), nil
}

// shellWord quotes a path where a shell would take it apart: Codex gives the command
// to one.
func shellWord(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@%:,"
	if strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
