package exchange

import (
	"fmt"
	"strings"

	"github.com/changeover/changeover/domain/text"
)

// tempPrefix begins the name of every unfinished file of the store.
const tempPrefix = ".tmp-"

// IsTemporary reports the name of an unfinished file, which readers skip.
func IsTemporary(name string) bool { return strings.HasPrefix(name, tempPrefix) }

// CheckID returns an error unless id can be the name of a file: one or more of
// A-Z a-z 0-9 . _ - and not the beginning of a temporary name.
func CheckID(id string) error {
	if !isID(id) {
		return fmt.Errorf("%s is not a valid id: only A-Z a-z 0-9 . _ - may stand in one", text.Quote(id))
	}
	if IsTemporary(id) {
		return fmt.Errorf("%s is not a valid id: names beginning %s are for unfinished files", text.Quote(id), tempPrefix)
	}
	return nil
}

// CheckDirID returns an error unless an id can be the name of a directory: one
// that is valid as the name of a file, and none that names another directory.
func CheckDirID(id string) error {
	if err := CheckID(id); err != nil {
		return err
	}
	if id == "." || id == ".." {
		return fmt.Errorf("nothing can be kept about a session whose id is %s", text.Quote(id))
	}
	return nil
}

func isID(id string) bool {
	for i := range len(id) {
		c := id[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return id != ""
}
