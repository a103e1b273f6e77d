package port

import (
	"errors"
	"io/fs"
	"time"
)

var (
	// ErrNotRegular reports that a path holds something other than a regular
	// file: a directory, a symbolic link, a FIFO, a device or a socket.
	ErrNotRegular = errors.New("not a regular file")

	// ErrTooLarge reports a file past the limit that its reader set.
	ErrTooLarge = errors.New("file too large")

	// ErrNoHardLinks reports a file system on which a name cannot be claimed
	// by a hard link. There is no fall-back to check-then-write.
	ErrNoHardLinks = errors.New("this file system has no hard links")
)

// Entry is one name of a directory. Mode holds the type bits alone; a symbolic
// link is reported as one.
type Entry struct {
	Name string
	Mode fs.FileMode
}

// Info is what stat says of a path.
type Info struct {
	Mode    fs.FileMode
	Size    int64
	ModTime time.Time
}

// FileReader reads whole files of bounded size. Neither method ever blocks on
// a FIFO or a device. Errors: fs.ErrNotExist, fs.ErrPermission, ErrNotRegular,
// ErrTooLarge, or what the system said; with any of them the content is nil.
type FileReader interface {
	// ReadFile reads a regular file of at most limit bytes. A final symbolic
	// link is ErrNotRegular.
	ReadFile(path string, limit int64) ([]byte, error)

	// ReadLinked does the same, but follows a final symbolic link.
	ReadLinked(path string, limit int64) ([]byte, error)
}

// DirReader lists directories.
type DirReader interface {
	// ReadDir returns the entries in byte order of their names, dot-files
	// included. A missing directory is fs.ErrNotExist, never an empty list.
	ReadDir(path string) ([]Entry, error)
}

// Stater looks at one path.
type Stater interface {
	// Stat follows symbolic links. A missing path, and a path below something
	// that is no directory, is fs.ErrNotExist.
	Stat(path string) (Info, error)

	// Lstat does not follow a final symbolic link.
	Lstat(path string) (Info, error)
}

// PathResolver resolves symbolic links.
type PathResolver interface {
	// RealPath returns the absolute path without any symbolic link. The path
	// must exist: otherwise fs.ErrNotExist.
	RealPath(path string) (string, error)
}

// Sync says whether a published file must survive a power cut.
type Sync bool

// The two values of Sync.
const (
	Synced   Sync = true
	Unsynced Sync = false
)

// Publisher writes whole files so that no reader ever sees a part of one: into
// a temporary file in the same directory, then onto the target's name. The
// temporary file is gone after every failure. The directory must exist.
type Publisher interface {
	// Create claims the name with a hard link. An existing name is
	// fs.ErrExist and stays untouched; ErrNoHardLinks where links are not
	// supported. Any other error means that the name was not claimed.
	Create(path string, data []byte, perm fs.FileMode, sync Sync) error

	// Replace renames over the name. After an error the old content stands.
	Replace(path string, data []byte, perm fs.FileMode, sync Sync) error
}

// DirMaker makes directories.
type DirMaker interface {
	// MakeDir makes one directory with perm before the umask. An existing
	// directory is no error and keeps its mode.
	MakeDir(path string, perm fs.FileMode) error
}

// Remover takes names away.
type Remover interface {
	// Remove deletes a file. A missing one is fs.ErrNotExist.
	Remove(path string) error
}

// DirRemover takes directories away.
type DirRemover interface {
	// RemoveDir deletes an empty directory. One that is not empty is
	// fs.ErrExist, a missing one fs.ErrNotExist, and anything else, a link to a
	// directory too, some other error: all of them stay.
	RemoveDir(path string) error
}

// Toucher tells who watches the time of a directory that something changed.
type Toucher interface {
	// Touch sets the modification time to now. A missing file is fs.ErrNotExist.
	Touch(path string) error
}

// Mover gives a file or directory another name on the same file system.
type Mover interface {
	// Rename replaces a file that stands at the new name.
	Rename(from, to string) error

	// RenameNew never replaces: an existing new name is fs.ErrExist, a
	// missing old one fs.ErrNotExist.
	RenameNew(from, to string) error
}

// FS is every file-system interface at once, for assembly and contract tests.
type FS interface {
	FileReader
	DirReader
	Stater
	PathResolver
	Publisher
	DirMaker
	Remover
	DirRemover
	Toucher
	Mover
}
