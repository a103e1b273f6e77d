// Command benchlog measures the compression of a long commands.log: its time beside
// that of ripgrep, which only searches the same file, and its peak memory for logs of
// several sizes. It measures the domain's own code in a process of its own, or a baton
// executable. It prints what it measured and the limits, and ends with exit code 1
// where one is passed.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/changeover/changeover/domain/baton/phrase"
)

// The first argument of the program when it runs for itself.
const (
	generateArgument = "generate-for-bench"
	compressArgument = "compress-for-bench"
)

// The limits.
const (
	mostRatio = 4.0
	mostPeak  = 64 << 10 // KiB
	mostSpan  = 4 << 10  // KiB
)

func main() {
	var err error
	switch {
	case len(os.Args) == 4 && os.Args[1] == generateArgument:
		err = generateSized(os.Args[2], os.Args[3])
	case len(os.Args) == 4 && os.Args[1] == compressArgument:
		err = compress(os.Args[2], os.Args[3])
	default:
		err = bench()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchlog:", err)
		os.Exit(1)
	}
}

// fewRuns are those of a quick measurement.
const fewRuns = 3

// errPassed reports that a limit was passed.
var errPassed = errors.New("a limit was passed")

func bench() error {
	runs := flag.Int("runs", 5, "`N` runs of each program")
	huge := flag.Bool("huge", false, "measure memory with a log of 2 GB too")
	baton := flag.String("baton", "", "measure `PROGRAM` compress-context --force instead of the domain's code")
	quick := flag.Bool("quick", false, "run each program a few times only, and never with a log of 2 GB")
	report := flag.Bool("report", false, "say which limits were passed, and end with exit code 0 all the same")
	flag.Parse()
	if *quick {
		*huge, *runs = false, fewRuns
	}
	dir, err := os.MkdirTemp("", "changeover benchlog ")
	if err != nil {
		return fmt.Errorf("make a working directory: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // the system cleans what stays
	var c compression = ourselves{dir}
	if *baton != "" {
		if c, err = newProgram(*baton, dir); err != nil {
			return err
		}
	}
	sizes := []int64{20e6, 200e6}
	if *huge {
		sizes = append(sizes, 2e9)
	}
	err = measure(os.Stdout, c, dir, sizes, *runs)
	if *report && errors.Is(err, errPassed) {
		return nil
	}
	return err
}

// mark is what stands behind a line whose limit was passed.
func mark(within bool) string {
	if within {
		return ""
	}
	return "  PASSED THE LIMIT"
}

// measure prints time and memory, the time for the second size.
func measure(out io.Writer, c compression, dir string, sizes []int64, runs int) error {
	passed := false
	least, most := int64(1<<62), int64(0)
	for i, size := range sizes {
		log := filepath.Join(dir, "log")
		if _, err := own(generateArgument, log, strconv.FormatInt(size, 10)); err != nil {
			return err
		}
		ours, err := repeat(runs, func() (usage, error) { return c.run(log) })
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "a log of %d MB: %.0f ms, peak %.1f MiB\n", size/1e6, ms(ours.wall), float64(ours.peak)/1024)
		least, most = min(least, ours.peak), max(most, ours.peak)
		if i != 1 {
			continue
		}
		search, err := repeat(runs, func() (usage, error) { return ripgrep(log, phrase.Defaults().Texts()) })
		if err != nil {
			fmt.Fprintln(out, "no ripgrep to compare with:", err)
			continue
		}
		ratio := float64(ours.wall) / float64(search.wall)
		fmt.Fprintf(out, "rg -c -i of the phrases: %.0f ms; %.2f × that (at most %.0f ×)%s\n", ms(search.wall), ratio, mostRatio, mark(ratio <= mostRatio))
		passed = passed || ratio > mostRatio
	}
	fmt.Fprintf(out, "peak memory at most %.1f MiB (at most 64), all within %.1f MiB (at most 4)%s\n",
		float64(most)/1024, float64(most-least)/1024, mark(most <= mostPeak && most-least <= mostSpan))
	if passed || most > mostPeak || most-least > mostSpan {
		return errPassed
	}
	return nil
}
