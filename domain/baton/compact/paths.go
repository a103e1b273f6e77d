package compact

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestExtension is how many characters the extension of a path has at most.
const longestExtension = 8

// Paths returns the paths that a text names, each once and in the order of the
// text: words with an extension, and words that end with a slash. A backslash
// reads as a slash; a full stop that ends a word belongs to the sentence.
func Paths(prose string) []string {
	var paths []string
	seen := map[string]bool{}
	words := strings.FieldsFunc(strings.ReplaceAll(prose, `\`, "/"), func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.M, unicode.N) && !strings.ContainsRune("_./-", r)
	})
	for _, word := range words {
		if p := named(word); p != "" && !seen[p] {
			seen[p] = true
			paths = append(paths, p)
		}
	}
	return paths
}

// named returns the path that a word is; empty for none.
func named(word string) string {
	word = strings.TrimRight(word, ".")
	if strings.IndexFunc(word, unicode.IsLetter) < 0 {
		return ""
	}
	clean := path.Clean(word)
	if strings.HasSuffix(word, "/") {
		return clean + "/"
	}
	extension := utf8.RuneCountInString(path.Ext(clean)) - 1 // without its point
	if extension < 1 || extension > longestExtension {
		return ""
	}
	return clean
}
