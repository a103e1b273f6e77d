package project

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/baton/stamp"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/port"
)

// FileVariable names the file of the registry, where it is set.
const FileVariable = "RELAY_BATON_PROJECTS_FILE"

// defaultFile is the file of the registry below the home directory.
const defaultFile = ".relay-baton/projects.json"

// FilePath is where the registry lies.
func FilePath(e port.Environment) (string, error) {
	if named := e.Lookup(FileVariable); named != "" {
		return named, nil
	}
	if e.Home == "" {
		return "", fmt.Errorf("find the project registry: %w; name its file in %s", port.ErrNoHome, FileVariable)
	}
	return path.Join(e.Home, defaultFile), nil
}

// ErrDamaged reports a file that holds no registry. It is kept under BackupName
// and the registry begins anew.
var ErrDamaged = errors.New("the project registry is damaged")

// BackupName is the name under which a damaged file is kept, BackupTwin the n-th
// name of one instant.
func BackupName(file string, now time.Time) string {
	return file + ".corrupt-" + stamp.File(now) + ".bak"
}

// BackupTwin is BackupName where the names before the n-th are taken.
func BackupTwin(file string, now time.Time, n int) string {
	return fmt.Sprintf("%s.corrupt-%s-%d.bak", file, stamp.File(now), n)
}

// members are what a later version may have added to an object.
type members = jsondoc.Object

// Read reads a registry. An error wraps ErrDamaged.
func Read(raw []byte) (Registry, error) {
	body := []byte(strings.TrimPrefix(string(raw), "\ufeff"))
	f, err := jsondoc.DecodeFields(body)
	if err != nil {
		return Registry{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	r := Registry{ActiveID: f.Text("activeProjectId")}
	if !f.Has("projects") {
		f.Fail("projects", "there")
	}
	for _, entry := range f.Children("projects") {
		p := Project{
			ID: entry.Text("id"), Name: entry.Text("name"), Path: entry.Text("path"),
			CreatedAt: stamp.Field(entry, "createdAt"), UpdatedAt: stamp.Field(entry, "updatedAt"), LastUsedAt: stamp.Field(entry, "lastUsedAt"),
			Settings: Settings{
				DefaultDiet: entry.Text("defaultDiet"), PrimaryAgent: entry.Text("primaryAgent"), FallbackAgent: entry.Text("fallbackAgent"),
				FallbackPatterns: entry.Texts("fallbackPatterns"),
			},
		}
		if p.ID == "" || slices.ContainsFunc(r.Projects, func(other Project) bool { return strings.EqualFold(other.ID, p.ID) }) {
			entry.Fail("id", "an id of its own")
		}
		if p.Path == "" || slices.ContainsFunc(r.Projects, func(other Project) bool { return other.Path == p.Path }) {
			entry.Fail("path", "a path of its own")
		}
		r.Projects = append(r.Projects, p)
	}
	if err := f.Err(); err != nil {
		return Registry{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	r.keepOthers(body)
	return r, nil
}

// keepOthers keeps what a later version may have added.
func (r *Registry) keepOthers(body []byte) {
	value, err := jsondoc.DecodeOrdered(body)
	document, ok := value.(jsondoc.Object)
	if err != nil || !ok {
		return
	}
	r.others = unlike(document, registryKeys)
	projects, _ := document.Find("projects")
	entries, _ := projects.([]any)
	for i, entry := range entries {
		if object, ok := entry.(jsondoc.Object); ok {
			r.Projects[i].others = unlike(object, projectKeys)
		}
	}
}

// The members of the registry and of a project.
var (
	registryKeys = []string{"activeProjectId", "projects"}
	projectKeys  = []string{
		"id", "name", "path", "createdAt", "updatedAt", "lastUsedAt", "defaultDiet", "primaryAgent", "fallbackAgent", "fallbackPatterns",
	}
)

// unlike returns the members of an object that have none of the names.
func unlike(object jsondoc.Object, names []string) members {
	var rest members
	for _, m := range object {
		if !slices.Contains(names, m.Key) {
			rest = append(rest, m)
		}
	}
	return rest
}

// Bytes writes the registry as its file holds it.
func (r Registry) Bytes() []byte { return jsondoc.Stored(append(r.Document(), r.others...)) }

// Document is the registry as JSON.
func (r Registry) Document() jsondoc.Object {
	var active any
	if r.ActiveID != "" {
		active = r.ActiveID
	}
	projects := []jsondoc.Object{}
	for _, p := range r.Projects {
		projects = append(projects, append(p.Document(), p.others...))
	}
	return jsondoc.Object{{Key: "activeProjectId", Value: active}, {Key: "projects", Value: projects}}
}

// Document is a project as JSON.
func (p Project) Document() jsondoc.Object {
	o := jsondoc.Object{
		{Key: "id", Value: p.ID}, {Key: "name", Value: p.Name}, {Key: "path", Value: p.Path},
	}
	for _, at := range []struct {
		key string
		at  time.Time
	}{{"createdAt", p.CreatedAt}, {"updatedAt", p.UpdatedAt}, {"lastUsedAt", p.LastUsedAt}} {
		if !at.at.IsZero() {
			o.Add(at.key, stamp.Text(at.at))
		}
	}
	o.AddText("defaultDiet", p.DefaultDiet)
	o.AddText("primaryAgent", p.PrimaryAgent)
	o.AddText("fallbackAgent", p.FallbackAgent)
	o.AddTexts("fallbackPatterns", p.FallbackPatterns)
	return o
}
