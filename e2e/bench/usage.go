package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/changeover/changeover/e2e/fakeregistry"
)

// usage is what a process has taken of the machine so far.
type usage struct {
	processor time.Duration
	resident  int64
}

// errNoTable reports a system that does not tell what a process takes.
var errNoTable = errors.New("this system has no /proc that tells what a process takes")

// used reads a process's usage. The processor's time is that of its threads, in
// nanoseconds: /proc/PID/stat counts it in hundredths of a second.
func used(pid int) (usage, error) {
	var u usage
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil || len(threads) == 0 {
		return u, errors.Join(errNoTable, err)
	}
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if err != nil {
			return u, fmt.Errorf("read what a process took: %w", err)
		}
		var took int64
		if _, err := fmt.Sscan(string(text), &took); err != nil {
			return u, fmt.Errorf("read what a process took: %w", err)
		}
		u.processor += time.Duration(took)
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return u, fmt.Errorf("read what a process holds: %w", err)
	}
	var size, pages int64
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		return u, fmt.Errorf("read what a process holds: %w", err)
	}
	u.resident = pages * int64(os.Getpagesize())
	return u, nil
}

// over reports that the process which began at start has ended. One that
// nobody has waited for yet is over.
func over(pid int, start string) bool {
	began, err := fakeregistry.ProcStart(pid)
	if err != nil || began != start {
		return true
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return true
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	return strings.HasPrefix(rest, "Z")
}
