package killing

import (
	"syscall"

	"github.com/changeover/changeover/adapters/osfs"
)

// Fault is how a call to the operating system goes wrong.
type Fault string

// The faults.
const (
	None    Fault = ""
	NoSpace Fault = "ENOSPC"
	Broken  Fault = "EIO"
	Denied  Fault = "EACCES"
	// Short: a write takes half of what it was given.
	Short Fault = "short write"
	// Dies: the process ends before the call.
	Dies Fault = "dies at a call"
)

// Failures are the faults that a process lives through.
func Failures() []Fault { return []Fault{NoSpace, Broken, Denied, Short} }

// Dead is what a process ends with, as a panic, where Dies is its fault.
type Dead struct{}

// System is an operating system on which one call goes wrong. It serves one goroutine.
type System struct {
	osfs.System
	Fault Fault
	// At is the number of the call that goes wrong, from 1 on; of the writes alone
	// where those are Short.
	At int
	// Calls counts them.
	Calls int
	// Hit: the call came.
	Hit bool
	// Pieces: every second write takes half of what it is given, whatever the fault.
	Pieces bool
}

// NewSystem is the real system but for one call.
func NewSystem(f Fault, at int) *System { return &System{System: osfs.Kernel(), Fault: f, At: at} }

// Call counts a call, and returns how it fails.
func (s *System) Call() error {
	if s.Fault == Short {
		return nil
	}
	s.Calls++
	if s.Fault == None || s.Calls != s.At {
		return nil
	}
	s.Hit = true
	switch s.Fault {
	case Dies:
		panic(Dead{})
	case NoSpace:
		return syscall.ENOSPC
	case Denied:
		return syscall.EACCES
	case None, Broken, Short:
	}
	return syscall.EIO
}

// Create implements osfs.System.
func (s *System) Create(path string, perm uint32) (int, error) {
	if err := s.Call(); err != nil {
		return -1, err
	}
	return s.System.Create(path, perm)
}

// OpenEnd implements osfs.System.
func (s *System) OpenEnd(path string, perm uint32) (int, error) {
	if err := s.Call(); err != nil {
		return -1, err
	}
	return s.System.OpenEnd(path, perm)
}

// Chmod implements osfs.System.
func (s *System) Chmod(fd int, perm uint32) error {
	if err := s.Call(); err != nil {
		return err
	}
	return s.System.Chmod(fd, perm)
}

// Write implements osfs.System.
func (s *System) Write(fd int, p []byte) (int, error) {
	half := len(p) / 2
	if s.Fault == Short {
		s.Calls++
		if s.Calls == s.At && half > 0 {
			s.Hit = true
			p = p[:half]
		}
		return s.System.Write(fd, p)
	}
	if err := s.Call(); err != nil {
		return 0, err
	}
	if s.Pieces && s.Calls%2 == 0 && half > 0 {
		p = p[:half]
	}
	return s.System.Write(fd, p)
}

// Fsync does nothing: neither a fault nor a kill takes data along that was written.
func (s *System) Fsync(int) error { return s.Call() }

// Close implements osfs.System. The descriptor is closed whatever it returns.
func (s *System) Close(fd int) error {
	failed := s.Call()
	if err := s.System.Close(fd); err != nil {
		return err
	}
	return failed
}

// Link implements osfs.System.
func (s *System) Link(from, to string) error {
	if err := s.Call(); err != nil {
		return err
	}
	return s.System.Link(from, to)
}

// Rename implements osfs.System.
func (s *System) Rename(from, to string) error {
	if err := s.Call(); err != nil {
		return err
	}
	return s.System.Rename(from, to)
}

// RenameNew implements osfs.System.
func (s *System) RenameNew(from, to string) error {
	if err := s.Call(); err != nil {
		return err
	}
	return s.System.RenameNew(from, to)
}

// Unlink implements osfs.System.
func (s *System) Unlink(path string) error {
	if err := s.Call(); err != nil {
		return err
	}
	return s.System.Unlink(path)
}

// Rmdir implements osfs.System.
func (s *System) Rmdir(path string) error {
	if err := s.Call(); err != nil {
		return err
	}
	return s.System.Rmdir(path)
}

// Touch implements osfs.System.
func (s *System) Touch(path string) error {
	if err := s.Call(); err != nil {
		return err
	}
	return s.System.Touch(path)
}

// Mkdir implements osfs.System.
func (s *System) Mkdir(path string, perm uint32) error {
	if err := s.Call(); err != nil {
		return err
	}
	return s.System.Mkdir(path, perm)
}
