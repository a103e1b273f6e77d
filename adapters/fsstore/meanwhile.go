package fsstore

import "github.com/changeover/changeover/domain/exchange"

// PendingMeanwhile implements exchange.HandoffReader: a starting session has other
// files to read and its claim to write.
func (s *Store) PendingMeanwhile() func() exchange.Shelf { return meanwhile(s.Pending) }

// meanwhile begins to read something that nothing else waits for yet. The function
// that it returns waits for it; what broke the reading breaks its caller, whose
// recover answers for both.
func meanwhile[T any](read func() T) (result func() T) {
	type outcome struct {
		value T
		fault any
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			o.fault = recover()
			done <- o
		}()
		o.value = read()
	}()
	return func() T {
		o := <-done
		if o.fault != nil {
			panic(o.fault)
		}
		return o.value
	}
}
