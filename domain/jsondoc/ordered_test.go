package jsondoc_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/jsondoc"
)

func TestDecodeOrdered_KeepsTheOrderOfEveryObject(t *testing.T) {
	is := is.New(t)
	got, err := jsondoc.DecodeOrdered([]byte(`{"z":1.0,"a":[{"y":null,"x":"\ud83d"}],"b":{}}`))
	is.NoErr(err)
	want := jsondoc.Object{
		{Key: "z", Value: jsondoc.Number("1.0")},
		{Key: "a", Value: []any{jsondoc.Object{{Key: "y", Value: nil}, {Key: "x", Value: "\ufffd"}}}},
		{Key: "b", Value: jsondoc.Object{}},
	}
	is.Equal(cmp.Diff(got, any(want)), "")
}

func TestDecodeOrdered_RepeatedKeyKeepsItsFirstPlaceAndItsLastValue(t *testing.T) {
	is := is.New(t)
	got, err := jsondoc.DecodeOrdered([]byte(`{"a":1,"b":2,"a":3}`))
	is.NoErr(err)
	want := jsondoc.Object{{Key: "a", Value: jsondoc.Number("3")}, {Key: "b", Value: jsondoc.Number("2")}}
	is.Equal(cmp.Diff(got, any(want)), "")
}

func TestDecodeOrdered_RepeatedKeyAmongMany(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.StringMatching(`[a-z]{1,2}`), 0, 200).Draw(t, "keys")
		var all, want jsondoc.Object
		place := map[string]int{}
		for i, key := range keys {
			all.Add(key, i)
			if at, repeated := place[key]; repeated {
				want[at].Value = i
				continue
			}
			place[key] = len(want)
			want.Add(key, i)
		}
		got, err := jsondoc.DecodeOrdered(jsondoc.Line(all))
		if err != nil {
			t.Fatal(err)
		}
		if string(jsondoc.Line(got)) != string(jsondoc.Line(want)) {
			t.Fatalf("%s, not %s", jsondoc.Line(got), jsondoc.Line(want))
		}
	})
}

func TestDecodeOrdered_IsAsStrictAsDecode(t *testing.T) {
	is := is.New(t)
	for _, bad := range []string{"", "{} {}", "\ufeff{}", `{"a":1,}`, `{"a" 1}`, `{a:1}`} {
		_, err := jsondoc.DecodeOrdered([]byte(bad))
		is.True(err != nil) // refused
	}
	_, err := jsondoc.DecodeOrdered([]byte(`{"a":`))
	is.True(errors.Is(err, jsondoc.ErrNotOneValue))
}

func TestObject_FindsAMember(t *testing.T) {
	is := is.New(t)
	o := jsondoc.Object{{Key: "a", Value: nil}}
	_, ok := o.Find("a")
	is.True(ok)
	_, ok = o.Find("A")
	is.True(!ok)
}

func TestDecodeOrdered_GivesBackWhatStoredWrote(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var o jsondoc.Object
		for i, key := range rapid.SliceOfDistinct(rapid.String(), rapid.ID).Draw(t, "keys") {
			o.Add(key, []any{jsondoc.Object{{Key: "n", Value: i}, {Key: "a", Value: key}}})
		}
		written := jsondoc.Stored(o)
		back, err := jsondoc.DecodeOrdered(written)
		if err != nil {
			t.Fatal(err)
		}
		if again := jsondoc.Stored(back); string(again) != string(written) {
			t.Fatalf("%s became %s", written, again)
		}
	})
}
