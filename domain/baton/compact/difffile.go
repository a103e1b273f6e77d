package compact

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/changeover/changeover/domain/text"
)

// diffHead begins the diff of each file.
const diffHead = "diff --git "

// fileDiff is the diff of one file.
type fileDiff struct {
	name string
	body string
	// size is the length of the body in characters.
	size int
	// hidden is why the file is only named; empty where it can be shown.
	hidden string
	// short: the body was cut.
	short bool
}

// line returns the line that names a file that is not shown.
func (f fileDiff) line() string {
	return fmt.Sprintf("- %s (%s)\n", text.Readable(f.name), f.hidden)
}

// splitDiff splits a diff into its files. What stands before the first header is
// one too, for a diff that git did not write has none.
func splitDiff(diff string) []fileDiff {
	if !strings.HasSuffix(diff, "\n") {
		diff += "\n"
	}
	var files []fileDiff
	for diff != "" {
		body := diff
		if end := strings.Index(diff, "\n"+diffHead); end >= 0 {
			body = diff[:end+1]
		}
		diff = diff[len(body):]
		if strings.TrimSpace(body) != "" {
			files = append(files, readFileDiff(body))
		}
	}
	return files
}

// readFileDiff reads the header of a file's diff.
func readFileDiff(body string) fileDiff {
	f := fileDiff{body: body, size: Chars(body)}
	var old, renamed, header string
	for line := range strings.SplitSeq(body, "\n") {
		if strings.HasPrefix(line, "@@") {
			break
		}
		switch {
		case strings.HasPrefix(line, diffHead):
			header = headerName(line[len(diffHead):])
		case strings.HasPrefix(line, "--- "):
			old = fileName(line[len("--- "):], "a/")
		case strings.HasPrefix(line, "+++ "):
			f.name = fileName(line[len("+++ "):], "b/")
		case strings.HasPrefix(line, "rename to "):
			renamed = unquote(line[len("rename to "):])
		case strings.HasPrefix(line, "copy to "):
			renamed = unquote(line[len("copy to "):])
		case strings.HasPrefix(line, "Binary files "), line == "GIT binary patch":
			f.hidden = "binary"
		}
	}
	for _, name := range []string{old, renamed, header, "(unnamed)"} {
		if f.name == "" {
			f.name = name
		}
	}
	if f.hidden == "" {
		f.hidden = hiddenBy(f.name)
	}
	return f
}

// fileName reads the name behind "--- " or "+++ "; empty where there was no
// file. A tab ends it: git puts one behind a name that holds a space, others
// put a time behind it.
func fileName(s, prefix string) string {
	s, _, _ = strings.Cut(strings.TrimRight(s, "\r"), "\t")
	s = unquote(s)
	if s == "/dev/null" {
		return ""
	}
	return strings.TrimPrefix(s, prefix)
}

// headerName reads the name in the header, where it stands twice. Only a rename
// has two names there, and names both again below.
func headerName(s string) string {
	s = strings.TrimRight(s, "\r")
	if second := strings.LastIndex(s, ` "`); second >= 0 && strings.HasSuffix(s, `"`) {
		return strings.TrimPrefix(unquote(s[second+1:]), "b/")
	}
	if half := len(s) / 2; len(s)%2 == 1 && s[half] == ' ' &&
		strings.TrimPrefix(s[:half], "a/") == strings.TrimPrefix(s[half+1:], "b/") {
		return strings.TrimPrefix(s[half+1:], "b/")
	}
	return strings.TrimPrefix(s[strings.LastIndex(s, " b/")+1:], "b/")
}

// unquote reads a name that git may have put between quotation marks.
func unquote(s string) string {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return s
	}
	if name, err := strconv.Unquote(s); err == nil {
		return valid(name)
	}
	return s
}

// hiddenBy returns why a file of that name is not worth showing; empty where it
// is.
func hiddenBy(name string) string {
	dirs := strings.Split(name, "/")
	base := dirs[len(dirs)-1]
	for _, dir := range dirs[:len(dirs)-1] {
		switch dir {
		case "dist", "build":
			return "build output"
		case "vendor", "node_modules":
			return "third party"
		}
	}
	if slices.Contains(lockFiles(), base) {
		return "lock file"
	}
	switch path.Ext(base) {
	case ".map":
		return "source map"
	case ".js", ".css":
		if strings.HasSuffix(strings.TrimSuffix(base, path.Ext(base)), ".min") {
			return "minified"
		}
	}
	return ""
}

func lockFiles() []string {
	return []string{
		"package-lock.json", "pnpm-lock.yaml", "yarn.lock", "npm-shrinkwrap.json", "bun.lockb", "Cargo.lock", "go.sum", "poetry.lock",
		"uv.lock", "composer.lock", "Gemfile.lock",
	}
}

// cut shortens a long body to whole lines and says how many went.
func (f *fileDiff) cut(cutter text.Cutter) {
	if f.size <= longFile {
		return
	}
	const note = "[… %d more lines of this file]\n"
	total := strings.Count(f.body, "\n")
	head := cutter.Head(f.body, longFile-Chars(fmt.Sprintf(note, total)))
	head = head[:strings.LastIndexByte(head, '\n')+1]
	f.body = head + fmt.Sprintf(note, total-strings.Count(head, "\n"))
	f.size, f.short = Chars(f.body), true
}
