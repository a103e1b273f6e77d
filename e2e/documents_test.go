package e2e_test

import (
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/changeover/changeover/e2e/document"
)

// pages are what people read of the project.
func pages(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"../*.md", "../docs/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	if len(all) < 10 {
		t.Fatalf("only %d documents: %v", len(all), all)
	}
	return all
}

// Every command line that a document shows is one that its program takes: the
// commands are there, and so are the flags.
func TestDocuments_CommandsParse(t *testing.T) {
	tree := commandTree{t: t, helps: map[string]string{}}
	total := 0
	for _, page := range pages(t) {
		d, err := document.Read(page)
		if err != nil {
			t.Fatal(err)
		}
		lines := map[string]bool{}
		for _, line := range commandLines(d) {
			lines[line] = true
		}
		for _, line := range slices.Sorted(maps.Keys(lines)) {
			total++
			if fault := tree.fault(strings.Fields(line)); fault != "" {
				t.Errorf("%s shows %q: %s", page, line, fault)
			}
		}
	}
	if total < 100 {
		t.Errorf("the documents show only %d commands", total)
	}
}

var (
	// typedIn is what stands before a command in a block: a prompt, the mark of a
	// session's shell, of a session's command.
	typedIn = regexp.MustCompile(`^(\$ |! |/changeover:|/)?((?:relay|baton|exchange|make)(?: .*)?)$`)
	// header is what a delivery begins with: no command.
	header  = regexp.MustCompile(`^\[relay round [^]]*\]`)
	quoted  = regexp.MustCompile(`"[^"]*"|'[^']*'|<[^>]*>|‹[^›]*›`)
	choices = strings.NewReplacer("[", " ", "]", " ", "…", " ", "...", " ")
)

// commandLines are the command lines of a document, without what is quoted.
func commandLines(d document.Document) []string {
	var raw, found []string
	for _, b := range d.Blocks {
		prompted := slices.ContainsFunc(b.Lines, func(line string) bool { return strings.HasPrefix(line, "$ ") })
		for _, line := range b.Lines {
			if !prompted || strings.HasPrefix(line, "$ ") {
				raw = append(raw, strings.TrimSpace(line))
			}
		}
	}
	for _, line := range append(raw, d.Spans...) {
		line = header.ReplaceAllString(quoted.ReplaceAllString(line, "TEXT"), "")
		line, _, _ = strings.Cut(line, "   ") // what it does
		line, _, _ = strings.Cut(line, " #")
		if strings.Contains(line, "[") {
			line = strings.ReplaceAll(choices.Replace(line), "|", " ")
		}
		for part := range strings.SplitSeq(strings.ReplaceAll(line, " | ", " && "), " && ") {
			if command := typedIn.FindStringSubmatch(strings.TrimSpace(part)); command != nil {
				found = append(found, choices.Replace(command[2]))
			}
		}
	}
	return found
}

// commandTree knows the commands of the built programs by their own help.
type commandTree struct {
	t     *testing.T
	helps map[string]string
}

// help is what a command says of itself; empty where there is no such command.
func (c commandTree) help(command string) string {
	if said, known := c.helps[command]; known {
		return said
	}
	words := strings.Fields(command)
	cmd := exec.CommandContext(c.t.Context(), filepath.Join(binDir(), words[0]), append(words[1:], "--help")...)
	cmd.Dir = ground
	output, err := cmd.CombinedOutput()
	said := string(output)
	if err != nil || !strings.Contains(said, "\n  "+command+"\n") && !strings.Contains(said, "\n  "+command+" ") {
		said = ""
	}
	c.helps[command] = said
	return said
}

var (
	commandWord = regexp.MustCompile(`^[a-z][a-z-]*$`)
	flagWord    = regexp.MustCompile(`^--?[a-zA-Z][\w-]*`)
)

// fault says what is wrong with a command line.
func (c commandTree) fault(words []string) string {
	if words[0] == "make" {
		return c.makeFault(words[1:])
	}
	command, rest := words[0], words[1:]
	for len(rest) > 0 && commandWord.MatchString(rest[0]) {
		if c.help(command+" "+rest[0]) == "" {
			break
		}
		command, rest = command+" "+rest[0], rest[1:]
	}
	said := c.help(command)
	if said == "" {
		return "no such command"
	}
	if len(rest) > 0 && commandWord.MatchString(rest[0]) && strings.Contains(said, "\n  "+command+" [command]\n") &&
		!strings.Contains(said, "\n  "+command+" [flags]") {
		return command + " has no command " + rest[0]
	}
	for _, word := range rest {
		if flag := flagWord.FindString(word); flag != "" && !regexp.MustCompile(`(?m)^ +(-\w, )?`+flag+`\b|^ +`+flag+`, `).MatchString(said) {
			return command + " has no flag " + flag
		}
	}
	return ""
}

// makeFault says what is wrong with the arguments of make.
func (c commandTree) makeFault(words []string) string {
	targets, err := exec.CommandContext(c.t.Context(), "make", "-C", "..", "help").Output()
	if err != nil {
		return err.Error()
	}
	for _, word := range words {
		if commandWord.MatchString(word) && !strings.Contains(string(targets), "\n  "+word+" ") && !strings.HasPrefix(string(targets), "  "+word+" ") {
			return "no target " + word
		}
	}
	return ""
}
