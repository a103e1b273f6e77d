package port

import (
	"errors"
	"io"
	"io/fs"
)

// ErrLocked reports a lock that another process holds.
var ErrLocked = errors.New("locked by another process")

// Source is a file opened for reading. What is appended after the opening may
// or may not be seen; what replaces the file is not.
type Source interface {
	io.ReaderAt
	io.Closer

	// Info is what stat said when the file was opened.
	Info() Info
}

// Opener reads files of any size.
type Opener interface {
	// Open opens a regular file. Errors are those of FileReader.ReadFile, the
	// one about the size excepted.
	Open(path string) (Source, error)
}

// Appender writes at the end of a file that has one writer.
type Appender interface {
	// Append opens a regular file for writing at its end, and makes it with
	// perm where it is missing. A final symbolic link is ErrNotRegular.
	Append(path string, perm fs.FileMode) (io.WriteCloser, error)
}

// Draft is the new content of a file, which nobody sees yet.
type Draft interface {
	io.Writer

	// Publish renames the content over the file's name. After an error the old
	// content stands, and the draft is gone.
	Publish() error

	// Discard takes the draft away. After Publish it does nothing.
	Discard() error
}

// Drafter writes whole files that are too large to hold in memory.
type Drafter interface {
	// Draft begins a content for path, in a temporary file beside it.
	Draft(path string, perm fs.FileMode, sync Sync) (Draft, error)
}

// Linker gives a file a second name.
type Linker interface {
	// Link makes a hard link. An existing new name is fs.ErrExist; a file
	// system without links is ErrNoHardLinks.
	Link(from, to string) error
}

// Lock is held until it is released or the process ends.
type Lock interface {
	// Note writes a text into the locked file, over what stood there, for others
	// to read. They may see it half-written.
	Note(content []byte) error

	// Release gives the lock up and closes the file, which stays.
	Release() error
}

// Locker takes advisory locks, which end with the process that holds them.
type Locker interface {
	// TryLock locks the file at path, made with perm where it is missing:
	// ErrLocked where another holds it. The content stays as it is.
	TryLock(path string, perm fs.FileMode) (Lock, error)
}

// Streams is everything that reads and writes files of any size, for assembly.
type Streams interface {
	Opener
	Appender
	Drafter
	Linker
}
