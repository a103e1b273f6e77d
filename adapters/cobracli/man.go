package cobracli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manual is the name of the command that writes the manual's pages.
const manual = "man-pages"

// newManualCmd writes one page for each command of the tree.
func newManualCmd() *cobra.Command {
	return &cobra.Command{
		Use:    manual + " DIR",
		Short:  "Write the pages of the manual into a directory; for packagers",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			date, err := sourceDate(os.Getenv("SOURCE_DATE_EPOCH"))
			if err != nil {
				return err
			}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return fmt.Errorf("make the directory of the pages: %w", err)
			}
			for _, page := range Pages(cmd.Root(), date) {
				if err := os.WriteFile(filepath.Join(args[0], page.Name), []byte(page.Text), 0o644); err != nil {
					return fmt.Errorf("write a page: %w", err)
				}
			}
			return nil
		},
	}
}

// sourceDate is the day that a page carries: none where the build names none, so
// that two builds of one source are the same bytes.
func sourceDate(epoch string) (string, error) {
	if epoch == "" {
		return "", nil
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return "", fmt.Errorf("SOURCE_DATE_EPOCH is %q: it wants seconds since 1970, or unset it", epoch)
	}
	return time.Unix(seconds, 0).UTC().Format(time.DateOnly), nil
}

// Page is one page of the manual, in the man macros of roff.
type Page struct {
	Name, Text string
}

// Pages are the pages of all commands that a person types, sorted by name.
func Pages(root *cobra.Command, date string) []Page {
	var pages []Page
	for _, cmd := range typed(root) {
		pages = append(pages, Page{Name: pageName(cmd) + ".1", Text: page(cmd, date)})
	}
	slices.SortFunc(pages, func(a, b Page) int { return strings.Compare(a.Name, b.Name) })
	return pages
}

// typed are the commands of a tree that its help lists, and the root.
func typed(cmd *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{cmd}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && !sub.IsAdditionalHelpTopicCommand() {
			list = append(list, typed(sub)...)
		}
	}
	return list
}

func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

func page(cmd *cobra.Command, date string) string {
	var p roff
	p.line(".TH %s 1 %s %s %s", quote(strings.ToUpper(pageName(cmd))), quote(date), quote(release(cmd)), quote("User Commands"))
	p.line(".nh")
	p.line(".ad l")
	p.section("NAME")
	p.line(`%s \- %s`, escape(pageName(cmd)), escape(cmd.Short))
	p.section("SYNOPSIS")
	p.line(".B %s", escape(cmd.UseLine()))
	if cmd.HasAvailableSubCommands() {
		p.line(".br")
		p.line(".B %s [command]", escape(cmd.CommandPath()))
	}
	p.section("DESCRIPTION")
	p.paragraphs(longer(cmd))
	p.flags("OPTIONS", cmd.NonInheritedFlags())
	p.flags("OPTIONS OF ALL COMMANDS", cmd.InheritedFlags())
	p.verbatim("EXAMPLES", strings.Split(cmd.Example, "\n"))
	p.verbatim("NEXT", nextLines(cmd))
	p.related(cmd)
	return p.String()
}

// release is the program and its version, without what it was built with: the pages
// of one version are the same everywhere.
func release(cmd *cobra.Command) string {
	words := strings.Fields(cmd.Root().Version)
	return strings.Join(words[:min(len(words), 2)], " ")
}

func longer(cmd *cobra.Command) string {
	if cmd.Long != "" {
		return cmd.Long
	}
	return cmd.Short + "."
}

// roff is the text of a page.
type roff struct{ strings.Builder }

func (p *roff) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p *roff) section(name string) { p.line(".SH %s", escape(name)) }

// paragraphs sets a text whose paragraphs a blank line parts. Indented lines stay
// as they are.
func (p *roff) paragraphs(text string) {
	for i, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			p.line(".PP")
		}
		for line := range strings.SplitSeq(paragraph, "\n") {
			if strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "  ") {
				p.line(".br")
			}
			p.line("%s", escape(strings.TrimSpace(line)))
		}
	}
}

func (p *roff) verbatim(name string, lines []string) {
	if len(lines) == 0 || len(lines) == 1 && lines[0] == "" {
		return
	}
	p.section(name)
	p.line(".nf")
	for _, line := range lines {
		p.line("%s", escape(strings.TrimPrefix(line, "  ")))
	}
	p.line(".fi")
}

func (p *roff) flags(name string, set *pflag.FlagSet) {
	if !set.HasAvailableFlags() {
		return
	}
	p.section(name)
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		option := "--" + f.Name
		if f.Shorthand != "" && f.ShorthandDeprecated == "" {
			option = "-" + f.Shorthand + ", " + option
		}
		p.line(".TP")
		p.line(`\fB%s\fR %s`, escape(option), escape(value))
		p.line("%s", escape(usage+standing(f)))
	})
}

// standing is what a flag is without being given, where that is worth a word and
// its usage has none.
func standing(f *pflag.Flag) string {
	switch f.DefValue {
	case "", "0", "0s", "false", "[]":
		return ""
	}
	if strings.Contains(f.Usage, "(default") {
		return ""
	}
	return " (default " + f.DefValue + ")"
}

func (p *roff) related(cmd *cobra.Command) {
	var names []string
	if cmd.HasParent() {
		names = append(names, pageName(cmd.Parent()))
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, pageName(sub))
		}
	}
	if len(names) == 0 {
		return
	}
	p.section("SEE ALSO")
	for i, name := range names {
		end := ","
		if i == len(names)-1 {
			end = ""
		}
		p.line(`.BR %s (1)%s`, escape(name), end)
	}
}

// escape makes a text what roff shows as it is: neither an escape nor, at the
// start of a line, a request.
func escape(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, `"`, `\(dq`).Replace(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return text
}

// quote is one argument of a request.
func quote(text string) string { return `"` + escape(text) + `"` }
