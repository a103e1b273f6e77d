// Package entropytest is a source of randomness whose every word is known.
package entropytest

import (
	"fmt"
	"sync"

	"github.com/changeover/changeover/domain/port"
)

// Source implements port.Random: it counts. The zero value is ready.
type Source struct {
	mu  sync.Mutex
	n   int
	err error
}

var _ port.Random = (*Source)(nil)

// Failing returns a source that has nothing to give.
func Failing(err error) *Source { return &Source{err: err} }

// Hex implements port.Random: the next number, in n bytes.
func (s *Source) Hex(n int) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return "", s.err
	}
	s.n++
	digits := fmt.Sprintf("%0*x", 2*n, s.n)
	return digits[len(digits)-2*n:], nil
}
