package baton

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/changeover/changeover/domain/baton/project"
	"github.com/changeover/changeover/domain/port"
)

// registryLimit bounds the registry of projects, in bytes.
const registryLimit = 16 << 20

// Projects reads the registry of projects. A damaged one is kept aside and begun
// anew, which the person is told.
func (w World) Projects() (project.Registry, error) {
	file, r, err := w.readProjects()
	if !errors.Is(err, project.ErrDamaged) {
		return r, err
	}
	if r, err = w.renewProjects(file); err != nil {
		w.Sink.Notice(fmt.Sprintf("%s cannot be read and could not be begun anew: %v", file, err))
	}
	return r, nil
}

// readProjects reads the registry of projects and writes nothing. Where nobody
// knows where it lies, nothing is registered, and nothing can be.
func (w World) readProjects() (file string, r project.Registry, err error) {
	file, err = project.FilePath(w.Env)
	if errors.Is(err, port.ErrNoHome) {
		return "", r, nil
	}
	if err != nil {
		return "", r, err
	}
	file = w.absolute(file)
	r, err = w.registry(file)
	return file, r, err
}

// registry reads a registry. A missing file is an empty one.
func (w World) registry(file string) (project.Registry, error) {
	data, err := w.Files.ReadLinked(file, registryLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return project.Registry{}, nil
	}
	if err != nil {
		return project.Registry{}, err
	}
	return project.Read(data)
}

// renewProjects begins a damaged registry anew, unless another process has done so
// meanwhile.
func (w World) renewProjects(file string) (r project.Registry, err error) {
	err = w.withRegistry(file, func(project.Registry) error { return nil })
	if err != nil {
		return r, err
	}
	return w.registry(file)
}

// ChangeProjects changes the registry of projects under its lock.
func (w World) ChangeProjects(change func(project.Registry) (project.Registry, error)) error {
	file, err := project.FilePath(w.Env)
	if err != nil {
		return usage(err)
	}
	file = w.absolute(file)
	if err := w.makeDirs(path.Dir(file)); err != nil {
		return err
	}
	return w.withRegistry(file, func(before project.Registry) error {
		after, err := change(before)
		if err != nil || string(after.Bytes()) == string(before.Bytes()) {
			return err
		}
		return w.replaceBehind(file, after)
	})
}

// withRegistry reads a registry under its lock. A damaged one is kept aside and
// begun anew first.
func (w World) withRegistry(file string, use func(project.Registry) error) (err error) {
	lock, err := w.wait(file+".lock", receiptPatience)
	if err != nil {
		return fmt.Errorf("change the project registry: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	r, err := w.registry(file)
	if errors.Is(err, project.ErrDamaged) {
		err = w.beginAnew(file, err)
	}
	if err != nil {
		return err
	}
	return use(r)
}

// beginAnew keeps a damaged registry aside and puts an empty one in its place.
func (w World) beginAnew(file string, damage error) error {
	data, err := w.Files.ReadLinked(file, registryLimit)
	if err != nil {
		return err
	}
	kept := project.BackupName(file, w.Clock.Now())
	for n := 2; ; n++ {
		err = w.Files.Create(kept, data, fileMode, port.Synced)
		if !errors.Is(err, fs.ErrExist) || n > mostTwins {
			break
		}
		kept = project.BackupTwin(file, w.Clock.Now(), n)
	}
	if err != nil {
		return fmt.Errorf("keep the damaged %s aside: %w", file, err)
	}
	if err := w.replaceBehind(file, project.Registry{}); err != nil {
		return err
	}
	w.Sink.Notice(fmt.Sprintf("%s: %v; it is kept as %s, and the registry begins anew", file, damage, kept))
	return nil
}

// replaceBehind replaces the registry that a path names; where that is a symbolic link,
// the file that it leads to.
func (w World) replaceBehind(file string, r project.Registry) error {
	real, err := w.Files.RealPath(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		real = file
	case err != nil:
		return err
	}
	return w.Files.Replace(real, r.Bytes(), fileMode, port.Synced)
}

// makeDirs makes a directory and what is missing above it.
func (w World) makeDirs(dir string) error {
	if _, err := w.Files.Stat(dir); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := w.makeDirs(path.Dir(dir)); err != nil {
		return err
	}
	return w.Files.MakeDir(dir, dirMode)
}
