package relay

import "fmt"

// Role is the part that a session plays in a link.
type Role string

// The roles of a link. Person is who gives the planner its goal; nobody plays
// it.
const (
	Planner Role = "planner"
	Builder Role = "builder"
	Person  Role = "person"
)

// ParseRole reads a role as a person types it.
func ParseRole(s string) (Role, error) {
	switch r := Role(s); r {
	case Planner, Builder:
		return r, nil
	}
	return "", fmt.Errorf("%q is no role: planner or builder", s)
}

// Other returns the complementary role.
func (r Role) Other() Role {
	if r == Planner {
		return Builder
	}
	return Planner
}
