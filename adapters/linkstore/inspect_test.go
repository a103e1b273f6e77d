package linkstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/relay"
)

func TestStore_InspectFindsWhatOthersMayLookInto(t *testing.T) {
	is := is.New(t)
	store, dir := open(t)
	is.Equal(store.Inspect().Exists, false)
	is.NoErr(store.AddMember(relay.Member{Session: "s1"}))
	found := store.Inspect()
	is.Equal(found.Dir, dir)
	is.True(found.Exists)
	is.Equal(found.Mode, os.FileMode(0o700))
	is.Equal(found.Problems, nil)

	wide := filepath.Join(dir, "sessions", "s1.json")
	is.NoErr(os.Chmod(wide, 0o644))
	found = store.Inspect()
	is.Equal(len(found.Problems), 1)
	is.True(strings.HasPrefix(found.Problems[0], wide+" may be looked into by others (mode 0644)"))
}

func TestStore_AddMemberReplacesNothing(t *testing.T) {
	is := is.New(t)
	store, _ := open(t)
	is.NoErr(store.AddMember(relay.Member{Session: "s1", PID: 5, Start: "50"}))
	err := store.AddMember(relay.Member{Session: "s1", PID: 6})
	is.True(errors.Is(err, relay.ErrTaken))
	m, err := store.Member("s1")
	is.NoErr(err)
	is.Equal(m, relay.Member{Session: "s1", PID: 5, Start: "50"})
	is.True(store.AddMember(relay.Member{Session: "../s1"}) != nil)
}
