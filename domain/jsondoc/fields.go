package jsondoc

import (
	"fmt"
	"maps"
	"slices"
)

// FieldError reports a member that is not what its reader wanted.
type FieldError struct {
	// Path names the member from the outermost object on, with points.
	Path string
	Want string
}

// Error names the member and what it should be.
func (e *FieldError) Error() string { return fmt.Sprintf("%s is not %s", e.Path, e.Want) }

// Fields reads the members of a decoded object. An absent member, and one that
// is null, reads as the zero value; one of another type does too, and is noted.
type Fields struct {
	object map[string]any
	path   string
	faults *[]*FieldError
}

// NewFields reads an object.
func NewFields(object map[string]any) Fields {
	return Fields{object: object, faults: new([]*FieldError)}
}

// DecodeFields decodes a text that is one object.
func DecodeFields(data []byte) (Fields, error) {
	value, err := Decode(data)
	if err != nil {
		return Fields{}, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return Fields{}, &FieldError{Path: "the document", Want: "an object"}
	}
	return NewFields(object), nil
}

// Faults are the members that were asked for and held something else, in the
// order in which they were asked for.
func (f Fields) Faults() []*FieldError { return *f.faults }

// Err is the first fault, or nil.
func (f Fields) Err() error {
	if len(*f.faults) == 0 {
		return nil
	}
	return (*f.faults)[0]
}

// Fail notes that a member is not what it should be.
func (f Fields) Fail(key, want string) {
	*f.faults = append(*f.faults, &FieldError{Path: f.Path(key), Want: want})
}

// Path names a member from the outermost object on.
func (f Fields) Path(key string) string {
	if f.path == "" {
		return key
	}
	return f.path + "." + key
}

// Keys are the names of the members, in byte order.
func (f Fields) Keys() []string { return slices.Sorted(maps.Keys(f.object)) }

// Has says whether there is such a member and it is not null.
func (f Fields) Has(key string) bool { return f.object[key] != nil }

// Value returns a member as it was decoded; nil where there is none.
func (f Fields) Value(key string) any { return f.object[key] }

// Text reads a string.
func (f Fields) Text(key string) string { return read[string](f, key, "a text") }

// Flag reads a truth value.
func (f Fields) Flag(key string) bool { return read[bool](f, key, "true or false") }

// Int reads a number that is written as an integer.
func (f Fields) Int(key string) int {
	if !f.Has(key) {
		return 0
	}
	n, ok := f.object[key].(Number)
	value, err := n.Int64()
	if !ok || err != nil || int64(int(value)) != value {
		f.Fail(key, "an integer")
		return 0
	}
	return int(value)
}

// Number reads a number of any form.
func (f Fields) Number(key string) Number { return read[Number](f, key, "a number") }

// Texts reads a list of strings.
func (f Fields) Texts(key string) []string {
	var texts []string
	for _, value := range read[[]any](f, key, "a list of texts") {
		s, ok := value.(string)
		if !ok {
			f.Fail(key, "a list of texts")
			return nil
		}
		texts = append(texts, s)
	}
	return texts
}

// List reads a list of whatever.
func (f Fields) List(key string) []any { return read[[]any](f, key, "a list") }

// Child reads an object.
func (f Fields) Child(key string) Fields {
	return Fields{object: read[map[string]any](f, key, "an object"), path: f.Path(key), faults: f.faults}
}

// Children reads a list of objects.
func (f Fields) Children(key string) []Fields {
	var children []Fields
	for i, value := range read[[]any](f, key, "a list of objects") {
		object, ok := value.(map[string]any)
		if !ok {
			f.Fail(key, "a list of objects")
			return nil
		}
		children = append(children, Fields{object: object, path: fmt.Sprintf("%s[%d]", f.Path(key), i), faults: f.faults})
	}
	return children
}

func read[T any](f Fields, key, want string) T {
	value, ok := f.object[key].(T)
	if !ok && f.Has(key) {
		f.Fail(key, want)
	}
	return value
}
