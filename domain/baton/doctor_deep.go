package baton

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton/config"
	"github.com/changeover/changeover/domain/baton/secret"
)

// deep looks at the rest.
func (e *examination) deep(ctx context.Context) {
	for _, id := range Logins() {
		e.arguments(id)
		e.protocol(id)
	}
	e.codexHome()
	e.projects()
	e.rules()
	meta := e.session()
	e.lock()
	e.handoff(meta)
	e.plan(meta)
	e.rotated()
	e.ignored(ctx)
}

// arguments looks at what an agent is started with.
func (e *examination) arguments(id string) {
	label := id + " arguments"
	client, err := agent.ByName(id)
	if err != nil {
		e.add(MarkFail, label, "%v", err)
		return
	}
	usual := agent.DefaultLaunch(client).Args
	args, ok := config.Args(e.file, id)
	if !ok {
		args = usual
	}
	line := strings.Join(args, " ")
	if len(secret.Scan("", line, e.secrets(e.Config.Auth.Blocked))) > 0 {
		line = "(not shown: they hold a secret)"
	}
	switch word, found := config.Forbidden(args); {
	case found:
		e.add(MarkFail, label, "the forbidden %s is among them: take it out of %s", word, config.File)
	case slices.Equal(args, usual):
		e.add(MarkOK, label, "the default ones")
	default:
		e.add(MarkWarn, label, "not the default ones, which is right where you mean them: %s", line)
	}
}

// protocol looks at how an agent talks to baton.
func (e *examination) protocol(id string) {
	label := id + " protocol"
	launch := e.Config.Agents[id].Launch
	warnings := launch.Protocol.Warnings(launch.Args)
	for _, warning := range warnings {
		e.add(MarkWarn, label, "%s: %s", launch.Protocol, warning)
	}
	switch {
	case len(warnings) > 0:
	case launch.Protocol.JSON():
		e.add(MarkOK, label, "%s", launch.Protocol)
	default:
		e.add(MarkInfo, label, "%s: limits are read from its text", launch.Protocol)
	}
}

// codexHome looks at where codex keeps its state: it starts nowhere else.
func (e *examination) codexHome() {
	const label = "codex home"
	dir := e.Env.Lookup("CODEX_HOME")
	if dir == "" {
		if e.Env.Home == "" {
			e.add(MarkWarn, label, "not known: neither HOME nor CODEX_HOME is set")
			return
		}
		dir = path.Join(e.Env.Home, ".codex")
	}
	info, err := e.Files.Stat(e.absolute(dir))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.add(MarkWarn, label, "%s is missing: codex does not start without it", dir)
	case err != nil:
		e.add(MarkWarn, label, "%v", err)
	case !info.Mode.IsDir():
		e.add(MarkWarn, label, "%s is no directory: codex does not start", dir)
	default:
		if err := e.Writable(e.absolute(dir)); err != nil {
			e.add(MarkWarn, label, "%s is not writable: codex does not start: %v", dir, err)
			return
		}
		e.add(MarkOK, label, "%s", dir)
	}
}

func (e *examination) projects() {
	const label = "project registry"
	switch {
	case e.damage != nil:
		e.add(MarkFail, label, "%s: %v", e.registryFile, e.damage)
	case e.registryFile == "":
		e.add(MarkInfo, label, "none: the home directory is not known")
	default:
		e.add(MarkOK, label, "%s, %d registered", e.registryFile, len(e.registry.Projects))
	}
}

// rules looks whether the configuration keeps to its rules, and what of it nobody
// reads or hardly means.
func (e *examination) rules() {
	const label = "configuration rules"
	var invalid *config.InvalidError
	switch {
	case errors.As(e.Invalid, &invalid):
		for _, problem := range invalid.Problems {
			e.add(MarkFail, label, "%v", problem)
		}
		return
	case e.Invalid != nil || e.unread != nil:
		e.add(MarkFail, label, "not read")
		return
	}
	for _, warning := range e.Config.Warnings {
		e.add(MarkWarn, label, "%s", warning)
	}
	for _, key := range e.Config.Unknown {
		e.add(MarkWarn, label, "nothing reads %s", key)
	}
	if len(e.Config.Warnings)+len(e.Config.Unknown) == 0 {
		e.add(MarkOK, label, "kept")
	}
}

