// Release looks at what make snapshot has made: that every file is there and has
// its checksum, and that archives, packages and plugin hold one layout, each for
// its system, all of one date.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var r release
	var date string
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&r.dist, "dist", "", "the directory that goreleaser has filled")
	flags.StringVar(&r.stage, "stage", "", "the layout without the programs")
	flags.StringVar(&r.version, "version", "", "the version in the names")
	flags.StringVar(&date, "date", "", "the date that every file carries, as in RFC 3339")
	validate := flags.Bool("validate", false, "have the pinned client validate the plugin's zip, and do nothing else")
	again := flags.String("again", "", "compare with the checksums of another run in this directory, and do nothing else")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	var err error
	if r.date, err = time.Parse(time.RFC3339, date); err != nil && date != "" {
		fmt.Fprintf(stderr, "-date: %v\n", err)
		return 2
	}
	switch {
	case *validate:
		err = r.validate(ctx, stdout)
	case *again != "":
		err = same(r.dist, *again, stdout)
	default:
		err = r.check(ctx, stdout)
	}
	if err != nil {
		fmt.Fprintf(stderr, "the release in %s is not as it should be:\n%v\n", r.dist, err)
		return 1
	}
	return 0
}
