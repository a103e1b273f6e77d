package baton

import "fmt"

// Counted words a number of things whose plural is regular: 1 step, 2 steps.
func Counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
