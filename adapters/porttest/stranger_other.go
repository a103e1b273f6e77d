//go:build !linux

package porttest

import (
	"os"
	"testing"
)

// AsStranger runs do as an ordinary user, which the tests are run by where
// threads cannot change theirs.
func AsStranger(t *testing.T, do func()) {
	t.Helper()
	if os.Geteuid() == 0 {
		t.Fatal("run the tests as an ordinary user: permissions mean nothing to root")
	}
	do()
}
