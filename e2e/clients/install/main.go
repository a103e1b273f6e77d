// Install puts the pinned agent clients into the checkout's ignored cache,
// unless they are there.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"

	"github.com/changeover/changeover/e2e/clients/pinned"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("install", flag.ContinueOnError)
	flags.SetOutput(stderr)
	dir := flags.String("dir", "", "install here instead of into the checkout's .cache/clients")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	installation := pinned.At(*dir)
	if *dir == "" {
		checkout, err := pinned.Checkout()
		if err != nil {
			fmt.Fprintf(stderr, "the clients cannot be installed: %v; run this inside the checkout or give -dir\n", err)
			return 1
		}
		installation = pinned.In(checkout)
	}
	if err := install(ctx, installation, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "the clients cannot be installed: %v\n", err)
		return 1
	}
	return 0
}

// install fills a directory beside the installation and renames it there when
// it is complete, so that a broken run leaves nothing that looks installed.
func install(ctx context.Context, to pinned.Installation, stdout, stderr io.Writer) error {
	current, err := to.Current()
	if err != nil {
		return err
	}
	if current {
		fmt.Fprintf(stdout, "clients are installed in %s\n", to.Dir())
		return nil
	}
	parent := filepath.Dir(to.Dir())
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return fmt.Errorf("make the cache: %w", err)
	}
	building, err := os.MkdirTemp(parent, ".clients-")
	if err != nil {
		return fmt.Errorf("make the cache: %w", err)
	}
	defer func() { _ = os.RemoveAll(building) }() // after the rename there is nothing left to remove
	fresh := pinned.At(building)
	if err := npm(ctx, fresh, stderr); err != nil {
		return err
	}
	if err := fresh.Check(); err != nil {
		return err
	}
	if err := fresh.Stamp(); err != nil {
		return err
	}
	if err := os.RemoveAll(to.Dir()); err != nil {
		return fmt.Errorf("remove the older clients: %w", err)
	}
	if err := os.Rename(building, to.Dir()); err != nil {
		return fmt.Errorf("publish the clients: %w", err)
	}
	fmt.Fprintf(stdout, "clients are now installed in %s\n", to.Dir())
	return nil
}

func npm(ctx context.Context, into pinned.Installation, stderr io.Writer) error {
	// Without a package.json of its own npm would look for one further up.
	if err := os.WriteFile(filepath.Join(into.Dir(), "package.json"), []byte("{\"private\": true}\n"), 0o644); err != nil {
		return fmt.Errorf("prepare npm: %w", err)
	}
	args := append([]string{
		"install", "--no-audit", "--no-fund", "--no-save", "--no-package-lock",
		"--ignore-scripts", "--include=optional", "--loglevel=error",
	}, pinned.Packages()...)
	cmd := exec.CommandContext(ctx, "npm", args...)
	cmd.Dir = into.Dir()
	cmd.Stdout, cmd.Stderr = stderr, stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("npm install %v: %w", pinned.Packages(), err)
	}
	return nil
}
