package baton

import (
	"context"
	"errors"
	"io/fs"
	"path"

	"github.com/changeover/changeover/domain/baton/config"
	"github.com/changeover/changeover/domain/baton/project"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/port"
)

// Registered reads the registry of projects and writes nothing, whatever is wrong
// with it.
func (w World) Registered() (project.Registry, error) {
	_, r, err := w.readProjects()
	return r, err
}

// ProjectAdded is what came of registering a repository.
type ProjectAdded struct {
	project.Added
	// Active: it is the active project.
	Active bool
}

// AddProject registers the repository that a path belongs to. What its settings
// name must be known.
func (w World) AddProject(ctx context.Context, wanted project.Wanted) (added ProjectAdded, err error) {
	if wanted.Path, err = w.repository(ctx, wanted.Path); err != nil {
		return added, err
	}
	if err := w.checkSettings(wanted); err != nil {
		return added, err
	}
	err = w.ChangeProjects(func(r project.Registry) (project.Registry, error) {
		r, added.Added = r.Add(wanted, w.Clock.Now(), w.same)
		added.Active = r.ActiveID == added.Project.ID
		return r, nil
	})
	return added, err
}

// repository is the top level of the repository that a path belongs to.
func (w World) repository(ctx context.Context, named string) (string, error) {
	if named == "" {
		return "", usagef("name the directory of a repository")
	}
	top, err := w.Git.Top(ctx, w.absolute(named))
	switch {
	case errors.Is(err, port.ErrNoRepository):
		return "", usagef("%s: %w; make it one with 'git init'", named, err)
	case errors.Is(err, fs.ErrNotExist):
		return "", usagef("%s: no such directory", named)
	case errors.Is(err, port.ErrNoDirectory):
		return "", usage(err)
	}
	return top, err
}

// checkSettings refuses agents and profiles that nobody knows.
func (w World) checkSettings(wanted project.Wanted) error {
	for _, id := range []string{wanted.PrimaryAgent, wanted.FallbackAgent} {
		if id == "" {
			continue
		}
		if err := checkAgent(id); err != nil {
			return err
		}
	}
	if wanted.DefaultDiet == "" {
		return nil
	}
	c, invalid, err := w.configuration(wanted.Path)
	if err != nil {
		return err
	}
	if invalid != nil {
		return usage(invalid)
	}
	if _, ok := c.Budgets(wanted.DefaultDiet); !ok {
		return usage(&config.UnknownDietError{Name: wanted.DefaultDiet, Known: c.DietNames()})
	}
	return nil
}

// SwitchProject makes a project the active one.
func (w World) SwitchProject(idOrName string) (p project.Project, err error) {
	err = w.ChangeProjects(func(r project.Registry) (project.Registry, error) {
		var err error
		r, p, err = r.Switch(idOrName)
		return r, usage(err)
	})
	return p, err
}

// RemoveProject takes a project out of the registry, and returns what is left of
// that. Its files stay.
func (w World) RemoveProject(idOrName string) (p project.Project, left project.Registry, err error) {
	err = w.ChangeProjects(func(r project.Registry) (project.Registry, error) {
		var err error
		r, p, err = r.Remove(idOrName)
		left = r
		return r, usage(err)
	})
	return p, left, err
}

// Current is the project that commands work on where nothing else is said.
type Current struct {
	// Project is nil where none is active.
	Project *project.Project
	// Dir is where commands work.
	Dir string
}

// CurrentProject tells the active project.
func (w World) CurrentProject() (Current, error) {
	r, err := w.Projects()
	if p, ok := r.Active(); ok && err == nil {
		return Current{Project: &p, Dir: p.Path}, nil
	}
	return Current{Dir: w.Dir}, err
}

// Document is the active project as JSON.
func (c Current) Document() jsondoc.Object {
	var active any
	if c.Project != nil {
		active = c.Project.Document()
	}
	return jsondoc.Object{{Key: "project", Value: active}, {Key: "path", Value: c.Dir}}
}

// Document is what came of registering as JSON.
func (a ProjectAdded) Document() jsondoc.Object {
	return jsondoc.Object{
		{Key: "project", Value: a.Project.Document()},
		{Key: "already", Value: a.Already},
		{Key: "updated", Value: a.Updated},
		{Key: "active", Value: a.Active},
	}
}

// ProjectCheckup is how a registered repository stands.
type ProjectCheckup struct {
	Project project.Project
	Active  bool
	Checkup
}

// ExamineProjects looks at every registered repository.
func (w World) ExamineProjects(ctx context.Context) ([]ProjectCheckup, error) {
	r, err := w.Projects()
	if err != nil {
		return nil, err
	}
	var all []ProjectCheckup
	for _, p := range r.Projects {
		all = append(all, ProjectCheckup{Project: p, Active: p.ID == r.ActiveID, Checkup: w.examine(ctx, p)})
	}
	return all, nil
}

// examine looks at one of them.
func (w World) examine(ctx context.Context, p project.Project) (c Checkup) {
	info, err := w.Files.Stat(p.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.add(MarkFail, "path", "%s is gone; 'baton project remove %s' forgets it", p.Path, p.ID)
		return c
	case err != nil:
		c.add(MarkFail, "path", "%v", err)
		return c
	case !info.Mode.IsDir():
		c.add(MarkFail, "path", "%s is no directory any more", p.Path)
		return c
	}
	c.add(MarkOK, "path", "%s", p.Path)
	switch _, err := w.Git.Top(ctx, p.Path); {
	case errors.Is(err, port.ErrNoRepository):
		c.add(MarkWarn, "git", "not a git repository any more")
	case err != nil:
		c.add(MarkWarn, "git", "%v", err)
	default:
		c.add(MarkOK, "git", "a repository")
	}
	d := NewDesk(w.Files, p.Path)
	switch there, err := d.Exists(); {
	case err != nil:
		c.add(MarkWarn, "session directory", "%v", err)
	case !there:
		c.add(MarkInfo, "session directory", "none yet")
	default:
		c.add(MarkOK, "session directory", "%s", path.Join(p.Path, SessionDir))
	}
	c.Checks = append(c.Checks, d.instructions()...)
	return c
}

// Document is the checkup as JSON.
func (c ProjectCheckup) Document() jsondoc.Object {
	return jsondoc.Object{
		{Key: "id", Value: c.Project.ID},
		{Key: "path", Value: c.Project.Path},
		{Key: "active", Value: c.Active},
		{Key: "passed", Value: !c.Failed()},
		{Key: "checks", Value: checkDocuments(c.Checks)},
	}
}
