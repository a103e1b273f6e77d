// Command write puts the page about everything that can be set into the file that is
// its only argument.
package main

import (
	"fmt"
	"os"

	"github.com/changeover/changeover/e2e/reference"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: write FILE")
		os.Exit(2)
	}
	if err := os.WriteFile(os.Args[1], reference.Page(), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "write:", err)
		os.Exit(1)
	}
}
