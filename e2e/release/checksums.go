package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/changeover/changeover/e2e/clients/pinned"
)

const checksumsName = "checksums.txt"

// sums reads the file of checksums: sum by name.
func sums(dist string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(dist, checksumsName))
	if err != nil {
		return nil, err
	}
	said := map[string]string{}
	for line := range strings.Lines(string(text)) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if !ok {
			return nil, fmt.Errorf("%s: odd line %q", checksumsName, line)
		}
		said[name] = sum
	}
	return said, nil
}

// checksums sees that the file of checksums has those files, no other, and is right.
func checksums(dist string, names []string) error {
	said, err := sums(dist)
	if err != nil {
		return err
	}
	var faults []error
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(dist, name))
		if err != nil {
			faults = append(faults, err)
			continue
		}
		sum := sha256.Sum256(text)
		if said[name] != hex.EncodeToString(sum[:]) {
			faults = append(faults, fmt.Errorf("%s: the checksum of %s is %x, not %q", checksumsName, name, sum, said[name]))
		}
	}
	for name := range said {
		if !slices.Contains(names, name) {
			faults = append(faults, fmt.Errorf("%s names %s, which does not belong to a release", checksumsName, name))
		}
	}
	return errors.Join(faults...)
}

// same compares two runs by their checksums.
func same(dist, again string, out io.Writer) error {
	first, err := sums(dist)
	if err != nil {
		return err
	}
	second, err := sums(again)
	if err != nil {
		return err
	}
	var faults []error
	for name, sum := range first {
		if second[name] != sum {
			faults = append(faults, fmt.Errorf("%s is another file when it is built again", name))
		}
	}
	if len(first) != len(second) || len(first) == 0 {
		faults = append(faults, fmt.Errorf("%d files, and %d when built again", len(first), len(second)))
	}
	if len(faults) == 0 {
		fmt.Fprintf(out, "%d files, the same bytes when built again\n", len(first))
	}
	return errors.Join(faults...)
}

// validate has the client look at the plugin as a person unpacks it.
func (r release) validate(ctx context.Context, out io.Writer) error {
	checkout, err := pinned.Checkout()
	if err != nil {
		return err
	}
	client, err := pinned.In(checkout).Claude()
	if err != nil {
		return err
	}
	zipped, err := ofZip(r.name("changeover-plugin", platform{runtime.GOOS, runtime.GOARCH}, ".zip"))
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // the system clears its temporary files too
	unpacked := filepath.Join(dir, "changeover")
	if err := zipped.unpack(unpacked); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, client, "plugin", "validate", unpacked)
	cmd.Dir = dir
	cmd.Env = []string{
		"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1",
	}
	said, err := cmd.CombinedOutput()
	fmt.Fprintf(out, "%s", said)
	if err != nil {
		return fmt.Errorf("claude plugin validate: %w", err)
	}
	return nil
}
