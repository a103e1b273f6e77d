package exchange_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"unicode"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/exchange"
)

// objects are the places of every object with keys of its own.
var objects = []struct{ schema, path string }{
	{"marker", ""},
	{"marker", "legacy_ledger"},
	{"marker", "legacy_ledger.routes.a"},
	{"claim", ""},
	{"claim", "process"},
	{"handoff", ""},
	{"handoff", "from"},
	{"handoff", "to"},
	{"handoff to a session", "to"},
	{"handoff", "imported"},
	{"move", ""},
}

func TestSchemas_RefuseUnknownKeys(t *testing.T) {
	for _, o := range objects {
		for _, unknown := range []string{"zzz", "", "status ", "Zz"} {
			t.Run(fmt.Sprintf("%s %s %q", o.schema, o.path, unknown), func(t *testing.T) {
				is := is.New(t)
				k := key{schema: o.schema, path: strings.TrimPrefix(o.path+".zzz", ".")}
				data := strings.ReplaceAll(string(k.with(t, "1")), `"zzz"`, fmt.Sprintf("%q", unknown))
				err := schemas[o.schema].read([]byte(data))
				is.True(err != nil) // refused
				is.True(strings.Contains(err.Error(), fmt.Sprintf("unexpected key '%s'", unknown)))
			})
		}
	}
}

func TestSchemas_KeysHaveOneCase(t *testing.T) {
	for _, k := range keys {
		if strings.HasSuffix(k.path, ".0") || strings.HasSuffix(k.path, "routes.a") {
			continue
		}
		t.Run(k.schema+" "+k.path, func(t *testing.T) {
			is := is.New(t)
			parts := strings.Split(k.path, ".")
			last := parts[len(parts)-1]
			other := strings.ToUpper(last[:1]) + last[1:]
			renamed := key{schema: k.schema, path: strings.Join(append(parts[:len(parts)-1:len(parts)-1], other), ".")}
			err := schemas[k.schema].read(renamed.with(t, k.good[0]))
			is.True(err != nil) // refused
			is.True(strings.Contains(err.Error(), fmt.Sprintf("unexpected key '%s'", other)))
		})
	}
}

func TestSchemas_OfAKeyGivenTwiceTheLastCounts(t *testing.T) {
	is := is.New(t)
	m, err := exchange.ParseMove("f.json", []byte(`{"at":7,"status":"open","after":0,"at":"2026-03-01T10:00:00Z","status":"closed"}`))
	is.NoErr(err)
	is.Equal(m.Status, exchange.Closed)
	_, err = exchange.ParseMove("f.json", []byte(`{"at":"2026-03-01T10:00:00Z","status":"open","after":0,"after":-1}`))
	is.True(err != nil)
}

func TestSchemas_RefuseWhatIsNoObject(t *testing.T) {
	for name, s := range schemas {
		for _, doc := range []string{"null", "[]", "7", `"x"`, "true"} {
			t.Run(name+" "+doc, func(t *testing.T) {
				is := is.New(t)
				err := s.read([]byte(doc))
				is.True(err != nil) // refused
				is.True(strings.Contains(err.Error(), " is invalid: "))
			})
		}
	}
}

// F10: a file that cannot be read is never an empty one.
func TestSchemas_UnreadableIsSaid(t *testing.T) {
	for name, s := range schemas {
		for _, doc := range []string{"", " \n", "{", "{}{}", "\ufeff" + s.full, strings.ReplaceAll(s.full, "}", ",}"), s.full + "\xff", "\x00"} {
			t.Run(fmt.Sprintf("%s %.20q", name, doc), func(t *testing.T) {
				is := is.New(t)
				err := s.read([]byte(doc))
				is.True(err != nil) // refused
				is.True(strings.Contains(err.Error(), ".json could not be read: "))
			})
		}
	}
}

