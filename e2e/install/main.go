// Install puts the programs, the plugin and their documents below a prefix and
// registers the plugin with the client; with -remove it undoes that. It is what
// make install and make uninstall run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// options are what make passes on.
type options struct {
	checkout string
	prefix   string
	destdir  string
	client   string
	stage    string
	remove   bool
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var o options
	flags := flag.NewFlagSet("install", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.checkout, "from", "", "the checkout whose built programs are installed")
	flags.StringVar(&o.prefix, "prefix", "", "what everything is installed below")
	flags.StringVar(&o.destdir, "destdir", "", "lay the tree out below this directory, for a packager: nothing is registered")
	flags.StringVar(&o.client, "client", "claude", "the client that the plugin is registered with; empty for none")
	flags.StringVar(&o.stage, "stage", "", "write what is not a program into this directory, for a release, and do nothing else")
	flags.BoolVar(&o.remove, "remove", false, "remove what an installation wrote")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "install takes no %q\n", flags.Arg(0))
		return 2
	}
	err := o.do(ctx, stdout)
	var usage usageError
	switch {
	case errors.As(err, &usage):
		fmt.Fprintln(stderr, err)
		return 2
	case err != nil:
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

func (o options) do(ctx context.Context, stdout io.Writer) error {
	if o.stage != "" {
		return stage(o.checkout, o.stage)
	}
	for name, dir := range map[string]string{"PREFIX": o.prefix, "DESTDIR": o.destdir} {
		if dir == "" && name == "DESTDIR" {
			continue
		}
		if err := usable(name, dir); err != nil {
			return err
		}
	}
	to := place{prefix: filepath.Clean(o.prefix), destdir: o.destdir}
	c := registrar{program: o.client, marketplace: filepath.Join(to.prefix, home), out: stdout}
	if o.destdir != "" {
		c.program = ""
	}
	release, err := alone(to, !o.remove)
	if err != nil {
		return err
	}
	defer release()
	if o.remove {
		return uninstall(ctx, to, c, stdout)
	}
	return install(ctx, o.checkout, to, c, stdout)
}

// usageError is a setting that no installation can be made with.
type usageError string

func (e usageError) Error() string { return string(e) }

func usable(name, dir string) error {
	switch {
	case strings.HasPrefix(dir, "~"):
		return usageError(fmt.Sprintf("%s is %s: the shell has left the ~ as it is; write \"$HOME\" for it", name, dir))
	case !filepath.IsAbs(dir):
		return usageError(fmt.Sprintf("%s is %q: it wants an absolute path, such as make install PREFIX=\"$HOME/.local\"", name, dir))
	case strings.ContainsAny(dir, "\n\x00"):
		return usageError(fmt.Sprintf("%s is %q: a path of one line is wanted", name, dir))
	}
	return nil
}
