package baton

import (
	"context"
	"fmt"
	"path"
	"time"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton/config"
	"github.com/changeover/changeover/domain/baton/project"
)

// versionPatience is how long an agent's program may take to tell its version.
const versionPatience = 5 * time.Second

// examination is one look at everything that baton's work depends on. It writes
// nothing.
type examination struct {
	World
	Repo
	Checkup
	// nowhere is why no directory was found to work on.
	nowhere error
	// registry is that of the projects, damage what is wrong with its file.
	registryFile string
	registry     project.Registry
	damage       error
	// file is the configuration as it stands, unread why it could not be read.
	file   []byte
	unread error
}

// Doctor looks at what baton's work in a repository depends on: the core, and with
// deep everything else that can be told without running an agent.
func (w World) Doctor(ctx context.Context, place Place, deep bool) (Checkup, error) {
	e := &examination{World: w}
	if err := e.place(ctx, place); err != nil {
		return Checkup{}, err
	}
	e.core(ctx)
	if deep {
		e.deep(ctx)
	}
	return e.Checkup, ctx.Err()
}

// place finds the repository. A flag that leads nowhere is the user's mistake;
// anything else is a finding.
func (e *examination) place(ctx context.Context, place Place) error {
	e.registryFile, e.registry, e.damage = e.readProjects()
	if e.damage != nil && place.Project != "" {
		return usage(fmt.Errorf("%s: %w", e.registryFile, e.damage))
	}
	r, err := e.resolve(ctx, e.registry, place)
	if err != nil && place != (Place{}) {
		return err
	}
	if err != nil {
		e.nowhere, r.Desk = err, NewDesk(e.Files, e.Dir)
	}
	e.Repo = r
	e.tellAll(r.Notices)
	e.Config, e.Invalid, e.unread = e.configuration(r.Top())
	if data, err := e.Files.ReadLinked(path.Join(r.Top(), config.File), configLimit); err == nil {
		e.file = data
	}
	return nil
}

// core looks at what every command needs.
func (e *examination) core(ctx context.Context) {
	e.git(ctx)
	e.programs(ctx)
	e.keys()
	switch there, err := e.Exists(); {
	case err != nil:
		e.add(MarkWarn, "session directory", "%v", err)
	case !there:
		e.add(MarkWarn, "session directory", "%s is missing; 'baton init' makes it", SessionDir)
	default:
		e.add(MarkOK, "session directory", "%s", SessionDir)
	}
	switch {
	case e.unread != nil:
		e.add(MarkFail, "configuration", "%v", e.unread)
	case e.Invalid != nil:
		e.add(MarkFail, "configuration", "%v", e.Invalid)
	case e.Config.Source == config.SourceDefault:
		e.add(MarkOK, "configuration", "the defaults; there is no %s", config.File)
	default:
		e.add(MarkOK, "configuration", "%s", e.Config.Source)
	}
	e.Checks = append(e.Checks, e.instructions()...)
}

// git looks at the program and the repository.
func (e *examination) git(ctx context.Context) {
	version, err := e.Git.Version(ctx)
	if err != nil {
		e.add(MarkFail, "git command", "%v", err)
	} else {
		e.add(MarkOK, "git command", "%s", version)
	}
	switch {
	case e.nowhere != nil:
		e.add(MarkFail, "git repository", "%v", e.nowhere)
	case e.Missing != nil:
		e.add(MarkFail, "git repository", "%v", e.Missing)
	case e.Project != nil:
		e.add(MarkOK, "git repository", "%s, project %s", e.Top(), e.Project.ID)
	default:
		e.add(MarkOK, "git repository", "%s", e.Top())
	}
}

// programs looks at the agents' programs. Each that is missing is a warning, for the
// other can work alone, and verify needs neither; without any, nothing runs.
func (e *examination) programs(ctx context.Context) {
	before := e.Count(MarkOK)
	for _, id := range Logins() {
		e.agent(ctx, id)
	}
	if e.Count(MarkOK) == before {
		e.Advice = "Neither agent answers here, and without one nothing runs: install Codex CLI or Claude Code and put it on PATH, or name another program as agents.codex.command or agents.claude.command in " +
			config.File + "; then 'baton doctor' again."
	}
}

// agent asks an agent's program for its version.
func (e *examination) agent(ctx context.Context, id string) {
	configured := e.Config.Agents[id]
	environ := agent.KeyPolicy{Blocked: e.Config.Auth.Blocked, Add: configured.Env}.Apply(e.Environ).Environ
	bounded, cancel := context.WithCancel(ctx)
	defer cancel()
	alarm := e.Alarms(versionPatience, cancel)
	defer alarm.Stop()
	version, ok, err := configured.Version(bounded, e.Agents, e.Top(), environ)
	switch {
	case ok:
		e.add(MarkOK, id, "%s", version)
	case bounded.Err() != nil && ctx.Err() == nil:
		e.add(MarkWarn, id, "%s --version gave no answer within %s", configured.Program, versionPatience)
	case err != nil:
		e.add(MarkWarn, id, "%v", err)
	default:
		e.add(MarkWarn, id, "%s is missing, or its --version fails: install it and put it on PATH", configured.Program)
	}
}

// keys tells which of the blocked variables are set, and never what they hold.
func (e *examination) keys() {
	for _, name := range e.Config.Auth.Blocked {
		switch {
		case e.Env.Lookup(name) == "":
			e.add(MarkInfo, name, "not set")
		case e.Config.Auth.AllowKeys:
			e.add(MarkInfo, name, "set, and authPolicy.allowApiKeyEnv lets the agents see it")
		default:
			e.add(MarkWarn, name, "set, and kept from the agents; --allow-api-key-env lets it through")
		}
	}
}

// instructions tells which of the agents' instructions there are.
func (d Desk) instructions() []Check {
	var checks []Check
	for _, name := range []string{codexInstructions, claudeInstructions} {
		value := "missing"
		if info, err := d.files.Stat(path.Join(d.top, name)); err == nil && info.Mode.IsRegular() {
			value = "there"
		}
		checks = append(checks, Check{Mark: MarkInfo, Label: name, Value: value})
	}
	return checks
}

// profile is the diet that a session goes by.
func (e *examination) profile(meta SessionMeta) (diet, error) {
	name, budgets, _, err := e.Diet("", meta.TokenDietProfile)
	return diet{name: name, budgets: budgets}, err
}
