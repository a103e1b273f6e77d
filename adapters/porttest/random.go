package porttest

import (
	"encoding/hex"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/port"
)

// Random runs the contract of port.Random.
func Random(t *testing.T, harness func(t *testing.T) port.Random) {
	t.Run("lower-case hex digits, two a byte", func(t *testing.T) {
		is := is.New(t)
		r := harness(t)
		for _, n := range []int{0, 1, 3, 16, 100} {
			text, err := r.Hex(n)
			is.NoErr(err)
			is.Equal(len(text), 2*n)
			raw, err := hex.DecodeString(text)
			is.NoErr(err)
			is.Equal(len(raw), n)
			is.Equal(text, strings.ToLower(text))
		}
	})
	t.Run("never the same twice", func(t *testing.T) {
		is := is.New(t)
		r := harness(t)
		var group sync.WaitGroup
		texts := make([]string, racers)
		for i := range racers {
			group.Go(func() { texts[i], _ = r.Hex(8) })
		}
		group.Wait()
		seen := map[string]bool{}
		for _, text := range texts {
			is.Equal(len(text), 16)
			is.True(!seen[text])
			seen[text] = true
		}
	})
}
