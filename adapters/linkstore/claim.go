package linkstore

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"syscall"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/relay"
)

// create claims a name for ever: relay.ErrTaken where it is taken.
func (s Store) create(name string, doc jsondoc.Object) error {
	if err := s.makeDirs(path.Dir(name)); err != nil {
		return err
	}
	data := jsondoc.Stored(doc)
	if len(data) > fileLimit { // nobody could read it
		return &contentError{name, port.ErrTooLarge}
	}
	err := s.fs.Create(name, data, filePerm, port.Synced)
	switch {
	case errors.Is(err, fs.ErrExist):
		return relay.ErrTaken
	case errors.Is(err, port.ErrNoHardLinks):
		return s.createByRename(name, data)
	}
	return err
}

// createByRename is create on a file system without hard links. The unfinished file
// is named after its content: where two write the same at once it is one file, and
// whoever finds it gone has lost.
func (s Store) createByRename(name string, data []byte) error {
	dir, file := path.Split(name)
	unfinished := path.Join(dir, ".tmp-"+relay.Digest(string(data))[:16]+"-"+file)
	if err := s.fs.Replace(unfinished, data, filePerm, port.Synced); err != nil {
		return err
	}
	err := s.renameNew(unfinished, name)
	if err != nil {
		_ = s.fs.Remove(unfinished) // the first failure is the one to report
	}
	return err
}

// renameNew gives a file another name: relay.ErrTaken where somebody else moved it
// first, or that name is taken.
func (s Store) renameNew(from, to string) error {
	err := s.fs.RenameNew(from, to)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrExist):
		return relay.ErrTaken
	case errors.Is(err, syscall.EINVAL), errors.Is(err, errors.ErrUnsupported):
		return fmt.Errorf("the file system of %s cannot claim a name, which relay needs: "+
			"set RELAY_STATE_DIR to a directory on another one (%w)", s.dir, err)
	}
	return err
}
