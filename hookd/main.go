// Command hookd is what the hooks of coding agents run: it reads one event on
// standard input and answers with one JSON document, or with nothing.
package main

import "os"

func main() {
	dieOtherwise()
	os.Exit(run(os.Args[1:], stdin, stdout, stderr))
}
