package proc

import "errors"

// Vigil is what Linux has; elsewhere its caller has to look again and again.
func Vigil(int) (ended <-chan struct{}, stop func(), err error) {
	return nil, nil, errors.ErrUnsupported
}
