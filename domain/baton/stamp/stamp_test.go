package stamp_test

import (
	"testing"
	"time"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/stamp"
	"github.com/changeover/changeover/domain/jsondoc"
)

func TestText_IsUTCWithMilliseconds(t *testing.T) {
	is := is.New(t)
	at := time.Date(2026, 5, 28, 11, 0, 0, 7_900_000, time.FixedZone("", 2*3600))
	is.Equal(stamp.Text(at), "2026-05-28T09:00:00.007Z")
	is.Equal(stamp.File(at), "2026-05-28T09-00-00-007Z")
}

func TestParse_RefusesWhatIsNoInstant(t *testing.T) {
	is := is.New(t)
	for _, bad := range []string{
		"", "yesterday", "2026-05-28", "2026-13-01T00:00:00Z", "2026-05-28T09:00:00",
		"0000-01-01T00:00:00+23:00", "9999-12-31T23:59:59-23:00", // of years that UTC cannot write
	} {
		_, err := stamp.Parse(bad)
		is.True(err != nil) // refused
	}
}

// A file holds milliseconds: what is read of a finer instant is what is written of it.
func TestParse_CutsToMilliseconds(t *testing.T) {
	is := is.New(t)
	tests := map[string]time.Time{
		"2026-05-28T09:00:00.9999Z":           time.Date(2026, 5, 28, 9, 0, 0, 999_000_000, time.UTC),
		"2026-05-28T09:00:00.007999999+02:00": time.Date(2026, 5, 28, 7, 0, 0, 7_000_000, time.UTC),
		"0000-12-31T23:59:59.9999Z":           time.Date(0, 12, 31, 23, 59, 59, 999_000_000, time.UTC),
	}
	for text, want := range tests {
		got, err := stamp.Parse(text)
		is.NoErr(err)
		is.Equal(got, want) // the millisecond that it is in
		again, err := stamp.Parse(stamp.Text(got))
		is.NoErr(err)
		is.Equal(again, got) // read as written
	}
}

func TestField(t *testing.T) {
	is := is.New(t)
	f := jsondoc.NewFields(map[string]any{"at": "2026-05-28T09:00:00.007Z", "bad": "soon", "null": nil})
	is.Equal(stamp.Field(f, "at"), time.Date(2026, 5, 28, 9, 0, 0, 7_000_000, time.UTC))
	is.True(stamp.Field(f, "null").IsZero())
	is.NoErr(f.Err())
	is.True(stamp.Field(f, "bad").IsZero())
	is.Equal(f.Err().Error(), "bad is not a time")
}

func TestParse_ReadsWhatTextWrote(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.UnixMilli(rapid.Int64Range(0, 4_000_000_000_000).Draw(t, "at")).UTC()
		got, err := stamp.Parse(stamp.Text(at))
		if err != nil || !got.Equal(at) {
			t.Fatalf("%s became %s, %v", at, got, err)
		}
	})
}
