//go:build !race

package killing

// raced: the test has the race detector.
const raced = false
