package baton

import (
	"context"
	"crypto/sha256"
	"path"
	"slices"
)

// snapshot is how the changed files of the repository look: what they hold by
// their path, the empty text for what cannot be read.
type snapshot map[string]string

// snapshotLimit bounds a file whose content is compared, in bytes. Larger ones are
// compared by their size and time.
const snapshotLimit = 4 << 20

// snapshot looks at all files that differ from HEAD, the session left out.
func (s *shift) snapshot(ctx context.Context) (snapshot, error) {
	tree, err := s.Git.Status(ctx, s.Top(), SessionDir)
	if err != nil {
		return nil, err
	}
	look := snapshot{}
	for _, c := range tree.Changes {
		look[c.Path] = string([]byte{c.Staged, c.Unstaged}) + s.print(path.Join(s.Top(), c.Path))
	}
	return look, nil
}

// print tells two contents of a file apart.
func (s *shift) print(file string) string {
	data, err := s.Files.ReadFile(file, snapshotLimit)
	if err == nil {
		sum := sha256.Sum256(data)
		return string(sum[:])
	}
	info, err := s.Files.Lstat(file)
	if err != nil {
		return ""
	}
	return info.ModTime.String()
}

// touched are the files that look different from before.
func (s *shift) touched(ctx context.Context, before snapshot) ([]string, error) {
	now, err := s.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for name, look := range now {
		if was, ok := before[name]; !ok || was != look {
			names = append(names, name)
		}
	}
	for name := range before {
		if _, ok := now[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}
