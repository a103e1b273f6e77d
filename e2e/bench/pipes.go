package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// openPipes makes two named pipes, one to each client of a floor. They are kept
// open, so that neither a reader nor a writer waits for the other to come.
func (s *stage) openPipes(name string) (names [2]string, err error) {
	for i := range names {
		names[i] = filepath.Join(s.dir, fmt.Sprintf("%s-%d.pipe", name, i))
		if err := syscall.Mkfifo(names[i], 0o600); err != nil {
			return names, fmt.Errorf("make %s: %w", names[i], err)
		}
		f, err := os.OpenFile(names[i], os.O_RDWR, 0)
		if err != nil {
			return names, fmt.Errorf("open a pipe to a client: %w", err)
		}
		s.files = append(s.files, f)
	}
	return names, nil
}
