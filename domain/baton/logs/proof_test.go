package logs_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/logs"
)

// proven says whether a line of a log is found in what is written so many bytes at a
// time.
func proven(t rapid.TB, written string, size int, log string, at logs.Place) bool {
	t.Helper()
	proof := logs.NewProof(io.Discard, strings.NewReader(log))
	proof.Expect(at)
	for rest := written; rest != ""; {
		n := min(size, len(rest))
		if _, err := io.WriteString(proof, rest[:n]); err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
	}
	return proof.Found(at)
}

func TestProof_FindsALineHoweverItComes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.StringMatching(`[ab]{1,6}`), 1, 8).Draw(t, "lines")
		n := rapid.IntRange(0, len(lines)-1).Draw(t, "wanted")
		at := logs.Place{Line: n + 1, From: int64(len(strings.Join(append(lines[:n:n], ""), "\n"))), Size: len(lines[n])}
		written := rapid.SliceOfN(rapid.StringMatching(`[ab]{1,6}`), 0, 8).Draw(t, "written")
		if rapid.Bool().Draw(t, "there") {
			written = append(written, lines[n])
		}
		want := false
		for _, line := range written {
			want = want || line == lines[n]
		}
		var out strings.Builder
		proof := logs.NewProof(&out, strings.NewReader(strings.Join(lines, "\n")))
		proof.Expect(at)
		content := strings.Join(written, "\n")
		for rest := content; rest != ""; {
			size := rapid.IntRange(1, len(rest)).Draw(t, "size")
			if _, err := io.WriteString(proof, rest[:size]); err != nil {
				t.Fatal(err)
			}
			rest = rest[size:]
		}
		if out.String() != content || proof.Found(at) != want {
			t.Fatalf("found is %v in %q", proof.Found(at), out.String())
		}
	})
}

// A line longer than what is held at once.
func TestProof_LongLines(t *testing.T) {
	is := is.New(t)
	long := strings.Repeat("x", 300_000)
	at := logs.Place{Line: 1, Size: len(long)}
	for written, want := range map[string]bool{long: true, long + "x": false, long[1:]: false, long[1:] + "y": false, "a\n" + long + "\nb": true} {
		proof := logs.NewProof(io.Discard, strings.NewReader(long))
		proof.Expect(at)
		_, err := io.WriteString(proof, written)
		is.NoErr(err)
		is.Equal(proof.Found(at), want)
	}
}

func TestProof_ExpectsNothing(t *testing.T) {
	is := is.New(t)
	proof := logs.NewProof(io.Discard, strings.NewReader(""))
	proof.Expect(logs.Place{})
	_, err := io.WriteString(proof, "\n\n")
	is.NoErr(err)
	is.True(!proof.Found(logs.Place{}))
}

func TestProof_Errors(t *testing.T) {
	is := is.New(t)
	proof := logs.NewProof(full{}, strings.NewReader("a"))
	_, err := io.WriteString(proof, "a")
	is.True(errors.Is(err, errBroken))
	proof = logs.NewProof(io.Discard, broken{strings.NewReader("a")})
	proof.Expect(logs.Place{Line: 1, Size: 1})
	_, err = io.WriteString(proof, "a")
	is.True(errors.Is(err, errBroken))
}
