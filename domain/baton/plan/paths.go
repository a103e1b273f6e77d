package plan

import (
	"strings"

	"github.com/changeover/changeover/domain/baton/compact"
)

// paths returns the files and directories that a text names. Whether they exist
// does not matter, so what only has the form of a path is left out: addresses
// and two abbreviations.
func paths(text string) []string {
	var words []string
	for word := range strings.FieldsSeq(text) {
		if !strings.Contains(word, "://") {
			words = append(words, word)
		}
	}
	var found []string
	for _, p := range compact.Paths(strings.Join(words, " ")) {
		if p != "e.g" && p != "i.e" {
			found = append(found, p)
		}
	}
	return found
}

// namesPath reports that a text names a path, if only loosely: any word with a
// slash inside counts.
func namesPath(text string) bool {
	for word := range strings.FieldsSeq(text) {
		if strings.Contains(strings.Trim(word, "/"), "/") {
			return true
		}
	}
	return len(paths(text)) > 0
}

// leadsTo reports that a path which a plan names means the file.
func leadsTo(named, file string) bool {
	named = strings.TrimPrefix(named, "/")
	if strings.HasSuffix(named, "/") {
		return strings.HasPrefix(file, named)
	}
	return strings.HasSuffix("/"+file, "/"+named)
}
