package entropy_test

import (
	"testing"

	"github.com/changeover/changeover/adapters/entropy"
	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/domain/port"
)

func TestSource_Contract(t *testing.T) {
	porttest.Random(t, func(*testing.T) port.Random { return entropy.New() })
}
