package checks_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWire_GeneratedCodeIsCurrent(t *testing.T) {
	wiring, err := filepath.Glob(filepath.Join(repository(t), "*", "wire.go"))
	if err != nil {
		t.Fatal(err)
	}
	if len(wiring) < 2 {
		t.Fatalf("found only %v", wiring)
	}
	wire := tool(t, "wire", pin(t, "WIRE_VERSION"), "github.com/google/wire/cmd/wire")
	for _, file := range wiring {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			diff, err := output(t, dir, nil, append(wire, "diff", ".")...)
			if err != nil {
				t.Errorf("%v\n%s\nrun: make generate", err, diff)
			}
		})
	}
}

func TestFormat_IsThatOfGofumpt(t *testing.T) {
	gofumpt := tool(t, "gofumpt", pin(t, "GOFUMPT_VERSION"), "mvdan.cc/gofumpt")
	off, err := output(t, repository(t), nil, append(append(gofumpt, "-l"), modules(t)...)...)
	if err != nil {
		t.Fatalf("%v\n%s", err, off)
	}
	for name := range strings.Lines(off) {
		if strings.HasPrefix(name, "go: downloading") {
			continue
		}
		t.Errorf("%s is not formatted; run: make format", strings.TrimSpace(name))
	}
}

func TestModules_BuildOutsideTheWorkspace(t *testing.T) {
	for _, module := range modules(t) {
		t.Run(module, func(t *testing.T) {
			said, err := output(t, filepath.Join(repository(t), module), []string{"GOWORK=off"}, "go", "build", "-o", os.DevNull, "./...")
			if err != nil {
				t.Errorf("%v\n%s", err, said)
			}
		})
	}
}

func TestModules_RequireWhatTheyUse(t *testing.T) {
	for _, module := range modules(t) {
		t.Run(module, func(t *testing.T) {
			diff, err := output(t, filepath.Join(repository(t), module), []string{"GOWORK=off"}, "go", "mod", "tidy", "-diff")
			if err != nil {
				t.Errorf("%v\n%s\nrun: make tidy", err, diff)
			}
		})
	}
}
