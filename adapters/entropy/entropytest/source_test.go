package entropytest_test

import (
	"errors"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/entropy/entropytest"
	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/domain/port"
)

func TestSource_Contract(t *testing.T) {
	porttest.Random(t, func(*testing.T) port.Random { return &entropytest.Source{} })
}

func TestSource_Fails(t *testing.T) {
	is := is.New(t)
	dry := errors.New("dry")
	text, err := entropytest.Failing(dry).Hex(3)
	is.True(errors.Is(err, dry))
	is.Equal(text, "")
}
