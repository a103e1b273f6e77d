package baton

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/config"
	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/baton/project"
	"github.com/changeover/changeover/domain/port"
)

// Place is where a command was told to work.
type Place struct {
	// Path and Project are the two flags; empty where not given.
	Path    string
	Project string
}

// Repo is the repository of a command, with what the command goes by.
type Repo struct {
	Desk
	// Project is the registered project; nil for none.
	Project *project.Project
	Config  config.Config
	// Invalid is what is wrong with the configuration, of which the defaults
	// stand in Config then; nil for nothing.
	Invalid error
	// Missing is why git does not tell of the repository, of which the directory
	// itself stands in then; nil where it does.
	Missing error
	// Notices are for the person.
	Notices []string
}

// Open finds the repository of a command and reads its configuration. An invalid
// one is left to the caller.
func (w World) Open(ctx context.Context, place Place) (Repo, error) {
	r, err := w.Find(ctx, place)
	if err != nil {
		return r, err
	}
	return w.configured(r)
}

// Visit is Open for the commands that tell how things stand also where git does
// not tell of a repository.
func (w World) Visit(ctx context.Context, place Place) (Repo, error) {
	registry, err := w.Projects()
	if err != nil {
		return Repo{}, err
	}
	r, err := w.resolve(ctx, registry, place)
	if err != nil {
		return r, err
	}
	return w.configured(r)
}

// valid is Open for the commands that go on with a valid configuration alone, and
// with a session directory that is one, where there is any.
func (w World) valid(ctx context.Context, place Place) (Repo, error) {
	r, err := w.Open(ctx, place)
	if err == nil {
		err = usage(r.Invalid)
	}
	if err == nil {
		_, err = r.Exists()
	}
	return r, err
}

// ready is valid, and tells the person what is to be known of the repository.
func (w World) ready(ctx context.Context, place Place) (Repo, error) {
	r, err := w.valid(ctx, place)
	w.tellAll(r.Notices)
	return r, err
}

// tellAll tells the person several things.
func (w World) tellAll(notices []string) {
	for _, notice := range notices {
		w.Sink.Notice(notice)
	}
}

// Find finds the repository of a command.
func (w World) Find(ctx context.Context, place Place) (Repo, error) {
	registry, err := w.Projects()
	if err != nil {
		return Repo{}, err
	}
	r, err := w.resolve(ctx, registry, place)
	if err != nil {
		return r, err
	}
	return r, r.Missing
}

// resolve tells the directory of a command and the repository that it belongs
// to.
func (w World) resolve(ctx context.Context, registry project.Registry, place Place) (r Repo, err error) {
	found, err := registry.Resolve(project.Request{Path: w.absolute(place.Path), Project: place.Project, Cwd: w.Dir})
	if err != nil {
		return r, usage(err)
	}
	top, err := w.Git.Top(ctx, found.Dir)
	switch {
	case errors.Is(err, port.ErrNoRepository):
		r.Missing = usagef("%s: %w; make it one with 'git init', or name another one with --path", found.Dir, err)
		top = found.Dir
	case errors.Is(err, port.ErrNoGit):
		r.Missing, top = err, found.Dir
	case errors.Is(err, fs.ErrNotExist) && found.Project != nil:
		return r, usagef("%s: the directory of project %s is gone; 'baton project remove %s' forgets it", found.Dir, found.Project.ID, found.Project.ID)
	case errors.Is(err, fs.ErrNotExist):
		return r, usagef("%s: no such directory", found.Dir)
	case errors.Is(err, port.ErrNoDirectory):
		return r, usage(err)
	case err != nil:
		return r, err
	}
	if found.FindsTop() {
		found = registry.Rooted(found, top, w.same)
	}
	if cwdTop, err := w.Git.Top(ctx, w.Dir); err == nil {
		if notice := found.Notice(cwdTop, w.same); notice != "" {
			r.Notices = append(r.Notices, notice)
		}
	}
	r.Desk, r.Project = NewDesk(w.Files, top), found.Project
	return r, nil
}

// configLimit bounds the configuration file, in bytes.
const configLimit = 4 << 20

// configured is a repository with its configuration.
func (w World) configured(r Repo) (_ Repo, err error) {
	var unread error
	r.Config, r.Invalid, unread = w.configuration(r.Top())
	r.Invalid = joinFirst(unread, r.Invalid)
	return r, nil
}

// configuration reads the file at the repository's top. invalid is why it does not
// count, unread why nobody could look; the defaults are returned then.
func (w World) configuration(top string) (c config.Config, invalid, unread error) {
	data, err := w.Files.ReadLinked(path.Join(top, config.File), configLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return config.Default(), nil, nil
	}
	if err != nil {
		return config.Default(), nil, err
	}
	c, invalid = config.Parse(data, config.File)
	return c, invalid, nil
}

// settings are those of the project; empty ones where there is none.
func (r Repo) settings() project.Settings {
	if r.Project == nil {
		return project.Settings{}
	}
	return r.Project.Settings
}

// Phrases are the phrases of the configuration and of the project.
func (r Repo) Phrases() phrase.List { return r.Config.Phrases(r.settings().FallbackPatterns) }

// Diet chooses the profile of a command: bySession for those that go by what the
// session has recorded.
func (r Repo) Diet(flag, session string) (name string, budgets compact.Profile, warnings []string, err error) {
	name, warnings, err = r.Config.ChooseDiet(config.WantedDiet{Flag: flag, Session: session, Project: r.settings().DefaultDiet})
	if err != nil {
		return "", budgets, nil, usage(err)
	}
	budgets, ok := r.Config.Budgets(name)
	if !ok {
		return name, budgets, warnings, fmt.Errorf("diet %s has no budgets", name)
	}
	budgets.MaxPlanChars = r.Config.PlanBudget(name)
	return name, budgets, warnings, nil
}

// agents are the first agent and the one that it falls back to: of the flags, the
// project, the configuration.
func (r Repo) agents(first, other string) (string, string, error) {
	s := r.settings()
	for _, choice := range []struct {
		to   *string
		from []string
	}{{&first, []string{s.PrimaryAgent, r.Config.PrimaryAgent}}, {&other, []string{s.FallbackAgent, r.Config.FallbackAgent}}} {
		for _, name := range choice.from {
			if *choice.to == "" {
				*choice.to = name
			}
		}
		if err := config.CheckAgent(*choice.to); err != nil {
			return first, other, usage(err)
		}
	}
	return first, other, nil
}
