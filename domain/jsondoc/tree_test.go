package jsondoc_test

import (
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/jsondoc"
)

func TestTexts_AreFoundAtEveryDepth(t *testing.T) {
	is := is.New(t)
	value, err := jsondoc.Decode([]byte(`{"b": ["one", {"c": {"d": [["two"]]}}], "a": "three", "n": 1, "key": true}`))
	is.NoErr(err)
	is.Equal(jsondoc.Texts(value), []string{"three", "one", "two"})
	is.Equal(jsondoc.Texts("alone"), []string{"alone"})
	is.Equal(len(jsondoc.Texts(nil)), 0)
}

func TestEqual(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{`{"a": [1, "x", null, {}], "b": true}`, `{"b":true,"a":[1,"x",null,{}]}`, true},
		{`[]`, `[]`, true},
		{`1`, `1.0`, false},
		{`1`, `"1"`, false},
		{`[1, 2]`, `[2, 1]`, false},
		{`[1]`, `[1, 1]`, false},
		{`{"a": 1}`, `{"a": 2}`, false},
		{`{"a": 1}`, `{"b": 1}`, false},
		{`{"a": null}`, `{}`, false},
		{`{}`, `[]`, false},
		{`"x"`, `["x"]`, false},
		{`["x"]`, `"x"`, false},
		{`null`, `{}`, false},
	}
	for _, tt := range tests {
		t.Run(tt.a+" "+tt.b, func(t *testing.T) {
			is := is.New(t)
			a, err := jsondoc.Decode([]byte(tt.a))
			is.NoErr(err)
			b, err := jsondoc.Decode([]byte(tt.b))
			is.NoErr(err)
			is.Equal(jsondoc.Equal(a, b), tt.want)
		})
	}
}
