package exchange

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/text"
)

// CheckScope returns an error where a repo or a path cannot be a scope: it
// holds characters that a terminal does not show, is absolute, or climbs. It
// is pure text: nothing is looked up.
func CheckScope(value string) error {
	if hidden := text.Hidden(value); len(hidden) > 0 {
		var points []string
		for _, r := range hidden {
			points = append(points, fmt.Sprintf("U+%04X", r))
		}
		return fmt.Errorf("a scope cannot hold characters a terminal does not show: %s; without them it reads %s",
			strings.Join(points, ", "), text.Quote(text.Printable(value)))
	}
	if strings.HasPrefix(value, "/") {
		return fmt.Errorf("%s is absolute: a scope is relative to the root", text.Quote(value))
	}
	if slices.Contains(strings.Split(value, "/"), "..") {
		return fmt.Errorf("%s climbs with '..': a scope stays below the root", text.Quote(value))
	}
	if value == "" {
		return errors.New("a scope cannot be empty; '.' names the root itself")
	}
	return nil
}

// spelling folds the ways to write one scope: empty and '.' components go. The
// root itself is the empty spelling.
func spelling(scope string) string { return strings.Join(components(scope), "/") }

func components(scope string) []string {
	return slices.DeleteFunc(strings.Split(scope, "/"), func(c string) bool { return c == "" || c == "." })
}

// overlap reports that one path is above, inside or equal to the other, by
// whole components.
func overlap(a, b string) bool {
	left, right := components(a), components(b)
	n := min(len(left), len(right))
	return slices.Equal(left[:n], right[:n])
}

// Holder is a session as addresses see it: its ids, its repos and its paths.
type Holder struct {
	IDs   []string
	Repos []string
	Paths []string
}

// Reaches reports whether a handoff with this address is for the session.
func (a Address) Reaches(h Holder) bool { return a.barrier(h) == "" }

// barrier says why a handoff with this address is not for a session; empty where it
// is.
func (a Address) barrier(h Holder) Cause {
	if a.SessionID != "" {
		if slices.Contains(h.IDs, a.SessionID) {
			return ""
		}
		return OtherSession
	}
	wanted := spelling(a.Repo)
	if !slices.ContainsFunc(h.Repos, func(repo string) bool { return spelling(repo) == wanted }) {
		return OtherRepo
	}
	if len(a.Paths) == 0 || len(h.Paths) == 0 {
		return ""
	}
	meets := slices.ContainsFunc(a.Paths, func(want string) bool {
		return slices.ContainsFunc(h.Paths, func(held string) bool { return overlap(want, held) })
	})
	if !meets {
		return OtherPaths
	}
	return ""
}

// ParseAddress turns the flags of post into an address. Duplicate paths are
// dropped, their order is kept.
func ParseAddress(repo string, paths []string, sessionID string) (Address, error) {
	switch {
	case repo != "" && sessionID != "":
		return Address{}, errors.New("give --repo or --session, not both")
	case repo == "" && sessionID != "" && len(paths) > 0:
		return Address{}, errors.New("--path narrows a repo and cannot go with --session")
	case repo == "" && sessionID == "" && len(paths) > 0:
		return Address{}, errors.New("--path needs --repo")
	case repo == "" && sessionID == "":
		return Address{}, errors.New("nobody is addressed: give --repo or --session")
	case sessionID != "":
		if err := CheckID(sessionID); err != nil {
			return Address{}, fmt.Errorf("--session: %w", err)
		}
		return Address{SessionID: sessionID}, nil
	}
	if err := CheckScope(repo); err != nil {
		return Address{}, fmt.Errorf("--repo: %w", err)
	}
	for _, p := range paths {
		if err := CheckScope(p); err != nil {
			return Address{}, fmt.Errorf("--path: %w", err)
		}
	}
	return Address{Repo: repo, Paths: withAdded(nil, paths)}, nil
}

// withAdded appends what is not there yet, in order.
func withAdded(have, more []string) []string {
	for _, m := range more {
		if !slices.Contains(have, m) {
			have = append(have, m)
		}
	}
	return have
}
