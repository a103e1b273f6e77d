package world_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/world"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/session"
)

// answering is what one of the two clients gives.
type answering func() (session.Listing, error)

func (a answering) Sessions() (session.Listing, error) { return a() }

func listing(id string, err error) answering {
	return func() (session.Listing, error) {
		return session.Listing{Rows: []session.Row{{SessionID: id}}, Unread: []string{id + ".file"}, Inside: []string{id}}, err
	}
}

func TestPresence_PutsBothTogether(t *testing.T) {
	is := is.New(t)
	got, err := world.NewPresence(listing("claude", nil), listing("codex", nil)).Sessions()
	is.NoErr(err)
	is.Equal(got.Rows, []session.Row{{SessionID: "claude"}, {SessionID: "codex"}})
	is.Equal(got.Unread, []string{"claude.file", "codex.file"})
	is.Equal(got.Inside, []string{"codex"})
}

func TestPresence_ReportsWhatCouldNotBeLookedAt(t *testing.T) {
	denied := &fs.PathError{Op: "list", Path: "/home/ann/.codex", Err: fs.ErrPermission}
	broken := errors.New("broken")
	tests := []struct {
		name          string
		claude, codex error
		want          []string
	}{
		{"the registry", broken, nil, []string{"broken"}},
		{"the threads", nil, denied, []string{"the threads of Codex", "/home/ann/.codex", "permission denied"}},
		{"both", broken, denied, []string{"broken", "the threads of Codex"}},
		{"no home for either", port.ErrNoHome, port.ErrNoHome, []string{port.ErrNoHome.Error()}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got, err := world.NewPresence(listing("claude", tt.claude), listing("codex", tt.codex)).Sessions()
			is.True(err != nil)
			for _, token := range tt.want {
				is.True(strings.Contains(err.Error(), token)) // token
			}
			is.Equal(strings.Contains(err.Error(), "Codex"), len(tt.want) > 1)
			is.Equal(len(got.Rows), 2) // the other is there
		})
	}
}
