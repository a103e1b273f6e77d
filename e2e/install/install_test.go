package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/matryer/is"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	syscall.Umask(0o027) // an installation is for everybody all the same
	testscript.Main(m, map[string]func(){"install": main, "claude": client})
}

func TestInstall(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("SUDO_USER", "")
			return os.CopyFS(env.WorkDir, os.DirFS(filepath.Join("testdata", "base")))
		},
		Condition: func(cond string) (bool, error) {
			if cond == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, fmt.Errorf("unknown condition %s", cond)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"tree": tree},
	})
}

// Without a home there is no usual prefix: /.local is nobody's.
func TestMake_TakesNoPrefixFromAMissingHome(t *testing.T) {
	is := is.New(t)
	for home, want := range map[string]string{"": "[]", "/home/a dev": "[/home/a dev/.local]"} {
		cmd := exec.Command("make", "-C", "../..", "-s", "-f", "Makefile", "-f", "-", "shown")
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}
		cmd.Stdin = strings.NewReader("shown: ; @echo '[$(PREFIX)]'\n")
		out, err := cmd.CombinedOutput()
		is.NoErr(err)
		is.Equal(strings.TrimSpace(string(out)), want)
	}
}

// tree writes to a file what lies below a directory: mode, path and where a link
// points. The second argument is the file.
func tree(ts *testscript.TestScript, _ bool, args []string) {
	var b strings.Builder
	root := ts.MkAbs(args[0])
	ts.Check(filepath.WalkDir(root, func(name string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := os.Lstat(name)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(root, name)
		if info.Mode()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(name)
			fmt.Fprintf(&b, "link %s -> %s\n", below, target)
			return err
		}
		fmt.Fprintf(&b, "%v %s\n", info.Mode(), below)
		return err
	}))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(b.String()), 0o600))
}

// known is what the stand-in for the client remembers.
type known struct {
	Markets []map[string]string
	Plugins []map[string]any
}

// client stands in for the client: it knows marketplaces and plugins, and fails at
// the verb that FAILS names.
func client() {
	file := filepath.Join(os.Getenv("HOME"), "known.json")
	var k known
	content, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(content, &k)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		panic(err)
	}
	args := strings.TrimPrefix(strings.Join(os.Args[1:], " "), "plugin ")
	verb, operand := args, ""
	if fields := strings.Fields(args); len(fields) > 1 && !strings.HasSuffix(args, "--json") {
		verb, operand = strings.Join(fields[:len(fields)-1], " "), fields[len(fields)-1]
	}
	if verb == os.Getenv("FAILS") {
		fmt.Fprintln(os.Stderr, "the client is out of order")
		os.Exit(1)
	}
	k.obey(verb, operand)
	content, err = json.Marshal(k)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(file), 0o700)
	}
	if err == nil {
		err = os.WriteFile(file, append(content, '\n'), 0o600)
	}
	if err != nil {
		panic(err)
	}
}

func (k *known) obey(verb, operand string) {
	switch verb {
	case "marketplace list --json":
		show(k.Markets)
	case "list --json":
		show(k.Plugins)
	case "marketplace add":
		k.Markets = slices.DeleteFunc(k.Markets, func(m map[string]string) bool { return m["name"] == marketName })
		k.Markets = append(k.Markets, map[string]string{"name": marketName, "path": operand})
	case "marketplace remove":
		k.Markets = slices.DeleteFunc(k.Markets, func(m map[string]string) bool { return m["name"] == operand })
	case "install":
		k.Plugins = append(k.Plugins, map[string]any{"id": operand, "scope": "user", "enabled": true})
	case "update":
	case "uninstall --keep-data":
		k.Plugins = slices.DeleteFunc(k.Plugins, func(p map[string]any) bool { return p["id"] == operand })
	default:
		fmt.Fprintf(os.Stderr, "the client has no %q\n", verb)
		os.Exit(1)
	}
}

func show[T any](list []T) {
	if list == nil {
		list = []T{}
	}
	if err := json.NewEncoder(os.Stdout).Encode(list); err != nil {
		panic(err)
	}
}
