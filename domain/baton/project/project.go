// Package project holds the registry of the repositories that baton is used in,
// with the settings of each, and decides which repository a command works on.
package project

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Project is one registered repository.
type Project struct {
	ID   string
	Name string
	Path string

	CreatedAt time.Time
	UpdatedAt time.Time
	// LastUsedAt is zero where no command worked on it yet.
	LastUsedAt time.Time

	Settings

	// others are the members that this version does not know.
	others members
}

// Settings come before those of the configuration; what is empty says nothing.
type Settings struct {
	DefaultDiet      string
	PrimaryAgent     string
	FallbackAgent    string
	FallbackPatterns []string
}

// under returns the settings with those of another over them.
func (s Settings) under(other Settings) Settings {
	for _, f := range []struct{ own, other *string }{
		{&s.DefaultDiet, &other.DefaultDiet}, {&s.PrimaryAgent, &other.PrimaryAgent}, {&s.FallbackAgent, &other.FallbackAgent},
	} {
		if *f.other != "" {
			*f.own = *f.other
		}
	}
	if len(other.FallbackPatterns) > 0 {
		s.FallbackPatterns = slices.Clone(other.FallbackPatterns)
	}
	return s
}

// Registry is every registered repository. Ids and paths are unique.
type Registry struct {
	// ActiveID is the project that commands work on where nothing else is said;
	// empty for none.
	ActiveID string
	Projects []Project

	others members
}

// Same says whether two paths name one directory.
type Same func(a, b string) bool

// UnknownError reports a project that is not registered.
type UnknownError struct {
	Name  string
	Known []string
}

// Error names the projects that are.
func (e *UnknownError) Error() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("no project is called %q: none is registered, 'baton project add' does that", e.Name)
	}
	return fmt.Sprintf("no project is called %q: %s are registered", e.Name, strings.Join(e.Known, ", "))
}

// AmbiguousError reports a name that several projects have.
type AmbiguousError struct {
	Name string
	IDs  []string
}

// Error names the ids that tell them apart.
func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%d projects are called %q: say which by its id, %s", len(e.IDs), e.Name, strings.Join(e.IDs, ", "))
}

// Find returns the project of an id or a name, in any case. Ids come first.
func (r Registry) Find(idOrName string) (Project, error) {
	var named []Project
	var known []string
	for _, p := range r.Projects {
		if strings.EqualFold(p.ID, idOrName) {
			return p, nil
		}
		if strings.EqualFold(p.Name, idOrName) {
			named = append(named, p)
		}
		known = append(known, p.ID)
	}
	switch len(named) {
	case 0:
		return Project{}, &UnknownError{Name: idOrName, Known: known}
	case 1:
		return named[0], nil
	}
	ambiguous := &AmbiguousError{Name: idOrName}
	for _, p := range named {
		ambiguous.IDs = append(ambiguous.IDs, p.ID)
	}
	return Project{}, ambiguous
}

// At returns the project that lies at a path.
func (r Registry) At(path string, same Same) (Project, bool) {
	for _, p := range r.Projects {
		if same(p.Path, path) {
			return p, true
		}
	}
	return Project{}, false
}

// Active returns the active project.
func (r Registry) Active() (Project, bool) {
	for _, p := range r.Projects {
		if p.ID == r.ActiveID {
			return p, true
		}
	}
	return Project{}, false
}

// Wanted is a repository to register. What is empty in its settings says
// nothing.
type Wanted struct {
	// Path is the path that is kept; Name is the name of its directory where it
	// is empty.
	Path string
	Name string
	Settings
	// Update applies the settings also where the path is registered.
	Update bool
}

// Added is what came of registering a repository.
type Added struct {
	Project Project
	// Already: it was registered. Updated: its settings were changed.
	Already bool
	Updated bool
}

// Add registers a repository. The first one becomes active.
func (r Registry) Add(w Wanted, now time.Time, same Same) (Registry, Added) {
	if p, ok := r.At(w.Path, same); ok {
		if !w.Update {
			return r, Added{Project: p, Already: true}
		}
		if w.Name != "" {
			p.Name = w.Name
		}
		p.Settings, p.UpdatedAt = p.under(w.Settings), now
		return r.with(p), Added{Project: p, Already: true, Updated: true}
	}
	p := Project{Name: w.Name, Path: w.Path, CreatedAt: now, UpdatedAt: now, Settings: Settings{}.under(w.Settings)}
	if p.Name == "" {
		p.Name = directory(w.Path)
	}
	p.ID = r.freeID(p.Name)
	if len(r.Projects) == 0 {
		r.ActiveID = p.ID
	}
	r.Projects = append(slices.Clip(r.Projects), p)
	return r, Added{Project: p}
}

// Switch makes a project the active one.
func (r Registry) Switch(idOrName string) (Registry, Project, error) {
	p, err := r.Find(idOrName)
	if err == nil {
		r.ActiveID = p.ID
	}
	return r, p, err
}

// Remove takes a project out. Nothing is active afterwards where it was that.
func (r Registry) Remove(idOrName string) (Registry, Project, error) {
	p, err := r.Find(idOrName)
	if err != nil {
		return r, p, err
	}
	if r.ActiveID == p.ID {
		r.ActiveID = ""
	}
	r.Projects = slices.DeleteFunc(slices.Clone(r.Projects), func(other Project) bool { return other.ID == p.ID })
	return r, p, nil
}

// Used notes that a command changed something in a project. One that is not
// registered any more changes nothing.
func (r Registry) Used(id string, now time.Time) Registry {
	for _, p := range r.Projects {
		if p.ID == id {
			p.LastUsedAt = now
			return r.with(p)
		}
	}
	return r
}

// with returns the registry with a project in the place of the one with its id.
func (r Registry) with(p Project) Registry {
	r.Projects = slices.Clone(r.Projects)
	for i := range r.Projects {
		if r.Projects[i].ID == p.ID {
			r.Projects[i] = p
		}
	}
	return r
}

// freeID makes an id of a name: its letters and digits in lower case, everything
// else a dash, and a number behind it where the id is taken.
func (r Registry) freeID(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9')
	})
	base := strings.Join(words, "-")
	if base == "" {
		base = "project"
	}
	taken := func(id string) bool {
		return slices.ContainsFunc(r.Projects, func(p Project) bool { return strings.EqualFold(p.ID, id) })
	}
	id := base
	for n := 2; taken(id); n++ {
		id = fmt.Sprintf("%s-%d", base, n)
	}
	return id
}

// directory is the last part of a path.
func directory(path string) string {
	path = strings.TrimRight(path, `/\`)
	return path[strings.LastIndexAny(path, `/\`)+1:]
}
