package exchange

import (
	"fmt"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/text"
)

// maxFaults is how many faults of one file are named.
const maxFaults = 10

// FileError reports a file of the store that cannot be used. Its text is the
// problem line, the file's name already cleaned.
type FileError struct {
	// Name is the base name of the file.
	Name string
	// Faults are what is wrong with the content; empty where it could not be
	// read at all.
	Faults []string
	// Err is why it could not be read.
	Err error
	// Holds is the session id inside, where it is not the file's name.
	Holds string
}

// Error returns the problem text of the specification, section 2.1.
func (e *FileError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s could not be read: %s", text.Printable(e.Name), text.Printable(e.Err.Error()))
	}
	if e.Holds != "" {
		return fmt.Sprintf("%s holds the session id %s, which is not its name", text.Printable(e.Name), text.Printable(e.Holds))
	}
	faults := e.Faults
	if len(faults) > maxFaults {
		faults = append(slices.Clone(faults[:maxFaults]), fmt.Sprintf("+%d more", len(faults)-maxFaults))
	}
	return fmt.Sprintf("%s is invalid: %s", text.Printable(e.Name), strings.Join(faults, "; "))
}

// Unwrap returns why the file could not be read.
func (e *FileError) Unwrap() error { return e.Err }

// parse decodes the content of a file and checks it against its schema.
func parse(name string, data []byte, s schema) (map[string]any, error) {
	value, err := jsondoc.Decode(data)
	if err != nil {
		return nil, &FileError{Name: name, Err: err}
	}
	if faults := validate(value, s, text.Printable(path.Base(name))); len(faults) > 0 {
		return nil, &FileError{Name: name, Faults: faults}
	}
	object, _ := value.(map[string]any)
	return object, nil
}

// validate returns what is wrong with a decoded value, each fault with its
// place.
func validate(value any, s schema, place string) []string {
	switch s.form {
	case textForm:
		return validateText(value, s, place)
	case integerForm:
		return validateInteger(value, s, place)
	case booleanForm:
		if _, ok := value.(bool); !ok {
			return wrong(place, "true or false", value)
		}
		return nil
	case listForm:
		return validateList(value, s, place)
	case mapForm:
		return validateMap(value, s, place)
	default:
		return validateObject(value, s, place)
	}
}

func wrong(place, expected string, value any) []string {
	return []string{fmt.Sprintf("%s: expected %s, found %s", place, expected, describe(value))}
}

func describe(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case jsondoc.Number:
		return number(string(v))
	case string:
		return text.Quote(v)
	case []any:
		return "a list"
	default:
		return "an object"
	}
}

// number shows a number as it is written, which may be long.
func number(digits string) string {
	if rest := len(digits) - text.QuoteLimit; rest > 0 {
		return fmt.Sprintf("%s +%d more chars", digits[:text.QuoteLimit], rest)
	}
	return digits
}

func validateText(value any, s schema, place string) []string {
	v, ok := value.(string)
	if !ok {
		return wrong(place, expectedText(s), value)
	}
	switch {
	case len(s.oneOf) > 0 && !slices.Contains(s.oneOf, v),
		utf8.RuneCountInString(v) < s.min,
		s.format == idText && CheckID(v) != nil,
		s.format == dateText && !isDate(v):
		return wrong(place, expectedText(s), value)
	}
	if s.format == timestampText {
		if _, err := parseTimestamp(v); err != nil {
			return wrong(place, expectedText(s), value)
		}
	}
	return nil
}

func expectedText(s schema) string {
	switch {
	case len(s.oneOf) > 0:
		return "one of " + strings.Join(s.oneOf, ", ")
	case s.format == idText:
		return "an id"
	case s.format == timestampText:
		return "a timestamp YYYY-MM-DDTHH:MM:SSZ"
	case s.format == dateText:
		return "a date YYYY-MM-DD"
	case s.min == 1:
		return "a string that is not empty"
	}
	return "a string"
}

func validateInteger(value any, s schema, place string) []string {
	expected := fmt.Sprintf("an integer of at least %d", s.min)
	number, ok := value.(jsondoc.Number)
	if !ok {
		return wrong(place, expected, value)
	}
	n, err := strconv.ParseInt(string(number), 10, 64)
	if err != nil || n < int64(s.min) || n > maxInteger {
		return wrong(place, expected, value)
	}
	return nil
}

func validateList(value any, s schema, place string) []string {
	items, ok := value.([]any)
	if !ok {
		return wrong(place, "a list", value)
	}
	var faults []string
	for i, item := range items {
		faults = append(faults, validate(item, *s.item, fmt.Sprintf("%s[%d]", place, i))...)
	}
	return faults
}

func validateMap(value any, s schema, place string) []string {
	object, ok := value.(map[string]any)
	if !ok {
		return wrong(place, "an object", value)
	}
	var faults []string
	for _, key := range sortedKeys(object) {
		faults = append(faults, validate(object[key], *s.item, fmt.Sprintf("%s[%s]", place, text.Quote(key)))...)
	}
	return faults
}

func validateObject(value any, s schema, place string) []string {
	object, ok := value.(map[string]any)
	if !ok {
		return wrong(place, "an object", value)
	}
	fields := s.fields
	if len(s.choices) > 0 {
		chosen, fault := choose(object, s.choices)
		if fault != "" {
			return []string{place + ": " + fault}
		}
		fields = chosen.fields
	}
	var faults []string
	for _, f := range fields {
		v, present := object[f.key]
		switch {
		case present:
			faults = append(faults, validate(v, f.schema, place+"."+f.key)...)
		case f.required:
			faults = append(faults, fmt.Sprintf("%s: missing key '%s'", place, f.key))
		}
	}
	for _, key := range sortedKeys(object) {
		if !slices.ContainsFunc(fields, func(f field) bool { return f.key == key }) {
			faults = append(faults, fmt.Sprintf("%s: unexpected key %s", place, text.Single(key)))
		}
	}
	return faults
}

func choose(object map[string]any, choices []choice) (choice, string) {
	var keys []string
	var found []choice
	for _, c := range choices {
		keys = append(keys, c.key)
		if _, ok := object[c.key]; ok {
			found = append(found, c)
		}
	}
	if len(found) != 1 {
		return choice{}, "expected exactly one of the keys " + strings.Join(keys, ", ")
	}
	return found[0], ""
}

func sortedKeys(object map[string]any) []string {
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

// The readers of a validated object: absent keys are zero.

func intAt(object map[string]any, key string) int {
	number, _ := object[key].(jsondoc.Number)
	n, _ := strconv.Atoi(string(number))
	return n
}

func textsAt(object map[string]any, key string) []string {
	items, _ := object[key].([]any)
	var texts []string
	for _, item := range items {
		if s, ok := item.(string); ok {
			texts = append(texts, s)
		}
	}
	return texts
}

func objectAt(object map[string]any, key string) map[string]any {
	inner, _ := object[key].(map[string]any)
	return inner
}
