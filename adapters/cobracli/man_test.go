package cobracli_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/cobracli"
)

// lighthouse has what roff would take for its own.
func lighthouse() *cobra.Command {
	root := &cobra.Command{Use: "lamp", Short: "Keep a lamp", Long: "Keep a \\lamp.\n\n.TH is no request, nor is\n'this.", Version: "lamp 1 (go9, moon/sun)"}
	lit := &cobra.Command{
		Use: "light", Short: "Light it", Example: "  lamp light --by 'a match'", RunE: func(*cobra.Command, []string) error { return nil },
	}
	lit.Flags().String("by", "tinder", "use `FIRE`")
	lit.Flags().String("secret", "", "nobody's")
	if err := lit.Flags().MarkHidden("secret"); err != nil {
		panic(err)
	}
	root.AddCommand(lit, &cobra.Command{Use: "inner", Hidden: true, RunE: lit.RunE})
	cobracli.Steps{"lamp light": {"lamp --help   # and then"}}.Teach(root)
	cobracli.Furnish(root)
	return root
}

func pageOf(t *testing.T, name, date string) string {
	t.Helper()
	for _, page := range cobracli.Pages(lighthouse(), date) {
		if page.Name == name {
			return page.Text
		}
	}
	t.Fatalf("no page %s", name)
	return ""
}

func TestPages_OneForEachCommandThatAPersonTypes(t *testing.T) {
	is := is.New(t)
	var names []string
	for _, page := range cobracli.Pages(lighthouse(), "") {
		names = append(names, page.Name)
	}
	is.Equal(strings.Join(names, " "), "lamp-completion-bash.1 lamp-completion-fish.1 lamp-completion-powershell.1 "+
		"lamp-completion-zsh.1 lamp-completion.1 lamp-light.1 lamp.1")
}

func TestPages_TextIsNeverARequest(t *testing.T) {
	is := is.New(t)
	text := pageOf(t, "lamp.1", "")
	is.True(strings.Contains(text, "\nKeep a \\elamp.\n.PP\n\\&.TH is no request, nor is\n\\(aqthis.\n"))
}

func TestPages_HaveEveryPart(t *testing.T) {
	is := is.New(t)
	is.Equal(pageOf(t, "lamp-light.1", "2026-03-01"), `.TH "LAMP\-LIGHT" 1 "2026\-03\-01" "lamp 1" "User Commands"
.nh
.ad l
.SH NAME
lamp\-light \- Light it
.SH SYNOPSIS
.B lamp light [flags]
.SH DESCRIPTION
Light it.
.SH OPTIONS
.TP
\fB\-\-by\fR FIRE
use FIRE (default tinder)
.SH EXAMPLES
.nf
lamp light \-\-by \(aqa match\(aq
.fi
.SH NEXT
.nf
lamp \-\-help   # and then
.fi
.SH SEE ALSO
.BR lamp (1)
`)
}

func TestPages_AreTheSameEachTime(t *testing.T) {
	is := is.New(t)
	is.Equal(cobracli.Pages(lighthouse(), ""), cobracli.Pages(lighthouse(), ""))
}