// session looks at session.json.
func (e *examination) session() SessionMeta {
	const label = MetaFile
	r := Report{Repo: e.Repo}
	switch err := e.observe(&r); {
	case err != nil:
		e.add(MarkFail, label, "%v", err)
	case !r.There:
		e.add(MarkInfo, label, "there is no session yet")
	case r.Stale:
		e.add(MarkWarn, label, "status %s, and nobody works on it; the next command puts that in order", r.Meta.Status())
	default:
		e.add(MarkOK, label, "status %s", r.Meta.Status())
	}
	return r.Meta
}

func (e *examination) lock() {
	const label = "session lock"
	switch holder, err := e.holder(e.Desk); {
	case err != nil:
		e.add(MarkWarn, label, "%v", err)
	case holder == nil:
		e.add(MarkOK, label, "free")
	case e.lives(holder.Process):
		e.add(MarkInfo, label, "%v", &BusyError{Holder: holder})
	default:
		e.add(MarkWarn, label, "left by 'baton %s', process %d, which has ended; the next command takes it", holder.Command, holder.PID)
	}
}

// handoff looks at the latest one against its budget.
func (e *examination) handoff(meta SessionMeta) {
	const label = "latest handoff"
	diet, err := e.profile(meta)
	there, hasErr := e.Has(HandoffFile)
	chars, charsErr := e.chars(HandoffFile)
	switch err := errors.Join(err, hasErr, charsErr); {
	case err != nil:
		e.add(MarkWarn, label, "%v", err)
	case !there:
		e.add(MarkInfo, label, "none yet")
	default:
		mark := MarkOK
		if chars > diet.budgets.MaxHandoffChars {
			mark = MarkWarn
		}
		e.add(mark, label, "%d of %d chars, profile %s", chars, diet.budgets.MaxHandoffChars, diet.name)
	}
}

// plan runs the gate on the plan.
func (e *examination) plan(meta SessionMeta) {
	const label = PlanFile
	diet, err := e.profile(meta)
	raw, there, readErr := e.Read(PlanFile)
	gate, gateErr := e.gate(e.Repo, PlanFile, diet.budgets.MaxPlanChars)
	switch err := errors.Join(err, readErr, gateErr); {
	case err != nil:
		e.add(MarkWarn, label, "%v", err)
	case !there:
		e.add(MarkInfo, label, "none yet")
	default:
		report := gate.Check(raw)
		if !report.Passed() {
			e.add(MarkWarn, label, "its gate finds %s; 'baton plan --check' lists them", Counted(len(report.Failures), "failure"))
			return
		}
		e.add(MarkOK, label, "passes its gate, %s", Counted(report.Steps, "step"))
	}
}

func (e *examination) rotated() {
	const label = "rotated logs"
	raws, err := e.rawLogs()
	if err != nil {
		e.add(MarkWarn, label, "%v", err)
		return
	}
	bytes := int64(0)
	for _, name := range raws {
		size, _ := e.Size(name) // one that went meanwhile has none
		bytes += size
	}
	e.add(MarkInfo, label, "%d, %s", len(raws), Counted(int(bytes), "byte"))
}

// ignored asks git whether the session counts as a change.
func (e *examination) ignored(ctx context.Context) {
	const label = "ignored by git"
	if e.Missing != nil || e.nowhere != nil {
		e.add(MarkInfo, label, "there is no repository to ask about")
		return
	}
	is, err := e.Git.Ignores(ctx, e.Top(), ignoreLine)
	switch {
	case err != nil:
		e.add(MarkWarn, label, "%v", err)
	case is:
		e.add(MarkOK, label, "%s", SessionDir)
	default:
		e.add(MarkWarn, label, "%s is not: add the line %q to .gitignore, or run 'baton init --gitignore'", SessionDir, ignoreLine)
	}
}