// F11: a lone surrogate is no fault of the file.
func TestSchemas_ReadALoneSurrogate(t *testing.T) {
	is := is.New(t)
	h, err := exchange.ParseHandoff("f.json",
		[]byte(`{"id":"i","from":{"cwd":"/c"},"to":{"repo":"r"},"created":"2026-03-01T10:00:00Z","body":"a\ud83db"}`))
	is.NoErr(err)
	is.Equal(h.Body, "a\ufffdb")
}

func TestProblem_NamesPlaceAndValue(t *testing.T) {
	is := is.New(t)
	_, err := exchange.ParseClaim("s.json", []byte(`{"session_id":"a\u001b[2K","cwd":"/","repos":["ok",""],"process":{"pid":"1","start":"x"},`+
		`"updated_at":"yesterday","tickets":[[]],"focus":{}}`))
	is.Equal(err.Error(), `s.json is invalid: s.json.session_id: expected an id, found "a\x1b[2K"; `+
		`s.json.focus: expected a string, found an object; `+
		`s.json.repos[1]: expected a string that is not empty, found ""; `+
		`s.json.tickets[0]: expected a string that is not empty, found a list; `+
		`s.json.process.pid: expected an integer of at least 1, found "1"; `+
		`s.json.updated_at: expected a timestamp YYYY-MM-DDTHH:MM:SSZ, found "yesterday"`)
}

func TestProblem_ShowsAtMost80CodePointsOfAValue(t *testing.T) {
	is := is.New(t)
	long := strings.Repeat("é", 500)
	for _, doc := range []string{
		fmt.Sprintf(`{"at":%q,"status":"open","after":0}`, long),
		fmt.Sprintf(`{"at":"2026-03-01T10:00:00Z","status":"open","after":0,%q:1}`, long),
	} {
		_, err := exchange.ParseMove("f.json", []byte(doc))
		is.True(strings.Contains(err.Error(), strings.Repeat("é", 80)))
		is.True(!strings.Contains(err.Error(), strings.Repeat("é", 81)))
		is.True(strings.Contains(err.Error(), "+420 more chars"))
	}
	_, err := exchange.ParseMove("f.json", []byte(`{"at":"2026-03-01T10:00:00Z","status":"open","after":`+strings.Repeat("9", 5000)+`}`))
	is.True(len(err.Error()) < 300) // a number too
}

func TestProblem_CountsFaultsPastTheTenth(t *testing.T) {
	is := is.New(t)
	_, err := exchange.ParseClaim("f.json",
		[]byte(`{"session_id":"s","cwd":"/","updated_at":"2026-03-01T10:00:00Z","paths":[`+strings.Repeat(`"",`, 24)+`""]}`))
	is.Equal(strings.Count(err.Error(), "f.json.paths["), 10)
	is.True(strings.HasSuffix(err.Error(), "; +15 more"))
}

func TestProblem_OfAFileThatCouldNotBeRead(t *testing.T) {
	is := is.New(t)
	err := error(&exchange.FileError{Name: "a\x1b[2Kb.json", Err: fs.ErrPermission})
	is.Equal(err.Error(), "a[2Kb.json could not be read: permission denied")
	is.True(errors.Is(err, fs.ErrPermission))
}

func TestProblem_ShowsNothingATerminalObeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name, a, b := rapid.String().Draw(t, "name"), rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		doc := fmt.Sprintf(`{%s:%s,"at":%s,"status":[%s]}`, quoted(a), quoted(b), quoted(b), quoted(a))
		_, err := exchange.ParseMove(name+"\x1b", []byte(doc))
		if err == nil {
			t.Fatalf("%s is accepted", doc)
		}
		if strings.ContainsFunc(err.Error(), func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Fatalf("%q", err.Error())
		}
	})
}

// quoted writes a JSON string.
func quoted(s string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, r := range s {
		if r < 0x20 || r == '"' || r == '\\' {
			fmt.Fprintf(&out, `\u%04x`, r)
			continue
		}
		out.WriteRune(r)
	}
	out.WriteByte('"')
	return out.String()
}
