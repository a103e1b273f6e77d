package jsondoc

import "slices"

// DecodeOrdered reads like Decode, but every object is an Object: its members
// stand in the order of the text, and a repeated key stands where it came first.
func DecodeOrdered(data []byte) (any, error) {
	return parser{text: string(data), ordered: true}.decode()
}

// Find returns the value of a key.
func (o Object) Find(key string) (value any, ok bool) {
	for _, m := range o {
		if m.Key == key {
			return m.Value, true
		}
	}
	return nil, false
}

// few is how many keys are sooner compared one by one than looked up.
const few = 32

func (p *parser) orderedObject(depth int) Object {
	object := Object{}
	var at map[string]int
	p.members(depth, func(key string, value any) {
		if i := object.place(key, at); i >= 0 {
			object[i].Value = value
			return
		}
		if at != nil {
			at[key] = len(object)
		}
		object.Add(key, value)
		if at == nil && len(object) == few {
			at = make(map[string]int, 2*few)
			for i, m := range object {
				at[m.Key] = i
			}
		}
	})
	return object
}

// place returns where a key stands, or -1. at holds every place once there are
// many.
func (o Object) place(key string, at map[string]int) int {
	if at == nil {
		return slices.IndexFunc(o, func(m Member) bool { return m.Key == key })
	}
	if i, ok := at[key]; ok {
		return i
	}
	return -1
}
