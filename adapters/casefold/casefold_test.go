package casefold_test

import (
	"testing"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/adapters/casefold"
	"github.com/changeover/changeover/domain/exchange/ledger"
)

// Rows of Unicode's CaseFolding.txt of the kinds C and F.
func TestFold(t *testing.T) {
	tests := []struct{ in, want string }{
		{"Crane", "crane"},
		{"STRASSE Straße ẞ", "strasse strasse ss"},
		{"ﬃ", "ffi"},
		{"Σίσυφος", "σίσυφοσ"},
		{"ŉ", "ʼn"},
		{"İ", "i\u0307"},
		{"I ı", "i ı"},
		{"ᏸ\uab70 Ᏸ\u13a0", "Ᏸ\u13a0 Ᏸ\u13a0"},
		{"Ǆ", "ǆ"},
		{"→ 1!", "→ 1!"},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			is := is.New(t)
			is.Equal(casefold.New()(tt.in), tt.want)
		})
	}
}

// What is stored is found again.
func TestFold_OfWhatIsFoldedIsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.String().Draw(t, "in")
		once := casefold.New()(in)
		if twice := casefold.New()(once); twice != once {
			t.Fatalf("%q becomes %q, then %q", in, once, twice)
		}
	})
}

func TestFold_KeysAreStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := ledger.Key{Route: rapid.String().Draw(t, "route"), Headline: rapid.String().Draw(t, "headline")}
		once := key.Renewed(casefold.New())
		if twice := once.Renewed(casefold.New()); twice != once {
			t.Fatalf("%+v becomes %+v, then %+v", key, once, twice)
		}
	})
}
