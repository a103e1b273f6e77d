// Package jsondoc reads and writes the JSON documents that the project keeps:
// strict about what a whole document is, exact about the bytes it writes.
package jsondoc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// ErrNotOneValue reports text that is not exactly one JSON value.
var ErrNotOneValue = errors.New("not exactly one JSON value")

// Decode reads exactly one JSON value. Numbers come as json.Number, so that
// their spelling is kept; of a repeated key the last counts; a lone surrogate
// escape reads as U+FFFD. A byte order mark, invalid UTF-8, no value and a
// second value are errors.
func Decode(data []byte) (any, error) {
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		return nil, errors.New("begins with a byte order mark")
	}
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("not valid UTF-8 at byte %d", invalidAt(data))
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, fmt.Errorf("empty: %w", ErrNotOneValue)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, explain(err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("more text after the value, at byte %d: %w", decoder.InputOffset(), ErrNotOneValue)
	}
	return value, nil
}

func explain(err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("cut off inside the value: %w", ErrNotOneValue)
	case errors.As(err, &syntax):
		return fmt.Errorf("not JSON at byte %d: %w", syntax.Offset, err)
	}
	return fmt.Errorf("not JSON: %w", err)
}

func invalidAt(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(data)
}
