// Package reference writes the page about everything that can be set: keys,
// defaults and limits are those of the code, and what is said of a wrong value is
// what the code answers to one.
package reference

import (
	"fmt"
	"strings"
)

//go:generate go run github.com/changeover/changeover/e2e/reference/write ../../docs/configuration.md

// Page is docs/configuration.md.
func Page() []byte {
	var p page
	p.text(`# Configuration

This page is made from the code by ` + "`make generate`" + `; a check holds it to it. Nothing here has to be set. JSON files are
read strictly; of relay's alone, comments and a comma before a closing bracket are passed over.
`)
	p.marker()
	p.relay()
	p.baton()
	p.text(`## The plugin

It has no settings of its own: what a session is told is a matter of the root's marker and of the variables below. Its hooks
and their timeouts stand in ` + "`hookd/plugin/hooks/hooks.json`" + `. ` + "`disableAllHooks`" + ` in a settings file of Claude Code switches them off;
` + "`exchange doctor`" + ` and ` + "`relay doctor --why`" + ` say so.
`)
	p.variables()
	return []byte(strings.TrimRight(p.String(), "\n") + "\n")
}

// page is the text so far.
type page struct{ strings.Builder }

func (p *page) text(s string) { p.WriteString(s + "\n") }

func (p *page) table(head []string, rows [][]string) {
	p.row(head)
	p.text(strings.Repeat("|---", len(head)) + "|")
	for _, r := range rows {
		p.row(r)
	}
	p.text("")
}

func (p *page) row(cells []string) {
	for _, cell := range cells {
		if cell == "" {
			cell = "–"
		}
		fmt.Fprintf(p, "| %s ", strings.ReplaceAll(strings.ReplaceAll(cell, "|", `\|`), "\n", " "))
	}
	p.text("|")
}

// code sets a text as code.
func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}
