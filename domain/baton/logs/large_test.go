package logs_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/logs"
)

// sips reads a few bytes at a time.
type sips struct {
	*strings.Reader
	size int
}

func (s sips) ReadAt(p []byte, off int64) (int, error) {
	return s.Reader.ReadAt(p[:min(len(p), s.size)], off)
}

func TestCompress_ReadsInAnyPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := randomLog(t)
		want, _ := compress(t, log, 5)
		var got strings.Builder
		if _, err := compressor.Compress(&got, sips{strings.NewReader(log), rapid.IntRange(1, 50).Draw(t, "size")}, 5); err != nil {
			t.Fatal(err)
		}
		if got.String() != want {
			t.Fatalf("the short form is\n%q\nnot\n%q", got.String(), want)
		}
	})
}

// Logs of many blocks, with lines that no block holds.
func TestCompress_LargeLogs(t *testing.T) {
	for seed := range 8 {
		log := largeLog.Example(seed)
		got, result := compress(t, log, 200)
		if want := naive(log, 200); got != want {
			t.Fatalf("seed %d: the short form is another: %s", seed, firstDifference(got, want))
		}
		if chars := utf8.RuneCountInString(log); len(log) <= compact.CountedBytes && result.Loss.CharsBefore != chars {
			t.Fatalf("seed %d: %d characters and not %d", seed, result.Loss.CharsBefore, chars)
		}
		if again, _ := compress(t, got, 200); again != got {
			t.Fatalf("seed %d: compressed again it is another: %s", seed, firstDifference(again, got))
		}
		loss := result.Loss
		if loss.More+loss.MoreShortened+loss.MoreNotices == 0 && rebuild(t, log, got, loss) != log {
			t.Fatalf("seed %d: rebuilt it is another", seed)
		}
	}
}

var largeLog = rapid.Custom(func(t *rapid.T) string {
	var log strings.Builder
	for log.Len() < 3<<20 {
		log.WriteString(strings.Repeat(randomLog(t), rapid.IntRange(1, 5).Draw(t, "times")))
		switch rapid.IntRange(0, 3).Draw(t, "long") {
		case 0:
			log.WriteString("\n[stdout] " + strings.Repeat("long ", rapid.IntRange(1, 300_000).Draw(t, "length")) + "quota exceeded\n")
		case 1:
			log.WriteString("\n[out] " + strings.Repeat("€", rapid.IntRange(1, 800_000).Draw(t, "length")) + "\n")
		case 2:
			log.WriteString("\n" + strings.Repeat("[out] plain\n", rapid.IntRange(1, 100_000).Draw(t, "count")))
		}
	}
	return log.String()
})

// firstDifference shows where two logs part.
func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d is %.100q and not %.100q", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines and not %d", len(a), len(b))
}

// Over 8 MiB the bytes stand in for the characters.
func TestCompress_WeighsALargeLogInBytes(t *testing.T) {
	is := is.New(t)
	log := strings.Repeat("[out] größenprüfung\n", 500_000)
	got, result := compress(t, log, logs.Tail)
	is.Equal(result.Loss.CharsBefore, len(log))
	is.Equal(result.Loss.CharsAfter, len(got))
	is.Equal(result.Weight, len(got))
	found, err := logs.Look(strings.NewReader(log), compressor.Phrases)
	is.NoErr(err)
	is.Equal(found.Weight(), len(log))
	found, err = logs.Look(strings.NewReader(log[:100]), compressor.Phrases)
	is.NoErr(err)
	is.Equal(found.Weight(), utf8.RuneCountInString(log[:100]))
}

// broken cannot be read.
type broken struct{ *strings.Reader }

var errBroken = errors.New("broken")

func (broken) ReadAt([]byte, int64) (int, error) { return 0, errBroken }

// cutOff is shorter than it says.
type cutOff struct{ *strings.Reader }

func (c cutOff) Size() int64 { return c.Reader.Size() + 10 }

// full takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errBroken }

func TestCompress_Errors(t *testing.T) {
	is := is.New(t)
	log := strings.NewReader(numbered(1, 300))
	_, err := compressor.Fit(io.Discard, broken{log}, balanced)
	is.True(errors.Is(err, errBroken))
	_, err = compressor.Fit(io.Discard, cutOff{log}, balanced)
	is.True(errors.Is(err, io.ErrUnexpectedEOF))
	_, err = compressor.Fit(full{}, log, balanced)
	is.True(errors.Is(err, errBroken))
}
