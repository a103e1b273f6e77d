package porttest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/session"
)

// RegistryHarness is a session registry under test and the client's hand in it.
type RegistryHarness struct {
	Registry port.SessionRegistry

	// Put writes the row under its file name.
	Put func(t *testing.T, row session.Row)

	// Spoil writes a file that holds no row.
	Spoil func(t *testing.T, file string)

	// Drop takes a file away.
	Drop func(t *testing.T, file string)

	// Vanish takes the whole registry away.
	Vanish func(t *testing.T)

	// Block keeps anybody from looking.
	Block func(t *testing.T)
}

// Sessions runs the contract of port.SessionRegistry.
func Sessions(t *testing.T, harness func(t *testing.T) RegistryHarness) {
	tests := []struct {
		name string
		test func(t *testing.T, h RegistryHarness)
	}{
		{"empty", registryEmpty},
		{"does not exist", registryMissing},
		{"rows in file order", registryOrder},
		{"every field", registryFields},
		{"what could not be read", registryUnread},
		{"as it is now", registryFresh},
		{"nobody can look", registryBlocked},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.test(t, harness(t)) })
	}
}

// sessions reads a registry that can be read.
func (h RegistryHarness) sessions(t *testing.T) session.Listing {
	t.Helper()
	listing, err := h.Registry.Sessions()
	if err != nil {
		t.Fatal(err)
	}
	return listing
}

func registryEmpty(t *testing.T, h RegistryHarness) {
	is := is.New(t)
	listing := h.sessions(t)
	is.Equal(len(listing.Rows), 0)
	is.Equal(len(listing.Unread), 0)
}

func registryMissing(t *testing.T, h RegistryHarness) {
	is := is.New(t)
	h.Put(t, session.Row{File: "1.json", SessionID: "a"})
	h.Vanish(t)
	listing := h.sessions(t)
	is.Equal(len(listing.Rows), 0)
	is.Equal(len(listing.Unread), 0)
}

func registryOrder(t *testing.T, h RegistryHarness) {
	want := []session.Row{
		{File: ".x.json", SessionID: "twice"},
		{File: "10.json", SessionID: "b"},
		{File: "9.json", SessionID: "twice"},
		{File: "Z.json", SessionID: "c"},
		{File: "a.json", SessionID: "a"},
	}
	for _, i := range []int{3, 0, 4, 2, 1} {
		h.Put(t, want[i])
	}
	if diff := cmp.Diff(want, h.sessions(t).Rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func registryFields(t *testing.T, h RegistryHarness) {
	want := session.Row{
		File:       "71.json",
		SessionID:  "0f3c",
		PID:        71,
		Name:       "dock \"two\"\n",
		Kind:       "interactive",
		Entrypoint: "cli",
		Cwd:        "/home/dev/dock",
		StartedAt:  time.UnixMilli(1796031472165).UTC(),
		ProcStart:  "276573",
		PidDomain:  "linux:00112233:pid:[4026531836]",
	}
	h.Put(t, want)
	if diff := cmp.Diff([]session.Row{want}, h.sessions(t).Rows); diff != "" {
		t.Errorf("row (-want +got):\n%s", diff)
	}
}

func registryUnread(t *testing.T, h RegistryHarness) {
	is := is.New(t)
	h.Spoil(t, "9.json")
	h.Put(t, session.Row{File: "5.json", SessionID: "a"})
	h.Spoil(t, "1.json")
	listing := h.sessions(t)
	is.Equal(listing.Unread, []string{"1.json", "9.json"})
	is.Equal(len(listing.Rows), 1) // the others are there
}

func registryFresh(t *testing.T, h RegistryHarness) {
	is := is.New(t)
	h.Put(t, session.Row{File: "1.json", SessionID: "a"})
	is.Equal(h.sessions(t).Rows[0].SessionID, "a")
	h.Put(t, session.Row{File: "1.json", SessionID: "after-clear"})
	is.Equal(h.sessions(t).Rows[0].SessionID, "after-clear")
	h.Drop(t, "1.json")
	is.Equal(len(h.sessions(t).Rows), 0)
}

func registryBlocked(t *testing.T, h RegistryHarness) {
	is := is.New(t)
	h.Put(t, session.Row{File: "1.json", SessionID: "a"})
	h.Block(t)
	listing, err := h.Registry.Sessions()
	is.True(err != nil) // never "no sessions"
	is.Equal(len(listing.Rows), 0)
}
