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
	for _, bad := range []string{"", "yesterday", "2026-05-28", "2026-13-01T00:00:00Z", "2026-05-28T09:00:00"} {
		_, err := stamp.Parse(bad)
		is.True(err != nil) // refused
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
