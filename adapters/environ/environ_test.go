package environ_test

import (
	"path/filepath"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/environ"
)

func TestNew_Home(t *testing.T) {
	for _, home := range []string{"/home/dev", ""} {
		is := is.New(t)
		t.Setenv("HOME", home)
		is.Equal(environ.New().Home, home) // empty where not known
	}
}

func TestNew_ARelativeHomeIsNone(t *testing.T) {
	is := is.New(t)
	t.Setenv("HOME", "relative")
	t.Setenv("CLAUDE_CONFIG_DIR", "")
	is.Equal(environ.New().Home, "")
	is.Equal(environ.New().ClientDir(), "")
}

func TestNew_Lookup(t *testing.T) {
	is := is.New(t)
	t.Setenv("CHANGEOVER_TEST", " value ")
	env := environ.New()
	is.Equal(env.Lookup("CHANGEOVER_TEST"), " value ")
	is.Equal(env.Lookup("CHANGEOVER_TEST_NOT_SET"), "")
}

func TestNew_ExecutableIsARealPath(t *testing.T) {
	is := is.New(t)
	name := environ.New().Executable()
	is.True(filepath.IsAbs(name))
	real, err := filepath.EvalSymlinks(name)
	is.NoErr(err)
	is.Equal(name, real)
}
