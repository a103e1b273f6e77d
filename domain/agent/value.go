package agent

import (
	"cmp"
	"math"
	"strconv"
	"time"

	"github.com/changeover/changeover/domain/jsondoc"
)

// Of what a client writes nothing is certain: a field that is missing, or of
// another type than expected, counts as empty.

func textOf(o jsondoc.Object, key string) string {
	value, _ := o.Find(key)
	s, _ := value.(string)
	return s
}

// firstText returns the first of the fields that has text, and its name.
func firstText(o jsondoc.Object, keys ...string) (key, text string) {
	for _, key := range keys {
		if s := textOf(o, key); s != "" {
			return key, s
		}
	}
	return "", ""
}

func child(o jsondoc.Object, key string) jsondoc.Object {
	value, _ := o.Find(key)
	c, _ := value.(jsondoc.Object)
	return c
}

func list(o jsondoc.Object, key string) []any {
	value, _ := o.Find(key)
	l, _ := value.([]any)
	return l
}

// objects returns the objects of a list.
func objects(o jsondoc.Object, key string) []jsondoc.Object {
	var all []jsondoc.Object
	for _, item := range list(o, key) {
		if c, ok := item.(jsondoc.Object); ok {
			all = append(all, c)
		}
	}
	return all
}

func truth(o jsondoc.Object, key string) bool {
	value, _ := o.Find(key)
	b, _ := value.(bool)
	return b
}

func isNumber(value any) bool {
	_, ok := value.(jsondoc.Number)
	return ok
}

// number returns a number as it was spelt.
func number(o jsondoc.Object, key string) string {
	value, _ := o.Find(key)
	n, _ := value.(jsondoc.Number)
	return cmp.Or(string(n), "0")
}

// float returns a number, 0 where there is none.
func float(o jsondoc.Object, key string) float64 {
	f, err := strconv.ParseFloat(number(o, key), 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return 0
	}
	return f
}

// instant returns what a number of seconds since 1970 stands for, where people
// would write it with a year of four digits.
func instant(o jsondoc.Object, key string) time.Time {
	const last = 253402300799
	seconds := float(o, key)
	if seconds < 1 || seconds > last {
		return time.Time{}
	}
	return time.Unix(int64(seconds), 0).UTC()
}
