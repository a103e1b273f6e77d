package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// entry is a file that is shipped.
type entry struct {
	mode    fs.FileMode
	link    string
	content []byte
	date    time.Time
}

// content is what an archive or a package holds, by path.
type content map[string]entry

// ofTar reads a tar stream; names lose the prefix, and one without it is refused.
func ofTar(r io.Reader, prefix string) (content, error) {
	held := content{}
	stream := tar.NewReader(r)
	for {
		header, err := stream.Next()
		if errors.Is(err, io.EOF) {
			return held, nil
		}
		if err != nil {
			return nil, err
		}
		if header.Typeflag == tar.TypeDir {
			continue
		}
		name, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimPrefix(header.Name, "."), "/"), prefix)
		if !ok {
			return nil, fmt.Errorf("%s lies outside of %s", header.Name, prefix)
		}
		text, err := io.ReadAll(stream)
		if err != nil {
			return nil, err
		}
		held[name] = entry{header.FileInfo().Mode(), header.Linkname, text, header.ModTime}
	}
}

func ofTarball(name string) (content, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	r, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return ofTar(r, strings.TrimSuffix(filepath.Base(name), ".tar.gz")+"/")
}

func ofZip(name string) (content, error) {
	r, err := zip.OpenReader(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }() // nothing was written
	held := content{}
	for _, file := range r.File {
		if file.Mode().IsDir() {
			continue
		}
		f, err := file.Open()
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(f)
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
		held[file.Name] = entry{file.Mode(), "", text, file.Modified}
	}
	return held, nil
}

// ofDeb reads a package as dpkg does.
func ofDeb(ctx context.Context, name string) (content, error) {
	return ofProgram(exec.CommandContext(ctx, "dpkg-deb", "--fsys-tarfile", name))
}

// ofRPM reads a package as rpm does, after it has found its digests right.
func ofRPM(ctx context.Context, name string) (content, error) {
	if said, err := exec.CommandContext(ctx, "rpm", "--checksig", "--nosignature", name).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("rpm --checksig: %w\n%s", err, said)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	cmd := exec.CommandContext(ctx, "rpm2archive", "-n", "-")
	cmd.Stdin = f
	return ofProgram(cmd)
}

func ofProgram(cmd *exec.Cmd) (content, error) {
	var said bytes.Buffer
	cmd.Stderr = &said
	stream, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w; it is in Debian's package dpkg or rpm\n%s", cmd.Args[0], err, said.Bytes())
	}
	return ofTar(bytes.NewReader(stream), "usr/")
}

// ofDirectory reads the layout that a release is taken from.
func ofDirectory(dir string) (content, error) {
	held := content{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		below, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		if d.Type()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(name)
			held[below] = entry{mode: fs.ModeSymlink, link: target}
			return err
		}
		text, err := os.ReadFile(name)
		held[below] = entry{mode: 0o644, content: text}
		return err
	})
	return held, err
}
