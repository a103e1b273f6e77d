// Command write puts the JSON Schemas of what the programs print with --json into the
// directory that is its only argument.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/changeover/changeover/adapters/outputs"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: write DIR")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "write:", err)
		os.Exit(1)
	}
}

func write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the directory: %w", err)
	}
	for _, file := range outputs.Files() {
		if err := os.WriteFile(filepath.Join(dir, file.Name), file.Data, 0o644); err != nil {
			return fmt.Errorf("write a schema: %w", err)
		}
	}
	return nil
}
