package jsondoc_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/jsondoc"
)

func TestFields_ReadEachType(t *testing.T) {
	is := is.New(t)
	f, err := jsondoc.DecodeFields([]byte(`{"s":"x","b":true,"i":-7,"n":0.5,"l":["a","b"],"o":{"s":"y"},"os":[{"i":1},{"i":2}],"null":null}`))
	is.NoErr(err)
	is.Equal(f.Text("s"), "x")
	is.True(f.Flag("b"))
	is.Equal(f.Int("i"), -7)
	is.Equal(f.Number("n"), jsondoc.Number("0.5"))
	is.Equal(f.Texts("l"), []string{"a", "b"})
	is.Equal(f.Child("o").Text("s"), "y")
	is.Equal(f.Children("os")[1].Int("i"), 2)
	is.Equal(f.Keys(), []string{"b", "i", "l", "n", "null", "o", "os", "s"})
	is.True(f.Has("s"))
	is.NoErr(f.Err())
}

func TestFields_AbsentAndNullAreZero(t *testing.T) {
	is := is.New(t)
	f := jsondoc.NewFields(map[string]any{"null": nil})
	for _, key := range []string{"null", "absent"} {
		is.True(!f.Has(key))
		is.Equal(f.Text(key), "")
		is.Equal(f.Int(key), 0)
		is.Equal(f.Flag(key), false)
		is.Equal(len(f.Texts(key)), 0)
		is.Equal(len(f.Children(key)), 0)
		is.Equal(f.Child(key).Text("x"), "")
	}
	is.NoErr(f.Err())
}

func TestFields_NoteEveryOtherType(t *testing.T) {
	is := is.New(t)
	f, err := jsondoc.DecodeFields([]byte(`{"o":{"s":1,"i":1.5,"b":"true","l":["a",1],"os":[1],"c":[]},"l":[{"s":2}],"big":99999999999999999999}`))
	is.NoErr(err)
	o := f.Child("o")
	o.Text("s")
	o.Int("i")
	o.Flag("b")
	o.Texts("l")
	o.Children("os")
	o.Child("c").Text("x")
	f.Children("l")[0].Text("s")
	f.Int("big")
	o.Fail("x", "there")
	var got []string
	for _, fault := range f.Faults() {
		got = append(got, fault.Error())
	}
	want := []string{
		"o.s is not a text", "o.i is not an integer", "o.b is not true or false", "o.l is not a list of texts", "o.os is not a list of objects",
		"o.c is not an object", "l[0].s is not a text", "big is not an integer", "o.x is not there",
	}
	is.Equal(cmp.Diff(got, want), "")
	var first *jsondoc.FieldError
	is.True(errors.As(f.Err(), &first))
	is.Equal(first.Path, "o.s")
}

func TestDecodeFields_RefusesWhatIsNoObject(t *testing.T) {
	is := is.New(t)
	for _, bad := range []string{"[]", "null", "7", "{", ""} {
		_, err := jsondoc.DecodeFields([]byte(bad))
		is.True(err != nil) // refused
	}
}

func TestFields_ReadAListOfWhatever(t *testing.T) {
	is := is.New(t)
	f, err := jsondoc.DecodeFields([]byte(`{"l":[1,"x",[2]],"t":"x"}`))
	is.NoErr(err)
	is.Equal(cmp.Diff(f.List("l"), []any{jsondoc.Number("1"), "x", []any{jsondoc.Number("2")}}), "")
	is.Equal(len(f.List("none")), 0)
	is.NoErr(f.Err())
	is.Equal(len(f.List("t")), 0)
	is.Equal(f.Err().Error(), "t is not a list")
}
