package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// mostLooks is how many times as long the status may take as git's own.
const mostLooks = 3.0

// filesPerDirectory is how wide the repository is.
const filesPerDirectory = 100

// benchStatus asks for the status in a repository of many files, and git for its
// own, in turn.
func benchStatus(p place, by size) (within bool, err error) {
	repo, err := p.repository("many files")
	if err != nil {
		return false, err
	}
	if err := fill(repo, by.files); err != nil {
		return false, err
	}
	for _, step := range [][]string{
		{"git", "add", "--all"},
		{"git", "-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "--quiet", "--message", "many files"},
		{p.program, "init", "--gitignore"},
		{"git", "status", "--porcelain"}, // so that the index is fresh
		{p.program, "status"},
	} {
		if err := p.run(repo, step[0], step[1:]...); err != nil {
			return false, err
		}
	}
	var ours, theirs []time.Duration
	for range by.looks {
		git, _, err := timed(p.command(repo, "git", "status", "--porcelain"))
		if err != nil {
			return false, err
		}
		baton, _, err := timed(p.command(repo, p.program, "status"))
		if err != nil {
			return false, err
		}
		ours, theirs = append(ours, baton), append(theirs, git)
	}
	ratio := float64(median(ours)) / float64(median(theirs))
	within = ratio <= mostLooks
	fmt.Fprintf(p.out, "baton status with %d files: %.1f ms, %.2f × git status --porcelain at %.1f ms (at most %.0f ×, median of %d)%s\n",
		by.files, ms(median(ours)), ratio, ms(median(theirs)), mostLooks, by.looks, mark(within))
	return within, nil
}

// fill makes files.
func fill(repo string, files int) error {
	for n := range files {
		dir := filepath.Join(repo, fmt.Sprintf("dir%03d", n/filesPerDirectory))
		if n%filesPerDirectory == 0 {
			if err := os.Mkdir(dir, 0o755); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("file%d.txt", n)), fmt.Appendf(nil, "file %d\n", n), 0o644); err != nil {
			return err
		}
	}
	return nil
}
