package session_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/session"
)

const (
	plannerID = "071a81ba-6892-4d6c-86b3-46f6db0b309f"
	builderID = "071a9c00-1111-4222-8333-444455556666"
	thirdID   = "beef0000-1111-4222-8333-444455556666"
)

// crew is a registry of three live sessions and some that are no peers.
func crew() session.Registry {
	row := func(pid int, id, name string) session.Row {
		return session.Row{PID: pid, SessionID: id, Name: name, Cwd: "/w/" + name, Kind: "interactive", Entrypoint: "cli"}
	}
	scripted, job, dead := row(14, "5c410000-1111", "script"), row(15, "70b00000-1111", "job"), row(99, "dead0000-1111", "gone")
	scripted.Entrypoint, job.Kind = "sdk-cli", "bg"
	procs := table{11: {}, 12: {}, 13: {}, 14: {}, 15: {}}
	return judge(procs, self, row(11, plannerID, "plan"), row(12, builderID, "build"), row(13, thirdID, ""), scripted, job, dead)
}

func TestRegistry_NamesOneSession(t *testing.T) {
	tests := []struct{ name, typed, want string }{
		{"id", plannerID, plannerID},
		{"name", "build", builderID},
		{"shortest prefix that is its own", "071a8", plannerID},
		{"four digits", "beef", thirdID},
		{"upper case", "BEEF", thirdID},
		{"past a hyphen", "071a9c00-11", builderID},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			row, err := crew().Named(tt.typed)
			is.NoErr(err)
			is.Equal(row.SessionID, tt.want) // session
		})
	}
}

func TestRegistry_NamesNobody(t *testing.T) {
	for _, typed := range []string{
		"", "071", "bee", "nobody", "071a81ba-6892-4d6c-86b3-46f6db0b309f0", "71a8", "script", "5c41", "job", "70b0", "gone", "dead", "Build",
		"beef*", "----",
	} {
		t.Run(typed, func(t *testing.T) {
			is := is.New(t)
			_, err := crew().Named(typed)
			var unknown *session.AmbiguousError
			is.True(errors.As(err, &unknown))                        // not found
			is.Equal(len(unknown.Candidates), 0)                     // nothing fits
			is.True(strings.Contains(err.Error(), "relay sessions")) // what to type
		})
	}
}

func TestRegistry_AnAmbiguousNameListsTheCandidates(t *testing.T) {
	is := is.New(t)
	_, err := crew().Named("071a")
	var several *session.AmbiguousError
	is.True(errors.As(err, &several)) // ambiguous
	is.Equal(len(several.Candidates), 2)
	is.True(strings.Contains(err.Error(), plannerID) && strings.Contains(err.Error(), "(plan)"))  // one
	is.True(strings.Contains(err.Error(), builderID) && strings.Contains(err.Error(), "(build)")) // the other
}

func TestRegistry_ANameThatIsAnotherSessionsPrefixIsAmbiguous(t *testing.T) {
	is := is.New(t)
	rows := []session.Row{{PID: 11, SessionID: plannerID, Name: "beef"}, {PID: 13, SessionID: thirdID, Name: "other"}}
	_, err := judge(table{11: {}, 13: {}}, self, rows...).Named("beef")
	var several *session.AmbiguousError
	is.True(errors.As(err, &several) && len(several.Candidates) == 2) // both are listed
}

func TestRegistry_FindsTheSessionsOfADirectory(t *testing.T) {
	is := is.New(t)
	rows := crew().In("/w/plan")
	is.Equal(len(rows), 1)                   // one
	is.Equal(rows[0].SessionID, plannerID)   // that one
	is.Equal(len(crew().In("/w/script")), 0) // no scripted run
	is.Equal(len(crew().In("/w")), 0)        // no directory above
}
