package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
)

func TestAlone_HoldsAPlaceForOne(t *testing.T) {
	is := is.New(t)
	to := place{prefix: filepath.Join(t.TempDir(), "opt", "changeover")}
	release, err := alone(to, false)
	is.NoErr(err) // nothing is there, and nothing is made
	release()
	release, err = alone(to, true)
	is.NoErr(err)
	for _, makes := range []bool{true, false} {
		_, err = alone(to, makes)
		is.True(err != nil && strings.Contains(err.Error(), "another make install or make uninstall works on "+to.prefix))
	}
	other, err := alone(place{prefix: t.TempDir()}, true)
	is.NoErr(err) // another place is another matter
	other()
	release()
	release, err = alone(to, true)
	is.NoErr(err)
	release()
}
