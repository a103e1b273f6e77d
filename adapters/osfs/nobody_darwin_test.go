package osfs_test

import (
	"os"
	"testing"
)

// asNobody runs something without what root may do: root may write everywhere.
func asNobody(t *testing.T, do func()) {
	t.Helper()
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	do()
}
