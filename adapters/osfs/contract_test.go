package osfs_test

import (
	"testing"

	"github.com/changeover/changeover/adapters/porttest"
)

func TestFS_Contract(t *testing.T) { porttest.FS(t, porttest.OnDisk) }
