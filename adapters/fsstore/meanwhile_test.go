package fsstore

import (
	"testing"

	"github.com/matryer/is"
)

func TestMeanwhile_AFaultIsThatOfWhoWaits(t *testing.T) {
	is := is.New(t)
	is.Equal(meanwhile(func() int { return 7 })(), 7)
	result := meanwhile(func() int { panic("torn page") })
	defer func() { is.Equal(recover(), "torn page") }()
	result()
	t.Error("the fault was lost")
}
