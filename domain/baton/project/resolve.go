package project

import "fmt"

// Source is what told the repository of a command.
type Source string

// The sources, the first that is given before the next.
const (
	ByPath    Source = "path"
	ByProject Source = "project"
	ByActive  Source = "active"
	ByCwd     Source = "cwd"
)

// Request is what a command was told about its repository.
type Request struct {
	// Path and Project are the two flags; empty where not given.
	Path    string
	Project string
	Cwd     string
}

// Resolution is the repository of a command.
type Resolution struct {
	Source Source
	Dir    string
	// Project is the one whose settings count; nil for none.
	Project *Project
}

// FindsTop says whether the repository is the top level above Dir, and not Dir
// itself.
func (r Resolution) FindsTop() bool { return r.Source == ByPath || r.Source == ByCwd }

// Resolve tells the repository of a command. It changes nothing.
func (r Registry) Resolve(q Request) (Resolution, error) {
	if q.Path != "" {
		return Resolution{Source: ByPath, Dir: q.Path}, nil
	}
	if q.Project != "" {
		p, err := r.Find(q.Project)
		if err != nil {
			return Resolution{}, err
		}
		return Resolution{Source: ByProject, Dir: p.Path, Project: &p}, nil
	}
	if p, ok := r.Active(); ok {
		return Resolution{Source: ByActive, Dir: p.Path, Project: &p}, nil
	}
	return Resolution{Source: ByCwd, Dir: q.Cwd}, nil
}

// Rooted returns the resolution with the top level that was found above its
// directory. A registered one gets its project's settings too.
func (r Registry) Rooted(res Resolution, top string, same Same) Resolution {
	res.Dir = top
	if p, ok := r.At(top, same); ok && res.Project == nil {
		res.Project = &p
	}
	return res
}

// Notice tells that the active project is used though the caller stands in
// another repository, whose top level is given; empty where there is nothing to
// tell.
func (r Resolution) Notice(cwdTop string, same Same) string {
	if r.Source != ByActive || cwdTop == "" || same(cwdTop, r.Dir) {
		return ""
	}
	return fmt.Sprintf("working on %s, the active project %s, and not on %s", r.Dir, r.Project.ID, cwdTop)
}
